"""Says in one sentence what went wrong and what a person can do about it."""

from __future__ import annotations

from bot import errors
from bot.views.model import Fields, Paragraph, View
from bot.views.words import Words


def problem(error: Exception, words: Words) -> View:
    """The view of an error; anything unexpected gets a general sentence, never its inner text."""
    if isinstance(error, errors.ContextTooLarge):
        return _too_large(error, words)
    return View("error", words("That didn't work"), (Paragraph(_sentence(error, words)),), tone="error")


def _sentence(error: Exception, words: Words) -> str:
    if isinstance(error, errors.ModelBusy):
        return _busy(error, words)
    for kind, sentence in _sentences(words):
        if isinstance(error, kind):
            return sentence
    return words("Something unexpected happened here. Please try again; the log has the detail.")


def _busy(error: errors.ModelBusy, words: Words) -> str:
    if error.retry_after:
        return words(
            "The model is busy or its quota is used up. Please try again in {seconds} seconds.",
            seconds=max(1, round(error.retry_after)),
        )
    return words("The model is busy or its quota is used up. Please try again in a minute.")


def _sentences(words: Words) -> list[tuple[type[Exception], str]]:
    return [
        (
            errors.ModelUnauthorized,
            words("The model refused this bot's key. The operator has to check OPENAI_API_KEY."),
        ),
        (
            errors.ModelNotFound,
            words("There is no such model. The operator has to check [llm] model and base_url."),
        ),
        (errors.ModelTimeout, words("The model took too long to answer. Please send your message again.")),
        (
            errors.ModelUnreachable,
            words("The model can't be reached just now. Please try again in a few minutes."),
        ),
        (
            errors.ModelFiltered,
            words("The provider's content filter refused this. Please put it in other words."),
        ),
        (
            errors.ModelRejected,
            words("The model refused this request as it is. Please put it in other words; the log has why."),
        ),
        (errors.ModelEmpty, words("The model gave an empty answer. Please send your message again.")),
        (
            errors.ModelInterrupted,
            words("The answer broke off half way and is not kept. Please send your message again."),
        ),
        (errors.ModelError, words("The model had a fault of its own. Please send your message again.")),
        (
            errors.StoreFull,
            words("The disk is full or can't be written, so your message was NOT saved. Tell the operator."),
        ),
        (
            errors.StoreError,
            words("The memory can't be reached just now, so your message may not be saved. Try again soon."),
        ),
    ]


def _too_large(error: errors.ContextTooLarge, words: Words) -> View:
    names = {"persona": words("persona"), "summary": words("summary"), "current": words("this message")}
    rows = tuple((names.get(name, name), f"{tokens:,}") for name, tokens in error.parts.items())
    text = words(
        "This message is too large for the budget of {budget} tokens, even alone. It was not sent to the "
        "model and is kept out of the context. Please shorten it.",
        budget=f"{error.budget:,}",
    )
    return View(
        "error",
        words("Too large"),
        (Paragraph(text), Fields(rows)),
        tone="error",
    )
