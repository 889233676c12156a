"""Draws answers and views as plain text, for pipes and files. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rich.cells import cell_len

from adapters.terminal.clean import clean, one_line
from adapters.terminal.translate import command_line
from bot.messages import IncomingMessage
from bot.views.drawing import bar, legend
from bot.views.model import Action, Block, Fields, Gauge, Item, Items, Paragraph, View

TONE_MARKS = {"plain": "", "warning": "! ", "error": "✗ "}


class PlainForm:
    """One piece of text an event, followed by an empty line."""

    def reply(self, message: IncomingMessage, answer_id: str, text: str) -> str:
        """An answer as the model wrote it."""
        return clean(text).strip("\n") + "\n\n"

    def view(self, message: IncomingMessage, view: View) -> str:
        """A card, from its title to its actions."""
        return "\n".join(view_lines(view)) + "\n\n"

    def failure(self, message: IncomingMessage, view: View) -> str:
        """Why there is no answer."""
        return self.view(message, view)

    def report(self, event: Mapping[str, Any]) -> str:
        """Nothing: who reads plain replies did not ask for what happens beside them."""
        return ""


def view_lines(view: View) -> list[str]:
    """A view, line by line."""
    lines = [TONE_MARKS[view.tone] + one_line(view.title)]
    label_width = widest_label(view)
    for block in view.blocks:
        lines += _block(block, label_width)
    lines += _pairs((command_line(action.command), _label(action)) for action in view.actions)
    return lines


def widest_label(view: View) -> int:
    """Width in cells of the longest label of a view's fields, so that all its values stand in one column."""
    fields = (block for block in view.blocks if isinstance(block, Fields))
    return max((cell_len(one_line(label)) for block in fields for label, _ in block.rows), default=0)


def share(amount: int, gauge: Gauge) -> str:
    """An amount's part of the capacity, as in "27%"; "" where there is no capacity."""
    return f"{amount / gauge.capacity:.0%}" if gauge.capacity > 0 else ""


def gauge_total(gauge: Gauge) -> str:
    """How much of a gauge is used, as in "2,130 / 8,000 tokens · 27%"."""
    total = f"{gauge.used:,} / {gauge.capacity:,} {one_line(gauge.unit)}"
    return f"{total} · {share(gauge.used, gauge)}".removesuffix(" · ")


def _label(action: Action) -> str:
    return ("! " if action.danger else "") + one_line(action.label)


def _block(block: Block, label_width: int) -> list[str]:
    match block:
        case Paragraph(text):
            return clean(text).split("\n")
        case Fields(rows):
            return _pairs(((one_line(label), clean(value)) for label, value in rows), label_width)
        case Gauge():
            return _gauge(block)
        case Items(items, heading):
            lines = [one_line(heading)] if heading else []
            return lines + [line for item in items for line in _item(item)]


def _gauge(gauge: Gauge) -> list[str]:
    rows = legend(gauge)
    widest = max((len(amount) for _, _, amount in rows), default=0)
    labels = [f"{mark} {one_line(label)}" for mark, label, _ in rows]
    parts = [share(segment.amount, gauge) for segment in gauge.segments]
    amounts = [f"{row[2].rjust(widest)}  {part:>4}".rstrip() for row, part in zip(rows, parts, strict=True)]
    return [bar(gauge), *_pairs(zip(labels, amounts, strict=True)), gauge_total(gauge)]


def _item(item: Item) -> list[str]:
    detail = f" ({one_line(item.detail)})" if item.detail else ""
    first, *rest = (clean(item.text) + detail).split("\n")
    return [f"- {first}", *(f"  {line}" for line in rest)]


def _pairs(pairs: Iterable[tuple[str, str]], least_width: int = 0) -> list[str]:
    """Two columns; further lines of a value stay in its column."""
    rows = list(pairs)
    width = max(least_width, *(cell_len(left) for left, _ in rows), 0)
    lines = []
    for left, right in rows:
        first, *rest = right.split("\n")
        lines.append(f"{left}{' ' * (width - cell_len(left))}  {first}".rstrip())
        lines += [" " * (width + 2) + line for line in rest]
    return lines
