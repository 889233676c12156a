"""Draws the README's picture: moments of `memora demo`, as they really are, in two columns of a terminal.

`python -m tests.project.picture` writes docs/memora.svg. Frames and bars are drawn as shapes, so that they
are whole in whatever font the reader has.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise

from rich.style import Style
from rich.text import Text

from tests.project.repository import ROOT

TARGET = ROOT / "docs" / "memora.svg"
COLUMNS = 58
# In pixels: a character cell, the frame's inside, what is between the columns, and the window's title.
WIDTH, HEIGHT, MARGIN, GAP, BAR = 8, 18, 22, 24, 30
BACKGROUND, INK, EDGE = "#fdfdfb", "#26282b", "#b4b4b0"
FONT = "DejaVu Sans Mono, Menlo, Consolas, Liberation Mono, monospace"
LIGHTS = ("#e0695f", "#dfb24a", "#69a95c")

# A frame's characters as paths through the middle of a cell, which is 8 by 18.
FRAME = {
    "─": "M0 9h8",
    "│": "M4 0v18",
    "╭": "M8 9h-1a3 3 0 0 0-3 3v6",
    "╮": "M0 9h1a3 3 0 0 1 3 3v6",
    "╰": "M8 9h-1a3 3 0 0 1-3-3v-6",
    "╯": "M0 9h1a3 3 0 0 0 3-3v-6",
}
PAUSE = Text.assemble(("⋯", Style(color="#767676")))
BLOCKS = {"█": (0, 1, 1, 16), "■": (0, 5, 0.95, 8)}


def play() -> list[Text]:
    """The lines that the demonstration prints."""
    shown = subprocess.run(
        [sys.executable, "-m", "bot", "demo", "--fast"],
        cwd=ROOT,
        env={
            "PATH": "",
            "PYTHONUTF8": "1",
            "FORCE_COLOR": "1",
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
            "COLUMNS": str(COLUMNS),
        },
        capture_output=True,
        check=True,
    )
    text = re.sub(r"\x1b\[[\d;?]*[A-LN-Za-ln-z]", "", shown.stdout.decode())
    return [Text.from_ansi(line) for line in text.splitlines()]


def columns(lines: Sequence[Text]) -> tuple[list[Text], list[Text]]:
    """A fact, its correction and the first summary; beside them the last question and the last context."""
    turns = list(_turns(lines))
    asked = [turn for turn in turns if not turn[0].plain.startswith("› /")]
    correction = next(turn for turn in asked if turn[0].plain.startswith("› Correction"))
    summary = next(turn for turn in turns if turn[0].plain == "› /summary")
    context = [turn for turn in turns if turn[0].plain == "› /context"][-1]
    return [*turns[0], PAUSE, *correction, PAUSE, *summary], [*asked[-1], PAUSE, *context]


def _turns(lines: Sequence[Text]) -> Iterator[list[Text]]:
    """What was typed each time, with all that came of it, but without the empty lines at its end."""
    starts = [number for number, line in enumerate(lines) if line.plain.startswith("› ")]
    for start, end in pairwise([*starts, len(lines)]):
        turn = list(lines[start:end])
        while not turn[-1].plain.strip():
            turn.pop()
        yield turn


def draw(left: Sequence[Text], right: Sequence[Text]) -> str:
    """The picture as SVG."""
    rows = max(len(left), len(right))
    wide = 2 * COLUMNS * WIDTH + GAP + 2 * MARGIN
    high = rows * HEIGHT + BAR + MARGIN
    lights = "".join(
        f'<circle cx="{19 + 16 * number}" cy="15" r="5" fill="{color}"/>'
        for number, color in enumerate(LIGHTS)
    )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" font-family="{FONT}" '
            f'font-size="13" fill="{INK}" xml:space="preserve">',
            f'<rect x=".5" y=".5" width="{wide - 1}" height="{high - 1}" rx="9" fill="{BACKGROUND}" '
            f'stroke="{EDGE}"/>',
            f'{lights}<text x="{wide / 2}" y="20" text-anchor="middle" fill="#666">make demo</text>',
            *_column(left, MARGIN),
            *_column(right, MARGIN + COLUMNS * WIDTH + GAP),
            "</svg>\n",
        ]
    )


def _column(lines: Sequence[Text], x: int) -> Iterator[str]:
    for number, line in enumerate(lines):
        for start, text, style in _runs(line):
            yield from _run(text, x + start * WIDTH, BAR + 8 + number * HEIGHT, style)


def _runs(line: Text) -> Iterator[tuple[int, str, Style]]:
    """Stretches of one style and one kind: their place, text and style."""
    edges = sorted({0, len(line), *(edge for span in line.spans for edge in (span.start, span.end))})
    for start, end in pairwise(edges):
        styles = [span.style for span in line.spans if span.start <= start and span.end >= end]
        style = Style.combine([Style.null(), *(each for each in styles if isinstance(each, Style))])
        for found in re.finditer(r"█+|■+|[─│╭╮╰╯]|(?:(?! {2})[^█■─│╭╮╰╯])+", line.plain[start:end]):
            if found[0].strip():
                yield start + found.start(), found[0], style


def _run(text: str, x: float, y: float, style: Style) -> Iterator[str]:
    color = style.color.get_truecolor().hex if style.color else INK
    if text in FRAME:
        yield f'<path transform="translate({x} {y})" d="{FRAME[text]}" fill="none" stroke="{color}"/>'
    elif text[0] in BLOCKS:
        _, top, share, height = BLOCKS[text[0]]
        wide = len(text) * WIDTH * share
        yield f'<rect x="{x}" y="{y + top}" width="{wide:g}" height="{height}" fill="{color}"/>'
    else:
        shown, x = text.strip(), x + (len(text) - len(text.lstrip())) * WIDTH
        bold = ' font-weight="bold"' if style.bold else ""
        yield (
            f'<text x="{x}" y="{y + 13}" textLength="{len(shown) * WIDTH}" fill="{color}"{bold}>'
            f"{escape(shown, quote=False)}</text>"
        )


if __name__ == "__main__":
    TARGET.write_text(draw(*columns(play())), encoding="utf-8")
