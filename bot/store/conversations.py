"""The walls: finding and making conversations, their members, moving them, and opening a new epoch."""

from __future__ import annotations

from datetime import datetime

from bot.errors import StoreError
from bot.messages import ConversationKey, ConversationMoved, IncomingMessage, Speaker
from bot.records import Conversation, ConversationLine
from bot.store.rows import conversation_of, moment, stamp
from bot.store.session import Session


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
    return (
        None
        if row is None
        else ConversationKey(key.platform, row["new_account"], row["new_chat"], key.thread)
    )


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


async def number_of(session: Session, conversation: int, speaker: Speaker) -> int:
    """The number of a person, given at first appearance. Notes what the person is called now."""
    row = await session.one(
        "SELECT number, name, is_bot FROM members WHERE conversation_id = ? AND speaker_id = ?",
        *(conversation, speaker.id),
    )
    if row is None:
        highest = await session.one(
            "SELECT coalesce(max(number), 0) AS number FROM members WHERE conversation_id = ?", conversation
        )
        assert highest is not None
        number = int(highest["number"]) + 1
        await set_member(session, conversation, number, speaker)
        return number
    if (row["name"], row["is_bot"]) != (speaker.name, speaker.is_bot):
        await set_member(session, conversation, row["number"], speaker)
    return int(row["number"])


async def set_member(session: Session, conversation: int, number: int, speaker: Speaker) -> None:
    """Write down who has a number."""
    await session.run(
        "INSERT INTO members (conversation_id, number, speaker_id, name, is_bot) VALUES (?, ?, ?, ?, ?) "
        "ON CONFLICT (conversation_id, number) DO UPDATE "
        "SET speaker_id = excluded.speaker_id, name = excluded.name, is_bot = excluded.is_bot",
        *(conversation, number, speaker.id, speaker.name, speaker.is_bot),
    )


async def members(session: Session, conversation: int) -> dict[int, str]:
    """The people's names by number, without the bot."""
    rows = await session.all(
        "SELECT number, name FROM members WHERE conversation_id = ? AND number > 0 ORDER BY number",
        conversation,
    )
    return {row["number"]: row["name"] for row in rows}


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
        "INSERT INTO moves (platform, account, chat, new_account, new_chat) VALUES (?, ?, ?, ?, ?) "
        "ON CONFLICT DO UPDATE SET new_account = excluded.new_account, new_chat = excluded.new_chat",
        *(old.platform, old.account, old.chat, new.account, new.chat),
    )


async def reset(session: Session, conversation: int, now: datetime) -> Conversation:
    """Open a new epoch and erase what the old one said. Rows stay, so that nothing comes back by a late
    delivery; token figures stay too."""
    await session.run(
        "UPDATE messages SET text = '', attachments = '[]', reply_to = NULL, number = 0, live = 0, "
        "state = CASE WHEN state = 'open' THEN 'failed' ELSE state END, erased_at = coalesce(erased_at, ?) "
        "WHERE conversation_id = ? AND epoch = (SELECT epoch FROM conversations WHERE id = ?)",
        *(stamp(now), conversation, conversation),
    )
    await session.run(
        "UPDATE summaries SET notes = '[]', reason = '' WHERE conversation_id = ?", conversation
    )
    await session.run("DELETE FROM members WHERE conversation_id = ?", conversation)
    await session.run(
        "UPDATE conversations SET epoch = epoch + 1, summary_id = NULL, failures = 0, error = '', "
        "next_try = NULL WHERE id = ?",
        conversation,
    )
    return await get(session, conversation)


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
