"""Deleting or editing what is folded already reaches the notes."""

from __future__ import annotations

import asyncio

import pytest

from bot.messages import MessageEdited, MessagesDeleted
from tests.bot.chat.core import SENTENCE, Core, add, operations, told
from tests.fakes.model import Reply
from tests.fakes.responder import RecordingResponder, words_of
from tests.fakes.store import KEY

SECRET = "The safe opens with marble"
TEA = "Ann drinks green tea"


async def _fold(core: Core) -> None:
    """Two notes, each on a message of its own: the first one is "s", the other "t"."""
    core.summaries.script(operations(add(SECRET, 1), add(TEA, 3)))
    await core.say(f"{SECRET}, but tell nobody at all of it.", "s")
    await core.say(f"{TEA}, every morning of the week.", "t")
    await core.chat(3)
    summary = (await core.memory()).summary
    assert summary
    assert [note.text for note in summary.notes] == [SECRET, TEA]


async def _edit(core: Core, message_id: str, text: str) -> None:
    event = MessageEdited(KEY, message_id, text, core.clock.now())
    await core.lanes.submit(event, RecordingResponder())


async def _delete(core: Core, *message_ids: str) -> None:
    await core.lanes.submit(MessagesDeleted(KEY, message_ids), RecordingResponder())


@pytest.mark.parametrize("change", ["deleted", "edited"])
async def test_a_note_on_a_changed_message_is_in_no_request_and_no_view(core: Core, change: str) -> None:
    await _fold(core)
    core.clock.pass_time(60)
    await (_delete(core, "s") if change == "deleted" else _edit(core, "s", "Never mind."))
    await core.say("What do you know?")
    assert SECRET not in told(core.last)
    assert TEA in told(core.last)
    shown = words_of(await core.command("/summary"))
    assert SECRET not in shown
    assert TEA in shown
    assert "Withdrawn: 1 notes" in shown
    assert SECRET not in words_of(await core.command("/summary 1"))


async def test_no_later_summary_brings_it_back(core: Core) -> None:
    await _fold(core)
    core.clock.pass_time(60)
    await _delete(core, "s")
    asked = len(core.summaries.requests)
    await core.chat(12)
    later = core.summaries.requests[asked:]
    assert later
    assert not any(SECRET in told(request) for request in later)
    summary = (await core.memory()).summary
    assert summary
    assert SECRET not in [note.text for note in summary.notes]


async def test_a_deleted_message_that_is_still_verbatim_is_in_no_later_request(core: Core) -> None:
    await core.say(SECRET, "s")
    await _delete(core, "s")
    core.model.script("Nothing.")
    await core.say("What do you know?")
    assert [message.text for message in core.last.messages if message.role == "user"] == ["What do you know?"]


async def test_an_edit_of_a_verbatim_message_is_read_as_it_is_now_and_is_not_answered(core: Core) -> None:
    await core.say("I have two cats.", "s")
    await _edit(core, "s", "I have three cats.")
    assert len(core.model.requests) == 1
    await core.say("How many?")
    assert core.last.messages[0].text == "I have three cats."
    shown = words_of(await core.command("/history"))
    assert "I have three cats." in shown
    assert "edited" in shown


async def test_what_is_edited_while_it_is_folded_leaves_no_note_of_its_old_words(core: Core) -> None:
    gate = asyncio.Event()
    core.summaries.script(Reply(operations(add(SECRET, 1), add(TEA, 3)), gate=gate))
    await core.say(f"{SECRET}, but tell nobody at all of it.", "s")
    await core.say(f"{TEA}, every morning of the week.", "t")
    for _ in range(3):
        await core.say(SENTENCE)
    await core.summaries.wait_for(1)
    core.clock.pass_time(1)
    await _edit(core, "s", "Never mind.")
    gate.set()
    await core.compactor.join()
    core.model.script("Fine.")
    await core.say("What do you know?")
    background = core.last.messages[0]
    assert background.role == "developer"
    assert SECRET not in background.text
    assert TEA in background.text
    assert SECRET not in words_of(await core.command("/summary"))


async def test_deleting_what_is_not_there_changes_nothing(core: Core) -> None:
    await core.say("Hello")
    await _delete(core, "nowhere")
    await _edit(core, "nowhere", "Hello?")
    assert (await core.say("Again")).answer == "I read: Again"
    assert len(core.last.messages) == 3
