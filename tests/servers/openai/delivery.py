"""How the loopback OpenAI server puts an answer on the wire: whole, streamed, slowly or broken off."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from tests.servers.openai import chat, responses
from tests.servers.openai.answers import Answer, Tokens, error_body
from tests.servers.openai.recorded import Recorded


@dataclass(frozen=True, slots=True)
class Speech:
    """One answer on its way to one request; `number` makes the ids in it unique."""

    request: Recorded
    answer: Answer
    tokens: Tokens
    number: int

    def body(self) -> Mapping[str, Any]:
        build = chat.body if self.request.api == "chat" else responses.body
        return build(self.request, self.answer, self.tokens, self.number)

    def opening(self) -> Iterable[Mapping[str, Any]]:
        if self.request.api == "chat":
            return chat.opening(self.request, self.answer, self.number)
        return responses.opening(self.request, self.answer, self.tokens, self.number)

    def delta(self, piece: str) -> Mapping[str, Any]:
        if self.request.api == "chat":
            return chat.delta(self.request, self.answer, self.number, piece)
        return responses.delta(self.answer, self.tokens, self.number, piece)

    def closing(self) -> Iterable[Mapping[str, Any]]:
        if self.request.api == "chat":
            return chat.closing(self.request, self.answer, self.tokens, self.number)
        return responses.closing(self.request, self.answer, self.tokens, self.number)

    def breakdown(self) -> Iterable[Mapping[str, Any]]:
        if self.request.api == "chat":
            return [error_body(Answer(status=500, error=self.answer.breakdown))]
        return responses.breakdown(self.request, self.answer, self.tokens, self.number)


async def pause(http: web.Request, answer: Answer, closing: asyncio.Event) -> None:
    """Wait until the answer may go on. One that hangs is torn down when the server closes."""
    if not (answer.hold or answer.hang):
        return
    waits = [asyncio.ensure_future(closing.wait())]
    if answer.hold and not answer.hang:
        waits.append(asyncio.ensure_future(answer.hold.wait()))
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
    if answer.hang:
        _tear_down(http)


async def whole(http: web.Request, speech: Speech, closing: asyncio.Event) -> web.StreamResponse:
    """Answer with one JSON body."""
    answer = speech.answer
    await asyncio.sleep(answer.delay_first)
    if answer.pause_after:
        await pause(http, answer, closing)
    if answer.breakdown is not None:
        return web.json_response(error_body(Answer(status=500, error=answer.breakdown)), status=500)
    if answer.die_after is not None:
        _tear_down(http)
    return web.json_response(speech.body())


async def stream(http: web.Request, speech: Speech, closing: asyncio.Event) -> web.StreamResponse:
    """Answer with server-sent events."""
    answer = speech.answer
    wire = _Wire(named=speech.request.api == "responses")
    await wire.open(http)
    await asyncio.sleep(answer.delay_first)
    await wire.send(speech.opening())
    if not await _send_text(http, wire, speech, closing):
        return wire.response
    if answer.breakdown is not None:
        await wire.send(speech.breakdown())
        return wire.response
    await wire.send(speech.closing())
    await wire.end()
    return wire.response


async def _send_text(http: web.Request, wire: _Wire, speech: Speech, closing: asyncio.Event) -> bool:
    """Send the pieces; False when the stream is cut on purpose."""
    answer, sent = speech.answer, 0
    end = len(answer.spoken)
    for piece in [*answer.pieces, ""]:
        if answer.die_after is not None and sent == min(answer.die_after, end):
            if not answer.die_cleanly:
                _tear_down(http)
            return False
        if sent == min(answer.pause_after, end):
            if answer.pause_after:
                await pause(http, answer, closing)
            if answer.breakdown is not None:
                return True
        if piece:
            await wire.send([speech.delta(piece)])
            sent += len(piece)
            await asyncio.sleep(answer.delay_between)
    return True


def _tear_down(http: web.Request) -> None:
    """Cut the connection as a crashed server does."""
    if http.transport:
        http.transport.abort()


class _Wire:
    """Server-sent events in the form of either API."""

    def __init__(self, *, named: bool) -> None:
        self.response = web.StreamResponse(
            headers={"Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-cache"}
        )
        self._named = named
        self._number = 0

    async def open(self, http: web.Request) -> None:
        await self.response.prepare(http)

    async def send(self, events: Iterable[Mapping[str, Any]]) -> None:
        for event in events:
            head = ""
            if self._named:
                event = responses.numbered(event, self._number)  # noqa: PLW2901  one event, completed
                head = f"event: {event['type']}\n"
                self._number += 1
            await self.response.write(f"{head}data: {json.dumps(event)}\n\n".encode())

    async def end(self) -> None:
        """Say that all was said: only the chat API has words for it."""
        if not self._named:
            await self.response.write(b"data: [DONE]\n\n")
        await self.response.write_eof()
