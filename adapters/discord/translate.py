"""Translates what discord.py hands over into the core's values. Pure.

A conversation's chat is the id of the channel or thread, and its thread stays empty: both kinds of ids are
unique, and events of messages that aren't cached name nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import discord

from adapters.discord.attachments import attachments
from adapters.discord.readable import own_mentions, readable
from bot.messages import (
    ChatKind,
    CommandCall,
    ConversationKey,
    IncomingMessage,
    MessageEdited,
    MessagesDeleted,
    Speaker,
)

PLATFORM = "discord"
_SPOKEN = frozenset(
    {
        discord.MessageType.default,
        discord.MessageType.reply,
        discord.MessageType.chat_input_command,
        discord.MessageType.context_menu_command,
    }
)


def conversation_key(account: int, channel: int) -> ConversationKey:
    """The conversation in a channel, a thread or direct messages."""
    return ConversationKey(PLATFORM, str(account), str(channel))


def incoming(message: discord.Message, me: discord.ClientUser) -> IncomingMessage | None:
    """A message as the core sees it; None for the bot's own, for notices, and where nothing can be read.

    The first message of a thread begun from a message is that message, under its own id.
    """
    source, starts_thread = message, message.type is discord.MessageType.thread_starter_message
    if starts_thread:
        target = message.reference.resolved if message.reference else None
        if not isinstance(target, discord.Message):
            return None
        source = target
    elif message.type not in _SPOKEN or message.author.id == me.id:
        return None
    text, things = readable(source, me), attachments(source)
    if not text and not things:
        return None
    return IncomingMessage(
        key=conversation_key(me.id, message.channel.id),
        message_id=str(source.id),
        speaker=speaker(source.author, by_hook=source.webhook_id is not None),
        text=text,
        sent_at=source.created_at,
        chat_kind=ChatKind.GROUP if message.guild else ChatKind.PRIVATE,
        chat_title=chat_title(message.channel),
        addressed=not starts_thread and is_addressed(message, me),
        attachments=things,
        reply_to=_reply_to(source),
        admin=message.guild is None,
    )


def edited(
    message: discord.Message, me: discord.ClientUser, *, content_visible: bool
) -> tuple[MessageEdited, ...]:
    """What an update of a message means; nothing unless a person changed it.

    Discord also sends updates to add the preview of a link or a pin: those carry no time of editing. Where
    content isn't visible to the bot, an empty one says nothing.
    """
    if message.edited_at is None or message.author.id == me.id or message.type not in _SPOKEN:
        return ()
    text, things = readable(message, me), attachments(message)
    if not content_visible and not text and not things:
        return ()
    return tuple(
        MessageEdited(key, str(message.id), text, message.edited_at, things)
        for key in _keys(me.id, message.channel.id, message.id, in_guild=message.guild is not None)
    )


def deleted(
    account: int, channel: int, messages: Iterable[int], *, in_guild: bool
) -> tuple[MessagesDeleted, ...]:
    """What the deletion of messages means, for their channel and for the threads begun from them."""
    ids = sorted(messages)
    gone = [MessagesDeleted(conversation_key(account, channel), tuple(map(str, ids)))]
    for message in ids:
        gone += [
            MessagesDeleted(key, (str(message),))
            for key in _keys(account, channel, message, in_guild=in_guild)[1:]
        ]
    return tuple(gone)


def slash_call(data: Any) -> CommandCall | None:
    """The command in the data of an interaction, its options joined by blanks."""
    if not data or not data.get("name"):
        return None
    values = [str(option["value"]) for option in data.get("options", ()) if "value" in option]
    return CommandCall(str(data["name"]), " ".join(values))


def command(interaction: discord.Interaction, call: CommandCall, me: discord.ClientUser) -> IncomingMessage:
    """A slash command or a pressed button as the core sees it."""
    rights = interaction.permissions
    in_guild = interaction.guild_id is not None
    return IncomingMessage(
        key=conversation_key(me.id, interaction.channel_id or 0),
        message_id=str(interaction.id),
        speaker=speaker(interaction.user),
        text=f"/{call.name} {call.argument}".rstrip(),
        sent_at=interaction.created_at,
        chat_kind=ChatKind.GROUP if in_guild else ChatKind.PRIVATE,
        chat_title=chat_title(interaction.channel),
        command=call,
        admin=not in_guild or rights.administrator or rights.manage_messages,
        language=interaction.locale.value,
    )


def speaker(author: discord.abc.User, *, by_hook: bool = False) -> Speaker:
    """Who wrote: by the stable id, with the name that people see in this place."""
    return Speaker(str(author.id), author.display_name, author.bot or by_hook)


def is_addressed(message: discord.Message, me: discord.ClientUser) -> bool:
    """Whether the bot has to answer: to people in direct messages, when mentioned, when replied to."""
    if message.author.bot or message.webhook_id is not None:
        return False
    if message.guild is None or any(person.id == me.id for person in message.mentions):
        return True
    target = message.reference.resolved if message.reference else None
    if isinstance(target, discord.Message) and target.author.id == me.id:
        return message.type is discord.MessageType.reply
    own = own_mentions(message, me)
    return any(role.mention in own for role in message.role_mentions)


def chat_title(channel: Any) -> str:
    """Where something was said, as in "Home › #general › plans"; "" for direct messages."""
    guild = getattr(channel, "guild", None)
    if guild is None or not hasattr(channel, "name"):
        return ""
    if isinstance(channel, discord.Thread):
        parent = channel.parent
        return " › ".join([guild.name, *([f"#{parent.name}"] if parent else []), channel.name])
    return f"{guild.name} › #{channel.name}"


def _reply_to(message: discord.Message) -> str | None:
    if message.type is discord.MessageType.reply and message.reference and message.reference.message_id:
        return str(message.reference.message_id)
    return None


def _keys(account: int, channel: int, message: int, *, in_guild: bool) -> list[ConversationKey]:
    """Where a message is remembered: in its channel, and in a thread begun from it, which has its id."""
    places = [channel, message] if in_guild and channel != message else [channel]
    return [conversation_key(account, place) for place in places]
