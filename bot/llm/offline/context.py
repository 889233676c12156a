"""Reads an answer request: who said what in notes, digest and messages, and what is asked now."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from bot.ports import ModelMessage, ModelRequest

Origin = Literal["note", "digest", "message"]

_SENDER = re.compile(r"\[#(\d+) ([^\]\n]*)\] ?")
_NOTE = re.compile(r'- n\d+ (\w+)(?:, #(\d+) (.*?))?: (".*")')
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_KEPT = re.compile(r'- (?:#(\d+) (.*?) )?said: (".*")')
_DIGEST = re.compile(r'- \d{4}-\d{2}-\d{2} #(\d+) (.*?): (".*")')


@dataclass(frozen=True, slots=True)
class Line:
    """Something that was said or noted. `speaker` is a person's number; 0 is the bot, or nobody for a note.

    In private conversations, where messages name no sender, everything a person said has the speaker 1.
    `kind` is a note's kind, "" for all else.
    """

    text: str
    speaker: int
    name: str
    origin: Origin
    kind: str = ""

    @property
    def by_bot(self) -> bool:
        """Whether the bot itself said it."""
        return self.origin != "note" and self.speaker == 0


@dataclass(frozen=True, slots=True)
class Scene:
    """An answer request, read. `lines` are oldest first; `group`: several people may be talking."""

    lines: tuple[Line, ...]
    current: Line
    group: bool

    def shared_name(self, line: Line) -> bool:
        """Whether somebody else here has the name of the line's speaker."""
        everyone = (*self.lines, self.current)
        return any(other.name == line.name and other.speaker != line.speaker for other in everyone)


def read_scene(request: ModelRequest) -> Scene:
    """The request as lines. Only developer messages are searched for notes: what people wrote is theirs."""
    *before, last = request.messages or (ModelMessage("user", ""),)
    said = [message for message in (*before, last) if message.role == "user"]
    group = all(_SENDER.match(message.text) for message in said)
    lines = [line for message in before for line in _lines(message, group)]
    return Scene(tuple(lines), _spoken(last, group), group)


def _lines(message: ModelMessage, group: bool) -> Iterator[Line]:
    if message.role == "user":
        yield _spoken(message, group)
    elif message.role == "assistant":
        yield Line(message.text, 0, "", "message")
    else:
        for row in message.text.split("\n"):
            if found := _NOTE.fullmatch(row):
                speaker = _number(found[2], group)
                yield Line(_text(found[4]), speaker, found[3] or "", "note", found[1])
            elif found := _DIGEST.fullmatch(row):
                yield Line(_text(found[3]), _number(found[1], group), found[2], "digest")
            elif found := _KEPT.fullmatch(row):
                texts = ", ".join(_text(item) for item in _STRING.findall(found[3]))
                yield Line(texts, _number(found[1], group), found[2] or "", "digest")


def _spoken(message: ModelMessage, group: bool) -> Line:
    sender = _SENDER.match(message.text) if group else None
    if sender is None:
        return Line(message.text, 1, "", "message")
    return Line(message.text[sender.end() :], int(sender[1]), sender[2], "message")


def _number(written: str | None, group: bool) -> int:
    number = int(written or 0)
    return number if group else min(number, 1)


def _text(quoted: str) -> str:
    try:
        return str(json.loads(quoted))
    except ValueError:
        return ""
