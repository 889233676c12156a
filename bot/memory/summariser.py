"""Makes a summary of one piece: asks the model, judges the answer, asks once more with the reasons."""

from __future__ import annotations

from dataclasses import dataclass

from bot.memory.acceptance import Piece, Verdict, judge, reasons_text
from bot.memory.exchange import SCHEMA_NAME, material, schema
from bot.memory.prompts import RETRY, SUMMARISER
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
        """Judge the model's edits on `piece`. Raises ModelError when the model gives no answer at all."""
        told = material(piece.notes, piece.messages, piece.members, self._bot_name)
        request = self._request((ModelMessage("user", told),))
        completion = await self._model.complete(request)
        usage = self._usage(request, completion)
        verdict = judge(completion, piece, self._limit, self._counter)
        if verdict.notes is None:
            request = self._request(
                (
                    *request.messages,
                    ModelMessage("assistant", completion.text or "(nothing)"),
                    ModelMessage("user", RETRY.format(reasons=reasons_text(verdict.reasons))),
                )
            )
            completion = await self._model.complete(request)
            usage = _sum(usage, self._usage(request, completion))
            verdict = judge(completion, piece, self._limit, self._counter)
        return Outcome(verdict, usage, completion.model)

    def _request(self, messages: tuple[ModelMessage, ...]) -> ModelRequest:
        return ModelRequest(
            "summary",
            SUMMARISER.format(limit=self._limit),
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
