"""A ChatModel that answers as it is told, without a network."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from bot.errors import ModelError
from bot.llm.partial import Partial
from bot.ports import Completion, Finish, ModelRequest, TextDelta, Usage

Purpose = Literal["answer", "summary"]


@dataclass(frozen=True, slots=True)
class Reply:
    """One scripted answer: `text` in deltas of `chunk` characters.

    After `pause_after` characters it waits for `gate`, then raises `error`, or with `cut` just ends as a
    stream that lost its connection does. `usage` None means counted, `without_usage` that none is reported.
    """

    text: str = ""
    finish: Finish = Finish.STOP
    chunk: int = 12
    pause_after: int = 0
    gate: asyncio.Event | None = None
    error: ModelError | None = None
    cut: bool = False
    usage: Usage | None = None
    without_usage: bool = False


Told = Reply | ModelError | str


def echo(request: ModelRequest) -> Told:
    """One sentence that repeats the start of the last message."""
    return (
        f"I read: {' '.join(request.messages[-1].text.split())[:120]}"
        if request.messages
        else "I read nothing"
    )


class ScriptedModel:
    """Queued answers first, then what `otherwise` says. `requests` holds all that was asked."""

    def __init__(self, name: str = "scripted", otherwise: Callable[[ModelRequest], Told] = echo) -> None:
        self.requests: list[ModelRequest] = []
        self.closed = False
        self.unreachable: ModelError | None = None
        self._name = name
        self._otherwise = otherwise
        self._queues: dict[Purpose | None, deque[Reply]] = {}
        self._arrived = asyncio.Condition()

    @property
    def name(self) -> str:
        return self._name

    def script(self, *told: Told, to: Purpose | None = None) -> None:
        """Queue answers: for one purpose, or (None) for requests of both as they come."""
        self._queues.setdefault(to, deque()).extend(map(_reply, told))

    async def wait_for(self, number: int, purpose: Purpose | None = None) -> list[ModelRequest]:
        """Return as soon as `number` requests (for one purpose, or for any) have come."""

        def arrived() -> list[ModelRequest]:
            return [request for request in self.requests if purpose in (None, request.purpose)]

        async with self._arrived:
            await self._arrived.wait_for(lambda: len(arrived()) >= number)
        return arrived()

    async def stream(self, request: ModelRequest) -> AsyncIterator[TextDelta | Completion]:
        reply = await self._receive(request)
        partial = Partial(self._name)
        text, stop = reply.text, min(reply.pause_after, len(reply.text))
        edges = [*range(0, stop, reply.chunk), *range(stop, len(text), reply.chunk), len(text)]
        for start, end in pairwise(edges):
            if start == stop and await _paused(reply):
                break
            await asyncio.sleep(0)
            partial.pieces.append(text[start:end])
            yield TextDelta(text[start:end])
        else:
            if stop < len(text) or not await _paused(reply):
                partial.finish = reply.finish
        partial.usage = _usage(request, reply)
        yield partial.completion()

    async def complete(self, request: ModelRequest) -> Completion:
        reply = await self._receive(request)
        await _paused(reply)
        return Completion(reply.text, reply.finish, self._name, _usage(request, reply))

    async def count_input(self, request: ModelRequest) -> int:
        return _count(request)

    async def check(self) -> None:
        if self.unreachable:
            raise self.unreachable

    async def close(self) -> None:
        self.closed = True

    async def _receive(self, request: ModelRequest) -> Reply:
        assert not self.closed, "the model is used after it was closed"
        async with self._arrived:
            self.requests.append(request)
            self._arrived.notify_all()
        for name in (request.purpose, None):
            if queue := self._queues.get(name):
                return queue.popleft()
        return _reply(self._otherwise(request))


def _reply(told: Told) -> Reply:
    if isinstance(told, str):
        return Reply(told)
    return Reply(error=told) if isinstance(told, ModelError) else told


async def _paused(reply: Reply) -> bool:
    """Wait where the script says so; True when the answer breaks off there."""
    await asyncio.sleep(0)  # others get their turn, as they do while a real model answers
    if reply.gate:
        await reply.gate.wait()
    if reply.error:
        raise reply.error
    return reply.cut


def _usage(request: ModelRequest, reply: Reply) -> Usage | None:
    if reply.without_usage:
        return None
    return reply.usage or Usage(_count(request), len(reply.text.split()))


def _count(request: ModelRequest) -> int:
    texts = [request.instructions, *(message.text for message in request.messages)]
    return 3 + sum(4 + len(text.split()) for text in texts)
