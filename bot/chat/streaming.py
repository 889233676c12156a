"""Carries a model's stream to where it is shown, without the one ever waiting for the other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import structlog

from bot.errors import DeliveryError, ModelInterrupted
from bot.ports import Clock, Completion, ReplySink, Responder, TextDelta

# Platforms let "is typing" fade after five (Telegram) to ten (Discord) seconds.
_TYPING_INTERVAL = 4.0
# An update that is on its way when the stream ends may still arrive: cut short, it could overtake the last.
_LAST_UPDATE = 10.0

log = structlog.get_logger(__name__)


async def deliver(
    stream: AsyncIterator[TextDelta | Completion], sink: ReplySink, responder: Responder, clock: Clock
) -> Completion:
    """Read the stream to its end, showing what has come at the platform's pace.

    Returns the completion; the sink is not finished yet, since the answer is stored first. Raises
    ModelError as the stream does. A part that can't be shown is only logged: the whole is shown at the end.
    """
    progress = _Progress()
    typing = asyncio.create_task(_type(progress, responder, clock))
    showing = asyncio.create_task(_show(progress, sink, responder.limits.edit_interval, clock))
    try:
        async for item in stream:
            if isinstance(item, Completion):
                return item
            progress.add(item.text)
        raise ModelInterrupted("the stream ended without its completion", progress.text)
    finally:
        progress.end()
        typing.cancel()
        patience = asyncio.ensure_future(clock.sleep(_LAST_UPDATE))
        try:
            await asyncio.wait({showing, patience}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            showing.cancel()
            patience.cancel()
            await asyncio.gather(typing, showing, patience, return_exceptions=True)


class _Progress:
    """The text so far, and a signal for whoever shows it."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self.changed = asyncio.Event()
        self.ended = asyncio.Event()

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    @property
    def started(self) -> bool:
        return bool(self._pieces)

    def add(self, text: str) -> None:
        self._pieces.append(text)
        self.changed.set()

    def end(self) -> None:
        self.ended.set()
        self.changed.set()


async def _show(progress: _Progress, sink: ReplySink, interval: float, clock: Clock) -> None:
    while True:
        await progress.changed.wait()
        progress.changed.clear()
        if progress.ended.is_set():
            return
        try:
            await sink.update(progress.text)
        except DeliveryError as error:
            log.info("part of an answer wasn't shown", error=repr(error))
        pause = asyncio.ensure_future(clock.sleep(interval))
        end = asyncio.ensure_future(progress.ended.wait())
        try:
            await asyncio.wait({pause, end}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            pause.cancel()
            end.cancel()


async def _type(progress: _Progress, responder: Responder, clock: Clock) -> None:
    while not progress.started:
        try:
            await responder.typing()
        except DeliveryError as error:
            log.debug("typing wasn't shown", error=repr(error))
        await clock.sleep(_TYPING_INTERVAL)
