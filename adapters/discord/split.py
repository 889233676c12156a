"""Splits Markdown into parts that fit into one message each, with code blocks closed and reopened. Pure."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

MAX_LENGTH = 2000
SMALLEST_LIMIT = 400

# A longer line is no fence: there would be no room to repeat it in the next part.
_LONGEST_FENCE = 100
_FENCE = re.compile(r"[ \t]*(?P<marks>`{3,}|~{3,})(?P<info>[^\n]*)\n?")
_SENTENCE_END = re.compile(r"[.!?;:](?=\s)|[。！？；]")


@dataclass(frozen=True, slots=True)
class Part:
    """One message. The bodies of all parts, joined, are the source; the rest was added for code blocks."""

    body: str
    opening: str = ""
    closing: str = ""

    @property
    def text(self) -> str:
        return self.opening + self.body + self.closing


@dataclass(frozen=True, slots=True)
class Fence:
    """An open code block."""

    marks: str
    language: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the source; `inside` is the code block that is open after it."""

    start: int
    end: int
    inside: Fence | None
    is_fence: bool
    is_blank: bool


def split(source: str, limit: int = MAX_LENGTH) -> list[Part]:
    """Parts of at most `limit` characters (400 or more), cut at the best place near the end of each.

    A code block that the source leaves open is closed in the last part. Lines are cut only where one alone is
    too long, and never in a way that makes a fence of what was none.
    """
    if limit < SMALLEST_LIMIT:
        raise ValueError(f"parts of less than {SMALLEST_LIMIT} characters can't hold every fence")
    splitter = _Splitter(source, limit)
    parts: list[Part] = []
    start, fence = 0, None
    while start < len(source):
        end, after = splitter.cut(start, fence)
        body = source[start:end]
        parts.append(Part(body, _opening(fence), _closing(after, body)))
        start, fence = end, after
    return parts


def balanced(text: str) -> bool:
    """Whether every code block of a text is closed in it."""
    return not any(line.inside for line in list(lines(text))[-1:])


def lines(source: str) -> Iterator[Line]:
    """The lines of a text, with their ends, and what code block each leaves open."""
    edges = [0, *(found.end() for found in re.finditer("\n", source)), len(source)]
    inside: Fence | None = None
    for start, end in pairwise(edges):
        if start < end:
            text = source[start:end]
            before, inside = inside, _after(text, inside)
            yield Line(start, end, inside, inside is not before, not text.strip())


def _after(line: str, inside: Fence | None) -> Fence | None:
    """The code block that is open after a line, by CommonMark's rules but at any indentation."""
    found = _FENCE.fullmatch(line) if len(line.removesuffix("\n")) <= _LONGEST_FENCE else None
    if not found:
        return inside
    marks, info = found["marks"], found["info"].strip()
    if inside:
        closes = marks[0] == inside.marks[0] and len(marks) >= len(inside.marks) and not info
        return None if closes else inside
    if marks[0] == "`" and "`" in info:
        return None
    return Fence(marks, "".join(info.split()[:1]))


def _opening(fence: Fence | None) -> str:
    return f"{fence.marks}{fence.language}\n" if fence else ""


def _closing(fence: Fence | None, body: str) -> str:
    """What closes a code block after `body`: its marks on a line of their own."""
    if not fence:
        return ""
    return fence.marks if body.endswith("\n") else f"\n{fence.marks}"


class _Splitter:
    """Finds where a part that begins at some place has to end."""

    def __init__(self, source: str, limit: int) -> None:
        self._source = source
        self._limit = limit
        self._lines = list(lines(source))

    def cut(self, start: int, fence: Fence | None) -> tuple[int, Fence | None]:
        """The end of the part that begins at `start` inside `fence`, and the code block open there."""
        room = self._limit - len(_opening(fence))
        first = bisect_right(self._lines, start, key=lambda line: line.end)
        fitting = self._fitting(first, start, room)
        if fitting and fitting[-1] == len(self._lines) - 1:
            return len(self._source), self._lines[-1].inside
        best = self._best(fitting, start, room)
        if best is None:
            long = fitting[-1] + 1 if fitting else first
            inside = self._lines[long - 1].inside if long else None
            return self._within(self._lines[long], inside, start, room), inside
        return self._lines[best].end, self._lines[best].inside

    def _fitting(self, first: int, start: int, room: int) -> list[int]:
        """Numbers of the lines after which the part may end."""
        found = []
        for number in range(first, len(self._lines)):
            line = self._lines[number]
            body = self._source[start : line.end]
            if len(body) > room:
                break
            if len(body) + len(_closing(line.inside, body)) <= room:
                found.append(number)
        return found

    def _best(self, fitting: Sequence[int], start: int, room: int) -> int | None:
        """The last paragraph's end in the second half, or the last fair line's end but near the beginning."""
        fair = [number for number in fitting if not self._splits_fence(number)]
        late = [number for number in fair if self._lines[number].end - start >= room / 2]
        for number in reversed(late):
            if self._ends_paragraph(number):
                return number
        useful = [number for number in fair if self._lines[number].end - start >= room / 4]
        return useful[-1] if useful else None

    def _splits_fence(self, number: int) -> bool:
        """Whether a cut after a line would leave an empty code block on either side."""
        line, following = self._lines[number], self._lines[number + 1]
        return line.inside is not None and (line.is_fence or following.is_fence)

    def _ends_paragraph(self, number: int) -> bool:
        line, following = self._lines[number], self._lines[number + 1]
        if line.inside:
            return False
        return (line.is_blank and not following.is_blank) or line.is_fence or following.is_fence

    def _within(self, line: Line, inside: Fence | None, start: int, room: int) -> int:
        """A place to cut a line that is too long for a part."""
        begin = max(start, line.start)
        end = min(start + room - len(_closing(inside, "")), line.end - 1)
        for place in self._places(begin, end):
            head, tail = self._source[begin:place], self._source[place : line.end]
            if _after(head, inside) is inside and _after(tail, inside) is inside:
                return place
        return end

    def _places(self, begin: int, end: int) -> Iterator[int]:
        """Where a line may be cut, best first: after a sentence, after a word, anywhere but within a sign."""
        middle = begin + (end - begin) // 2
        text = self._source[middle:end]
        yield from reversed([middle + found.end() for found in _SENTENCE_END.finditer(text)])
        yield from reversed([middle + found.end() for found in re.finditer(r"\s", text)])
        yield from (place for place in range(end, begin, -1) if not self._joins(place))
        yield from range(end, begin, -1)

    def _joins(self, place: int) -> bool:
        """Whether the characters around a place are seen as one, such as an emoji and its skin colour."""
        before, after = self._source[place - 1], self._source[place]
        skin = "\U0001f3fb" <= after <= "\U0001f3ff"
        return before == "\u200d" or skin or after in "\u200d\ufe0e\ufe0f" or unicodedata.combining(after) > 0
