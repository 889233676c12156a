"""Writes a model's Markdown the way Discord reads it. Pure.

Discord knows code blocks of three backticks only, three levels of headings, and no tables.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from adapters.discord.split import lines

_HEADING = re.compile(r"[ ]{0,3}#{4,6}[ \t]+(?P<title>.*?)[ \t]*#*[ \t]*")
_RULE = re.compile(
    r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)+\|?[ \t]*|[ \t]*\|[ \t]*:?-+:?[ \t]*\|[ \t]*"
)
_CELL_EDGE = re.compile(r"(?<!\\)\|")
_MARKS = re.compile(r"`{3,}|~{3,}")
_EMPHASIS = re.compile(r"\*\*|__|`")


def for_discord(markdown: str) -> str:
    """The same text with Discord's own code blocks and headings, and tables as aligned text."""
    return "\n".join(_tables(list(_adapted(_clean(markdown)))))


def _clean(text: str) -> str:
    """Without what can't be sent: lone surrogates, NULs; line ends as line feeds."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    return text.encode("utf-8", "replace").decode("utf-8")


def _adapted(text: str) -> Iterator[tuple[str, bool]]:
    """Lines without their ends, and whether each belongs to a code block."""
    inside = False
    for line in lines(text):
        content = text[line.start : line.end].removesuffix("\n")
        if line.is_fence:
            inside = line.inside is not None
            yield _MARKS.sub("```", content, count=1), True
        elif inside:
            # Three backticks would end the block for Discord, wherever they are.
            yield content.replace("```", "`\u200b`\u200b`"), True
        else:
            heading = _HEADING.fullmatch(content)
            yield f"**{heading['title']}**" if heading and heading["title"] else content, False
    if text.endswith("\n") or not text:
        yield "", False


def _tables(content: Sequence[tuple[str, bool]]) -> Iterator[str]:
    number = 0
    while number < len(content):
        end = _table_end(content, number)
        if end:
            yield from _drawn([line for line, _ in content[number:end]])
            number = end
        else:
            yield content[number][0]
            number += 1


def _table_end(content: Sequence[tuple[str, bool]], start: int) -> int:
    """The number of the line after the table that begins at `start`; 0 when none does."""
    if start + 1 >= len(content) or not _is_row(content[start]) or not _is_row(content[start + 1]):
        return 0
    if not _RULE.fullmatch(content[start + 1][0]):
        return 0
    end = start + 2
    while end < len(content) and _is_row(content[end]):
        end += 1
    return end


def _is_row(line: tuple[str, bool]) -> bool:
    text, in_code = line
    return not in_code and "|" in text


def _drawn(table: Sequence[str]) -> Iterator[str]:
    rows = [_cells(line) for number, line in enumerate(table) if number != 1]
    columns = max(len(row) for row in rows)
    rows = [row + [""] * (columns - len(row)) for row in rows]
    widths = [max(width(row[column]) for row in rows) for column in range(columns)]
    yield "```"
    for number, row in enumerate(rows):
        cells = [cell + " " * (room - width(cell)) for cell, room in zip(row, widths, strict=True)]
        yield " │ ".join(cells).rstrip()
        if number == 0:
            yield "─┼─".join("─" * room for room in widths)
    yield "```"


def _cells(line: str) -> list[str]:
    trimmed = line.strip().removeprefix("|")
    if trimmed.endswith("|") and not trimmed.endswith("\\|"):
        trimmed = trimmed[:-1]
    return [_EMPHASIS.sub("", cell.strip()).replace("\\|", "|") for cell in _CELL_EDGE.split(trimmed)]


def width(text: str) -> int:
    """Columns that a text takes in a fixed-width font."""
    wide = sum(unicodedata.east_asian_width(sign) in "WF" for sign in text)
    return len(text) + wide - sum(unicodedata.combining(sign) > 0 for sign in text)
