"""How the messages that a summary rests on stand now: whether they are still there, and last edited when."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from bot.records import Conversation
from bot.store.rows import stamp
from bot.store.session import Session


@dataclass(frozen=True, slots=True)
class Standing:
    """A message that isn't erased. `change` is the number of its last edit."""

    change: int
    live: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """When messages were read, by the clock and as the number of the last edit known then."""

    at: datetime
    change: int


async def standings(
    session: Session, conversation: Conversation, messages: Iterable[int]
) -> dict[int, Standing]:
    """Those of the messages that are in this epoch's log and not erased."""
    rows = await session.all(
        "SELECT m.id, m.change, m.live FROM json_each(?) AS wanted JOIN messages AS m ON m.id = wanted.value "
        "WHERE m.conversation_id = ? AND m.epoch = ? AND m.erased_at IS NULL",
        *(json.dumps(sorted(set(messages))), conversation.id, conversation.epoch),
    )
    return {row["id"]: Standing(row["change"], bool(row["live"])) for row in rows}


async def reading(session: Session, conversation: Conversation, at: datetime) -> Reading:
    """What was known at a time."""
    row = await session.one(
        "SELECT coalesce(max(change), 0) AS change FROM messages "
        "WHERE conversation_id = ? AND change > 0 AND changed_at <= ?",
        *(conversation.id, stamp(at)),
    )
    assert row is not None
    return Reading(at, int(row["change"]))


async def changed_since(
    session: Session, conversation: Conversation, read: Reading, span: tuple[int, int], others: Iterable[int]
) -> bool:
    """Whether any message from the first to the last of `span`, or of the others, was edited or erased since
    it was read."""
    row = await session.one(
        "SELECT 1 FROM messages WHERE conversation_id = ? AND epoch = ? AND id BETWEEN ? AND ? "
        "AND (change > ? OR erased_at >= ?) "
        "UNION ALL SELECT 1 FROM json_each(?) AS wanted JOIN messages AS m ON m.id = wanted.value "
        "WHERE m.change > ? OR m.erased_at >= ? LIMIT 1",
        *(conversation.id, conversation.epoch, *span, read.change, stamp(read.at)),
        *(json.dumps(sorted(set(others))), read.change, stamp(read.at)),
    )
    return row is not None
