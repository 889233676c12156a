"""Starting over while something is under way: nothing of before comes back."""

from __future__ import annotations

import asyncio

import pytest

from bot.config import Settings
from tests.bot.chat.core import SENTENCE, Core, add, operations, small, told
from tests.fakes.model import Reply
from tests.fakes.responder import words_of

NOTE = operations(add("we spoke", 1))


async def _erase(core: Core) -> None:
    epoch = (await core.conversation()).epoch
    view = await core.command(f"/reset confirm {epoch}")
    assert "Everything is erased" in words_of(view)


async def _nothing_old(core: Core) -> None:
    """The next turn holds the current message alone, and no view knows of more."""
    memory = await core.memory()
    assert (memory.summary, memory.verbatim, memory.stored) == (None, (), 0)
    assert (await core.say("A new start")).answer == "I read: A new start"
    assert [message.text for message in core.last.messages] == ["A new start"]


async def test_after_a_reset_the_next_request_holds_nothing_old(core: Core) -> None:
    await core.chat(8)
    assert (await core.memory()).summary
    await _erase(core)
    await _nothing_old(core)
    assert "Nothing is summarised yet" in words_of(await core.command("/summary"))


async def test_a_reply_that_streams_while_all_is_erased_is_not_kept_and_the_person_is_told(
    core: Core,
) -> None:
    core.model.script(Reply("The secret is marble.", pause_after=12, gate=asyncio.Event()))
    responder, done = core.send(core.words("Tell me the secret."))
    await responder.until(lambda: bool(responder.sink.updates))
    await _erase(core)
    await done
    assert responder.answer is None
    assert responder.sink.failure
    assert "erased meanwhile" in words_of(responder.sink.failure)
    await _nothing_old(core)


async def test_a_summary_that_is_made_while_all_is_erased_is_thrown_away(core: Core) -> None:
    gate = asyncio.Event()
    core.summaries.script(Reply(NOTE, gate=gate))
    for _ in range(5):
        await core.say(SENTENCE)
    await core.summaries.wait_for(1)
    await _erase(core)
    gate.set()
    await core.compactor.join()
    await _nothing_old(core)
    assert await core.store.versions(await core.conversation()) == []


async def test_the_alarm_of_a_failed_summary_goes_with_what_it_was_for(core: Core) -> None:
    core.summaries.script(*[""] * 2)
    await core.chat(5)
    await core.clock.asleep(30.0)
    await _erase(core)
    assert core.clock.sleeping == []
    assert (await core.store.compaction_state(await core.conversation())).failures == 0
    await _nothing_old(core)


async def test_what_waits_behind_a_running_reply_is_not_answered_from_what_was_erased(core: Core) -> None:
    core.model.script(Reply("Slowly", pause_after=3, gate=asyncio.Event()))
    first, done = core.send(core.words("The code word is marble."))
    await core.model.wait_for(1)
    second, too = core.send(core.words("What is the code word?"))
    await core.lanes.accepted()
    await _erase(core)
    await asyncio.gather(done, too)
    assert first.sink.failure
    assert second.answer is None
    assert len(core.model.requests) == 1
    await _nothing_old(core)


async def test_one_who_asked_for_a_summary_that_is_erased_meanwhile_is_told(core: Core) -> None:
    await core.chat(4)
    core.summaries.script(Reply(NOTE, gate=asyncio.Event()))
    responder, done = core.send(core.call("/compact"))
    await core.summaries.wait_for(1)
    await _erase(core)
    await done
    (view,) = responder.views
    assert "nothing to fold" in words_of(view)
    await _nothing_old(core)


class TestWaitingForRoom:
    """A reply that waits for a summary has not asked the model yet."""

    @pytest.fixture
    def settings(self) -> Settings:
        return small(input_budget=900, max_tokens=150, reply_wait=300.0)

    async def test_it_asks_nothing_after_a_reset_and_the_person_is_told(self, core: Core) -> None:
        core.summaries.script(*[Reply(NOTE, gate=asyncio.Event())] * 2)
        for _ in range(6):
            await core.say(SENTENCE)
        responder, done = core.send(core.words("marble, and " * 200))
        await core.lanes.accepted()
        await core.summaries.wait_for(1)
        await _erase(core)
        await done
        assert not any("marble" in told(request) for request in core.model.requests)
        seen = [*responder.views, *([responder.sink.failure] if responder.sink.failure else [])]
        assert any("erased meanwhile" in words_of(view) for view in seen)
        await _nothing_old(core)
