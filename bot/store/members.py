"""The people of a conversation: one number each while the epoch lasts, and what they are called now."""

from __future__ import annotations

from bot.messages import Speaker
from bot.records import Conversation
from bot.store.session import Session, storable
from bot.store.texts import keep, wipe

BOT = 0  # the bot's own number


async def number_of(session: Session, conversation: int, speaker: Speaker) -> int:
    """A person's number, given at first appearance. Whoever has a new name keeps the number."""
    row = await session.one(
        "SELECT number FROM members WHERE conversation_id = ? AND speaker_id = ? AND number > 0",
        *(conversation, speaker.id),
    )
    if row is None:
        row = await session.one(
            "SELECT coalesce(max(number), 0) + 1 AS number FROM members WHERE conversation_id = ?",
            conversation,
        )
        assert row is not None
    await call(session, conversation, int(row["number"]), speaker)
    return int(row["number"])


async def call(session: Session, conversation: int, number: int, speaker: Speaker) -> None:
    """Write down who has a number. A name that is no longer used is erased."""
    row = await session.one(
        "SELECT name_id, is_bot, t.text AS name FROM members JOIN texts AS t ON t.id = name_id "
        "WHERE conversation_id = ? AND number = ?",
        *(conversation, number),
    )
    if row is not None:
        if (row["name"], row["is_bot"]) == (storable(speaker.name), speaker.is_bot):
            return
        await wipe(session, [row["name_id"]])
    await session.run(
        "INSERT OR REPLACE INTO members (conversation_id, number, speaker_id, name_id, is_bot) "
        "VALUES (?, ?, ?, ?, ?)",
        *(conversation, number, speaker.id, await keep(session, speaker.name), speaker.is_bot),
    )


async def names(session: Session, conversation: Conversation) -> dict[int, str]:
    """The people's names by number, without the bot; nobody after a reset."""
    rows = await session.all(
        "SELECT p.number, t.text AS name FROM conversations AS c "
        "JOIN members AS p ON p.conversation_id = c.id JOIN texts AS t ON t.id = p.name_id "
        "WHERE c.id = ? AND c.epoch = ? AND p.number > 0 ORDER BY p.number",
        *(conversation.id, conversation.epoch),
    )
    return {row["number"]: row["name"] for row in rows}
