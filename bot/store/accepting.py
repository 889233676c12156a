"""Stores an accepted summary: checks what it follows, and keeps what it says as far as that still holds."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from bot.errors import StoreError
from bot.records import CompactionState, Conversation, LiteralLine, Note, Partial, Summary, SummaryDraft
from bot.store import beside, notes
from bot.store.beside import Beside
from bot.store.conversations import is_current
from bot.store.notes import KeptNote
from bot.store.rows import stamp
from bot.store.session import Session
from bot.store.standing import Reading, changed_since, reading, standings
from bot.store.summaries import current, current_row, newest_version, note_failure
from bot.store.texts import keep


async def add(
    session: Session, conversation: Conversation, draft: SummaryDraft, now: datetime
) -> Summary | None:
    """Store an accepted summary; with it the watermark moves and failures are forgotten."""
    if not await is_current(session, conversation):
        return None
    before = await current_row(session, conversation)
    if draft.predecessor != (None if before is None else before["id"]):
        return None
    await _check_range(session, conversation, draft, 0 if before is None else before["last"])
    old = () if before is None else notes.loaded(before["notes"])
    version, next_note = await newest_version(session, conversation)
    draft = renumbered(draft, {kept.note.id for kept in old}, next_note)
    read = await reading(session, conversation, draft.read_at or now - timedelta(seconds=draft.duration))
    kept_notes = await _notes(session, conversation, draft, old, read)
    kept_beside = await _beside(session, conversation, draft, before, read)
    added = await _insert(
        session, conversation, draft, version + 1, kept_notes, kept_beside, read.change, now
    )
    await note_failure(session, conversation, CompactionState())
    await session.run(
        "UPDATE conversations SET summary_id = ?, settled = max(settled, ?, ?) WHERE id = ?",
        *(added, draft.last, await _newest_read(session, conversation, read), conversation.id),
    )
    return await current(session, conversation)


async def _check_range(
    session: Session, conversation: Conversation, draft: SummaryDraft, watermark: int
) -> None:
    """Refuse a range that would skip live messages, go back, or end outside the conversation."""
    steps = [(watermark, draft.first)]
    ends = [draft.last] if draft.last > watermark else []
    forward = watermark <= draft.last
    if draft.partial is not None:
        steps.append((draft.last, draft.partial.message))
        ends.append(draft.partial.message)
        forward = forward and draft.last < draft.partial.message
    skips = [await _skips(session, conversation, *step) for step in steps]
    inside = [await _has(session, conversation, end) for end in ends]
    if not forward or any(skips) or not all(inside) or not end_of(draft):
        raise StoreError(f"a summary of {draft.first}..{draft.last} doesn't follow the watermark {watermark}")


async def _skips(session: Session, conversation: Conversation, after: int, before: int) -> bool:
    row = await session.one(
        "SELECT 1 FROM messages WHERE conversation_id = ? AND epoch = ? AND live = 1 AND id > ? AND id < ?",
        *(conversation.id, conversation.epoch, after, before),
    )
    return row is not None


async def _has(session: Session, conversation: Conversation, message: int) -> bool:
    row = await session.one(
        "SELECT 1 FROM messages WHERE id = ? AND conversation_id = ? AND epoch = ?",
        *(message, conversation.id, conversation.epoch),
    )
    return row is not None


def renumbered(draft: SummaryDraft, given: set[str], next_note: int) -> SummaryDraft:
    """The draft with its new notes numbered from `next_note` on where they claim less. After going back, and
    for a run that began before, numbers are taken of which the run's summary knows nothing. `given` are the
    notes that it took over."""
    new = {note.id: _number(note) for note in draft.notes if note.id not in given}
    shift = max(0, next_note - min(new.values(), default=next_note))
    if shift:
        moved = [
            replace(note, id=f"n{new[note.id] + shift}") if note.id in new else note for note in draft.notes
        ]
        draft = replace(draft, notes=tuple(moved))
    following = max((_number(note) + 1 for note in draft.notes), default=1)
    return replace(draft, next_note=max(draft.next_note + shift, next_note, following))


def _number(note: Note) -> int:
    return int(note.id.removeprefix("n"))


async def _notes(
    session: Session, conversation: Conversation, draft: SummaryDraft, old: Sequence[KeptNote], read: Reading
) -> list[KeptNote]:
    """The draft's notes with what each knows of: an untouched one what it knew, a new or revised one what
    was known when this run read its messages. One whose sources changed meanwhile is blank."""
    cited = [source for note in (*draft.notes, *(kept.note for kept in old)) for source in note.sources]
    standing = await standings(session, conversation, cited)
    fallen = {kept.note.id: kept.since for kept in old if not notes.sound(kept, standing)}
    untouched = {kept.note: kept.since for kept in old}
    made = [KeptNote(note, fallen.get(note.id, untouched.get(note, read.change))) for note in draft.notes]
    return notes.blanked(made, {kept for kept in made if not notes.sound(kept, standing)})


async def _beside(
    session: Session,
    conversation: Conversation,
    draft: SummaryDraft,
    before: sqlite3.Row | None,
    read: Reading,
) -> Beside:
    """Literal lines of messages as they were read; reasons while nothing that they may quote has changed."""
    old = beside.loaded(None if before is None else before["beside"])
    lines = await _lines(session, conversation, draft.literals, old.literals, read)
    if not draft.dropped and not draft.refused:
        return Beside(lines)
    old_notes = () if before is None else notes.loaded(before["notes"])
    saw = {source for kept in old_notes for source in kept.note.sources}
    saw.update(line.message for line in old.literals)
    made = Beside(lines, draft.dropped, draft.refused, tuple(sorted(saw)))
    if await changed_since(session, conversation, read, (draft.first, end_of(draft)), saw):
        return beside.unquoted(made)
    return made


async def _lines(
    session: Session,
    conversation: Conversation,
    lines: Sequence[LiteralLine],
    old: Sequence[LiteralLine],
    read: Reading,
) -> tuple[LiteralLine, ...]:
    standing = await standings(session, conversation, (line.message for line in lines))
    return tuple(
        line
        for line in lines
        if line.message in standing and (line in old or standing[line.message].change <= read.change)
    )


async def _insert(
    session: Session,
    conversation: Conversation,
    draft: SummaryDraft,
    version: int,
    kept: Sequence[KeptNote],
    kept_beside: Beside,
    change: int,
    now: datetime,
) -> int:
    partial = draft.partial or Partial(0, 0)
    reach = max(
        end_of(draft),
        *(source for one in kept for source in one.note.sources),
        *(line.message for line in kept_beside.literals),
        0,
    )
    notes_id = await keep(session, notes.dumped(kept))
    beside_id = await keep(session, beside.dumped(kept_beside)) if kept_beside != Beside() else None
    return await session.insert(
        "INSERT INTO summaries (conversation_id, epoch, version, predecessor, first, last, folded, notes_id, "
        "next_note, source_tokens, tokens, model, input_tokens, output_tokens, duration, reason, read_at, "
        "created_at, beside_id, partial, partial_done, partial_since, reach) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        *(conversation.id, conversation.epoch, version, draft.predecessor, draft.first, draft.last),
        *(draft.folded, notes_id, draft.next_note, draft.source_tokens, draft.tokens, draft.model),
        *(draft.input_tokens, draft.output_tokens, draft.duration, draft.reason),
        *(stamp(draft.read_at) if draft.read_at else None, stamp(now), beside_id),
        *(partial.message or None, partial.done, change, reach),
    )


def end_of(draft: SummaryDraft) -> int:
    """The last message of which a draft folds anything."""
    return draft.last if draft.partial is None else draft.partial.message


async def _newest_read(session: Session, conversation: Conversation, read: Reading) -> int:
    """The newest message that was there when the run read: what came later may call for another run."""
    row = await session.one(
        "SELECT id FROM messages WHERE conversation_id = ? AND epoch = ? AND live = 1 AND sent_at <= ? "
        "ORDER BY id DESC LIMIT 1",
        *(conversation.id, conversation.epoch, stamp(read.at)),
    )
    return 0 if row is None else int(row["id"])
