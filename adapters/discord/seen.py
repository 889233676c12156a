"""Remembers up to which message everything was handled, over restarts."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Sequence
from functools import partial
from typing import Any

import structlog

from bot.errors import StoreError
from bot.ports import Clock, StateStore

_SAVE_SECONDS = 5.0
_MOST_PRIVATE = 50

log = structlog.get_logger(__name__)


class Seen:
    """The mark: every message with a smaller or equal id was handled, or is given up on.

    `fresh`: no earlier run left a mark, so nothing was missed. `private` are the channels of the latest
    direct messages, which Discord doesn't list.
    """

    def __init__(self, state: StateStore, name: str, clock: Clock) -> None:
        self.fresh = False
        self._state = state
        self._name = name
        self._clock = clock
        self._newest = 0
        self._open: set[int] = set()
        self._private: dict[int, None] = {}
        self._frozen = False
        self._saved = ""

    @property
    def mark(self) -> int:
        return min(self._open) - 1 if self._open else self._newest

    @property
    def private(self) -> Sequence[int]:
        return list(self._private)

    def note(self, message: int, handled: Awaitable[None], private: int | None) -> None:
        """A message came, in the direct messages `private` or elsewhere."""
        self.pass_over(message)
        self._open.add(message)
        asyncio.ensure_future(handled).add_done_callback(partial(self._close, message))
        if private is not None:
            self._private.pop(private, None)
            self._private[private] = None
            for oldest in list(self._private)[:-_MOST_PRIVATE]:
                del self._private[oldest]

    def pass_over(self, message: int) -> None:
        """A message came that needs nothing."""
        self._newest = max(self._newest, message)

    def freeze(self) -> None:
        """Stop here: work that is broken off from now on counts as not handled."""
        self._frozen = True

    async def load(self, now: int) -> None:
        """Read what an earlier run kept; without that everything before the id `now` is given up on."""
        kept: dict[str, Any] = {}
        try:
            kept = json.loads(await self._state.get_state(self._name) or "{}")
        except StoreError as error:
            log.warning("it can't be told what was missed", error=repr(error))
        self.fresh = "mark" not in kept
        self._newest = kept.get("mark", now)
        self._private = dict.fromkeys(kept.get("private", ()))
        await self.save()

    async def save(self) -> None:
        """Keep the mark for the next run."""
        text = json.dumps({"mark": self.mark, "private": self.private})
        if text == self._saved:
            return
        try:
            await self._state.set_state(self._name, text)
            self._saved = text
        except StoreError as error:
            log.warning("messages may be fetched again", error=repr(error))

    async def keep_saving(self) -> None:
        """Save every few seconds until cancelled."""
        while True:
            await self._clock.sleep(_SAVE_SECONDS)
            await self.save()

    def _close(self, message: int, handled: asyncio.Future[None]) -> None:
        if not handled.cancelled() and handled.exception() is None and not self._frozen:
            self._open.discard(message)
