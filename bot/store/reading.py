"""Reads the log: what a request is built from, what waits to be folded, pages of history."""

from __future__ import annotations

from bot.messages import Message
from bot.records import Conversation, Memory
from bot.store.members import names
from bot.store.rows import message_of
from bot.store.session import Session
from bot.store.summaries import current

NEWEST = 2_000  # more messages than any budget holds

_NEVER = 2**63 - 1


async def memory(session: Session, conversation: Conversation, upto: int | None) -> Memory:
    """Everything a turn needs. Only what lies after the watermark is read, however long the log is."""
    summary = await current(session, conversation)
    watermark = 0 if summary is None else summary.watermark
    limit = _NEVER if upto is None else upto
    rows = await session.all(
        "SELECT * FROM entries WHERE conversation_id = ? AND epoch = ? AND live = 1 AND id > ? "
        "AND (role = 'assistant' OR id <= ?) ORDER BY id DESC LIMIT ?",
        *(conversation.id, conversation.epoch, watermark, limit, NEWEST),
    )
    verbatim = tuple(message_of(row) for row in reversed(rows))
    older = 0
    if len(verbatim) == NEWEST:
        older = await _waiting(session, conversation, watermark, verbatim[0].id, limit)
    members = await names(session, conversation)
    return Memory(summary, verbatim, older, await _stored(session, conversation), members)


async def _waiting(session: Session, conversation: Conversation, after: int, before: int, limit: int) -> int:
    row = await session.one(
        "SELECT count(*) AS waiting FROM messages WHERE conversation_id = ? AND epoch = ? AND live = 1 "
        "AND id > ? AND id < ? AND (role = 'assistant' OR id <= ?)",
        *(conversation.id, conversation.epoch, after, before, limit),
    )
    assert row is not None
    return int(row["waiting"])


async def _stored(session: Session, conversation: Conversation) -> int:
    row = await session.one(
        "SELECT live FROM conversations WHERE id = ? AND epoch = ?", conversation.id, conversation.epoch
    )
    return 0 if row is None else int(row["live"])


async def unfolded(session: Session, conversation: Conversation, limit: int) -> list[Message]:
    """The oldest live messages after the watermark."""
    rows = await session.all(
        "SELECT * FROM entries WHERE conversation_id = ? AND epoch = ? AND live = 1 AND id > "
        "coalesce((SELECT s.last FROM conversations AS c JOIN summaries AS s ON s.id = c.summary_id "
        "WHERE c.id = ?), 0) ORDER BY id LIMIT ?",
        *(conversation.id, conversation.epoch, conversation.id, limit),
    )
    return [message_of(row) for row in rows]


async def open_turn(session: Session, conversation: Conversation) -> int | None:
    """The oldest message that waits for its answer."""
    row = await session.one(
        "SELECT id FROM messages WHERE conversation_id = ? AND epoch = ? AND state = 'open' "
        "ORDER BY id LIMIT 1",
        *(conversation.id, conversation.epoch),
    )
    return None if row is None else int(row["id"])


async def history(
    session: Session, conversation: Conversation, limit: int, offset: int
) -> tuple[list[Message], int]:
    """A page counted from the newest message, and how many messages there are."""
    rows = await session.all(
        "SELECT * FROM entries WHERE conversation_id = ? AND epoch = ? AND live = 1 "
        "ORDER BY id DESC LIMIT ? OFFSET ?",
        *(conversation.id, conversation.epoch, limit, offset),
    )
    return [message_of(row) for row in reversed(rows)], await _stored(session, conversation)


async def page_after(session: Session, conversation: Conversation, after: int, limit: int) -> list[Message]:
    """The next live messages after an id, so that a long log can be read in pieces."""
    rows = await session.all(
        "SELECT * FROM entries WHERE conversation_id = ? AND epoch = ? AND live = 1 AND id > ? "
        "ORDER BY id LIMIT ?",
        *(conversation.id, conversation.epoch, after, limit),
    )
    return [message_of(row) for row in rows]
