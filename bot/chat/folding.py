"""One run of the summariser over one conversation: decide, fold a piece, store it, decide again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import structlog

from bot.commands.model import FoldReport
from bot.config import Settings
from bot.errors import ModelError
from bot.memory import policy
from bot.memory.acceptance import Piece, reasons_text
from bot.memory.notes import notes_tokens
from bot.memory.policy import Load, Reason
from bot.memory.portions import Portion, portion, size
from bot.memory.summariser import Outcome, Summariser
from bot.memory.tokens import PER_REPLY, message_tokens
from bot.memory.turns import Turn
from bot.ports import Clock, ConversationStore, TokenCounter
from bot.records import CompactionState, Conversation, Memory, Summary, SummaryDraft

# How many of the oldest waiting messages are looked at for one piece; a larger backlog takes several pieces.
_LOOK = 500

log = structlog.get_logger(__name__)
Told = Callable[[Conversation, Summary], None]


@dataclass(frozen=True, slots=True)
class _Failure:
    """Why a piece was not folded."""

    reason: str


class Folding:
    """The steps of a run. `random` is uniform in 0..1 and spreads retries."""

    def __init__(
        self,
        store: ConversationStore,
        summariser: Summariser,
        counter: TokenCounter,
        clock: Clock,
        settings: Settings,
        random: Callable[[], float],
    ) -> None:
        self._store = store
        self._summariser = summariser
        self._counter = counter
        self._clock = clock
        self._settings = settings
        self._random = random

    async def resting(self, conversation: Conversation) -> bool:
        """Whether an earlier failure's pause is still running."""
        state = await self._store.compaction_state(conversation)
        return state.next_try is not None and state.next_try > self._clock.now()

    async def run(self, conversation: Conversation, reason: Reason | None, told: Told) -> FoldReport:
        """Fold piece after piece. Without a `reason` each needs a trigger of its own; with one, what it
        chooses at first is folded. `told` hears of each stored summary."""
        memory = await self._store.memory(conversation)
        before, folded, target = self.held(memory), 0, None
        while True:
            read_at = self._clock.now()
            why, turns = await self._choose(conversation, memory, reason)
            turns = [turn for turn in turns if target is None or turn[-1].id <= target]
            if why is None or not turns:
                break
            target = turns[-1][-1].id if reason else None
            made = await self._piece(conversation, memory, turns, why, read_at)
            if isinstance(made, _Failure):
                await self._note_failure(conversation, made)
                return FoldReport("failed", before, self.held(memory), folded, made.reason)
            stored = await self._store.add_summary(conversation, made)
            if stored is None:
                log.info("a summary came too late", conversation=conversation.id)
                return FoldReport("nothing", before, before)
            folded += made.folded
            told(conversation, stored)
            memory = await self._store.memory(conversation)
        return FoldReport("done" if folded else "nothing", before, self.held(memory), folded)

    def held(self, memory: Memory) -> int:
        """Tokens of the notes and of all messages that are read verbatim."""
        notes = memory.summary.notes if memory.summary else ()
        literals = memory.summary.draft.literals if memory.summary else ()
        verbatim = sum(message_tokens(self._counter, message.text) for message in memory.verbatim)
        return notes_tokens(notes, memory.members, self._counter, literals) + verbatim

    async def _choose(
        self, conversation: Conversation, memory: Memory, reason: Reason | None
    ) -> tuple[Reason | None, list[Turn]]:
        settings = self._settings
        persona = message_tokens(self._counter, settings.bot.instructions) + PER_REPLY
        load = Load(
            messages=await self._store.unfolded(conversation, _LOOK),
            open_from=await self._store.open_turn(conversation),
            tokens=self.held(memory) + persona,
            has_summary=memory.summary is not None,
            notes=memory.summary.draft.tokens if memory.summary else 0,
        )
        why = reason or policy.due(load, settings.memory, self._counter)
        return why, policy.chosen(load, why, settings.memory, self._counter) if why else []

    async def _piece(
        self,
        conversation: Conversation,
        memory: Memory,
        turns: list[Turn],
        reason: Reason,
        read_at: datetime,
    ) -> SummaryDraft | _Failure:
        started = self._clock.monotonic()
        summary = memory.summary
        begun = summary.draft.partial if summary else None
        part = portion(turns, self._settings.summary.piece_tokens, self._counter, begun)
        piece = Piece(
            summary.notes if summary else (),
            summary.draft.next_note if summary else 1,
            part.messages,
            memory.members,
            size(part.messages, self._counter),
            summary.draft.literals if summary else (),
            summary.version if summary else 0,
        )
        try:
            outcome = await self._summariser.fold(piece)
        except Exception as error:  # a fault of our own is no reason to ask again with every message
            unexpected = None if isinstance(error, ModelError) else error
            log.info(
                "the summariser failed", conversation=conversation.id, error=repr(error), exc_info=unexpected
            )
            return _Failure(f"{type(error).__name__}: {error}")
        duration = self._clock.monotonic() - started
        if outcome.verdict.reasons:
            log.info("edits refused", conversation=conversation.id, count=len(outcome.verdict.reasons))
        draft = _draft(summary, part, piece, outcome, reason, read_at, duration)
        if draft is None:
            await self._store.add_cost(conversation, outcome.model, outcome.usage)
            return _Failure(reasons_text(outcome.verdict.reasons))
        return draft

    async def _note_failure(self, conversation: Conversation, failure: _Failure) -> None:
        state = await self._store.compaction_state(conversation)
        failures = state.failures + 1
        pause = policy.retry_delay(failures, self._random())
        if failures == 1:
            log.warning("summarising fails and will be tried again", conversation=conversation.id)
        state = CompactionState(failures, failure.reason, self._clock.now() + pause)
        await self._store.note_failure(conversation, state)


def _draft(
    summary: Summary | None,
    part: Portion,
    piece: Piece,
    outcome: Outcome,
    reason: Reason,
    read_at: datetime,
    duration: float,
) -> SummaryDraft | None:
    verdict = outcome.verdict
    if verdict.notes is None:
        return None
    return SummaryDraft(
        predecessor=summary.id if summary else None,
        first=piece.messages[0].id,
        last=part.whole[-1].id if part.whole else summary.watermark if summary else 0,
        folded=len(part.whole),
        notes=verdict.notes,
        next_note=verdict.next_note,
        source_tokens=piece.source_tokens + (summary.draft.tokens if summary else 0),
        tokens=verdict.tokens,
        model=outcome.model,
        input_tokens=outcome.usage.input,
        output_tokens=outcome.usage.output,
        duration=duration,
        reason=reason,
        read_at=read_at,
        literals=verdict.literals,
        dropped=verdict.dropped,
        refused=verdict.reasons,
        partial=part.partial,
    )
