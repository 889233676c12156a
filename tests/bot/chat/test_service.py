"""The front door: every event ends, whatever breaks on its way, and nothing stays open behind it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.errors import DeliveryDelayed, StoreError, StoreFull
from bot.memory.tokens import TiktokenCounter
from bot.messages import ChatKind, ConversationKey, ConversationMoved, MessageEdited, MessagesDeleted
from bot.store import SqliteStore
from tests.bot.chat.core import Core, running
from tests.fakes.model import Reply
from tests.fakes.responder import RecordingResponder, words_of
from tests.fakes.store import KEY, START


def _breaking(error: Exception) -> Callable[..., Any]:
    async def broken(*_: object, **__: object) -> Any:
        raise error

    return broken


async def _submit(core: Core, event: MessageEdited | MessagesDeleted | ConversationMoved) -> None:
    await core.lanes.submit(event, RecordingResponder())


async def test_a_turn_that_a_stop_left_open_doesn_t_end_folding(path: Path, counter: TiktokenCounter) -> None:
    async with running(path, counter) as core:
        core.model.script(Reply("Never said", gate=asyncio.Event()))
        core.send(core.words("Hello?"))
        await core.model.wait_for(1)
    async with running(path, counter) as core:
        assert await core.store.open_turn(await core.conversation()) is not None
        await core.chat(6)
        memory = await core.memory()
        assert memory.summary is not None
        assert memory.summary.covers + len(memory.verbatim) == memory.stored == 13


async def test_a_redelivered_message_that_was_never_answered_is_answered_now(
    path: Path, counter: TiktokenCounter
) -> None:
    async with running(path, counter) as core:
        core.model.script(Reply("Never said", gate=asyncio.Event()))
        core.send(core.words("Hello?", "same"))
        await core.model.wait_for(1)
    async with running(path, counter) as core:
        assert (await core.say("Hello?", "same")).answer == "I read: Hello?"
        assert (await core.say("Hello?", "same")).silent
        assert [message.role for message in (await core.memory()).verbatim] == ["user", "assistant"]


async def test_a_store_that_can_t_take_a_message_says_so(core: Core, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SqliteStore, "append", _breaking(StoreFull("full")))
    responder = await core.say("Hello?")
    (view,) = responder.views
    assert "was NOT saved" in words_of(view)
    background, done = core.send(core.words("to somebody else", addressed=False, kind=ChatKind.GROUP))
    await done
    assert background.silent
    assert core.model.requests == []


async def test_a_store_that_can_t_take_an_answer_ends_the_reply_and_says_so(
    core: Core, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(SqliteStore, "add_answer", _breaking(StoreError("locked")))
        responder = await core.say("Hello?")
    assert responder.answer is None
    assert responder.sink.failure
    assert "memory can't be reached" in words_of(responder.sink.failure)
    assert responder.views == []
    assert await core.store.open_turn(await core.conversation()) is None
    assert (await core.say("And now?")).answer == "I read: And now?"


async def test_an_answer_is_said_once_even_if_its_place_can_t_be_noted(
    core: Core, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SqliteStore, "attach_parts", _breaking(StoreError("locked")))
    responder = await core.say("Hello?")
    assert responder.answer == "I read: Hello?"
    assert responder.views == []


@pytest.mark.parametrize("place", ["memory", "last_request", "add_answer"])
async def test_a_fault_nobody_thought_of_ends_the_turn_and_is_told_in_general_words(
    core: Core, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(SqliteStore, place, _breaking(RuntimeError("secret detail")))
        responder = await core.say("Hello?")
    view = responder.sink.failure or responder.views[0]
    assert "Something unexpected happened" in words_of(view)
    assert "secret" not in words_of(view)
    assert await core.store.open_turn(await core.conversation()) is None
    assert (await core.say("And now?")).answer == "I read: And now?"


async def test_a_command_that_breaks_is_told_too(core: Core, monkeypatch: pytest.MonkeyPatch) -> None:
    await core.say("Hello")
    monkeypatch.setattr(SqliteStore, "memory", _breaking(RuntimeError("secret detail")))
    view = await core.command("/summary")
    assert view.tone == "error"
    assert "Something unexpected happened" in words_of(view)


async def test_a_failure_that_can_t_be_shown_ends_the_turn_all_the_same(core: Core) -> None:
    responder, done = core.send(core.words("enormous " * 5000))
    responder.show_error = DeliveryDelayed("slow")
    await done
    assert (await core.memory()).stored == 0
    assert (await core.say("And now?")).answer == "I read: And now?"


async def test_an_edit_changes_what_the_next_request_holds_and_brings_no_answer(core: Core) -> None:
    await core.say("My cat is Tom.", "a")
    event = MessageEdited(KEY, "a", "My cat is Tim.", START + timedelta(minutes=1))
    await _submit(core, event)
    assert len(core.model.requests) == 1
    await core.say("And?")
    assert core.last.messages[0].text == "My cat is Tim."


async def test_a_deleted_message_is_in_no_later_request(core: Core) -> None:
    await core.say("My cat is Tom.", "a")
    await _submit(core, MessagesDeleted(KEY, ("a", "never-there")))
    await core.say("And?")
    assert [message.text for message in core.last.messages] == ["I read: My cat is Tom.", "And?"]


async def test_a_chat_that_moves_takes_its_memory_along(core: Core) -> None:
    new = ConversationKey("telegram", "4711", "-100200")
    await core.say("My cat is Tom.")
    await _submit(core, ConversationMoved(KEY, new))
    await core.say("And?", key=new)
    assert core.last.messages[0].text == "My cat is Tom."


async def test_an_unknown_command_is_named_in_private_and_ignored_in_a_group(core: Core) -> None:
    view = await core.command("/nonsense now")
    assert "I don't know /nonsense." in words_of(view)
    responder, done = core.send(core.call("/nonsense", chat_kind=ChatKind.GROUP))
    await done
    assert responder.silent
    assert await core.store.conversations() == []


async def test_in_private_the_person_s_language_is_spoken_and_in_a_group_the_set_one(core: Core) -> None:
    private = await core.command("/help", language="zh-TW")
    group = await core.command("/help", language="zh-TW", chat_kind=ChatKind.GROUP)
    assert "我是 Memora" in words_of(private)
    assert "I am Memora" in words_of(group)


async def test_only_those_who_moderate_may_use_what_changes_a_chat(core: Core) -> None:
    await core.say("Hello")
    for line in ("/reset", "/reset confirm 1", "/RESET"):
        view = await core.command(line, admin=False, chat_kind=ChatKind.GROUP)
        assert (view.kind, view.actions) == ("denied", ())
    assert (await core.memory()).stored == 2


async def test_whoever_waits_in_line_while_all_is_erased_is_told(core: Core) -> None:
    core.model.script(Reply("Never said", gate=asyncio.Event()))
    running, first = core.send(core.words("One?"))
    waiting, second = core.send(core.words("Two?"))
    await core.model.wait_for(1)
    await core.command(f"/reset confirm {(await core.conversation()).epoch}")
    await asyncio.gather(first, second)
    assert running.sink.failure
    assert "erased meanwhile" in words_of(running.sink.failure)
    (view,) = waiting.views
    assert "erased meanwhile" in words_of(view)
    assert len(core.model.requests) == 1
    assert (await core.memory()).stored == 0
