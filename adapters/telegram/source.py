"""Markdown as the parser sees it: events over byte ranges, and edits by byte offset. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, NamedTuple

import pyromark

# What telegramify-markdown parses with.
_OPTIONS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_STRIKETHROUGH
    | pyromark.Options.ENABLE_TASKLISTS
    | pyromark.Options.ENABLE_MATH
)
_CODE = frozenset({"Start CodeBlock", "Code", "InlineMath", "DisplayMath"})
_LEAVES = frozenset({"Text", "TaskListMarker", "Html", "InlineHtml", "Start Link", "Start Image", *_CODE})
_NUMBER = re.compile(rb"\d+")
_WORD = re.compile(rb"[A-Za-z0-9]")


class Edit(NamedTuple):
    """Bytes from `start` to `end` are replaced; equal offsets insert."""

    start: int
    end: int
    new: bytes


class Event(NamedTuple):
    """An event of the parser and the bytes it stands for."""

    what: Any
    start: int
    end: int


def tag(event: Any) -> str:
    """The event's name: "Text", "SoftBreak", "Start Link", "End Link" and so on."""
    if isinstance(event, str):
        return event
    ((name, content),) = event.items()
    if name in ("Start", "End"):
        inner = content if isinstance(content, str) else next(iter(content))
        return f"{name} {inner}"
    return str(name)


def value(event: Any) -> Any:
    """What a Start event says of its element: a link's address, a heading's level."""
    ((_, content),) = event.items()
    return next(iter(content.values()))


class Source:
    """A Markdown text and what the parser makes of it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.data = text.encode()

    @cached_property
    def events(self) -> list[Event]:
        """All events in order."""
        return [
            Event(what, span["start"], span["end"])
            for what, span in pyromark.events_with_range(self.text, options=_OPTIONS)
        ]

    def count(self, name: str) -> int:
        """How many events have this name."""
        return sum(tag(event.what) == name for event in self.events)

    def inside(self, index: int) -> bytes:
        """The source between the marks of the element that starts at this event."""
        depth, last = 0, index
        for position, event in enumerate(self.events[index:], index):
            name = tag(event.what)
            depth += name.startswith("Start ") - name.startswith("End ")
            if depth == 0:
                break
            last = position
        children = self.events[index + 1 : last + 1]
        return self.data[children[0].start : children[-1].end] if children else b""

    def is_shown(self, offset: int) -> bool:
        """Whether the parser makes anything visible of the byte at this offset."""
        return any(event.start <= offset < event.end and tag(event.what) in _LEAVES for event in self.events)

    def drops_text(self, definitions: Iterable[re.Match[bytes]]) -> bool:
        """Whether a letter or digit is neither shown nor part of a definition or of a list's numbers."""
        hidden = bytearray(self.data)
        for start, end in [found.span() for found in definitions]:
            hidden[start:end] = b" " * (end - start)
        for event in self.events:
            name = tag(event.what)
            if name in _LEAVES:
                hidden[event.start : event.end] = b" " * (event.end - event.start)
            elif name == "Start Item" and (number := _NUMBER.match(self.data, event.start)):
                hidden[number.start() : number.end()] = b" " * len(number[0])
        return any(character.isalnum() for character in hidden.decode(errors="replace"))

    def is_word(self, offset: int) -> bool:
        """Whether a letter or digit of ASCII stands at this offset."""
        return offset >= 0 and bool(_WORD.match(self.data, offset))

    def is_letter_at(self, offset: int) -> bool:
        """Whether a letter or digit of any script starts at this offset."""
        return self.data[offset : offset + 4].decode(errors="ignore")[:1].isalnum()

    def is_letter_before(self, offset: int) -> bool:
        """Whether a letter or digit of any script ends at this offset."""
        return self.data[max(offset - 4, 0) : offset].decode(errors="ignore")[-1:].isalnum()

    def outside_code(self, pattern: re.Pattern[bytes]) -> Iterator[re.Match[bytes]]:
        """Matches of a pattern that touch no code and no formula."""
        code = [(event.start, event.end) for event in self.events if tag(event.what) in _CODE]
        for found in pattern.finditer(self.data):
            if not any(start < found.end() and end > found.start() for start, end in code):
                yield found

    def edited(self, edits: Iterable[Edit]) -> str:
        """The text after all edits; of two that overlap only the first is made."""
        pieces, position = [], 0
        for edit in sorted(edits):
            if edit.start >= position:
                pieces += [self.data[position : edit.start], edit.new]
                position = edit.end
        return b"".join([*pieces, self.data[position:]]).decode()
