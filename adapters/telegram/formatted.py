"""Text with its formatting as Telegram takes it: marks over ranges counted in UTF-16 code units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from telegram import MessageEntity


@dataclass(frozen=True, slots=True)
class Mark:
    """Formatting of a range. `kind` is an entity type of Telegram; `url` and `language` go with some."""

    kind: str
    offset: int
    length: int
    url: str = ""
    language: str = ""

    @property
    def end(self) -> int:
        return self.offset + self.length


@dataclass(frozen=True, slots=True)
class Formatted:
    """A text and its marks; every mark lies within the text."""

    text: str
    marks: tuple[Mark, ...] = ()

    @property
    def entities(self) -> list[MessageEntity]:
        """The marks as the SDK sends them."""
        return [
            MessageEntity(
                mark.kind,
                mark.offset,
                mark.length,
                url=mark.url or None,
                language=mark.language or None,
            )
            for mark in self.marks
        ]

    def cut(self, start: int, end: int) -> Formatted:
        """The characters from `start` to `end` (as Python counts) with the marks that reach into them."""
        text = self.text[start:end]
        first, last = units(self.text[:start]), units(self.text[:end])
        marks = (
            replace(
                mark,
                offset=max(mark.offset, first) - first,
                length=min(mark.end, last) - max(mark.offset, first),
            )
            for mark in self.marks
            if mark.offset < last and mark.end > first
        )
        return Formatted(text, tuple(marks))


def units(text: str) -> int:
    """Length in UTF-16 code units, by which Telegram counts."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


class Composer:
    """Puts a formatted text together, piece by piece."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._marks: list[Mark] = []
        self._length = 0

    def add(self, text: str, *kinds: str) -> Composer:
        """Append a piece, all of it in the given kinds of formatting."""
        length = units(text)
        if text.strip():
            self._marks += [Mark(kind, self._length, length) for kind in kinds]
        self._pieces.append(text)
        self._length += length
        return self

    def done(self) -> Formatted:
        """The text so far."""
        return Formatted("".join(self._pieces), tuple(self._marks))


def joined(pieces: Sequence[Formatted], between: str) -> Formatted:
    """Pieces in a row with a plain text between them."""
    text, marks, length = "", list[Mark](), 0
    for index, piece in enumerate(pieces):
        head = between if index else ""
        start = length + units(head)
        marks += [replace(mark, offset=mark.offset + start) for mark in piece.marks]
        text += head + piece.text
        length = start + units(piece.text)
    return Formatted(text, tuple(marks))
