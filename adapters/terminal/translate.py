"""Translates what is typed in a terminal into the core's values. Pure."""

from __future__ import annotations

import hashlib
import re
from datetime import datetime

from bot.messages import ChatKind, CommandCall, ConversationKey, IncomingMessage, Speaker

PLATFORM = "terminal"
_ACCOUNT = "local"
_COMMAND = re.compile(r"/(?P<name>[^\s/]\S*)\s*(?P<argument>.*)", re.DOTALL)


def conversation_key(name: str) -> ConversationKey:
    """The conversation of that name on this machine; "" is the one named "main"."""
    return ConversationKey(PLATFORM, _ACCOUNT, name.strip() or "main")


def speaker(name: str) -> Speaker:
    """The person of that name. Upper and lower case and punctuation don't make another person of them."""
    words = re.findall(r"\w+", name.casefold())
    digest = hashlib.sha256(name.encode(errors="replace")).hexdigest()
    return Speaker(id="-".join(words) or f"speaker-{digest[:8]}", name=name)


def decode(line: bytes) -> str:
    """A line as text: bytes that aren't UTF-8 are replaced, and a byte order mark and NULs don't get in."""
    return line.decode("utf-8", errors="replace").lstrip("\ufeff").replace("\0", "\ufffd").rstrip()


def command(line: str) -> CommandCall | None:
    """The command that a line gives, or None when the line is text."""
    found = _COMMAND.fullmatch(line)
    return CommandCall(found["name"].lower(), found["argument"].strip()) if found else None


def command_line(call: CommandCall) -> str:
    """What a person types to give this command."""
    return f"/{call.name} {call.argument}".rstrip()


def incoming(
    line: str,
    *,
    key: ConversationKey,
    author: Speaker,
    message_id: str,
    sent_at: datetime,
    chat_kind: ChatKind = ChatKind.PRIVATE,
    language: str = "",
) -> IncomingMessage | None:
    """The message that a line is, None for an empty one. "//text" is the text "/text", not a command."""
    text = line.rstrip()
    if not text.strip():
        return None
    call = command(text)
    return IncomingMessage(
        key=key,
        message_id=message_id,
        speaker=author,
        text=text.removeprefix("/") if text.startswith("//") else text,
        sent_at=sent_at,
        chat_kind=chat_kind,
        chat_title=key.chat if chat_kind is ChatKind.GROUP else "",
        command=call,
        admin=True,
        language=language,
    )
