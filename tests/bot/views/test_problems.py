"""Every error that a person can meet is a sentence of its own."""

from __future__ import annotations

import inspect

import pytest

from bot import errors
from bot.views.model import Fields
from bot.views.problems import problem
from bot.views.words import LANGUAGES, Words
from tests.fakes.responder import words_of

DETAIL = "detail-for-the-log"
GENERAL = "Something unexpected happened"


def _below(kind: type[Exception]) -> list[type[Exception]]:
    found = inspect.getmembers(errors, inspect.isclass)
    return [each for _, each in found if issubclass(each, kind)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", [*_below(errors.ModelError), *_below(errors.StoreError)])
def test_a_model_s_or_store_s_error_is_told_without_its_detail(kind: type[Exception], language: str) -> None:
    view = problem(kind(DETAIL), Words(language))
    said = words_of(view)
    assert (view.kind, view.tone) == ("error", "error")
    assert DETAIL not in said
    assert GENERAL not in said
    assert "{" not in said


def test_each_error_of_a_model_has_a_sentence_of_its_own() -> None:
    kinds = _below(errors.ModelError)
    # ModelFailed is what its base class says: the model's own fault.
    assert len({words_of(problem(kind(DETAIL), Words("en"))) for kind in kinds}) == len(kinds) - 1


@pytest.mark.parametrize(
    ("seconds", "told"), [(12.4, "in 12 seconds"), (0.2, "in 1 seconds"), (None, "in a minute")]
)
def test_a_busy_model_says_how_long(seconds: float | None, told: str) -> None:
    assert told in words_of(problem(errors.ModelBusy("429", seconds), Words("en")))


@pytest.mark.parametrize("error", [RuntimeError(DETAIL), errors.MemoraError(DETAIL), KeyError(DETAIL)])
def test_anything_else_is_told_in_general_words(error: Exception) -> None:
    said = words_of(problem(error, Words("en")))
    assert GENERAL in said
    assert DETAIL not in said


def test_what_is_too_large_is_named_part_by_part() -> None:
    error = errors.ContextTooLarge({"persona": 120, "summary": 340, "current": 12_345}, 8000)
    view = problem(error, Words("en"))
    assert view.blocks[-1] == Fields((("persona", "120"), ("summary", "340"), ("this message", "12,345")))
    assert "8,000 tokens" in words_of(view)
