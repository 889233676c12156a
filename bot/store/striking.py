"""Takes out of all versions what rested on messages that were edited or erased.

At once for single messages. Expired ones are many, so their versions follow a few at a time: `postpone` notes
in the same transaction that they have to, and `go_on` does the next piece, after a crash too. What is read
meanwhile leaves out notes and literal lines whose messages are gone.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence, Set

from bot.records import Conversation
from bot.store import beside, notes
from bot.store.rows import conversation_of
from bot.store.session import Session
from bot.store.texts import keep, wipe

VERSIONS_AT_ONCE = 50

# Stands for the reason of a failure when it may quote what is erased.
_STRUCK = "…"

_VERSIONS = (
    "SELECT s.id, s.version, s.first, max(s.last, coalesce(s.partial, 0)) AS end, s.notes_id, s.beside_id, "
    "n.text AS notes, b.text AS beside FROM summaries AS s JOIN texts AS n ON n.id = s.notes_id "
    "LEFT JOIN texts AS b ON b.id = s.beside_id WHERE s.conversation_id = ? AND s.epoch = ? "
)


async def strike(session: Session, conversation: Conversation, messages: Iterable[int]) -> None:
    """Take what rests on any of these messages out of all versions."""
    struck = set(messages)
    rows = await session.all(
        _VERSIONS + "AND s.reach >= ?", conversation.id, conversation.epoch, min(struck, default=0)
    )
    for row in rows:
        await _strike(session, row, struck)
    await _strike_failure(session, conversation)


async def postpone(session: Session, conversation: Conversation) -> None:
    """Messages are erased: their versions will be looked through by `go_on`."""
    await session.run("UPDATE conversations SET unstruck = 0 WHERE id = ?", conversation.id)
    await _strike_failure(session, conversation)


async def go_on(session: Session) -> bool:
    """Look through the next few versions that wait for it. False when none waits any more."""
    waiting = await session.one("SELECT * FROM conversations WHERE unstruck IS NOT NULL ORDER BY id LIMIT 1")
    if waiting is None:
        return False
    conversation = conversation_of(waiting)
    rows = await session.all(
        _VERSIONS + "AND s.version > ? ORDER BY s.version LIMIT ?",
        *(conversation.id, conversation.epoch, waiting["unstruck"], VERSIONS_AT_ONCE),
    )
    struck = await _erased(session, conversation, rows) if rows else set()
    for row in rows:
        await _strike(session, row, struck)
    done = rows[-1]["version"] if len(rows) == VERSIONS_AT_ONCE else None
    await session.run("UPDATE conversations SET unstruck = ? WHERE id = ?", done, conversation.id)
    return True


async def _erased(session: Session, conversation: Conversation, rows: Sequence[sqlite3.Row]) -> set[int]:
    """The erased ones among the messages that these versions fold or rest on."""
    cited: set[int] = set()
    for row in rows:
        cited.update(source for kept in notes.loaded(row["notes"]) for source in kept.note.sources)
        kept_beside = beside.loaded(row["beside"])
        cited.update(kept_beside.saw, (line.message for line in kept_beside.literals))
    found = await session.all(
        "SELECT id FROM messages WHERE conversation_id = ? AND epoch = ? AND id BETWEEN ? AND ? "
        "AND erased_at IS NOT NULL "
        "UNION ALL SELECT m.id FROM json_each(?) AS wanted JOIN messages AS m ON m.id = wanted.value "
        "WHERE m.erased_at IS NOT NULL",
        *(conversation.id, conversation.epoch, min(row["first"] for row in rows)),
        *(max(row["end"] for row in rows), json.dumps(sorted(cited))),
    )
    return {row["id"] for row in found}


async def _strike(session: Session, row: sqlite3.Row, messages: Set[int]) -> None:
    """Replace what a version holds by what may stay of it."""
    kept = notes.loaded(row["notes"])
    fallen = {one for one in kept if one.note.text and not messages.isdisjoint(one.note.sources)}
    if fallen:
        text = await keep(session, notes.dumped(notes.blanked(kept, fallen)))
        await session.run("UPDATE summaries SET notes_id = ? WHERE id = ?", text, row["id"])
        await wipe(session, [row["notes_id"]])
    before = beside.loaded(row["beside"])
    after = beside.struck(before, messages, (row["first"], row["end"]))
    if after != before:
        text = await keep(session, beside.dumped(after))
        await session.run("UPDATE summaries SET beside_id = ? WHERE id = ?", text, row["id"])
        await wipe(session, [row["beside_id"]])


async def _strike_failure(session: Session, conversation: Conversation) -> None:
    """Why folding failed may quote a message that waits to be folded."""
    row = await session.one(
        "SELECT c.error_id, t.text AS error FROM conversations AS c JOIN texts AS t ON t.id = c.error_id "
        "WHERE c.id = ?",
        conversation.id,
    )
    if row is not None and row["error"] != _STRUCK:
        await wipe(session, [row["error_id"]])
        await session.run(
            "UPDATE conversations SET error_id = ? WHERE id = ?",
            *(await keep(session, _STRUCK), conversation.id),
        )
