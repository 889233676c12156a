"""Summaries as they are read, going back to an earlier one, and how folding goes."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime

from bot.records import CompactionState, Conversation, Partial, Summary, SummaryDraft
from bot.store import beside, notes
from bot.store.beside import Beside
from bot.store.notes import KeptNote
from bot.store.rows import moment, stamp
from bot.store.session import Session
from bot.store.standing import Standing, standings
from bot.store.texts import keep, wipe

_ROWS = "SELECT s.*, t.text AS notes, b.text AS beside "
_TEXTS = "JOIN texts AS t ON t.id = s.notes_id LEFT JOIN texts AS b ON b.id = s.beside_id "


async def current(session: Session, conversation: Conversation) -> Summary | None:
    """The summary in force, or None before the first and after a reset."""
    row = await current_row(session, conversation)
    return None if row is None else (await _read(session, conversation, [row]))[0]


async def versions(session: Session, conversation: Conversation) -> list[Summary]:
    """All summaries of the epoch, oldest first, those undone too."""
    rows = await session.all(
        _ROWS
        + "FROM summaries AS s "
        + _TEXTS
        + "WHERE s.conversation_id = ? AND s.epoch = ? ORDER BY s.version",
        *(conversation.id, conversation.epoch),
    )
    return await _read(session, conversation, rows)


async def current_row(session: Session, conversation: Conversation) -> sqlite3.Row | None:
    """The summary in force as the file holds it."""
    return await session.one(
        _ROWS
        + "FROM conversations AS c JOIN summaries AS s ON s.id = c.summary_id "
        + _TEXTS
        + "WHERE c.id = ? AND c.epoch = ?",
        *(conversation.id, conversation.epoch),
    )


async def _read(session: Session, conversation: Conversation, rows: Sequence[sqlite3.Row]) -> list[Summary]:
    held = {row["id"]: (notes.loaded(row["notes"]), beside.loaded(row["beside"])) for row in rows}
    cited = {row["partial"] for row in rows if row["partial"] is not None}
    for some, kept_beside in held.values():
        cited.update(source for kept in some for source in kept.note.sources)
        cited.update(line.message for line in kept_beside.literals)
    standing = await standings(session, conversation, cited)
    return [
        _summary(row, *held[row["id"]], standing, await _covers(session, conversation, row["last"]))
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


def _summary(
    row: sqlite3.Row,
    kept_notes: Sequence[KeptNote],
    kept_beside: Beside,
    standing: Mapping[int, Standing],
    covers: int,
) -> Summary:
    draft = SummaryDraft(
        predecessor=row["predecessor"],
        first=row["first"],
        last=row["last"],
        folded=row["folded"],
        notes=tuple(kept.note for kept in kept_notes),
        next_note=row["next_note"],
        source_tokens=row["source_tokens"],
        tokens=row["tokens"],
        model=row["model"],
        input_tokens=row["input_tokens"],
        output_tokens=row["output_tokens"],
        duration=row["duration"],
        reason=row["reason"],
        read_at=moment(row["read_at"]),
        literals=tuple(line for line in kept_beside.literals if line.message in standing),
        dropped=kept_beside.dropped,
        refused=kept_beside.refused,
        partial=_partial(row, standing),
    )
    stale = frozenset(kept.note.id for kept in kept_notes if not notes.sound(kept, standing))
    return Summary(row["id"], row["version"], draft, datetime.fromisoformat(row["created_at"]), covers, stale)


def _partial(row: sqlite3.Row, standing: Mapping[int, Standing]) -> Partial | None:
    """How far a message is folded, while it is as it was then."""
    found = standing.get(row["partial"])
    if found is None or not found.live or found.change > row["partial_since"]:
        return None
    return Partial(row["partial"], row["partial_done"])


async def undo(session: Session, conversation: Conversation) -> bool:
    """Go back to the summary before the present one; False where there is none. Numbers of versions and notes
    are not given again, and failures are forgotten."""
    row = await current_row(session, conversation)
    if row is None:
        return False
    _, next_note = await newest_version(session, conversation)
    await session.run("UPDATE summaries SET next_note = ? WHERE id = ?", next_note, row["predecessor"])
    await session.run(
        "UPDATE conversations SET summary_id = ? WHERE id = ?", row["predecessor"], conversation.id
    )
    await note_failure(session, conversation, CompactionState())
    return True


async def newest_version(session: Session, conversation: Conversation) -> tuple[int, int]:
    """The highest version of the epoch, undone or not, and the first number that no note of it has had."""
    row = await session.one(
        "SELECT version, next_note FROM summaries WHERE conversation_id = ? AND epoch = ? "
        "ORDER BY version DESC LIMIT 1",
        *(conversation.id, conversation.epoch),
    )
    return (0, 1) if row is None else (row["version"], row["next_note"])


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
