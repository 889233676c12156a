"""The queue of updates, with the rules of getUpdates: offsets, long polling, allowed kinds, one reader."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from tests.servers.telegram.faults import ApiError, bad_request

_OPT_IN = frozenset({"chat_member", "message_reaction", "message_reaction_count"})


class UpdateQueue:
    """Updates wait here until an offset above theirs confirms them."""

    def __init__(self) -> None:
        self.pending: list[dict[str, Any]] = []
        self.webhook = ""
        self._next = 710_000_001
        self._allowed: frozenset[str] = frozenset()
        self._arrived = asyncio.Event()
        self._reader: asyncio.Event | None = None

    @property
    def last(self) -> int:
        """The newest update's id."""
        return self._next - 1

    def add(self, kind: str, content: Mapping[str, Any]) -> None:
        """Queue an update, unless the bot said that it wants none of this kind."""
        wanted = kind in self._allowed if self._allowed else kind not in _OPT_IN
        if wanted:
            self.pending.append({"update_id": self._next, kind: dict(content)})
            self._next += 1
            self._arrived.set()

    async def get(
        self, offset: int = 0, limit: int = 100, timeout: float = 0, allowed: Sequence[str] | None = None
    ) -> list[dict[str, Any]]:
        """What getUpdates answers: at most `limit` updates, after at most `timeout` seconds."""
        if self.webhook:
            raise ApiError(409, "Conflict: can't use getUpdates method while webhook is active")
        if not 1 <= limit <= 100:
            raise bad_request("limit must be between 1 and 100")
        if allowed is not None:
            self._allowed = frozenset(allowed)
        ended = self._take_over()
        self._confirm(offset)
        try:
            async with asyncio.timeout(timeout):
                await self._wait(ended)
        except TimeoutError:
            pass
        if ended.is_set():
            raise ApiError(409, "Conflict: terminated by other getUpdates request")
        return self.pending[:limit]

    def drop(self) -> None:
        """Forget everything that waits."""
        self.pending.clear()

    def _take_over(self) -> asyncio.Event:
        if self._reader:
            self._reader.set()
            self._arrived.set()
        self._reader = asyncio.Event()
        return self._reader

    def _confirm(self, offset: int) -> None:
        if offset < 0:
            self.pending = self.pending[offset:]
        else:
            self.pending = [update for update in self.pending if update["update_id"] >= offset]

    async def _wait(self, ended: asyncio.Event) -> None:
        while not self.pending and not ended.is_set():
            self._arrived.clear()
            await self._arrived.wait()
