"""Which calls are answered, which refused, and which are none of the bot's business."""

from __future__ import annotations

import asyncio

import pytest

from bot.errors import StoreError
from bot.messages import ChatKind
from tests.bot.chat.core import Core
from tests.fakes.model import Reply
from tests.fakes.responder import words_of


async def test_an_unknown_command_in_private_gets_a_hint(core: Core) -> None:
    view = await core.command("/dance now")
    assert "I don't know /dance" in words_of(view)
    assert "/help" in words_of(view)


async def test_an_unknown_command_in_a_group_is_meant_for_another_bot(core: Core) -> None:
    responder, done = core.send(core.call("/dance", chat_kind=ChatKind.GROUP))
    await done
    assert responder.silent


async def test_a_command_is_known_in_capitals_too(core: Core) -> None:
    assert (await core.command("/HELP")).kind == "help"


async def test_what_only_moderators_may_do_is_refused_to_others(core: Core) -> None:
    await core.chat(1)
    epoch = (await core.conversation()).epoch
    for line in ("/reset", f"/reset confirm {epoch}"):
        view = await core.command(line, admin=False, chat_kind=ChatKind.GROUP)
        assert "Only those who moderate this chat" in words_of(view)
        assert view.actions == ()
    assert (await core.memory()).stored == 2


@pytest.mark.parametrize("line", ["/summary", "/context", "/history", "/compact", "/help"])
async def test_everybody_may_use_the_others(core: Core, line: str) -> None:
    view = await core.command(line, admin=False, chat_kind=ChatKind.GROUP)
    assert view.kind != "denied"


async def test_a_command_is_answered_while_a_reply_streams(core: Core) -> None:
    gate = asyncio.Event()
    core.model.script(Reply("Slowly.", gate=gate))
    responder, done = core.send(core.words("Well?"))
    await core.model.wait_for(1)
    assert (await core.command("/context")).kind == "context"
    assert responder.answer is None
    gate.set()
    await done
    assert responder.answer == "Slowly."


async def test_a_store_that_fails_is_said_as_such(core: Core, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: object) -> None:
        raise StoreError("database is locked")

    monkeypatch.setattr(core.store, "find", broken)
    view = await core.command("/summary")
    assert view.tone == "error"
    assert "memory can't be reached" in words_of(view)
    assert "locked" not in words_of(view)
