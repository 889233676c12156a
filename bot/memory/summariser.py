"""Makes a summary of one piece: asks the model, judges the answer, asks once more with the reasons."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.memory import consolidation
from bot.memory.acceptance import Piece, Verdict, judge, reasons_text
from bot.memory.exchange import SCHEMA_NAME, material, schema
from bot.memory.notes import notes_tokens
from bot.memory.prompts import CONSOLIDATE, RETRY, SUMMARISER
from bot.memory.tokens import request_tokens
from bot.ports import ChatModel, Completion, ModelMessage, ModelRequest, TokenCounter, Usage

# Notes are written as JSON, which takes more room than the notes themselves; a reasoning model thinks first.
_ANSWER_ROOM = 2
_REASONING_ROOM = 2000


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a piece: the verdict on the last answer, and the cost of all of them."""

    verdict: Verdict
    usage: Usage
    model: str


class Summariser:
    """Folds pieces with one model. `limit` is the most tokens that all notes together may have."""

    def __init__(
        self,
        model: ChatModel,
        counter: TokenCounter,
        bot_name: str,
        limit: int,
        temperature: float | None,
    ) -> None:
        self._model = model
        self._counter = counter
        self._bot_name = bot_name
        self._limit = limit
        self._temperature = temperature

    async def fold(self, piece: Piece) -> Outcome:
        """Judge the model's edits on `piece`. Raises ModelError when the model gives no answer at all.

        Crowded notes are consolidated before, and so are those that leave no room for the piece.
        """
        if not consolidation.is_due(piece, self._limit, self._counter):
            plain = await self._folded(piece)
            return await self._consolidated(piece, plain) if plain.verdict.too_long else plain
        return await self._consolidated(piece, None)

    async def _consolidated(self, piece: Piece, before: Outcome | None) -> Outcome:
        """Fold `piece` on top of its notes in fewer words. `before` is what came of it without that."""
        target = int(self._limit * consolidation.TARGET)
        request = replace(
            self._request((ModelMessage("user", self._told(replace(piece, messages=()))),), piece),
            instructions=CONSOLIDATE.format(limit=target),
            schema=consolidation.schema(),
            schema_name=consolidation.SCHEMA_NAME,
        )
        completion = await self._model.complete(request)
        usage = self._usage(request, completion)
        first = consolidation.judge(completion, piece, self._limit, self._counter)
        if first.notes is None and before:
            return replace(before, usage=_sum(before.usage, usage))
        fewer = piece
        if first.notes is not None:
            fewer = replace(piece, notes=first.notes, literals=first.literals)
        outcome = await self._folded(fewer)
        spent = _sum(_sum(usage, outcome.usage), before.usage) if before else _sum(usage, outcome.usage)
        return Outcome(_both(first, outcome.verdict), spent, outcome.model)

    async def _folded(self, piece: Piece) -> Outcome:
        request = self._request((ModelMessage("user", self._told(piece)),), piece)
        completion = await self._model.complete(request)
        usage = self._usage(request, completion)
        verdict = judge(completion, piece, self._limit, self._counter)
        if verdict.notes is None:
            request = self._request(
                (
                    *request.messages,
                    ModelMessage("assistant", completion.text or "(nothing)"),
                    ModelMessage("user", RETRY.format(reasons=reasons_text(verdict.reasons))),
                ),
                piece,
            )
            completion = await self._model.complete(request)
            usage = _sum(usage, self._usage(request, completion))
            verdict = judge(completion, piece, self._limit, self._counter)
        return Outcome(verdict, usage, completion.model)

    def _told(self, piece: Piece) -> str:
        return material(piece.notes, piece.messages, piece.members, self._bot_name)

    def _request(self, messages: tuple[ModelMessage, ...], piece: Piece) -> ModelRequest:
        """The literal lines take their room from the notes."""
        limit = self._limit - notes_tokens((), piece.members, self._counter, piece.literals)
        return ModelRequest(
            "summary",
            SUMMARISER.format(limit=limit),
            messages,
            self._limit * _ANSWER_ROOM + _REASONING_ROOM,
            self._temperature,
            schema(),
            SCHEMA_NAME,
        )

    def _usage(self, request: ModelRequest, completion: Completion) -> Usage:
        if completion.usage:
            return completion.usage
        counted = request_tokens(self._counter, request.instructions, request.messages)
        return Usage(counted, self._counter.count(completion.text))


def _sum(first: Usage, second: Usage) -> Usage:
    return Usage(
        first.input + second.input,
        first.output + second.output,
        first.cached + second.cached,
        first.reasoning + second.reasoning,
    )


def _both(first: Verdict, second: Verdict) -> Verdict:
    """The verdict on a piece that was folded on consolidated notes; `first` may have been refused."""
    return replace(
        second,
        reasons=(*first.reasons, *second.reasons),
        dropped=(*first.dropped, *second.dropped),
    )
