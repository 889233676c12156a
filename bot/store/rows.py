"""Turns rows into values, and times into text that sorts."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime

from bot.messages import Attachment, ChatKind, ConversationKey, Message, Speaker
from bot.records import Conversation


def stamp(moment: datetime) -> str:
    """A time as the file holds it: UTC, always of one length, so that text order is time order."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def moment(text: str | None) -> datetime | None:
    """The time that `stamp` wrote."""
    return None if text is None else datetime.fromisoformat(text)


def conversation_of(row: sqlite3.Row) -> Conversation:
    """A row of `conversations`."""
    key = ConversationKey(row["platform"], row["account"], row["chat"], row["thread"])
    return Conversation(row["id"], key, row["epoch"], ChatKind(row["kind"]), row["title"])


def message_of(row: sqlite3.Row) -> Message:
    """A row of `entries`."""
    return Message(
        id=row["id"],
        role=row["role"],
        speaker=Speaker(row["speaker_id"], row["name"], bool(row["is_bot"])),
        number=row["number"],
        text=row["text"],
        sent_at=datetime.fromisoformat(row["sent_at"]),
        platform_id=row["platform_id"],
        answers=row["answers"],
        edited_at=moment(row["edited_at"]),
    )


def full_text(text: str, attachments: Sequence[Attachment]) -> str:
    """The text as memory knows it: each attachment's placeholder on a line of its own below."""
    placeholders = (" ".join(attachment.placeholder.split()) for attachment in attachments)
    return "\n".join(([text] if text else []) + list(placeholders))


def attachments_json(attachments: Sequence[Attachment]) -> str:
    """Descriptions of attachments as the file holds them."""
    fields = [
        {"kind": item.kind, "name": item.name, "description": item.description, "size": item.size}
        for item in attachments
    ]
    return json.dumps(fields, ensure_ascii=False)


def attachments_of(text: str) -> tuple[Attachment, ...]:
    """What `attachments_json` wrote."""
    return tuple(Attachment(**fields) for fields in json.loads(text))
