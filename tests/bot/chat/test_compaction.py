"""Summaries beside the chat: when they are made, what they cover, and who waits for them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.config import Settings
from bot.errors import ModelFailed
from bot.memory.tokens import TiktokenCounter
from bot.records import Conversation
from tests.bot.chat.core import SENTENCE, Core, add, operations, running, small, told
from tests.fakes.clock import StepClock
from tests.fakes.model import Reply
from tests.fakes.responder import words_of

NOTE = operations(add("we spoke", 1))


async def test_what_is_said_while_a_summary_is_made_stays_verbatim_until_a_later_run(core: Core) -> None:
    gate = asyncio.Event()
    await core.chat(4)
    core.summaries.script(Reply(NOTE, gate=gate))
    await core.say(SENTENCE)
    await core.summaries.wait_for(1)
    during = await core.say("The key is under the third stone.")
    assert during.answer == "I read: The key is under the third stone."
    gate.set()
    await core.compactor.join()
    assert "third stone" not in told(core.summaries.requests[0])
    assert any("third stone" in message.text for message in (await core.memory()).verbatim)
    await core.chat(12)
    later = [request for request in core.summaries.requests if "third stone" in told(request)]
    assert later
    assert "third stone" not in "".join(message.text for message in (await core.memory()).verbatim)
    asked = [request for request in core.model.requests if request.messages[-1].text.startswith("The key")]
    assert len(asked) == 1


async def test_two_triggers_at_once_make_one_run(core: Core) -> None:
    gate = asyncio.Event()
    core.summaries.script(Reply(NOTE, gate=gate))
    for _ in range(5):
        await core.say(SENTENCE)
    conversation = await core.conversation()
    core.compactor.consider(conversation)
    core.compactor.consider(conversation)
    await core.summaries.wait_for(1)
    gate.set()
    await core.compactor.join()
    assert len(core.summaries.requests) == 1
    assert len(await core.store.versions(conversation)) == 1


async def test_twenty_short_messages_after_a_run_make_no_other(
    path: Path, counter: TiktokenCounter, clock: StepClock
) -> None:
    async with running(path, counter, clock=clock) as core:
        await core.chat(5)
        assert len(core.summaries.requests) == 1
        core.model.script(*["Yes."] * 9)
        for _ in range(9):
            await core.say("ok")
            await core.compactor.join()
        assert len(core.summaries.requests) == 1
    async with running(path, counter, clock=clock) as core:
        core.model.script("Yes.")
        await core.say("ok")
        core.compactor.consider(await core.conversation())
        await core.compactor.join()
        assert core.summaries.requests == []


async def test_a_run_that_is_cut_by_shutdown_leaves_no_trace(
    path: Path, counter: TiktokenCounter, clock: StepClock
) -> None:
    async with running(path, counter, clock=clock) as core:
        core.summaries.script(Reply("never", gate=asyncio.Event()))
        for _ in range(5):
            await core.say(SENTENCE)
        await core.summaries.wait_for(1)
    async with running(path, counter, clock=clock) as core:
        conversation = await core.conversation()
        assert (await core.memory()).summary is None
        assert (await core.store.compaction_state(conversation)).failures == 0
        core.compactor.consider(conversation)
        await core.compactor.join()
        assert (await core.memory()).summary


async def test_the_listener_hears_of_each_summary_and_each_failure(core: Core) -> None:
    core.summaries.script(ModelFailed("500"))
    await core.chat(5)
    await core.clock.asleep(30.0)
    core.clock.pass_time(30)
    await core.summaries.wait_for(2)
    await core.compactor.join()
    failed, done = core.heard
    assert failed["result"] == "failed"
    assert "ModelFailed" in failed["error"]
    assert (done["result"], done["version"]) == ("done", 1)
    summary = (await core.memory()).summary
    assert summary
    assert done["watermark"] == summary.watermark


class TestWaiting:
    """A reply waits for a summary only where it doesn't fit without one, and then only so long."""

    @pytest.fixture
    def settings(self) -> Settings:
        return small(input_budget=900, max_tokens=150)

    async def _past_the_budget(self, core: Core) -> None:
        for _ in range(23):
            assert (await core.say(SENTENCE)).answer

    async def test_a_reply_below_the_budget_does_not_wait(self, core: Core) -> None:
        gate = asyncio.Event()
        core.summaries.script(Reply("late", gate=gate))
        for _ in range(6):
            assert (await core.say(SENTENCE)).answer
        assert len(core.summaries.requests) == 1
        gate.set()

    async def test_past_the_budget_it_is_trimmed_with_a_digest_and_says_so(
        self, core: Core, counter: TiktokenCounter
    ) -> None:
        core.summaries.script(Reply("late", gate=asyncio.Event()))
        await self._past_the_budget(core)
        record = await core.store.last_request(await core.conversation())
        assert record
        assert record.left_out > 0
        assert record.sent + record.left_out == record.stored
        assert record.counted <= 900
        assert "digest" in [part.name for part in record.parts]
        developer = [m.text for m in core.last.messages if m.role == "developer"]
        assert "lines picked from earlier messages" in developer[0]
        view = await core.command("/context")
        assert f"Left out: {record.left_out} messages" in words_of(view)
        assert view.tone == "warning"

    async def test_a_summary_that_comes_in_time_is_waited_for(
        self, path: Path, counter: TiktokenCounter
    ) -> None:
        async with running(path, counter, small(input_budget=900, max_tokens=150, reply_wait=60.0)) as core:
            gate = asyncio.Event()
            core.summaries.script(Reply(NOTE, gate=gate))
            for _ in range(6):
                await core.say(SENTENCE)
            responder, done = core.send(core.words("one, two and " * 150))
            await core.lanes.accepted()
            assert len(core.model.requests) == 6
            gate.set()
            await done
            assert responder.answer
            record = await core.store.last_request(await core.conversation())
            assert record
            assert record.left_out == 0
            assert record.summary_version is not None
            assert record.counted <= 900

    async def test_while_it_rests_after_a_failure_nobody_waits(
        self, path: Path, counter: TiktokenCounter
    ) -> None:
        async with running(path, counter, small(input_budget=900, max_tokens=150, reply_wait=300.0)) as core:
            core.summaries.script(ModelFailed("500"), *[Reply("late", gate=asyncio.Event())] * 3)
            await self._past_the_budget(core)
            assert len(core.summaries.requests) == 1
            record = await core.store.last_request(await core.conversation())
            assert record
            assert record.left_out > 0


class TestLongConversation:
    """Sixty turns in a small window."""

    @pytest.fixture
    def settings(self) -> Settings:
        return small(input_budget=1200, max_tokens=200, recent_turns=3, reply_wait=60.0)

    async def test_each_request_fits_and_each_message_is_covered_once_or_verbatim(
        self, core: Core, counter: TiktokenCounter
    ) -> None:
        for turn in range(60):
            await core.say(f"{turn}. {SENTENCE}")
            record = await core.store.last_request(await core.conversation())
            assert record
            assert record.counted <= 1200
            assert sum(counter.count(message.text) for message in core.last.messages) <= 1200
            assert record.left_out == 0
        await core.compactor.join()
        await self._check_coverage(core, await core.conversation())

    async def _check_coverage(self, core: Core, conversation: Conversation) -> None:
        everything, total = await core.store.history(conversation, 1000)
        assert total == 120
        versions = await core.store.versions(conversation)
        assert len(versions) > 3
        ids = [message.id for message in everything]
        covered: list[int] = []
        for version in versions:
            folded = [one for one in ids if version.draft.first <= one <= version.draft.last]
            assert len(folded) == version.draft.folded
            covered += folded
        memory = await core.memory()
        assert covered + [message.id for message in memory.verbatim] == ids
