"""The walls: finding and making conversations, moving them, and opening a new epoch."""

from __future__ import annotations

from datetime import datetime

from bot.errors import StoreError
from bot.messages import ConversationKey, ConversationMoved, IncomingMessage
from bot.records import Conversation, ConversationLine
from bot.store.rows import conversation_of, moment, stamp
from bot.store.session import Session
from bot.store.texts import wipe

_HOLDERS_OF_TEXTS = (
    "SELECT m.text_id, m.attachments_id FROM conversations AS c "
    "JOIN messages AS m ON m.conversation_id = c.id AND m.epoch = c.epoch WHERE c.id = ?",
    "SELECT s.notes_id, s.beside_id FROM conversations AS c "
    "JOIN summaries AS s ON s.conversation_id = c.id AND s.epoch = c.epoch WHERE c.id = ?",
    "SELECT name_id FROM members WHERE conversation_id = ?",
    "SELECT error_id FROM conversations WHERE id = ?",
)


async def find(session: Session, key: ConversationKey) -> Conversation | None:
    """The conversation of a key; of a chat that moved, the one where it is now."""
    found = await _at(session, key)
    if found is not None:
        return found
    moved = await _moved(session, key)
    return None if moved is None else await _at(session, moved)


async def _at(session: Session, key: ConversationKey) -> Conversation | None:
    row = await session.one(
        "SELECT * FROM conversations WHERE platform = ? AND account = ? AND chat = ? AND thread = ?",
        *(key.platform, key.account, key.chat, key.thread),
    )
    return None if row is None else conversation_of(row)


async def _moved(session: Session, key: ConversationKey) -> ConversationKey | None:
    row = await session.one(
        "SELECT new_account, new_chat FROM moves WHERE platform = ? AND account = ? AND chat = ?",
        *(key.platform, key.account, key.chat),
    )
    if row is None:
        return None
    return ConversationKey(key.platform, row["new_account"], row["new_chat"], key.thread)


async def obtain(session: Session, incoming: IncomingMessage) -> Conversation:
    """The conversation a message belongs to, made when missing, with kind and title brought up to date."""
    found = await find(session, incoming.key)
    if found is None:
        return await _create(session, incoming)
    title = incoming.chat_title or found.title
    if (found.kind, found.title) == (incoming.chat_kind, title):
        return found
    await session.run(
        "UPDATE conversations SET kind = ?, title = ? WHERE id = ?", incoming.chat_kind.value, title, found.id
    )
    return await get(session, found.id)


async def _create(session: Session, incoming: IncomingMessage) -> Conversation:
    key = await _moved(session, incoming.key) or incoming.key
    made = await session.insert(
        "INSERT INTO conversations (platform, account, chat, thread, kind, title) VALUES (?, ?, ?, ?, ?, ?)",
        *(key.platform, key.account, key.chat, key.thread, incoming.chat_kind.value, incoming.chat_title),
    )
    return await get(session, made)


async def get(session: Session, conversation: int) -> Conversation:
    """The conversation with that id as it is now."""
    row = await session.one("SELECT * FROM conversations WHERE id = ?", conversation)
    if row is None:
        raise StoreError(f"there is no conversation {conversation}")
    return conversation_of(row)


async def is_current(session: Session, conversation: Conversation) -> bool:
    """Whether no reset came since `conversation` was read."""
    return (await get(session, conversation.id)).epoch == conversation.epoch


async def move(session: Session, event: ConversationMoved) -> None:
    """Give a chat's conversations the new key where it is free, and remember the move.

    Their messages keep the ids they had in the old chat: the new chat counts its own.
    """
    old, new = event.old, event.new
    if (old.platform, old.account, old.chat) == (new.platform, new.account, new.chat):
        return
    await session.run(
        "UPDATE OR IGNORE conversations SET platform = ?, account = ?, chat = ? "
        "WHERE platform = ? AND account = ? AND chat = ?",
        *(new.platform, new.account, new.chat, old.platform, old.account, old.chat),
    )
    await session.run(
        "UPDATE moves SET new_account = ?, new_chat = ? "
        "WHERE platform = ? AND new_account = ? AND new_chat = ?",
        *(new.account, new.chat, old.platform, old.account, old.chat),
    )
    await session.run(
        "INSERT INTO moves (platform, account, chat, new_account, new_chat) VALUES (?, ?, ?, ?, ?) "
        "ON CONFLICT DO UPDATE SET new_account = excluded.new_account, new_chat = excluded.new_chat",
        *(old.platform, old.account, old.chat, new.account, new.chat),
    )


async def reset(session: Session, conversation: int, now: datetime) -> Conversation:
    """Open a new epoch and erase what the old one said. Rows stay, so that nothing comes back by a late
    delivery; token figures stay too."""
    for holders in _HOLDERS_OF_TEXTS:
        rows = await session.all(holders, conversation)
        await wipe(session, [text for row in rows for text in row])
    await session.run(
        "UPDATE messages SET text_id = NULL, attachments_id = NULL, reply_to = NULL, number = 0, live = 0, "
        "state = CASE WHEN state = 'open' THEN 'failed' ELSE state END, erased_at = coalesce(erased_at, ?) "
        "WHERE conversation_id = ? AND epoch = (SELECT epoch FROM conversations WHERE id = conversation_id)",
        *(stamp(now), conversation),
    )
    await session.run(
        "UPDATE summaries SET notes_id = NULL, beside_id = NULL WHERE conversation_id = ?", conversation
    )
    await session.run("DELETE FROM members WHERE conversation_id = ?", conversation)
    await session.run(
        "UPDATE conversations SET epoch = epoch + 1, summary_id = NULL, failures = 0, error_id = NULL, "
        "next_try = NULL, unstruck = NULL WHERE id = ?",
        conversation,
    )
    return await get(session, conversation)


async def idle(session: Session, before: datetime, limit: int) -> list[Conversation]:
    """Those in which nothing was said since, and something before that no summary had to do with."""
    rows = await session.all(
        "SELECT * FROM conversations WHERE newest > settled AND newest_at < ? ORDER BY newest_at LIMIT ?",
        *(stamp(before), limit),
    )
    return [conversation_of(row) for row in rows]


async def settle(session: Session, conversation: Conversation, before: datetime) -> None:
    """Don't call it idle again before something new is said."""
    await session.run(
        "UPDATE conversations SET settled = newest WHERE id = ? AND epoch = ? AND newest > settled "
        "AND newest_at < ?",
        *(conversation.id, conversation.epoch, stamp(before)),
    )


async def lines(session: Session) -> list[ConversationLine]:
    """All conversations with the figures of their present epoch, the latest used first."""
    rows = await session.all(
        "SELECT c.*, "
        "(SELECT count(*) FROM summaries WHERE conversation_id = c.id AND epoch = c.epoch) AS summaries, "
        "(SELECT sent_at FROM messages WHERE conversation_id = c.id AND epoch = c.epoch AND live = 1 "
        "ORDER BY id DESC LIMIT 1) AS last_at "
        "FROM conversations c ORDER BY last_at DESC, c.id"
    )
    return [
        ConversationLine(conversation_of(row), row["live"], row["summaries"], moment(row["last_at"]))
        for row in rows
    ]
