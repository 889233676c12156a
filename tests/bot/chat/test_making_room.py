"""Past the budget a reply waits for a summary: until its deadline, by the clock, and no longer."""

from __future__ import annotations

import asyncio

import pytest

from bot.config import Settings
from bot.records import RequestRecord
from tests.bot.chat.core import SENTENCE, Core, add, operations, small
from tests.fakes.model import Reply

NOTE = operations(add("we spoke", 1))
LONG = "one, two and " * 150  # alone most of the budget


@pytest.fixture
def settings() -> Settings:
    return small(input_budget=900, max_tokens=150, reply_wait=10.0)


async def _record(core: Core) -> RequestRecord:
    record = await core.store.last_request(await core.conversation())
    assert record
    return record


async def _six_turns(core: Core, gate: asyncio.Event) -> None:
    """Turns that fit; the summary that they call for hangs at `gate`."""
    core.summaries.script(Reply(NOTE, gate=gate))
    for _ in range(6):
        assert (await core.say(SENTENCE)).answer
    await core.summaries.wait_for(1)


async def test_at_the_deadline_the_reply_goes_out_trimmed_and_the_summary_goes_on(core: Core) -> None:
    gate = asyncio.Event()
    await _six_turns(core, gate)
    responder, done = core.send(core.words(LONG))
    await core.clock.asleep(10.0)
    core.clock.pass_time(9.9)
    await asyncio.sleep(0)
    assert len(core.model.requests) == 6
    core.clock.pass_time(0.1)
    await done
    assert responder.answer
    record = await _record(core)
    assert (record.left_out, record.summary_version) == (record.stored - record.sent, None)
    assert record.left_out > 0
    assert record.counted <= 900
    assert (await core.memory()).summary is None
    gate.set()
    await core.compactor.join()
    assert (await core.memory()).summary


async def test_a_summary_before_the_deadline_ends_the_waiting(core: Core) -> None:
    gate = asyncio.Event()
    await _six_turns(core, gate)
    responder, done = core.send(core.words(LONG))
    await core.clock.asleep(10.0)
    gate.set()
    await done
    assert responder.answer
    record = await _record(core)
    assert record.left_out == 0
    assert record.summary_version
    assert core.clock.sleeping == []


async def test_a_chat_below_its_budget_never_waits(core: Core) -> None:
    await _six_turns(core, asyncio.Event())
    assert (await core.say("Short.")).answer
    assert (await _record(core)).left_out == 0


async def test_another_chat_is_answered_while_one_waits(core: Core) -> None:
    await _six_turns(core, asyncio.Event())
    waiting, done = core.send(core.words(LONG))
    await core.clock.asleep(10.0)
    key = type((await core.conversation()).key)("telegram", "4711", "another")
    assert (await core.say("Hello", key=key)).answer == "I read: Hello"
    assert waiting.answer is None
    core.clock.pass_time(10)
    await done
    assert waiting.answer
