"""`memora conversations`, `export` and `backup`: what the store holds, for the operator."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable

from bot.errors import SettingsError
from bot.messages import ConversationKey, Message
from bot.ports import ConversationStore
from bot.records import Conversation

Write = Callable[[str], object]


async def list_conversations(store: ConversationStore, write: Write) -> None:
    """One line a conversation: key, title, messages, summaries, last message."""
    for line in await store.conversations():
        last = f"{line.last_at:%Y-%m-%d %H:%M}" if line.last_at else "-"
        title = " ".join(line.conversation.title.split()) or "-"
        write(f"{line.conversation.key}\t{title}\t{line.messages}\t{line.summaries}\t{last}\n")


async def export(store: ConversationStore, name: str, form: str, write: Write) -> None:
    """Write a conversation as JSON lines or Markdown. SettingsError when there is none of that name."""
    conversation = await _named(store, name)
    lines = _jsonl(store, conversation) if form == "jsonl" else _markdown(store, conversation)
    async for line in lines:
        write(line)


async def _named(store: ConversationStore, name: str) -> Conversation:
    try:
        key = ConversationKey.parse(name)
    except ValueError as error:
        raise SettingsError("CONVERSATION", str(error)) from None
    found = await store.find(key)
    if found is None:
        raise SettingsError("CONVERSATION", f"there is no conversation {name}")
    return found


async def _jsonl(store: ConversationStore, conversation: Conversation) -> AsyncIterator[str]:
    async for message in store.export(conversation):
        yield json.dumps(_fields(message), ensure_ascii=False) + "\n"


def _fields(message: Message) -> dict[str, object]:
    return {
        "id": message.id,
        "role": message.role,
        "speaker": {"id": message.speaker.id, "name": message.speaker.name, "number": message.number},
        "text": message.text,
        "sent_at": message.sent_at.isoformat(),
        "edited_at": message.edited_at.isoformat() if message.edited_at else None,
        "platform_id": message.platform_id,
        "answers": message.answers,
    }


async def _markdown(store: ConversationStore, conversation: Conversation) -> AsyncIterator[str]:
    yield f"# {conversation.title or conversation.key}\n"
    async for message in store.export(conversation):
        quoted = "\n".join(f"> {line}".rstrip() for line in message.text.splitlines())
        when = f"{message.sent_at:%Y-%m-%d %H:%M} UTC"
        yield f"\n**{message.speaker.name}**, {when} (#{message.id})\n\n{quoted}\n"
