"""Runs the summariser beside the chat: one run per conversation, few at once, retried after failures."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

import structlog

from bot.chat.folding import Folding
from bot.commands.model import FoldReport
from bot.errors import MemoraError
from bot.memory.policy import Reason
from bot.ports import Clock, ConversationStore
from bot.records import Conversation, Summary

_WORK = "compaction"

log = structlog.get_logger(__name__)
Listener = Callable[[Mapping[str, Any]], None]


class Compactor:
    """Folds conversations in background tasks. `listener` hears of each new summary."""

    def __init__(
        self, store: ConversationStore, folding: Folding, clock: Clock, parallel: int, listener: Listener
    ) -> None:
        self._store = store
        self._folding = folding
        self._clock = clock
        self._listener = listener
        self._slots = asyncio.Semaphore(parallel)
        self._runs: dict[int, asyncio.Task[FoldReport]] = {}
        self._alarms: dict[int, asyncio.Task[None]] = {}

    def consider(self, conversation: Conversation) -> None:
        """Fold in the background if it is due. Returns at once."""
        self._start(conversation, None)

    async def fold_idle(self, conversation: Conversation) -> FoldReport:
        """Fold what is worth it of a conversation in which nothing happens any more."""
        return await _end_of(self._start(conversation, "idle"))

    async def make_room(self, conversation: Conversation, deadline: float) -> None:
        """Fold because the next request exceeds the budget; wait for it `deadline` seconds at most.

        Returns at once while the summariser is known to be down.
        """
        if await self._folding.resting(conversation):
            return
        freed = asyncio.create_task(self._free(conversation))
        patience = asyncio.ensure_future(self._clock.sleep(deadline))
        try:
            await asyncio.wait({freed, patience}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await _stop([freed, patience])

    async def _free(self, conversation: Conversation) -> None:
        running = self._runs.get(conversation.id)
        if running:  # it may not free enough; the one that follows it does
            await asyncio.wait({running})
        await asyncio.wait({self._start(conversation, "budget")})

    async def fold_now(self, conversation: Conversation) -> FoldReport:
        """Fold because somebody asked for it, after a run that is under way."""
        running = self._runs.get(conversation.id)
        if running:
            await asyncio.wait({running})
        return await _end_of(self._start(conversation, "asked"))

    async def abandon(self, conversation: Conversation) -> None:
        """Stop a run of this conversation; nothing of it will be stored."""
        found = (self._runs.get(conversation.id), self._alarms.pop(conversation.id, None))
        await _stop([task for task in found if task])

    async def join(self, deadline: float | None = None) -> None:
        """Wait until no run is under way, `deadline` seconds at most."""
        if self._runs:
            await asyncio.wait(set(self._runs.values()), timeout=deadline)

    async def close(self, deadline: float) -> None:
        """Give runs `deadline` seconds, then stop them. A stopped run leaves no trace."""
        await self.join(deadline)
        await _stop([*self._runs.values(), *self._alarms.values()])

    def _start(self, conversation: Conversation, reason: Reason | None) -> asyncio.Task[FoldReport]:
        running = self._runs.get(conversation.id)
        if running:
            return running
        task = asyncio.create_task(self._run(conversation, reason))
        self._runs[conversation.id] = task
        task.add_done_callback(lambda _: self._runs.pop(conversation.id, None))
        return task

    async def _run(self, conversation: Conversation, reason: Reason | None) -> FoldReport:
        try:
            if reason in (None, "idle") and await self._folding.resting(conversation):
                await self._set_alarm(conversation)
                return FoldReport("nothing")
            async with self._slots, self._store.claim(conversation, _WORK) as mine:
                report = (
                    await self._folding.run(conversation, reason, self._told) if mine else FoldReport("busy")
                )
            if report.result == "failed":
                self._listener(
                    {"conversation": str(conversation.key), "result": "failed", "error": report.error}
                )
                await self._set_alarm(conversation)
        except MemoraError as error:
            log.warning("compaction stopped", conversation=conversation.id, error=repr(error))
            return FoldReport("failed", error=type(error).__name__)
        return report

    def _told(self, conversation: Conversation, summary: Summary) -> None:
        draft = summary.draft
        figures = {
            "result": "done",
            "version": summary.version,
            "reason": draft.reason,
            "folded": draft.folded,
            "before": draft.source_tokens,
            "after": draft.tokens,
            "watermark": summary.watermark,
        }
        text = f"{draft.source_tokens:,} → {draft.tokens:,} tokens"
        log.info("summary stored", conversation=conversation.id, **figures)
        self._listener({"conversation": str(conversation.key), **figures, "text": text})

    async def _set_alarm(self, conversation: Conversation) -> None:
        """Try again by itself when the pause after a failure is over."""
        state = await self._store.compaction_state(conversation)
        if state.next_try is None or conversation.id in self._alarms:
            return
        pause = (state.next_try - self._clock.now()).total_seconds()
        self._alarms[conversation.id] = asyncio.create_task(self._wake(conversation, max(pause, 0.0)))

    async def _wake(self, conversation: Conversation, pause: float) -> None:
        await self._clock.sleep(pause)
        self._alarms.pop(conversation.id, None)
        self.consider(conversation)


async def _end_of(run: asyncio.Task[FoldReport]) -> FoldReport:
    """A run's report; who stops waiting doesn't stop the run."""
    await asyncio.wait({run})
    return FoldReport("nothing") if run.cancelled() else run.result()  # cancelled: erased meanwhile


async def _stop(tasks: list[asyncio.Future[Any]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
