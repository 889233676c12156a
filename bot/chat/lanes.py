"""Orders work: within a conversation one thing after another, different conversations beside each other."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import structlog

from bot.messages import ConversationKey, ConversationMoved, Inbound
from bot.ports import Responder

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Job:
    """What is left to do for an event once it is stored. Ordered ones wait for those before them."""

    run: Callable[[], Awaitable[None]]
    ordered: bool


Receive = Callable[[Inbound, Responder], Awaitable[Job | None]]


@dataclass(slots=True)
class _Lane:
    """One conversation's queue. Locks hand over in the order of asking."""

    intake: asyncio.Lock
    last: asyncio.Event | None = None  # set when the newest ordered job is done
    waiting: int = 0


class Lanes:
    """The Inbox port. Events are received (stored) in order, at once; their jobs follow in order.

    At most `parallel` jobs run at a time over all conversations.
    """

    def __init__(self, receive: Receive, parallel: int) -> None:
        self._receive = receive
        self._slots = asyncio.Semaphore(parallel)
        self._lanes: dict[ConversationKey, _Lane] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._intakes: set[asyncio.Future[None]] = set()
        self._closed = False

    def submit(self, event: Inbound, responder: Responder) -> Awaitable[None]:
        """Take an event; see bot.ports.Inbox."""
        received: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if self._closed:
            received.set_result(None)
            return received
        key = event.old if isinstance(event, ConversationMoved) else event.key
        lane = self._lanes.setdefault(key, _Lane(asyncio.Lock()))
        lane.waiting += 1
        self._intakes.add(received)
        received.add_done_callback(self._intakes.discard)
        task = asyncio.create_task(self._handle(key, lane, event, responder, received))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return asyncio.shield(task)

    async def accepted(self) -> None:
        """Wait until all events submitted so far are received."""
        if self._intakes:
            await asyncio.wait(set(self._intakes))

    async def drain(self, deadline: float) -> None:
        """Take nothing new, start no further job, and give running ones `deadline` seconds."""
        self._closed = True
        if self._tasks:
            await asyncio.wait(set(self._tasks), timeout=deadline)
        left = set(self._tasks)
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        if left:
            log.warning("work was stopped at the deadline", tasks=len(left))

    async def _handle(
        self,
        key: ConversationKey,
        lane: _Lane,
        event: Inbound,
        responder: Responder,
        received: asyncio.Future[None],
    ) -> None:
        done = asyncio.Event()
        try:
            async with lane.intake:
                job = await self._receive(event, responder)
                previous = lane.last
                if job and job.ordered:
                    lane.last = done
            received.set_result(None)
            if job:
                await self._run(job, previous)
        except Exception:
            # One odd event must never end its conversation: it is logged, the next one is handled.
            log.exception("an event could not be handled", conversation=str(key), kind=type(event).__name__)
        finally:
            done.set()
            if not received.done():
                received.set_result(None)
            lane.waiting -= 1
            if not lane.waiting:
                self._lanes.pop(key, None)

    async def _run(self, job: Job, previous: asyncio.Event | None) -> None:
        if job.ordered and previous:
            await previous.wait()
        async with self._slots:
            if not self._closed:
                await job.run()
