"""Draws answers and views as Discord's text and buttons. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from adapters.discord.markdown import for_discord, width
from adapters.discord.split import split
from bot.messages import CommandCall
from bot.views.drawing import bar, legend
from bot.views.model import Action, Block, Fields, Gauge, Items, Paragraph, View

_TONES = {"plain": "", "warning": "⚠️ ", "error": "⛔ "}
_BAR_WIDTH = 28
_LONGEST_LABEL = 80
_MOST_BUTTONS = 25
_MARK = "memora"
_MARKUP = re.compile(
    r"(?P<link>https?://[^\s<>]+)|(?P<sign>[\\*_~`|\[])|(?P<mention><)(?=[@#:/]|t:|id:)"
    r"|^(?P<indent>[ \t]*)(?P<block>-#|#{1,3}|>{1,3}|[-+]|\d+\.)(?=[ \t])",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Button:
    """A button. `custom_id` carries the command that it gives; Discord allows 100 characters."""

    label: str
    custom_id: str
    danger: bool = False


@dataclass(frozen=True, slots=True)
class Press:
    """What a pressed button says. `in_place`: its view was in one message and may be replaced there."""

    command: CommandCall
    in_place: bool


def answer_parts(markdown: str) -> list[str]:
    """A model's answer, one text a message; none for an answer of white space only."""
    return _texts(for_discord(markdown))


def view_parts(view: View) -> list[str]:
    """A view, one text a message."""
    title = f"{_TONES[view.tone]}**{plain(_one_line(view.title))}**"
    return _texts("\n\n".join([title, *map(_block, view.blocks)]))


def buttons(actions: Sequence[Action], *, in_place: bool) -> list[Button]:
    """The buttons of a view."""
    return [
        Button(_one_line(action.label)[:_LONGEST_LABEL], custom_id(action.command, in_place), action.danger)
        for action in actions[:_MOST_BUTTONS]
    ]


def custom_id(command: CommandCall, in_place: bool) -> str:
    """What a button carries."""
    return f"{_MARK}:{'here' if in_place else 'anew'}:{command.name}:{command.argument}"


def press(carried: str) -> Press | None:
    """What a button says; None for one that isn't ours."""
    mark, _, rest = carried.partition(":")
    where, _, call = rest.partition(":")
    name, _, argument = call.partition(":")
    if mark != _MARK or where not in ("here", "anew") or not name:
        return None
    return Press(CommandCall(name, argument), where == "here")


def plain(text: str) -> str:
    """Plain text as Markdown that shows it as it is."""
    return _MARKUP.sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    if found["link"]:
        return found["link"]
    if found["block"]:
        block = found["block"]
        number = block.removesuffix(".")
        return f"{found['indent']}{number}\\." if number != block else f"{found['indent']}\\{block}"
    return f"\\{found[0]}"


def _texts(markdown: str) -> list[str]:
    return [part.text for part in split(markdown) if part.body.strip()]


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _block(block: Block) -> str:
    match block:
        case Paragraph(text):
            return plain(text)
        case Fields(rows):
            return "\n".join(f"**{plain(_one_line(label))}:** {plain(value)}" for label, value in rows)
        case Gauge():
            return _gauge(block)
        case Items():
            return _items(block)


def _gauge(gauge: Gauge) -> str:
    rows = legend(gauge)
    room = max((width(label) for _, label, _ in rows), default=0)
    digits = max((len(amount) for _, _, amount in rows), default=0)
    lines = [
        f"{mark} {label}{' ' * (room - width(label))}  {amount:>{digits}}" for mark, label, amount in rows
    ]
    share = f" ({gauge.used / gauge.capacity:.0%})" if gauge.capacity > 0 else ""
    total = f"{gauge.used:,} / {gauge.capacity:,} {gauge.unit}{share}"
    drawn = "\n".join([bar(gauge, _BAR_WIDTH), *lines, total])
    return f"```\n{drawn.replace('`', 'ˋ')}\n```"


def _items(items: Items) -> str:
    lines = [f"**{plain(_one_line(items.heading))}**"] if items.heading else []
    for item in items.items:
        text = plain(item.text).replace("\n", "\n  ")
        lines.append(f"- {text} — *{plain(_one_line(item.detail))}*" if item.detail else f"- {text}")
    return "\n".join(lines)
