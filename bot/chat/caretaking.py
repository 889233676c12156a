"""Looks after conversations in which nothing happens: folds idle ones, erases what has grown too old."""

from __future__ import annotations

from datetime import datetime, timedelta

import structlog

from bot.chat.compaction import Compactor
from bot.config import MemorySettings
from bot.errors import StoreError
from bot.ports import Clock, ConversationStore

_ROUND_SECONDS = 60.0
# How many idle conversations one round offers to the summariser; the next round takes the next ones.
_IDLE_AT_ONCE = 20

log = structlog.get_logger(__name__)


class Caretaker:
    """Goes its rounds until it is cancelled."""

    def __init__(
        self, store: ConversationStore, compactor: Compactor, clock: Clock, settings: MemorySettings
    ) -> None:
        self._store = store
        self._compactor = compactor
        self._clock = clock
        self._settings = settings

    async def run(self) -> None:
        """One round a minute. A round that the store can't serve is only logged: the next one will do."""
        while True:
            try:
                await self.round()
            except StoreError as error:
                log.warning("a round of care failed", error=repr(error))
            await self._clock.sleep(_ROUND_SECONDS)

    async def round(self) -> None:
        """Erase first, so that nothing too old is folded."""
        now = self._clock.now()
        if self._settings.retain_days:
            erased = await self._store.expire(now - timedelta(days=self._settings.retain_days))
            if erased:
                log.info("old messages erased", count=erased)
        if self._settings.idle_minutes:
            await self._fold_idle(now - timedelta(minutes=self._settings.idle_minutes))

    async def _fold_idle(self, quiet: datetime) -> None:
        for conversation in await self._store.idle(quiet, _IDLE_AT_ONCE):
            report = await self._compactor.fold_idle(conversation)
            if report.result == "nothing":  # too little to be worth it: it isn't asked about again
                await self._store.settle(conversation, quiet)
