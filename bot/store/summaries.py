"""Summaries, the watermark that moves with them, and how folding goes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from bot.errors import StoreError
from bot.records import CompactionState, Conversation, Summary, SummaryDraft
from bot.store.conversations import is_current
from bot.store.notes import KeptNote, blanked, dumped, loaded, unsound
from bot.store.rows import moment, stamp
from bot.store.session import Session
from bot.store.texts import keep, wipe


async def current(session: Session, conversation: Conversation) -> Summary | None:
    """The summary in force, or None before the first and after a reset."""
    row = await _current_row(session, conversation)
    return None if row is None else (await _read(session, conversation, [row]))[0]


async def versions(session: Session, conversation: Conversation) -> list[Summary]:
    """All summaries of the epoch, oldest first."""
    rows = await session.all(
        "SELECT s.*, t.text AS notes FROM summaries AS s JOIN texts AS t ON t.id = s.notes_id "
        "WHERE s.conversation_id = ? AND s.epoch = ? ORDER BY s.version",
        *(conversation.id, conversation.epoch),
    )
    return await _read(session, conversation, rows)


async def _current_row(session: Session, conversation: Conversation) -> sqlite3.Row | None:
    return await session.one(
        "SELECT s.*, t.text AS notes FROM conversations AS c JOIN summaries AS s ON s.id = c.summary_id "
        "JOIN texts AS t ON t.id = s.notes_id WHERE c.id = ? AND c.epoch = ?",
        *(conversation.id, conversation.epoch),
    )


async def _read(session: Session, conversation: Conversation, rows: Sequence[sqlite3.Row]) -> list[Summary]:
    notes = {row["id"]: loaded(row["notes"]) for row in rows}
    fallen = await unsound(session, conversation, [kept for some in notes.values() for kept in some])
    return [
        _summary(row, notes[row["id"]], fallen, await _covers(session, conversation, row["last"]))
        for row in rows
    ]


async def _covers(session: Session, conversation: Conversation, watermark: int) -> int:
    """Live messages up to the watermark: all, less those after it, which are few."""
    row = await session.one(
        "SELECT live - (SELECT count(*) FROM messages WHERE conversation_id = c.id AND epoch = c.epoch "
        "AND live = 1 AND id > ?) AS covers FROM conversations AS c WHERE c.id = ?",
        *(watermark, conversation.id),
    )
    assert row is not None
    return int(row["covers"])


def _summary(row: sqlite3.Row, notes: Sequence[KeptNote], fallen: Iterable[KeptNote], covers: int) -> Summary:
    draft = SummaryDraft(
        predecessor=row["predecessor"],
        first=row["first"],
        last=row["last"],
        folded=row["folded"],
        notes=tuple(kept.note for kept in notes),
        next_note=row["next_note"],
        source_tokens=row["source_tokens"],
        tokens=row["tokens"],
        model=row["model"],
        input_tokens=row["input_tokens"],
        output_tokens=row["output_tokens"],
        duration=row["duration"],
        reason=row["reason"],
        read_at=moment(row["read_at"]),
    )
    stale = frozenset(kept.note.id for kept in set(notes).intersection(fallen))
    return Summary(row["id"], row["version"], draft, datetime.fromisoformat(row["created_at"]), covers, stale)


async def add(
    session: Session, conversation: Conversation, draft: SummaryDraft, now: datetime
) -> Summary | None:
    """Store an accepted summary; with it the watermark moves and failures are forgotten."""
    if not await is_current(session, conversation):
        return None
    before = await _current_row(session, conversation)
    if draft.predecessor != (None if before is None else before["id"]):
        return None
    await _check_range(session, conversation, draft, 0 if before is None else before["last"])
    notes = await keep(session, dumped(await _kept(session, conversation, draft, before, now)))
    added = await session.insert(
        "INSERT INTO summaries (conversation_id, epoch, version, predecessor, first, last, folded, notes_id, "
        "next_note, source_tokens, tokens, model, input_tokens, output_tokens, duration, reason, read_at, "
        "created_at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        *(conversation.id, conversation.epoch, 1 if before is None else before["version"] + 1),
        *(draft.predecessor, draft.first, draft.last, draft.folded, notes, draft.next_note),
        *(draft.source_tokens, draft.tokens, draft.model, draft.input_tokens, draft.output_tokens),
        *(draft.duration, draft.reason, stamp(draft.read_at) if draft.read_at else None, stamp(now)),
    )
    await note_failure(session, conversation, CompactionState())
    await session.run("UPDATE conversations SET summary_id = ? WHERE id = ?", added, conversation.id)
    return await current(session, conversation)


async def _check_range(
    session: Session, conversation: Conversation, draft: SummaryDraft, watermark: int
) -> None:
    """Refuse a range that would skip live messages, go back, or end outside the conversation."""
    skipped = await session.one(
        "SELECT 1 FROM messages WHERE conversation_id = ? AND epoch = ? AND live = 1 AND id > ? AND id < ?",
        *(conversation.id, conversation.epoch, watermark, draft.first),
    )
    end = await session.one(
        "SELECT 1 FROM messages WHERE id = ? AND conversation_id = ? AND epoch = ?",
        *(draft.last, conversation.id, conversation.epoch),
    )
    if skipped is not None or end is None or draft.last < watermark:
        raise StoreError(f"a summary of {draft.first}..{draft.last} doesn't follow the watermark {watermark}")


async def _kept(
    session: Session,
    conversation: Conversation,
    draft: SummaryDraft,
    before: sqlite3.Row | None,
    now: datetime,
) -> list[KeptNote]:
    """The draft's notes with what each knows of: an untouched one what it knew, a new or revised one what
    was known when this run read its messages. One whose sources changed meanwhile is blank."""
    known = await _known_change(
        session, conversation, draft.read_at or now - timedelta(seconds=draft.duration)
    )
    old = () if before is None else loaded(before["notes"])
    fallen = {kept.note.id: kept.since for kept in await unsound(session, conversation, old)}
    untouched = {kept.note: kept.since for kept in old}
    notes = [KeptNote(note, fallen.get(note.id, untouched.get(note, known))) for note in draft.notes]
    return blanked(notes, await unsound(session, conversation, notes))


async def _known_change(session: Session, conversation: Conversation, then: datetime) -> int:
    row = await session.one(
        "SELECT coalesce(max(change), 0) AS change FROM messages "
        "WHERE conversation_id = ? AND change > 0 AND changed_at <= ?",
        *(conversation.id, stamp(then)),
    )
    assert row is not None
    return int(row["change"])


async def note_failure(session: Session, conversation: Conversation, state: CompactionState) -> None:
    """Keep why folding failed; nothing after a reset. The reason may quote what was said."""
    before = await session.one(
        "SELECT error_id FROM conversations WHERE id = ? AND epoch = ?", conversation.id, conversation.epoch
    )
    if before is None:
        return
    await wipe(session, [before["error_id"]])
    await session.run(
        "UPDATE conversations SET failures = ?, error_id = ?, next_try = ? WHERE id = ?",
        *(state.failures, await keep(session, state.error) if state.error else None),
        *(stamp(state.next_try) if state.next_try else None, conversation.id),
    )


async def compaction_state(session: Session, conversation: Conversation) -> CompactionState:
    """How folding goes; a fresh state after a reset."""
    row = await session.one(
        "SELECT c.failures, coalesce(t.text, '') AS error, c.next_try FROM conversations AS c "
        "LEFT JOIN texts AS t ON t.id = c.error_id WHERE c.id = ? AND c.epoch = ?",
        *(conversation.id, conversation.epoch),
    )
    if row is None:
        return CompactionState()
    return CompactionState(row["failures"], row["error"], moment(row["next_try"]))
