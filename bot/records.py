"""Values that the store keeps beside the messages: notes, summaries, requests and the state of compaction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Literal

from bot.messages import ChatKind, ConversationKey, Message


@dataclass(frozen=True, slots=True)
class Conversation:
    """One wall. `id` is the store's; `epoch` counts resets: nothing of an older epoch is ever used again."""

    id: int
    key: ConversationKey
    epoch: int
    kind: ChatKind
    title: str = ""


class NoteKind(StrEnum):
    """What a note says of its text."""

    FACT = "fact"
    PREFERENCE = "preference"
    GOAL = "goal"
    DECISION = "decision"
    PROMISE = "promise"
    CORRECTION = "correction"
    QUESTION = "question"
    EVENT = "event"


@dataclass(frozen=True, slots=True)
class Note:
    """One thing to remember. `id` ("n12") stays for as long as the note lives and is never given again.

    `speaker` is the number of the person it is about (0: nobody in particular, or the bot); `sources` are
    the ids of the messages it rests on, ascending.
    """

    id: str
    kind: NoteKind
    text: str
    speaker: int
    sources: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LiteralLine:
    """Literals of a folded message that no note holds: kept to the letter beside the notes.

    `message` is the message's id, `speaker` its sender's number. A summary's lines are in order of last use,
    the longest unused first: those leave first when there is no more room (the log still has them).
    """

    message: int
    speaker: int
    literals: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Partial:
    """How far a message that is too large for one piece is folded: the first `done` characters of it."""

    message: int
    done: int


@dataclass(frozen=True, slots=True)
class SummaryDraft:
    """An accepted summary on its way into the store.

    It folds the messages with ids `first`..`last` (`folded` of them) on top of the summary `predecessor`.
    `source_tokens` is the size of what it replaces: those messages and the notes before it. `tokens` is the
    size of all its notes as they are sent to the model. `input_tokens` and `output_tokens` are what its
    making cost, retries included, as reported (else counted). `read_at` is when the folded messages were
    read: a later edit of one makes the notes on it stale.

    `literals` are kept beside the notes. `dropped` names the notes that this version dropped, with the
    reason; `refused` says why single edits were left out. With `partial` the range ends inside a message:
    that one is not covered yet, and `last` is the message before it (`folded` counts whole messages only).
    """

    predecessor: int | None
    first: int
    last: int
    folded: int
    notes: tuple[Note, ...]
    next_note: int
    source_tokens: int
    tokens: int
    model: str
    input_tokens: int
    output_tokens: int
    duration: float
    reason: str
    read_at: datetime | None = None
    literals: tuple[LiteralLine, ...] = ()
    dropped: tuple[tuple[str, str], ...] = ()
    refused: tuple[str, ...] = ()
    partial: Partial | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """A stored summary. `version` counts from 1 within its epoch; `draft.last` is the watermark.

    `covers` is the number of live messages at or below the watermark. `stale` names the notes that rest on a
    message edited or deleted since: they are never shown to the model.
    """

    id: int
    version: int
    draft: SummaryDraft
    created_at: datetime
    covers: int = 0
    stale: frozenset[str] = frozenset()

    @property
    def watermark(self) -> int:
        """Id of the last message that this summary covers."""
        return self.draft.last

    @property
    def notes(self) -> tuple[Note, ...]:
        """The notes that may be used: those whose sources are all as they were."""
        return tuple(note for note in self.draft.notes if note.id not in self.stale)


@dataclass(frozen=True, slots=True)
class Memory:
    """What a turn needs of the store, read in one snapshot.

    `verbatim` are the live messages after the watermark, in order, at most the newest few thousand;
    `older` counts the live ones after the watermark that come before them. `members` maps a person's number
    to the current display name.
    """

    summary: Summary | None
    verbatim: tuple[Message, ...]
    older: int
    stored: int
    members: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a request: its tokens, and how many messages (or notes) it holds."""

    name: Literal["persona", "summary", "digest", "recent", "current"]
    tokens: int
    items: int


@dataclass(frozen=True, slots=True)
class RequestRecord:
    """One answer's request as it was sent, and what came of it. All figures are tokens or messages.

    `counted` is the sum of the parts, counted before sending (`counted_by` the local tokenizer or the
    provider's counting); `input`, `output` and `cached` are what the provider reported (None: nothing).
    `stored`, `summarised`, `newly_summarised`: live messages of the conversation, those the summary covers,
    and those folded since the request before. `sent`: messages of the log in the request, the current one
    included; `left_out`: those that neither fitted nor were summarised yet.
    """

    purpose: Literal["answer"]
    model: str
    budget: int
    parts: tuple[Part, ...]
    counted: int
    counted_by: Literal["local", "api"]
    stored: int
    summarised: int
    newly_summarised: int
    sent: int
    left_out: int
    at: datetime
    input: int | None = None
    output: int | None = None
    cached: int | None = None
    duration: float = 0.0
    summary_version: int | None = None


@dataclass(frozen=True, slots=True)
class CompactionState:
    """How folding goes in a conversation. `failures` in a row; `error` names the last one's reason."""

    failures: int = 0
    error: str = ""
    next_try: datetime | None = None


@dataclass(frozen=True, slots=True)
class Totals:
    """Tokens of a whole conversation, all epochs. Answers and summaries are kept apart."""

    answers: int = 0
    answer_input: int = 0
    answer_output: int = 0
    summaries: int = 0
    summary_input: int = 0
    summary_output: int = 0

    @property
    def all(self) -> int:
        """Every token that the conversation has cost."""
        return self.answer_input + self.answer_output + self.summary_input + self.summary_output


@dataclass(frozen=True, slots=True)
class ConversationLine:
    """A row of the operator's list of conversations."""

    conversation: Conversation
    messages: int
    summaries: int
    last_at: datetime | None
