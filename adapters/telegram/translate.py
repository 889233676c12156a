"""Translates Telegram's updates into the core's values. Pure."""

from __future__ import annotations

from datetime import datetime

from telegram import CallbackQuery, Message, Update
from telegram.constants import ChatType

from adapters.telegram.addressing import Me, by_bot, command, is_addressed, replied, text_of
from adapters.telegram.attachments import attachments
from adapters.telegram.chats import Place
from adapters.telegram.render import pressed
from bot.messages import (
    ChatKind,
    ConversationKey,
    ConversationMoved,
    Inbound,
    IncomingMessage,
    MessageEdited,
    Speaker,
)

PLATFORM = "telegram"


def translate(update: Update, me: Me, now: datetime) -> Inbound | None:
    """What an update means to the core; None for what it need not know. `now` is aware."""
    if update.callback_query:
        return _pressed(update.callback_query, me, now)
    if update.edited_message:
        return _edited(update.edited_message, me, now)
    message = update.message
    if message is None or (message.from_user and message.from_user.id == me.id):
        return None
    return _moved(message, me) or _incoming(message, me)


def place_of(update: Update) -> Place | None:
    """Where an answer to an update goes."""
    query = update.callback_query
    message = query.message if query else update.message or update.edited_message
    if not isinstance(message, Message) or not message.is_accessible:
        return None
    group = message.chat.type != ChatType.PRIVATE
    return Place(
        chat=message.chat.id,
        thread=message.message_thread_id if message.is_topic_message else None,
        reply_to=message.message_id if group and not query else None,
        heard=message.message_id,
        group=group,
    )


def _incoming(message: Message, me: Me) -> IncomingMessage | None:
    text, things = text_of(message), attachments(message)
    author = _speaker(message)
    if author is None or not (text or things):
        return None
    target = replied(message)
    private = message.chat.type == ChatType.PRIVATE
    return IncomingMessage(
        key=_key(message, me),
        message_id=str(message.message_id),
        speaker=author,
        text=text,
        sent_at=message.date,
        chat_kind=ChatKind.PRIVATE if private else ChatKind.GROUP,
        chat_title=message.chat.title or "",
        addressed=is_addressed(message, me),
        command=command(message, me),
        attachments=things,
        reply_to=str(target.message_id) if target else None,
        admin=private or _speaks_as_chat(message),
        language=(message.from_user.language_code or "") if message.from_user else "",
    )


def _edited(message: Message, me: Me, now: datetime) -> MessageEdited:
    return MessageEdited(
        key=_key(message, me),
        message_id=str(message.message_id),
        text=text_of(message),
        edited_at=message.edit_date or now,
        attachments=attachments(message),
    )


def _pressed(query: CallbackQuery, me: Me, now: datetime) -> IncomingMessage | None:
    """A pressed button. Of a message that Telegram withholds not even the topic is known: it is no use."""
    call, message = pressed(query.data or ""), query.message
    if call is None or not isinstance(message, Message) or not message.is_accessible:
        return None
    private = message.chat.type == ChatType.PRIVATE
    return IncomingMessage(
        key=_key(message, me),
        message_id=f"button-{query.id}",
        speaker=Speaker(str(query.from_user.id), query.from_user.full_name, query.from_user.is_bot),
        text="",
        sent_at=now,
        chat_kind=ChatKind.PRIVATE if private else ChatKind.GROUP,
        chat_title=message.chat.title or "",
        command=call,
        admin=private,
        language=query.from_user.language_code or "",
    )


def _moved(message: Message, me: Me) -> ConversationMoved | None:
    """A group became a supergroup; both chats tell of it."""
    here = ConversationKey(PLATFORM, str(me.id), str(message.chat.id))
    if message.migrate_to_chat_id:
        return ConversationMoved(here, ConversationKey(PLATFORM, str(me.id), str(message.migrate_to_chat_id)))
    if message.migrate_from_chat_id:
        return ConversationMoved(
            ConversationKey(PLATFORM, str(me.id), str(message.migrate_from_chat_id)), here
        )
    return None


def _key(message: Message, me: Me) -> ConversationKey:
    """Only `is_topic_message` makes a topic: plain replies in supergroups carry a thread id as well."""
    topic = str(message.message_thread_id) if message.is_topic_message else ""
    return ConversationKey(PLATFORM, str(me.id), str(message.chat.id), topic)


def _speaker(message: Message) -> Speaker | None:
    if message.sender_chat:
        return Speaker(str(message.sender_chat.id), message.sender_chat.effective_name or "")
    if message.from_user:
        return Speaker(str(message.from_user.id), message.from_user.full_name, by_bot(message))
    return None


def _speaks_as_chat(message: Message) -> bool:
    """An anonymous admin writes in the name of the group itself."""
    return bool(message.sender_chat and message.sender_chat.id == message.chat.id)
