"""Views as panels."""

from __future__ import annotations

import io
import re

import pytest
from rich.cells import cell_len
from rich.color import Color
from rich.console import Console

from adapters.terminal import palette
from adapters.terminal.render import notice, view_panel
from bot.views.model import Fields, Gauge, Item, Items, Paragraph, Segment, View
from tests.adapters.terminal import views

HOSTILE = View(
    "summary",
    "[red]title[/red]",
    (
        Paragraph("[bold]no markup[/bold] :smile: \x1b[2J"),
        Fields((("[i]label[/i]", "[/]"),)),
        Items((Item("[link=x]item[/link]", "[dim]detail"),), "[u]heading"),
        Gauge((Segment("[b]segment", 1),), 2, "[s]unit"),
    ),
)


def drawn(view: View, width: int = 80, color: bool = False) -> str:
    console = Console(
        file=io.StringIO(),
        width=width,
        theme=palette.theme(),
        force_terminal=True,
        color_system="truecolor" if color else None,
        _environ={},
    )
    console.print(view_panel(view))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def words(text: str) -> list[str]:
    return re.findall(r"[^\s│╭╮╰╯─]+", text)


@pytest.mark.parametrize("view", views.ALL, ids=lambda view: view.kind)
@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_every_line_fits_and_no_word_is_lost(view: View, width: int) -> None:
    text = drawn(view, width)
    assert {cell_len(line) for line in text.splitlines()} == {min(width, 84)}
    whole = "".join(words(drawn(view, 200)))
    if width >= 40:
        assert sorted("".join(words(text)).translate(_NO_BAR)) == sorted(whole.translate(_NO_BAR))


_NO_BAR = str.maketrans("", "", "█▓▒░·")


def test_a_gauge_is_told_apart_by_pattern_without_colours() -> None:
    text = drawn(views.CONTEXT)
    assert "\x1b" not in text
    for mark in "█▓▒░":
        assert f"{mark} " in text
    assert "3,470 / 8,000 tokens · 43%" in text


def test_a_gauge_is_told_apart_by_colour_with_them() -> None:
    text = drawn(views.CONTEXT, color=True)
    assert "▓" not in text
    bar, marks = (re.findall(rf"\x1b\[([\d;]+)m{cell}+", text) for cell in "█■")
    assert bar == marks
    assert len(set(bar)) == 4


def test_values_stand_in_one_column_over_all_fields() -> None:
    columns = {
        line.index(value)
        for value in ("gpt", "3,481", "14 m")
        for line in drawn(views.CONTEXT).splitlines()
        if value in line
    }
    assert len(columns) == 1


def test_the_frame_tells_the_tone_and_so_do_signs() -> None:
    frames = [re.findall(r"\x1b\[([\d;]+)m╭", drawn(view, color=True)) for view in views.ALL]
    context, summary, reset, error = (frame[0] for frame in frames)
    assert context == summary
    assert len({context, reset, error}) == 3
    assert "✗ The model can't be reached" in drawn(views.ERROR)
    assert "! Erase this conversation?" in drawn(views.RESET)


def test_actions_are_commands_to_type() -> None:
    text = drawn(views.RESET)
    assert re.search(r"/reset confirm 3 +Yes, erase everything", text)
    assert re.search(r"/reset cancel +Keep it", text)


def test_markup_and_escapes_in_texts_are_shown_as_they_are() -> None:
    text = drawn(HOSTILE)
    for shown in ("[red]title[/red]", "[bold]no markup[/bold] :smile: ␛[2J", "[i]label[/i]", "[/]"):
        assert shown in text
    for shown in ("[link=x]item[/link]", "[dim]detail", "[u]heading", "[b]segment", "1 / 2 [s]unit"):
        assert shown in text
    assert "\x1b" not in text


def test_a_notice_is_plain_text() -> None:
    assert str(notice("[b]folded\x1b")) == "[b]folded␛"


@pytest.mark.parametrize("name", ["MUTED", "BLUE", "TEAL", "GREEN", "AMBER", "VIOLET", "RED", "ROSE"])
def test_colours_can_be_read_on_black_and_on_white(name: str) -> None:
    """Contrast by WCAG 2.1; 4 to 1 is between its bounds for large and for small text."""
    channels = [value / 255 for value in Color.parse(getattr(palette, name)).get_truecolor()]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    luminance = sum(weight * value for weight, value in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    assert (luminance + 0.05) / 0.05 >= 4
    assert 1.05 / (luminance + 0.05) >= 4
