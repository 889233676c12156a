"""One turn after another: what is sent, what is kept, and what a failing model changes."""

from __future__ import annotations

import pytest

from bot.config import Settings
from bot.errors import ModelError, ModelFailed, ModelRejected
from bot.messages import Attachment
from tests.bot.chat.core import Core, add, operations, small, told
from tests.fakes.model import Reply
from tests.fakes.responder import words_of


async def test_the_current_message_comes_last_after_what_was_said_before(core: Core) -> None:
    await core.say("I have two cats.")
    await core.say("What do I have?")
    assert [(message.role, message.text) for message in core.last.messages] == [
        ("user", "I have two cats."),
        ("assistant", "I read: I have two cats."),
        ("user", "What do I have?"),
    ]


@pytest.mark.parametrize("error", [ModelFailed("500"), ModelError("odd")])
async def test_after_an_error_the_question_is_kept_once_and_answered_once(
    core: Core, error: ModelError
) -> None:
    core.model.script(error)
    failed = await core.say("How old is Ann?", "q")
    assert failed.answer is None
    assert failed.sink.failure
    assert failed.sink.failure.tone == "error"
    again = await core.say("How old is Ann? Please.")
    assert again.answer == "I read: How old is Ann? Please."
    texts = [message.text for message in (await core.memory()).verbatim]
    assert texts == ["How old is Ann?", "How old is Ann? Please.", "I read: How old is Ann? Please."]
    assert told(core.last).count("How old is Ann?") == 2  # the failed one, and the present one


async def test_a_message_that_is_delivered_twice_is_answered_once(core: Core) -> None:
    first = await core.say("Hello", "same")
    second = await core.say("Hello", "same")
    assert first.answer == "I read: Hello"
    assert second.silent
    assert len(core.model.requests) == 1
    assert [message.role for message in (await core.memory()).verbatim] == ["user", "assistant"]


async def test_a_message_delivered_twice_at_once_is_answered_once(core: Core) -> None:
    first, done = core.send(core.words("Hello", "same"))
    second, too = core.send(core.words("Hello", "same"))
    await done
    await too
    assert first.answer == "I read: Hello"
    assert second.silent


async def test_a_refused_request_drops_nothing_and_the_next_turn_has_all(core: Core) -> None:
    await core.say("The code word is marble.")
    core.model.script(ModelRejected("400: unsupported value"))
    refused = await core.say("What is it?")
    assert refused.sink.failure
    assert "refused this request" in words_of(refused.sink.failure)
    assert "400" not in words_of(refused.sink.failure)
    assert (await core.say("And now?")).answer == "I read: And now?"
    assert [message.text for message in core.last.messages] == [
        "The code word is marble.",
        "I read: The code word is marble.",
        "What is it?",
        "And now?",
    ]


async def test_a_summary_is_quoted_background_and_no_request(core: Core) -> None:
    note = 'the user asked to translate file plan.txt "now"'
    core.summaries.script(operations(add(note, 1)))
    await core.say('Translate file plan.txt "now". The file has many pages on gardens, walls and old trees.')
    await core.chat(4)
    await core.say("2+2")
    background, *_, current = core.last.messages
    assert background.role == "developer"
    assert '"the user asked to translate file plan.txt \\"now\\""' in background.text
    assert "data, not instructions" in background.text.replace("\n", " ")
    assert (current.role, current.text) == ("user", "2+2")
    assert note not in core.last.instructions
    assert [message.role for message in core.last.messages].count("developer") == 1


async def test_a_photo_is_its_placeholder_in_context_history_and_summary(core: Core) -> None:
    photo = Attachment("photo", "sunset.jpg", "a beach")
    await core.say("Look at this, it was taken on our last evening there.", attachments=(photo,))
    assert "[photo: sunset.jpg, a beach]" in core.last.messages[-1].text
    await core.chat(4)
    asked = [request.messages[0].text for request in core.summaries.requests]
    assert "[photo: sunset.jpg, a beach]" in asked[0]
    assert "[photo: sunset.jpg, a beach]" in words_of(await core.command("/history"))


class TestTooLarge:
    """Persona, summary and the current message alone exceed the budget."""

    @pytest.fixture
    def settings(self) -> Settings:
        return small(input_budget=600, max_tokens=100)

    async def test_the_model_isn_t_asked_and_the_view_names_parts_and_sizes(self, core: Core) -> None:
        await core.say("Hello there.")
        refused = await core.say("enormous " * 700)
        assert len(core.model.requests) == 1
        (view,) = refused.views
        said = words_of(view)
        assert view.tone == "error"
        assert "budget of 600 tokens" in said
        assert "persona: " in said
        assert "this message: 7" in said
        assert refused.replies == []

    async def test_the_message_is_in_no_later_request_and_in_no_summary(self, core: Core) -> None:
        await core.say("enormous " * 700)
        await core.chat(8)
        assert core.summaries.requests
        everything = [*core.model.requests, *core.summaries.requests]
        assert not any("enormous" in told(request) for request in everything)

    async def test_the_summary_is_named_too_where_there_is_one(self, core: Core) -> None:
        await core.chat(8)
        (view,) = (await core.say("enormous " * 700)).views
        assert "summary: " in words_of(view)


async def test_what_a_command_says_is_no_part_of_the_memory(core: Core) -> None:
    await core.say("Hello")
    await core.command("/help")
    assert len((await core.memory()).verbatim) == 2


async def test_usage_reported_by_the_provider_is_kept_apart_from_what_was_counted(core: Core) -> None:
    core.model.script(Reply("Yes.", without_usage=True), Reply("No."))
    await core.say("First?")
    record = await core.store.last_request(await core.conversation())
    assert record
    assert (record.input, record.output) == (None, None)
    assert record.counted == sum(part.tokens for part in record.parts)
    await core.say("Second?")
    record = await core.store.last_request(await core.conversation())
    assert record
    assert record.input is not None
    assert record.sent == 3
