"""Writes the log: messages, their edits and deletions, answers, and how each turn ended."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from bot.errors import StoreError
from bot.messages import Attachment, IncomingMessage, Message, MessageEdited, MessagesDeleted, Speaker
from bot.ports.store import Appended
from bot.records import Conversation
from bot.store.conversations import find, is_current, obtain
from bot.store.members import BOT, call, number_of
from bot.store.rows import attachments_json, attachments_of, full_text, message_of, stamp
from bot.store.session import Session, storable
from bot.store.striking import strike
from bot.store.texts import keep, wipe


async def append(session: Session, incoming: IncomingMessage) -> Appended:
    """Store a message, unless one of that platform id is there or was."""
    conversation = await obtain(session, incoming)
    known = await _known(session, conversation, incoming.key.chat, incoming.message_id)
    if known is not None:
        return Appended(conversation, message_of(known), new=False, open=known["state"] == "open")
    number = await number_of(session, conversation.id, incoming.speaker)
    added = await session.insert(
        "INSERT INTO messages (conversation_id, epoch, role, number, text_id, attachments_id, platform_id, "
        "reply_to, state, sent_at) "
        "VALUES (?, ?, 'user', ?, ?, ?, ?, ?, ?, ?)",
        *(conversation.id, conversation.epoch, number),
        *(await _keep_text(session, incoming.text, incoming.attachments)),
        *(incoming.message_id, incoming.reply_to, "open" if incoming.addressed else "background"),
        stamp(incoming.sent_at),
    )
    await _add_part(session, conversation.id, incoming.key.chat, incoming.message_id, added)
    return Appended(conversation, message_of(await _entry(session, added)), new=True, open=incoming.addressed)


async def _known(
    session: Session, conversation: Conversation, chat: str, platform_id: str
) -> sqlite3.Row | None:
    return await session.one(
        "SELECT e.* FROM parts AS p JOIN entries AS e ON e.id = p.message_id "
        "WHERE p.conversation_id = ? AND p.chat = ? AND p.platform_id = ?",
        *(conversation.id, chat, platform_id),
    )


async def _entry(session: Session, message: int) -> sqlite3.Row:
    row = await session.one("SELECT * FROM entries WHERE id = ?", message)
    if row is None:
        raise StoreError(f"there is no message {message}")
    return row


async def _keep_text(
    session: Session, text: str, attachments: Sequence[Attachment]
) -> tuple[int, int | None]:
    body = await keep(session, full_text(text, attachments))
    return body, await keep(session, attachments_json(attachments)) if attachments else None


async def _add_part(session: Session, conversation: int, chat: str, platform_id: str, message: int) -> None:
    await session.run(
        "INSERT OR IGNORE INTO parts (conversation_id, chat, platform_id, message_id) VALUES (?, ?, ?, ?)",
        *(conversation, chat, platform_id, message),
    )


async def edit(session: Session, event: MessageEdited, now: datetime) -> bool:
    """Change a person's message. An answer's parts are never taken back into the log: the platform shows
    them rendered and cut, and reports the bot's own edits too."""
    conversation = await find(session, event.key)
    if conversation is None:
        return False
    row = await _known(session, conversation, event.key.chat, event.message_id)
    if (
        row is None
        or row["role"] != "user"
        or row["erased_at"]
        or (row["edited_at"] or "") > stamp(event.edited_at)
    ):
        return False
    attachments = attachments_of(row["attachments"]) if event.attachments is None else event.attachments
    if storable(full_text(event.text, attachments)) == row["text"]:
        return False
    await wipe(session, [row["text_id"], row["attachments_id"]])
    await session.run("UPDATE conversations SET changes = changes + 1 WHERE id = ?", conversation.id)
    await session.run(
        "UPDATE messages SET text_id = ?, attachments_id = ?, edited_at = ?, changed_at = ?, "
        "change = (SELECT changes FROM conversations WHERE id = conversation_id) WHERE id = ?",
        *(await _keep_text(session, event.text, attachments)),
        *(stamp(event.edited_at), stamp(now), row["id"]),
    )
    await strike(session, conversation, [row["id"]])
    return True


async def delete(session: Session, event: MessagesDeleted, now: datetime) -> int:
    """Erase messages. A turn that still waits for its answer is given up."""
    conversation = await find(session, event.key)
    if conversation is None:
        return 0
    found = [await _known(session, conversation, event.key.chat, known) for known in event.message_ids]
    rows = {row["id"]: row for row in found if row is not None and row["erased_at"] is None}
    if rows:
        await erase(session, list(rows.values()), now)
        await strike(session, conversation, rows)
    return sum(row["live"] for row in rows.values())


async def erase(session: Session, rows: Sequence[sqlite3.Row], now: datetime) -> None:
    """Take these messages' texts. What rests on them has to be struck in the same transaction, or to be noted
    for it."""
    await wipe(session, [text for row in rows for text in (row["text_id"], row["attachments_id"])])
    await session.run(
        "UPDATE messages SET text_id = NULL, attachments_id = NULL, reply_to = NULL, live = 0, "
        "erased_at = ?, state = CASE WHEN state = 'open' THEN 'failed' ELSE state END "
        "WHERE id IN (SELECT value FROM json_each(?))",
        *(stamp(now), json.dumps([row["id"] for row in rows])),
    )


async def add_answer(
    session: Session, conversation: Conversation, answers: int, speaker_name: str, text: str, now: datetime
) -> Message | None:
    """Store an answer and close the turn; None after a reset or when there is an answer already."""
    if not await is_current(session, conversation):
        return None
    question = await _entry(session, answers)
    if (question["conversation_id"], question["epoch"]) != (conversation.id, conversation.epoch):
        raise StoreError(f"message {answers} is not of conversation {conversation.id}")
    if question["state"] == "answered":
        return None
    await session.run("UPDATE messages SET state = 'answered' WHERE id = ?", answers)
    bot = Speaker(conversation.key.account, speaker_name, is_bot=True)
    await call(session, conversation.id, BOT, bot)
    added = await session.insert(
        "INSERT INTO messages (conversation_id, epoch, role, number, text_id, answers, sent_at) "
        "VALUES (?, ?, 'assistant', 0, ?, ?, ?)",
        *(conversation.id, conversation.epoch, await keep(session, text), answers, stamp(now)),
    )
    return message_of(await _entry(session, added))


async def attach_parts(session: Session, message: int, platform_ids: Sequence[str]) -> None:
    """Note a message's platform ids; the first one becomes its `platform_id`. Ids in use stay as they are."""
    row = await session.one(
        "SELECT m.conversation_id, c.chat FROM messages m JOIN conversations c ON c.id = m.conversation_id "
        "WHERE m.id = ?",
        message,
    )
    if row is None:
        raise StoreError(f"there is no message {message}")
    for platform_id in platform_ids:
        await _add_part(session, row["conversation_id"], row["chat"], platform_id, message)
    if platform_ids:
        await session.run(
            "UPDATE messages SET platform_id = ? WHERE id = ? AND platform_id = ''", platform_ids[0], message
        )


async def close_turn(session: Session, message: int, outcome: Literal["failed", "too_large"]) -> None:
    """Give up on a turn that has no answer; one too large for a context leaves the memory."""
    await session.run(
        "UPDATE messages SET state = ?, live = CASE WHEN ? = 'too_large' THEN 0 ELSE live END "
        "WHERE id = ? AND state IN ('open', 'failed')",
        *(outcome, outcome, message),
    )
