"""Splits a formatted text into parts that fit into one message each, at the best place to cut. Pure.

Marks are cut with the text: a code block that goes on in the next part is a code block there too.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from adapters.telegram.formatted import Formatted, units

MAX_UNITS = 4096

# Where a part may end, best first; the mark itself stays with the part before.
_ENDS = ("\n\n", "\n", ". ", "! ", "? ", "。", "！", "？", "；", " ")
_JOINERS = "\u200d\ufe0e\ufe0f"
_LONGEST_CLUSTER = 40


def split(whole: Formatted, limit: int = MAX_UNITS) -> list[Formatted]:
    """Parts of at most `limit` UTF-16 units, in order. No character is lost but white space at the cuts.

    A text of white space only has no parts.
    """
    parts = []
    start = 0
    for end in _ends(whole, limit):
        first, last = _trimmed(whole, start, end)
        if first < last:
            parts.append(whole.cut(first, last))
        start = end
    return parts


def _ends(whole: Formatted, limit: int) -> Iterator[int]:
    text, start = whole.text, 0
    blocks = _blocks(whole)
    while (furthest := _furthest(text, start, limit)) < len(text):
        start = _cut(text, start, furthest, blocks)
        yield start
    yield len(text)


def _furthest(text: str, start: int, limit: int) -> int:
    """The last place at which a part that begins at `start` may end, counting units."""
    end = min(start + limit, len(text))
    excess = units(text[start:end]) - limit
    while excess > 0:
        # Each character dropped gives back one unit or two, so this never drops one too many.
        shorter = end - (excess + 1) // 2
        excess -= units(text[shorter:end])
        end = shorter
    return end


def _cut(text: str, start: int, furthest: int, blocks: list[tuple[int, int]]) -> int:
    middle = start + (furthest - start) // 2
    for first, last in blocks:
        if middle < first < furthest < last <= first + (furthest - start):
            return first  # the block fits into the next part as a whole
    for end in _ENDS:
        found = text.rfind(end, middle, furthest)
        if found >= 0:
            return found + len(end)
    return _between_clusters(text, start, furthest)


def _between_clusters(text: str, start: int, furthest: int) -> int:
    """Step back from within what is seen as one character, such as an emoji with its skin colour."""
    for end in range(furthest, max(start, furthest - _LONGEST_CLUSTER), -1):
        if not (_extends(text[end]) or text[end - 1] == "\u200d"):
            return end
    return furthest


def _extends(character: str) -> bool:
    skin = "\U0001f3fb" <= character <= "\U0001f3ff"
    return skin or character in _JOINERS or unicodedata.combining(character) > 0


def _trimmed(whole: Formatted, start: int, end: int) -> tuple[int, int]:
    """Without white space at the start (it stays in code) and at the end: Telegram drops both."""
    text = whole.text
    while end > start and text[end - 1].isspace():
        end -= 1
    code = any(first <= start < last for first, last in _blocks(whole))
    while not code and start < end and text[start].isspace():
        start += 1
    return start, end


def _blocks(whole: Formatted) -> list[tuple[int, int]]:
    """Where code blocks start and end, as Python counts characters."""
    encoded = whole.text.encode("utf-16-le", "surrogatepass")

    def character(offset: int) -> int:
        return len(encoded[: 2 * offset].decode("utf-16-le", "surrogatepass"))

    return [(character(mark.offset), character(mark.end)) for mark in whole.marks if mark.kind == "pre"]
