"""Draws views as rich panels. Pure: what to draw, never where."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.constrain import Constrain
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from adapters.terminal import palette
from adapters.terminal.clean import clean, one_line
from adapters.terminal.plain import TONE_MARKS, gauge_total, share, widest_label
from adapters.terminal.translate import command_line
from bot.views.drawing import bar, fill, legend
from bot.views.model import Action, Block, Fields, Gauge, Item, Items, Paragraph, View

_WIDEST_BAR = 60
_WIDEST_PANEL = 84


class GaugeBar:
    """A gauge's bar, as wide as there is room; solid in colours, or told apart by pattern without them."""

    def __init__(self, gauge: Gauge) -> None:
        self._gauge = gauge

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        plain = console.color_system is None or console.no_color
        line = Text(no_wrap=True)
        for cell, same in itertools.groupby(bar(self._gauge, min(options.max_width, _WIDEST_BAR))):
            shown = "█" if cell in _colors() and not plain else cell
            line.append(shown * len(list(same)), style=_colors().get(cell, palette.MUTED))
        yield line


class LegendMark:
    """The sign of a gauge's segment in the legend."""

    def __init__(self, mark: str) -> None:
        self._mark = mark

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        plain = console.color_system is None or console.no_color
        yield Text(self._mark if plain else "■", style=_colors().get(self._mark, palette.MUTED))


class Pairs:
    """Two columns, the left one `width` cells wide; one below the other where that leaves too little room."""

    def __init__(self, rows: Sequence[tuple[Text, Text]], width: int) -> None:
        self._rows = rows
        self._width = width

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self._width > options.max_width * 0.45:
            for left, right in self._rows:
                yield left
                yield Padding(right, (0, 0, 0, 2))
            return
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(min_width=self._width, no_wrap=True)
        table.add_column(ratio=1)
        for left, right in self._rows:
            table.add_row(left, right)
        yield table


def view_panel(view: View) -> RenderableType:
    """A view as a panel with its title in the frame; its blocks set apart by empty lines."""
    color = palette.TONES[view.tone]
    label_width = widest_label(view)
    parts = [_block(block, label_width) for block in view.blocks]
    if view.actions:
        parts.append(_actions(view.actions))
    content = Group(*(Padding(part, (1, 0, 0, 0)) if number else part for number, part in enumerate(parts)))
    panel = Panel(
        content,
        box=box.ROUNDED,
        title=Text(TONE_MARKS[view.tone] + one_line(view.title), style=f"bold {color}"),
        title_align="left",
        border_style=palette.MUTED if view.tone == "plain" else color,
        padding=(0, 1),
    )
    return Constrain(panel, _WIDEST_PANEL)


def notice(text: str) -> RenderableType:
    """A remark beside the conversation."""
    return Text(clean(text), style=palette.MUTED)


def _colors() -> dict[str, str]:
    return {fill(index): color for index, color in enumerate(palette.GAUGE)}


def _block(block: Block, label_width: int) -> RenderableType:
    match block:
        case Paragraph(text):
            return Text(clean(text))
        case Fields(rows):
            return _fields(rows, label_width)
        case Gauge():
            return _gauge(block)
        case Items(items, heading):
            return _items(items, heading)


def _fields(rows: Iterable[tuple[str, str]], label_width: int) -> RenderableType:
    return Pairs(
        [(Text(one_line(label), style=palette.MUTED), Text(clean(value))) for label, value in rows],
        label_width,
    )


def _gauge(gauge: Gauge) -> RenderableType:
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(width=1)
    table.add_column()
    table.add_column(justify="right", no_wrap=True)
    table.add_column(justify="right", no_wrap=True, style=palette.MUTED)
    for (mark, label, amount), segment in zip(legend(gauge), gauge.segments, strict=True):
        table.add_row(LegendMark(mark), Text(one_line(label)), Text(amount), share(segment.amount, gauge))
    return Group(GaugeBar(gauge), Text(gauge_total(gauge), style="bold"), table)


def _items(items: Iterable[Item], heading: str) -> RenderableType:
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(width=1, style=palette.BLUE)
    table.add_column(ratio=1)
    for item in items:
        text = Text(clean(item.text))
        if item.detail:
            text.append(f"  {one_line(item.detail)}", style=palette.MUTED)
        table.add_row("•", text)
    return Group(Text(one_line(heading), style="bold"), table) if heading else table


def _actions(actions: Sequence[Action]) -> RenderableType:
    pairs = [
        (
            Text(
                command_line(action.command), style=f"bold {palette.RED if action.danger else palette.BLUE}"
            ),
            Text(one_line(action.label), style=palette.MUTED),
        )
        for action in actions
    ]
    return Pairs(pairs, max(left.cell_len for left, _ in pairs))
