"""Decides whether a message speaks to this bot, and whether it is a command for it. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from telegram import Message, MessageEntity
from telegram.constants import ChatType

from bot.messages import CommandCall

_QUOTED = frozenset(
    {
        MessageEntity.BLOCKQUOTE,
        MessageEntity.EXPANDABLE_BLOCKQUOTE,
        MessageEntity.CODE,
        MessageEntity.PRE,
    }
)


@dataclass(frozen=True, slots=True)
class Me:
    """This bot: its id, its username without @, and the commands that it has."""

    id: int
    username: str
    commands: frozenset[str] = frozenset()


def text_of(message: Message) -> str:
    """Text or caption."""
    return message.text or message.caption or ""


def command(message: Message, me: Me) -> CommandCall | None:
    """The command that a message gives this bot.

    A command stands at the very start and isn't quoted or forwarded. Without "@name" it is for whoever
    knows it: in a group that is this bot for its own commands only.
    """
    call, target = _typed_command(message)
    if call is None or not _is_for(target, me):
        return None
    known = target or message.chat.type == ChatType.PRIVATE or call.name in me.commands
    return call if known and not by_bot(message) else None


def is_addressed(message: Message, me: Me) -> bool:
    """Whether this bot has to answer: in private, when mentioned, when replied to, on its commands."""
    call, target = _typed_command(message)
    if by_bot(message) or (call and not _is_for(target, me)):
        return False
    if message.chat.type == ChatType.PRIVATE or command(message, me):
        return True
    return _replies_to(message, me) or (not message.forward_origin and _mentions(message, me))


def by_bot(message: Message) -> bool:
    """Whether another bot wrote this. Anonymous admins and channels write through bots, but are people."""
    return bool(message.from_user and message.from_user.is_bot and not message.sender_chat)


def replied(message: Message) -> Message | None:
    """The message that a person replied to. In a topic, everything refers to the topic's beginning too."""
    target = message.reply_to_message
    return None if target is None or target.forum_topic_created else target


def _replies_to(message: Message, me: Me) -> bool:
    target = replied(message)
    return bool(target and target.from_user and target.from_user.id == me.id and not target.sender_chat)


def _mentions(message: Message, me: Me) -> bool:
    for entity, text in _open_entities(message):
        if entity.type == MessageEntity.MENTION and text.lower() == f"@{me.username}".lower():
            return True
        if entity.type == MessageEntity.TEXT_MENTION and entity.user and entity.user.id == me.id:
            return True
    return False


def _typed_command(message: Message) -> tuple[CommandCall | None, str]:
    """The command at the start of a message and the bot it names ("" for none)."""
    if message.text and not message.forward_origin:
        for entity, text in _open_entities(message):
            if entity.type == MessageEntity.BOT_COMMAND and entity.offset == 0:
                name, _, target = text.removeprefix("/").partition("@")
                rest = message.text[len(text) :].strip()
                return CommandCall(name.lower(), rest), target
    return None, ""


def _is_for(target: str, me: Me) -> bool:
    return not target or target.lower() == me.username.lower()


def _open_entities(message: Message) -> Iterator[tuple[MessageEntity, str]]:
    """Entities with their text, but for those in a quote or in code."""
    found = message.parse_entities() if message.text else message.parse_caption_entities()
    quoted = [entity for entity in found if entity.type in _QUOTED]
    for entity, text in found.items():
        if not any(q.offset <= entity.offset < q.offset + q.length for q in quoted):
            yield entity, text
