"""Writes people's words into prompts so that they stay quoted: names, senders and quoted text."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from bot.messages import ChatKind, Message

Members = Mapping[int, str]
_NAME_LENGTH = 40
_FORBIDDEN_IN_NAMES = re.compile(r"[\[\]:#<>\"'`|{}\x00-\x1f\x7f\u2028\u2029\u200b-\u200f\u202a-\u202e]+")
_BREAKS = r"\n\r\v\f\x1c-\x1e\x85\u2028\u2029"
_FALSE_SENDER = re.compile(rf"(^|[{_BREAKS}])([^\S{_BREAKS}]*)\[#")


def plain_name(name: str) -> str:
    """A display name that can't pass for markup, a role or a second line; "someone" when nothing is left."""
    cleaned = " ".join(_FORBIDDEN_IN_NAMES.sub(" ", name).split())
    return cleaned[:_NAME_LENGTH].strip() or "someone"


def quoted(text: str) -> str:
    """Text as one JSON string: one line, with no way to end the quotation from within."""
    line = json.dumps(text, ensure_ascii=False)
    return line.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029").replace("\x85", "\\u0085")


def person(number: int, members: Mapping[int, str]) -> str:
    """How a person is named beside their words: stable number and present name, as in `#2 Ann`."""
    return f"#{number} {plain_name(members.get(number, ''))}"


def spoken(message: Message, kind: ChatKind, members: Mapping[int, str]) -> str:
    """A message as the model reads it. In groups it starts with its sender, and only there: a line of a
    person's own that imitates a sender is broken."""
    if kind is ChatKind.PRIVATE or message.role == "assistant":
        return message.text
    return f"[{person(message.number, members)}] " + _FALSE_SENDER.sub(r"\1\2[ #", message.text)
