"""The context window: decides exactly what one request holds, and what each part of it costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.errors import ContextTooLarge
from bot.memory.digest import digest
from bot.memory.notes import lines
from bot.memory.prompts import BACKGROUND, DIGEST, instructions
from bot.memory.speech import spoken
from bot.memory.tokens import PER_REPLY, message_tokens
from bot.memory.turns import turns
from bot.messages import ChatKind, Message
from bot.ports import ModelMessage, ModelRequest, TokenCounter
from bot.records import Memory, Part, RequestRecord

# Of what the budget has left beside persona, summary and current message, a digest gets at most this share.
_DIGEST_SHARE = 0.2


@dataclass(frozen=True, slots=True)
class Frame:
    """What is the same for every request of a conversation. `budget` is in input tokens."""

    persona: str
    kind: ChatKind
    budget: int
    max_output_tokens: int
    temperature: float | None = None


@dataclass(frozen=True, slots=True)
class ContextWindow:
    """One request, taken apart. `parts` add up to `tokens`; `left_out` messages are in none of them."""

    instructions: str
    messages: tuple[ModelMessage, ...]
    parts: tuple[Part, ...]
    sent: int
    left_out: int
    frame: Frame
    memory: Memory

    @property
    def tokens(self) -> int:
        """Counted tokens of the whole request."""
        return sum(part.tokens for part in self.parts)

    def request(self) -> ModelRequest:
        """The request to the model that this window stands for."""
        return ModelRequest(
            "answer",
            self.instructions,
            self.messages,
            self.frame.max_output_tokens,
            self.frame.temperature,
        )

    def record(self, model: str, at: datetime, newly_summarised: int, counted: int | None) -> RequestRecord:
        """The figures of this window, as stored. `counted` is the provider's count where it was asked."""
        summary = self.memory.summary
        return RequestRecord(
            purpose="answer",
            model=model,
            budget=self.frame.budget,
            parts=self.parts,
            counted=self.tokens if counted is None else counted,
            counted_by="local" if counted is None else "api",
            stored=self.memory.stored,
            summarised=summary.covers if summary else 0,
            newly_summarised=newly_summarised,
            sent=self.sent,
            left_out=self.left_out,
            at=at,
            summary_version=summary.version if summary else None,
        )


@dataclass(frozen=True, slots=True)
class _Fixed:
    """The parts that are always sent."""

    instructions: str
    background: ModelMessage | None
    current: ModelMessage
    parts: tuple[Part, ...]

    @property
    def tokens(self) -> int:
        return sum(part.tokens for part in self.parts)


def build_window(
    frame: Frame, memory: Memory, current: Message, now: datetime, counter: TokenCounter
) -> ContextWindow:
    """The whole request: persona, summary, all messages that no summary covers, the current message.

    It may exceed the budget; `trimmed_window` is for that case. Raises ContextTooLarge when not even
    persona, summary and current message fit.
    """
    fixed = _fixed(frame, memory, current, now, counter)
    return _assemble(frame, memory, fixed, _recent(memory, current), counter, left_out=memory.older)


def trimmed_window(
    frame: Frame, memory: Memory, current: Message, now: datetime, counter: TokenCounter
) -> ContextWindow:
    """The same within the budget: the oldest turns give way to a digest, for this request only."""
    fixed = _fixed(frame, memory, current, now, counter)
    room = frame.budget - fixed.tokens
    recent = turns(_recent(memory, current))
    costs = [sum(_cost(frame, memory, message, counter) for message in turn) for turn in recent]
    if sum(costs) <= room and not memory.older:
        return build_window(frame, memory, current, now, counter)
    digest_room = int(room * _DIGEST_SHARE)
    kept, used = len(recent), 0
    while kept and used + costs[kept - 1] <= room - digest_room:
        kept -= 1
        used += costs[kept]
    cut = [message for turn in recent[:kept] for message in turn]
    shown = [message for turn in recent[kept:] for message in turn]
    extract = _digest_message(cut, memory, counter, digest_room)
    left_out = memory.older + len(cut)
    return _assemble(frame, memory, fixed, shown, counter, left_out=left_out, extract=extract)


def _fixed(frame: Frame, memory: Memory, current: Message, now: datetime, counter: TokenCounter) -> _Fixed:
    told = instructions(frame.persona, now, frame.kind is ChatKind.GROUP)
    parts = [Part("persona", message_tokens(counter, told) + PER_REPLY, 1)]
    notes = memory.summary.notes if memory.summary else ()
    background = None
    literals = memory.summary.draft.literals if memory.summary else ()
    if notes or literals:
        background = ModelMessage("developer", f"{BACKGROUND}\n{lines(notes, memory.members, literals)}")
        parts.append(Part("summary", message_tokens(counter, background.text), len(notes)))
    said = ModelMessage("user", spoken(current, frame.kind, memory.members))
    parts.append(Part("current", message_tokens(counter, said.text), 1))
    fixed = _Fixed(told, background, said, tuple(parts))
    if fixed.tokens > frame.budget:
        raise ContextTooLarge({part.name: part.tokens for part in parts}, frame.budget)
    return fixed


def _recent(memory: Memory, current: Message) -> list[Message]:
    return [message for message in memory.verbatim if message.id != current.id]


def _cost(frame: Frame, memory: Memory, message: Message, counter: TokenCounter) -> int:
    return message_tokens(counter, spoken(message, frame.kind, memory.members))


def _digest_message(
    cut: Sequence[Message], memory: Memory, counter: TokenCounter, room: int
) -> ModelMessage | None:
    text = digest(cut, memory.members, counter, room - message_tokens(counter, DIGEST) - 1)
    return ModelMessage("developer", f"{DIGEST}\n{text}") if text else None


def _assemble(
    frame: Frame,
    memory: Memory,
    fixed: _Fixed,
    recent: Sequence[Message],
    counter: TokenCounter,
    *,
    left_out: int,
    extract: ModelMessage | None = None,
) -> ContextWindow:
    verbatim = tuple(
        ModelMessage(message.role, spoken(message, frame.kind, memory.members)) for message in recent
    )
    parts = list(fixed.parts[:-1])
    if extract:
        parts.append(Part("digest", message_tokens(counter, extract.text), extract.text.count("\n")))
    if verbatim:
        cost = sum(message_tokens(counter, message.text) for message in verbatim)
        parts.append(Part("recent", cost, len(verbatim)))
    parts.append(fixed.parts[-1])
    told = [message for message in (fixed.background, extract) if message]
    return ContextWindow(
        fixed.instructions,
        (*told, *verbatim, fixed.current),
        tuple(parts),
        sent=len(verbatim) + 1,
        left_out=left_out,
        frame=frame,
        memory=memory,
    )
