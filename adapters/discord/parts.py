"""Keeps the messages that one answer is shown in equal to what they have to say."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from adapters.discord.places import Place
from adapters.discord.problems import reaching_discord
from adapters.discord.render import Button
from bot.errors import DeliveryDelayed, DeliveryError
from bot.ports import Clock

T = TypeVar("T")
# In seconds: pauses after failures that may pass, and the longest that Discord is waited for at once.
_PAUSES = (1.0, 2.0, 4.0)
_LONGEST_PAUSE = 120.0
# In seconds. discord.py would wait for an answer for five minutes.
_LONGEST_CALL = 60.0


@dataclass(slots=True)
class _Shown:
    """A message that is there; `text` is None while it isn't certain what it says."""

    id: int
    text: str | None
    buttons: Sequence[Button]


class Parts:
    """The messages of one answer, in order. Raises DeliveryError."""

    def __init__(self, place: Place, clock: Clock) -> None:
        self._place = place
        self._clock = clock
        self._shown: list[_Shown] = []

    @property
    def ids(self) -> list[str]:
        return [str(shown.id) for shown in self._shown]

    async def show(self, texts: Sequence[str], buttons: Sequence[Button] = (), *, persist: bool) -> None:
        """Make the messages say `texts`, with the buttons below the last; others of them go.

        With `persist`, what fails for a while is tried again.
        """
        for index, text in enumerate(texts):
            below = buttons if index == len(texts) - 1 else ()
            if index == len(self._shown):
                await self._send(index, text, below, persist)
            await self._correct(self._shown[index], text, below, persist)
        for extra in reversed(self._shown[len(texts) :]):
            await self._do(partial(self._place.delete, extra.id), persist)
            self._shown.remove(extra)

    async def _send(self, index: int, text: str, buttons: Sequence[Button], persist: bool) -> None:
        sent = await self._do(lambda: self._place.send(index, text, buttons), persist)
        # One that had been sent before, though that seemed to fail, may still have its earlier text.
        same = sent.text.strip() == text.strip()
        self._shown.append(_Shown(sent.id, text if same else None, buttons))

    async def _correct(self, shown: _Shown, text: str, buttons: Sequence[Button], persist: bool) -> None:
        if (shown.text, shown.buttons) == (text, buttons):
            return
        shown.text = None
        await self._do(lambda: self._place.edit(shown.id, text, buttons), persist)
        shown.text, shown.buttons = text, buttons

    async def _do(self, call: Callable[[], Awaitable[T]], persist: bool) -> T:
        for pause in _PAUSES if persist else ():
            try:
                return await _within_time(call)
            except DeliveryError as error:
                await self._wait(error, pause)
        return await _within_time(call)

    async def _wait(self, failure: DeliveryError, pause: float) -> None:
        if not isinstance(failure, DeliveryDelayed) or (failure.retry_after or 0) > _LONGEST_PAUSE:
            raise failure
        await self._clock.sleep(failure.retry_after or pause)


async def _within_time(call: Callable[[], Awaitable[T]]) -> T:
    with reaching_discord():
        async with asyncio.timeout(_LONGEST_CALL):
            return await call()
