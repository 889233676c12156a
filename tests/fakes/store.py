"""Short ways to make what a store takes, and a clock that is moved by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from bot.messages import Attachment, ChatKind, ConversationKey, IncomingMessage, Message, Speaker
from bot.ports import ConversationStore
from bot.records import Conversation, Note, NoteKind, Part, Partial, RequestRecord, SummaryDraft

START = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
KEY = ConversationKey("telegram", "4711", "100")
ANN = Speaker("1", "Ann")
BOB = Speaker("2", "Bob")


class HandClock:
    """Time stands still until it is moved."""

    def __init__(self) -> None:
        self._seconds = 0.0

    def now(self) -> datetime:
        return START + timedelta(seconds=self._seconds)

    def monotonic(self) -> float:
        return self._seconds

    async def sleep(self, seconds: float) -> None:
        self.pass_time(seconds)

    def pass_time(self, seconds: float) -> None:
        self._seconds += seconds


def said(
    text: str,
    message_id: str,
    speaker: Speaker = ANN,
    key: ConversationKey = KEY,
    addressed: bool = True,
    attachments: tuple[Attachment, ...] = (),
    kind: ChatKind = ChatKind.PRIVATE,
    title: str = "",
    sent_at: datetime = START,
) -> IncomingMessage:
    """What a person wrote."""
    return IncomingMessage(key, message_id, speaker, text, sent_at, kind, title, addressed, None, attachments)


async def talk(
    store: ConversationStore,
    *texts: str,
    start: int = 1,
    key: ConversationKey = KEY,
    sent_at: datetime = START,
) -> tuple[Conversation, list[Message]]:
    """Store some messages under the platform ids `start`, `start` + 1 and so on."""
    stored = [
        await store.append(said(text, str(number), key=key, sent_at=sent_at))
        for number, text in enumerate(texts, start)
    ]
    return stored[-1].conversation, [one.message for one in stored]


def record(input_tokens: int | None = 95, output_tokens: int | None = 20) -> RequestRecord:
    """The figures of some request that was counted as 100 tokens."""
    return RequestRecord(
        purpose="answer",
        model="gpt-5-mini",
        budget=8000,
        parts=(Part("persona", 40, 1), Part("recent", 50, 3), Part("current", 10, 1)),
        counted=100,
        counted_by="local",
        stored=9,
        summarised=4,
        newly_summarised=2,
        sent=4,
        left_out=1,
        at=START,
        input=input_tokens,
        output=output_tokens,
        cached=3,
        duration=1.25,
        summary_version=2,
    )


def note(number: int, *sources: Message | int, text: str = "") -> Note:
    """A note on some messages."""
    ids = tuple(sorted(source if isinstance(source, int) else source.id for source in sources))
    return Note(f"n{number}", NoteKind.FACT, text or f"fact {number}", 1, ids)


def draft(
    messages: Sequence[Message], *notes: Note, predecessor: int | None = None, read_at: datetime | None = None
) -> SummaryDraft:
    """A summary that folds these messages."""
    return SummaryDraft(
        predecessor=predecessor,
        first=messages[0].id,
        last=messages[-1].id,
        folded=len(messages),
        notes=notes,
        next_note=len(notes) + 1,
        source_tokens=300,
        tokens=60,
        model="gpt-5-mini",
        input_tokens=500,
        output_tokens=80,
        duration=0.0,
        reason="turns",
        read_at=read_at,
    )


def half(made: SummaryDraft, done: int, watermark: int = 0) -> SummaryDraft:
    """The draft, but of its last message only the first `done` characters. Ids have to follow one another;
    `watermark` is the one before."""
    whole = made.folded - 1
    last = made.last - 1 if whole else watermark
    return replace(made, last=last, folded=whole, partial=Partial(made.last, done))
