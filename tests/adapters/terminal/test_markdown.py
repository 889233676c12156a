"""Answers as drawn Markdown."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from adapters.terminal import palette
from adapters.terminal.clean import clean
from adapters.terminal.markdown import answer_lines, blocks, finished

PIECES = (
    "one\n",
    "\n",
    "- a\n",
    "  - b\n",
    "1. c\n",
    "```py\n",
    "```\n",
    "# h\n",
    "> q\n",
    "|a|b|\n",
    "|-|-|\n",
    "---\n",
    "    code\n",
    "**b",
    "`c` ",
    "<i>",
    "[x]: y\n",
    "\t",
    "\u2028",
    "\x0c",
)


def drawn(text: str, width: int = 60) -> str:
    console = Console(file=io.StringIO(), width=width, theme=palette.theme(), _environ={})
    lines = [line for part in blocks(clean(text)) for line in answer_lines(part, console, console.options)]
    return "\n".join("".join(segment.text for segment in line) for line in lines)


@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_blocks_are_the_whole_text(text: str) -> None:
    assert "".join(blocks(clean(text))) == clean(text)


@given(st.lists(st.sampled_from(PIECES)).map("".join), st.data())
def test_finished_blocks_of_a_growing_text_stay_as_they_are(text: str, data: st.DataObject) -> None:
    whole = clean(text)
    grown = whole[: data.draw(st.integers(0, len(whole)))]
    done, growing = finished(grown)
    assert "".join(done) + growing == grown
    assert [*done, *blocks(whole[len("".join(done)) :])] == blocks(whole)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("use List<int> and <b>bold</b>", "use List<int> and <b>bold</b>"),
        ("<div>\nhello\n</div>", "<div>\n  hello\n  </div>"),
        ("unbalanced **stars", "unbalanced **stars"),
        ("one\ntwo", "one\n  two"),
        ("[ref]: https://example.org", "[ref]: https://example.org"),
        ("![cat](https://x.org/c.png)", "!cat (https://x.org/c.png)"),
        ("[guide](https://x.org)", "guide (https://x.org)"),
        ("<https://x.org>", "https://x.org"),
        ("a &lt; b &#x202e;c", "a < b c"),
        ("[bold]no markup[/bold] :smile:", "[bold]no markup[/bold] :smile:"),
        ("\x1b]0;title\x07", "␛]0;title␇"),
        ("# Title\ntext", "Title\n  text"),
        ("```\nList<int> & more\n```", "  List<int> & more"),
    ],
)
def test_no_text_is_lost(text: str, shown: str) -> None:
    assert drawn(text) == f"  {shown}"


def test_a_table_is_drawn_in_columns() -> None:
    lines = drawn("| Week | Hours |\n|---|--:|\n| 1 | 3.5 |").splitlines()
    assert [line.split() for line in (lines[0], lines[2])] == [["Week", "Hours"], ["1", "3.5"]]


@pytest.mark.parametrize("width", [1, 3, 20, 40])
def test_narrow_terminals_wrap_words_and_code(width: int) -> None:
    text = drawn("some words that are wrapped\n\n```\nx = 'a long line of code'\n```\n- item", width)
    letters = "".join(character for character in text if character.isalnum())
    assert letters == "somewordsthatarewrappedxalonglineofcodeitem" or width < 5


def test_lines_have_no_blanks_at_their_ends() -> None:
    lines = drawn("para\n\n- item\n\n```\ncode\n```\n\n> quote\n\n---").splitlines()
    assert lines == [line.rstrip() for line in lines]
