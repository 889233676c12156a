"""Idle conversations are folded, once; messages that are too old are erased with all that rests on them."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime

from bot.chat.caretaking import Caretaker
from bot.config import MemorySettings
from bot.errors import StoreError
from bot.records import Conversation
from bot.store import SqliteStore
from tests.bot.chat.core import SENTENCE, Core

HOUR = 3600.0
DAY = 24 * HOUR


def _caretaker(core: Core, **memory: float) -> Caretaker:
    chosen = MemorySettings.model_validate({"idle_minutes": 60, **memory})
    return Caretaker(core.store, core.compactor, core.clock, chosen)


async def _talk(core: Core, turns: int) -> None:
    """Turns that are not yet worth a run of their own."""
    for turn in range(turns):
        await core.say(f"{turn}-line. {SENTENCE * 3}")


async def test_an_idle_conversation_is_folded_but_for_its_last_turns(core: Core) -> None:
    await _talk(core, 4)
    assert (await core.memory()).summary is None
    caretaker = _caretaker(core)
    await caretaker.round()
    assert (await core.memory()).summary is None

    core.clock.pass_time(2 * HOUR)
    await caretaker.round()
    memory = await core.memory()
    assert memory.summary is not None
    assert memory.summary.draft.reason == "idle"
    assert len(memory.verbatim) == 4


async def test_an_idle_period_is_asked_about_once(core: Core) -> None:
    await core.say("hi")
    core.clock.pass_time(2 * HOUR)
    caretaker = _caretaker(core)
    await caretaker.round()
    await caretaker.round()
    assert core.summaries.requests == []
    quiet = core.clock.now()
    assert await core.store.idle(quiet, 10) == []


async def test_nothing_is_folded_for_idleness_where_it_is_switched_off(core: Core) -> None:
    await _talk(core, 4)
    core.clock.pass_time(2 * HOUR)
    await _caretaker(core, idle_minutes=0).round()
    assert core.summaries.requests == []


async def test_old_messages_go_for_good_and_their_notes_with_them(core: Core) -> None:
    await core.chat_until_folded()
    folded = await core.memory()
    assert folded.summary
    assert folded.summary.notes
    core.clock.pass_time(10 * DAY)
    new = replace(core.words("This is new."), sent_at=core.clock.now())
    await core.send(new)[1]
    await _caretaker(core, retain_days=5, idle_minutes=0).round()
    memory = await core.memory()
    assert [message.text for message in memory.verbatim if message.role == "user"] == ["This is new."]
    assert memory.summary is None or memory.summary.notes == ()
    await core.say("Again.")
    assert "line." not in str(core.last)


async def test_nothing_is_erased_unless_it_is_asked_for(core: Core) -> None:
    await core.say("Keep me.")
    core.clock.pass_time(4000 * DAY)
    await _caretaker(core, idle_minutes=0).round()
    assert (await core.memory()).verbatim[0].text == "Keep me."


class _FailingOnce(SqliteStore):
    """A store whose first look for idle conversations fails."""

    asked = 0

    async def idle(self, before: datetime, limit: int) -> list[Conversation]:
        self.asked += 1
        if self.asked == 1:
            raise StoreError("busy")
        return []


async def test_a_round_that_fails_is_followed_by_the_next(core: Core) -> None:
    store = _FailingOnce(core.store._database, core.clock)
    care = asyncio.create_task(Caretaker(store, core.compactor, core.clock, MemorySettings()).run())
    for rounds in (1, 2):
        await core.clock.asleep(60.0)
        assert store.asked == rounds
        core.clock.pass_time(60.0)
    care.cancel()
    await asyncio.gather(care, return_exceptions=True)
