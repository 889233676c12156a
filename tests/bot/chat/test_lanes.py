"""The order of work: within a conversation one after another, different ones beside each other."""

from __future__ import annotations

import asyncio

from bot.chat.lanes import Job, Lanes
from bot.messages import ConversationKey, Inbound, IncomingMessage
from bot.ports import Responder
from tests.fakes.clock import Watched
from tests.fakes.responder import RecordingResponder
from tests.fakes.store import KEY, said

OTHER = ConversationKey("telegram", "4711", "200")


class Work(Watched):
    """Receives events and writes down what happens; a text named in `gates` waits in its job for it."""

    def __init__(self) -> None:
        super().__init__()
        self.log: list[str] = []
        self.gates: dict[str, asyncio.Event] = {}
        self.intake_gates: dict[str, asyncio.Event] = {}

    async def receive(self, event: Inbound, responder: Responder) -> Job | None:
        assert isinstance(event, IncomingMessage)
        text = event.text
        if text in self.intake_gates:
            await self.intake_gates[text].wait()
        self._note(f"received {text}")
        if text == "odd":
            raise RuntimeError("an event nobody thought of")

        async def run() -> None:
            self._note(f"began {text}")
            if text in self.gates:
                await self.gates[text].wait()
            if text == "broken":
                raise RuntimeError("a job nobody thought of")
            self._note(f"ended {text}")

        return None if text == "background" else Job(run, ordered=not text.startswith("/"))

    def _note(self, what: str) -> None:
        self.log.append(what)
        self.changed()

    async def saw(self, what: str) -> None:
        await self.until(lambda: what in self.log)

    @property
    def ended(self) -> list[str]:
        return [line.removeprefix("ended ") for line in self.log if line.startswith("ended ")]


def _lanes(work: Work, *texts: str, parallel: int = 8) -> tuple[Lanes, list[asyncio.Future[None]]]:
    lanes = Lanes(work.receive, parallel)
    return lanes, [_submit(lanes, text) for text in texts]


def _submit(lanes: Lanes, text: str, key: ConversationKey = KEY) -> asyncio.Future[None]:
    return asyncio.ensure_future(lanes.submit(said(text, text, key=key), RecordingResponder()))


async def test_jobs_of_a_conversation_follow_each_other_while_all_is_received_at_once() -> None:
    work = Work()
    work.gates["first"] = asyncio.Event()
    lanes, done = _lanes(work, "first", "second", "third")
    await lanes.accepted()
    assert [line for line in work.log if line.startswith("received")] == [
        "received first",
        "received second",
        "received third",
    ]
    await work.saw("began first")
    assert "began second" not in work.log
    work.gates["first"].set()
    await asyncio.gather(*done)
    assert work.ended == ["first", "second", "third"]


async def test_another_conversation_is_not_held_up() -> None:
    work = Work()
    work.gates["slow"] = asyncio.Event()
    lanes, (slow,) = _lanes(work, "slow")
    await work.saw("began slow")
    await _submit(lanes, "quick", OTHER)
    assert work.ended == ["quick"]
    work.gates["slow"].set()
    await slow
    assert work.ended == ["quick", "slow"]


async def test_an_unordered_job_overtakes_a_running_one() -> None:
    work = Work()
    work.gates["slow"] = asyncio.Event()
    lanes, (slow,) = _lanes(work, "slow")
    await work.saw("began slow")
    await _submit(lanes, "/help")
    assert work.ended == ["/help"]
    work.gates["slow"].set()
    await slow


async def test_work_after_an_unordered_job_still_waits_for_the_ordered_one_before_it() -> None:
    work = Work()
    work.gates["slow"] = asyncio.Event()
    lanes, done = _lanes(work, "slow", "/help", "next")
    await work.saw("ended /help")
    await lanes.accepted()
    assert "began next" not in work.log
    work.gates["slow"].set()
    await asyncio.gather(*done)
    assert work.ended == ["/help", "slow", "next"]


async def test_an_event_that_breaks_ends_nothing_else() -> None:
    work = Work()
    _, done = _lanes(work, "odd", "broken", "fine")
    await asyncio.gather(*done)
    assert work.ended == ["fine"]


async def test_no_more_jobs_run_at_a_time_than_there_are_slots() -> None:
    work = Work()
    work.gates["one"] = asyncio.Event()
    lanes, (one,) = _lanes(work, "one", parallel=1)
    await work.saw("began one")
    two = _submit(lanes, "two", OTHER)
    await lanes.accepted()
    assert "began two" not in work.log
    work.gates["one"].set()
    await asyncio.gather(one, two)
    assert work.ended == ["one", "two"]


async def test_accepted_waits_for_receiving_and_not_for_jobs() -> None:
    work = Work()
    work.intake_gates["first"] = asyncio.Event()
    work.gates["first"] = asyncio.Event()
    lanes, (first,) = _lanes(work, "first")
    accepted = asyncio.create_task(lanes.accepted())
    await asyncio.sleep(0)
    assert not accepted.done()
    work.intake_gates["first"].set()
    await accepted
    assert work.log[0] == "received first"
    assert not first.done()
    work.gates["first"].set()
    await first


async def test_accepted_returns_for_an_event_that_breaks_and_when_there_is_none() -> None:
    work = Work()
    lanes, (odd,) = _lanes(work, "odd")
    await lanes.accepted()
    assert work.log == ["received odd"]
    await odd
    await lanes.accepted()


async def test_draining_finishes_what_runs_and_starts_nothing_new() -> None:
    work = Work()
    work.gates["first"] = asyncio.Event()
    lanes, done = _lanes(work, "first", "second")
    await work.saw("began first")
    await lanes.accepted()
    draining = asyncio.create_task(lanes.drain(60))
    await asyncio.sleep(0)
    await _submit(lanes, "late")
    work.gates["first"].set()
    await draining
    assert work.ended == ["first"]
    assert "received late" not in work.log
    assert "began second" not in work.log
    assert all(one.done() for one in done)


async def test_what_still_runs_at_the_deadline_is_stopped() -> None:
    work = Work()
    work.gates["first"] = asyncio.Event()
    lanes, done = _lanes(work, "first", "second")
    await work.saw("began first")
    await lanes.drain(0)
    await asyncio.gather(*done, return_exceptions=True)
    assert done[0].cancelled()
    assert work.ended == []
    assert "began second" not in work.log
