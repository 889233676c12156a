"""A clock whose sleepers wake only when a test moves the time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tests.fakes.store import HandClock


class Watched:
    """Something a test can wait for: `changed` is called at each change, `until` returns when it holds."""

    def __init__(self) -> None:
        self._signal = asyncio.Event()

    def changed(self) -> None:
        self._signal.set()
        self._signal = asyncio.Event()

    async def until(self, holds: Callable[[], bool]) -> None:
        while not holds():
            await self._signal.wait()


class StepClock(HandClock):
    """Time stands still; who sleeps wakes when `pass_time` has moved it far enough."""

    def __init__(self) -> None:
        super().__init__()
        self._sleepers: list[tuple[float, float, asyncio.Future[None]]] = []
        self._watched = Watched()

    async def sleep(self, seconds: float) -> None:
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        sleeper = (self.monotonic() + seconds, seconds, woken)
        self._sleepers.append(sleeper)
        self._watched.changed()
        try:
            if seconds > 0:
                await woken
        finally:
            self._sleepers.remove(sleeper)

    def pass_time(self, seconds: float) -> None:
        super().pass_time(seconds)
        for wakes, _, woken in self._sleepers:
            if wakes <= self.monotonic() and not woken.done():
                woken.set_result(None)

    @property
    def sleeping(self) -> list[float]:
        """For how long each present sleeper meant to sleep, in the order they began."""
        return [seconds for _, seconds, woken in self._sleepers if not woken.done()]

    async def asleep(self, seconds: float) -> None:
        """Return when somebody sleeps for just so long."""
        await self._watched.until(lambda: seconds in self.sleeping)
