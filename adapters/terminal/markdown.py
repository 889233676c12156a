"""Draws a model's Markdown in a terminal, quietly coloured, with none of its text lost."""

from __future__ import annotations

from typing import ClassVar

from markdown_it import MarkdownIt
from markdown_it.token import Token
from rich import markdown
from rich.console import Console, ConsoleOptions, RenderResult
from rich.padding import Padding
from rich.style import Style
from rich.syntax import ANSISyntaxTheme, Syntax

from adapters.terminal import palette
from adapters.terminal.clean import clean

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
        yield Padding(syntax, (0, 0, 0, 2))


class _Heading(markdown.Heading):
    """Every heading starts at the left: an answer is no title page."""

    LEVEL_ALIGN: ClassVar = {}


class AnswerMarkdown(markdown.Markdown):
    """Markdown as people write it in a chat: line breaks count, and what isn't Markdown is shown as it is."""

    elements: ClassVar = {
        **markdown.Markdown.elements,
        "fence": _Code,
        "code_block": _Code,
        "heading_open": _Heading,
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
        for child in token.children or ():
            child.content = clean(child.content)  # entities may have become control characters
            if child.type == "softbreak":
                child.type = "hardbreak"
    return tokens


def finished(text: str) -> int:
    """How much of a growing text is finished: the offset at which its last block begins."""
    starts = [token.map[0] for token in parse(text) if token.map and token.level == 0 and token.nesting >= 0]
    return sum(len(line) + 1 for line in text.split("\n")[: starts[-1]]) if starts else 0
