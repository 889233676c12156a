"""A summary that can't be made changes nothing, holds nobody up, and is tried again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from bot.errors import ModelFailed, ModelTimeout
from bot.memory.summariser import Outcome, Summariser
from bot.memory.tokens import TiktokenCounter
from bot.ports import Finish
from bot.records import CompactionState
from tests.bot.chat.core import Core, add, operations, running
from tests.fakes.clock import StepClock
from tests.fakes.model import Reply, Told
from tests.fakes.responder import words_of

GOOD = operations(add("A garden was spoken of", 1))
FAILURES: dict[str, tuple[Sequence[Told], str]] = {
    "raises": ([ModelFailed("broken")], "ModelFailed"),
    "times out": ([ModelTimeout("late")], "ModelTimeout"),
    "says nothing": ([Reply(" ")] * 2, "empty"),
    "is cut off": ([Reply(GOOD, Finish.LENGTH)] * 2, "cut off"),
    "calls a tool": ([Reply("", Finish.TOOL)] * 2, "tool call"),
    "is filtered": ([Reply(GOOD, Finish.FILTER)] * 2, "filtered"),
    "invents": ([operations(add("The garden has 4711 trees", 1))] * 2, "4711"),
    "forges a source": ([operations(add("A garden", 99))] * 2, "99"),
}


@pytest.fixture(params=FAILURES)
def failure(request: pytest.FixtureRequest) -> tuple[Sequence[Told], str]:
    return FAILURES[request.param]


async def test_a_failed_first_summary_leaves_all_as_it_was(
    core: Core, failure: tuple[Sequence[Told], str]
) -> None:
    told, _ = failure
    core.summaries.script(*told, to="summary")
    await core.chat(5)
    assert len(core.summaries.requests) == len(told)
    memory = await core.memory()
    assert memory.summary is None
    assert len(memory.verbatim) == memory.stored == 10


async def test_a_failed_later_summary_leaves_summary_notes_and_watermark_as_they_were(
    core: Core, failure: tuple[Sequence[Told], str]
) -> None:
    await core.chat_until_folded()
    before = (await core.memory()).summary
    told, _ = failure
    core.summaries.script(*told, to="summary")
    await core.chat_until_asked()
    memory = await core.memory()
    assert memory.summary == before
    assert await core.store.versions(await core.conversation()) == [before]
    assert len(core.heard) == 2
    assert core.heard[-1]["result"] == "failed"


async def test_the_same_range_is_tried_again_when_the_pause_is_over(
    core: Core, failure: tuple[Sequence[Told], str]
) -> None:
    told, reason = failure
    core.summaries.script(*told, to="summary")
    await core.chat(5)
    state = await core.store.compaction_state(await core.conversation())
    assert state.failures == 1
    assert reason in state.error
    assert state.next_try is not None
    await core.clock.asleep((state.next_try - core.clock.now()).total_seconds())
    core.clock.pass_time(60)
    first, *_, last = await core.summaries.wait_for(len(told) + 1)
    await core.compactor.join()
    assert last == first
    memory = await core.memory()
    assert memory.summary is not None
    assert (memory.summary.draft.folded, len(memory.verbatim)) == (6, 4)
    assert await core.store.compaction_state(await core.conversation()) == CompactionState()


async def test_context_says_why_and_when_it_is_tried_again(
    core: Core, failure: tuple[Sequence[Told], str]
) -> None:
    told, reason = failure
    core.summaries.script(*told, to="summary")
    await core.chat(5)
    view = await core.command("/context")
    (line,) = [line for line in words_of(view).splitlines() if line.startswith("Summarising failed")]
    assert "1 times" in line
    assert reason in line
    assert "in 30 s" in line
    assert "Not summarised yet: 10 messages" in words_of(view)
    assert view.tone == "warning"


async def test_while_it_rests_nobody_asks_the_summariser(core: Core) -> None:
    core.summaries.script(ModelFailed("broken"), to="summary")
    await core.chat(5)
    await core.chat(6)
    assert len(core.summaries.requests) == 1
    assert len((await core.memory()).verbatim) == 22


async def test_pauses_grow_and_outlive_a_restart(path: Path, counter: TiktokenCounter) -> None:
    clock = StepClock()
    async with running(path, counter, clock=clock) as core:
        core.summaries.script(ModelFailed("broken"), ModelTimeout("late"), to="summary")
        await core.chat(5)
        clock.pass_time(30)
        await core.summaries.wait_for(2)
        await core.compactor.join()
        first = core.summaries.requests[0]
    async with running(path, counter, clock=clock) as core:
        state = await core.store.compaction_state(await core.conversation())
        assert (state.failures, state.error) == (2, "ModelTimeout: late")
        await core.chat(1)
        assert core.summaries.requests == []
        line = "2 times: ModelTimeout: late; next try in 1 min"
        assert line in words_of(await core.command("/context"))
        await clock.asleep(60)
        clock.pass_time(60)
        (request,) = await core.summaries.wait_for(1)
        await core.compactor.join()
        assert request.messages[0].text.startswith(first.messages[0].text)
        memory = await core.memory()
        assert memory.summary is not None
        assert memory.summary.covers + len(memory.verbatim) == memory.stored == 12


async def test_one_correction_with_the_reasons_may_mend_an_answer(core: Core) -> None:
    core.summaries.script(operations(add("The garden has 4711 trees", 1)), GOOD, to="summary")
    await core.chat(5)
    _, second = core.summaries.requests
    assert [message.role for message in second.messages] == ["user", "assistant", "user"]
    assert "4711" in second.messages[-1].text
    summary = (await core.memory()).summary
    assert summary is not None
    assert [note.text for note in summary.notes] == ["A garden was spoken of"]


async def test_a_refused_answer_is_paid_for_all_the_same(core: Core) -> None:
    core.summaries.script("", "", to="summary")
    await core.chat(5)
    totals = await core.store.totals(await core.conversation())
    assert totals.summary_input > 0
    assert "Summaries so far" in words_of(await core.command("/context"))


async def test_a_fault_nobody_thought_of_is_a_failure_as_any_other(
    core: Core, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> Outcome:
        raise RuntimeError("odd")

    with monkeypatch.context() as now:
        now.setattr(Summariser, "fold", broken)
        await core.chat(6)
        state = await core.store.compaction_state(await core.conversation())
        assert (state.failures, state.error) == (1, "RuntimeError: odd")
        assert "RuntimeError: odd" in words_of(await core.command("/compact"))
    core.clock.pass_time(120)
    await core.summaries.wait_for(1)
    await core.compactor.join()
    assert (await core.memory()).summary is not None
