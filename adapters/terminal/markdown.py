"""Draws a model's Markdown in a terminal, quietly coloured, with none of its text lost."""

from __future__ import annotations

import io
import itertools
from typing import ClassVar

from markdown_it import MarkdownIt
from markdown_it.token import Token
from rich import markdown
from rich.console import Console, ConsoleOptions, RenderResult
from rich.padding import Padding
from rich.rule import Rule
from rich.segment import Segment
from rich.style import Style
from rich.syntax import ANSISyntaxTheme, Syntax

from adapters.terminal import palette
from adapters.terminal.clean import clean

_WIDEST = 100
_INSET = "  "

# Named by tuples, which is what pygments' token types are.
_CODE_THEME = ANSISyntaxTheme(
    {
        ("Comment",): Style(color=palette.MUTED, italic=True),
        ("Keyword",): Style(color=palette.VIOLET),
        ("Operator", "Word"): Style(color=palette.VIOLET),
        ("Name", "Function"): Style(color=palette.BLUE),
        ("Name", "Class"): Style(color=palette.BLUE),
        ("Name", "Tag"): Style(color=palette.BLUE),
        ("Literal", "String"): Style(color=palette.GREEN),
        ("Literal", "Number"): Style(color=palette.AMBER),
    }
)


class _Code(markdown.CodeBlock):
    """Code on the terminal's own background, set in."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        text = str(self.text).rstrip()
        syntax = Syntax(text, self.lexer_name, theme=_CODE_THEME, word_wrap=True, background_color="default")
        yield Padding(syntax, (0, 0, 0, len(_INSET)))


class _Heading(markdown.Heading):
    """Every heading starts at the left: an answer is no title page."""

    LEVEL_ALIGN: ClassVar = {}


class _Rule(markdown.HorizontalRule):
    """A thin line."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Rule(style=palette.MUTED)


class AnswerMarkdown(markdown.Markdown):
    """Markdown as people write it in a chat: line breaks count, and what isn't Markdown is shown as it is."""

    elements: ClassVar = {
        **markdown.Markdown.elements,
        "fence": _Code,
        "code_block": _Code,
        "heading_open": _Heading,
        "hr": _Rule,
    }

    def __init__(self, text: str) -> None:
        super().__init__("", hyperlinks=False)
        self.markup = clean(text)
        self.parsed = parse(self.markup)


def parse(text: str) -> list[Token]:
    """Tokens of `text`; nothing is read as HTML, image or reference, which would swallow text."""
    parser = MarkdownIt("commonmark", {"html": False}).enable(["strikethrough", "table"])
    tokens = parser.disable(["image", "reference"]).parse(text)
    for token in tokens:
        # An address in angle brackets is its own text; as a link it would be shown twice.
        token.children = [child for child in token.children or () if child.markup != "autolink"]
        for child in token.children:
            child.content = clean(child.content)  # entities may have become control characters
            if child.type == "softbreak":
                child.type = "hardbreak"
    return tokens


def blocks(text: str) -> list[str]:
    """`text` cut where its paragraphs, lists, tables and so on begin. Joined, the pieces are the text."""
    starts = [token.map[0] for token in parse(text) if token.map and token.level == 0 and token.nesting >= 0]
    lines = list(io.StringIO(text))
    edges = [0, *starts[1:], len(lines)]
    return ["".join(lines[begin:end]) for begin, end in itertools.pairwise(edges)]


def finished(text: str) -> tuple[list[str], str]:
    """The blocks of a growing text that nothing can change any more, and the rest.

    A line that isn't complete may yet turn out to go on with the block before it, so it decides nothing.
    """
    edge = text.rfind("\n") + 1
    *done, last = blocks(text[:edge])
    return done, last + text[edge:]


def answer_lines(text: str, console: Console, options: ConsoleOptions) -> list[list[Segment]]:
    """One block as drawn lines: set in, without empty lines around it or blanks at the ends of lines."""
    narrower = options.update(width=max(min(options.max_width, _WIDEST) - len(_INSET), 1), height=None)
    lines = [_stripped(line) for line in console.render_lines(AnswerMarkdown(text), narrower, pad=False)]
    full = [number for number, line in enumerate(lines) if line]
    shown = lines[full[0] : full[-1] + 1] if full else []
    return [[Segment(_INSET), *line] if line else [] for line in shown]


def _stripped(line: list[Segment]) -> list[Segment]:
    while line and not line[-1].text.rstrip():
        line = line[:-1]
    return [*line[:-1], Segment(line[-1].text.rstrip(), line[-1].style)] if line else []
