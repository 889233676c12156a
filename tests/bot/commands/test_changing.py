"""/compact and /reset, and who may call what."""

from __future__ import annotations

import asyncio
import re

from bot.errors import ModelFailed
from bot.messages import CommandCall
from bot.views.model import View
from tests.bot.chat.core import SENTENCE, Core, add, operations
from tests.fakes.model import Reply
from tests.fakes.responder import words_of

NOTE = operations(add("we spoke", 1))


async def test_compact_with_nothing_to_fold(core: Core) -> None:
    assert "nothing to fold yet" in words_of(await core.command("/compact"))
    await core.say("Hello")
    assert "nothing to fold yet" in words_of(await core.command("/compact"))
    assert core.summaries.requests == []


async def test_compact_says_from_how_much_to_how_much(core: Core) -> None:
    for letter in "abcd":
        await core.say(f"{letter}: {SENTENCE * 20}")
    core.summaries.script(NOTE)
    said = words_of(await core.command("/compact"))
    match = re.search(r"([\d,]+) → ([\d,]+) tokens; (\d+) messages are now in the summary", said)
    assert match
    before, after = (int(number.replace(",", "")) for number in match.groups()[:2])
    assert "," in match[1]  # thousands are set apart
    assert before > after
    memory = await core.memory()
    assert memory.summary
    assert memory.summary.covers == int(match[3]) == 4


async def test_compact_that_fails_says_why_and_changes_nothing(core: Core) -> None:
    await core.chat(4)
    before = await core.memory()
    core.summaries.script(ModelFailed("500 from the provider"))
    said = words_of(await core.command("/compact"))
    assert "could not be made: ModelFailed" in said
    assert "Nothing was changed" in said
    assert await core.memory() == before


async def test_compact_waits_for_a_run_under_way_and_does_its_own_after_it(core: Core) -> None:
    gate = asyncio.Event()
    core.summaries.script(Reply(NOTE, gate=gate))
    for _ in range(5):
        await core.say(SENTENCE)
    await core.summaries.wait_for(1)
    responder, done = core.send(core.call("/compact"))
    await core.lanes.accepted()
    gate.set()
    await done
    assert len(responder.views) == 1
    assert len(core.summaries.requests) <= 2
    memory = await core.memory()
    assert memory.summary
    assert memory.summary.covers + len(memory.verbatim) == 10


async def test_compact_works_while_the_pause_after_a_failure_runs(core: Core) -> None:
    core.summaries.script(ModelFailed("500"))
    await core.chat(5)
    assert "are now in the summary" in words_of(await core.command("/compact"))
    assert (await core.memory()).summary


def _calls(view: View) -> list[CommandCall]:
    return [action.command for action in view.actions]


async def test_reset_asks_before_it_erases(core: Core) -> None:
    await core.chat(2)
    view = await core.command("/reset")
    assert "all 4 messages" in words_of(view)
    assert view.tone == "warning"
    epoch = (await core.conversation()).epoch
    assert _calls(view) == [CommandCall("reset", f"confirm {epoch}"), CommandCall("reset", "cancel")]
    assert [action.danger for action in view.actions] == [True, False]
    assert (await core.memory()).stored == 4


async def test_reset_that_is_cancelled_erases_nothing(core: Core) -> None:
    await core.chat(2)
    assert "Nothing was erased" in words_of(await core.command("/reset cancel"))
    assert (await core.memory()).stored == 4


async def test_reset_that_is_confirmed_erases_everything(core: Core) -> None:
    await core.chat(2)
    confirm, _ = _calls(await core.command("/reset"))
    view = await core.command(f"/reset {confirm.argument}")
    assert "Everything is erased" in words_of(view)
    assert (await core.memory()).stored == 0
    assert "no messages on this page" in words_of(await core.command("/history"))


async def test_an_old_reset_button_erases_nothing(core: Core) -> None:
    await core.chat(2)
    confirm, _ = _calls(await core.command("/reset"))
    await core.command(f"/reset {confirm.argument}")
    await core.chat(1)
    view = await core.command(f"/reset {confirm.argument}")
    assert "earlier conversation; nothing was erased" in words_of(view)
    assert (await core.memory()).stored == 2


async def test_reset_where_nothing_is(core: Core) -> None:
    assert "nothing to erase yet" in words_of(await core.command("/reset"))
    assert "nothing to erase yet" in words_of(await core.command("/reset confirm 1"))


async def test_undo_goes_back_to_the_summary_before(core: Core) -> None:
    assert "no summary to undo" in words_of(await core.command("/undo"))
    first = await core.chat_until_folded()
    second = await core.chat_until_folded()
    assert second.version == first.version + 1

    assert "Version 1 is in force again" in words_of(await core.command("/undo"))
    memory = await core.memory()
    assert memory.summary
    assert memory.summary.id == first.id
    assert memory.verbatim[0].id == first.watermark + 1

    assert "no summary now" in words_of(await core.command("/undo"))
    memory = await core.memory()
    assert memory.summary is None
    assert len(memory.verbatim) == memory.stored


async def test_what_was_undone_is_folded_again_under_a_new_number(core: Core) -> None:
    first = await core.chat_until_folded()
    await core.command("/undo")
    again = await core.chat_until_folded()
    assert again.version > first.version
    assert {note.id for note in again.draft.notes}.isdisjoint(note.id for note in first.draft.notes)


async def test_only_who_moderates_a_group_may_undo(core: Core) -> None:
    await core.chat_until_folded()
    view = await core.command("/undo", admin=False)
    assert view.kind == "denied"
    assert (await core.memory()).summary is not None
