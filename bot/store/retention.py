"""Erases what has grown too old, a bounded number of messages at a time."""

from __future__ import annotations

from datetime import datetime

from bot.store import conversations, log
from bot.store.rows import stamp
from bot.store.session import Session
from bot.store.striking import postpone

MESSAGES_AT_ONCE = 200


async def next_with_old(session: Session, before: datetime, start: int) -> int | None:
    """The first conversation, from the id `start` on, with messages sent before that time."""
    row = await session.one(
        "SELECT c.id FROM conversations AS c WHERE c.id >= ? AND EXISTS (SELECT 1 FROM messages AS m "
        "WHERE m.conversation_id = c.id AND m.erased_at IS NULL AND m.sent_at < ?) ORDER BY c.id LIMIT 1",
        *(start, stamp(before)),
    )
    return None if row is None else int(row["id"])


async def erase_old(session: Session, conversation: int, before: datetime, now: datetime) -> int:
    """Erase the conversation's oldest messages, as far as they were sent before that time. Their number."""
    rows = await session.all(
        "SELECT id, text_id, attachments_id FROM messages WHERE conversation_id = ? AND erased_at IS NULL "
        "AND sent_at < ? ORDER BY sent_at LIMIT ?",
        *(conversation, stamp(before), MESSAGES_AT_ONCE),
    )
    if rows:
        await log.erase(session, rows, now)
        await postpone(session, await conversations.get(session, conversation))
    return len(rows)
