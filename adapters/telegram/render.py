"""Draws answers and views as Telegram's formatted text and buttons. Pure."""

from __future__ import annotations

from telegram import InlineKeyboardButton, InlineKeyboardMarkup
from telegramify_markdown import RenderConfig, convert

from adapters.telegram.formatted import Composer, Formatted, Mark, joined
from adapters.telegram.markdown import LINKABLE, Unsettled, prepared
from adapters.telegram.split import MAX_UNITS, split
from bot.messages import CommandCall
from bot.views.drawing import bar, legend
from bot.views.model import Action, Block, Fields, Gauge, Items, Paragraph, View

_TONES = {"plain": "", "warning": "⚠️ ", "error": "⛔ "}
_BAR_WIDTH = 24
_BUTTONS_IN_ROW = 2
_SURROGATES = dict.fromkeys(range(55296, 57344), "�")


def answer_parts(markdown: str, limit: int = MAX_UNITS) -> list[Formatted]:
    """A model's answer as one formatted text a message; none for an answer of white space only."""
    plain = _clean(markdown)
    rendered = formatted(plain)
    return split(rendered, limit) or split(Formatted(plain), limit)


def formatted(markdown: str) -> Formatted:
    """Markdown as text and marks. What can't be read as Markdown stays as it is."""
    try:
        text, entities = convert(prepared(markdown), latex_escape=False, config=_symbols())
    except (Unsettled, ValueError, KeyError, IndexError, RecursionError):
        return Formatted(markdown)
    marks = [
        Mark(e.type, e.offset, e.length, e.url or "", e.language or "")
        for e in entities
        if e.type != "text_link" or LINKABLE.match(e.url or "")
    ]
    return Formatted(text, tuple(sorted(marks, key=lambda mark: (mark.offset, -mark.length))))


def view_parts(view: View, limit: int = MAX_UNITS) -> list[Formatted]:
    """A view as one formatted text a message."""
    title = Composer().add(_TONES[view.tone]).add(_clean(view.title), "bold").done()
    return split(joined([title, *map(_block, view.blocks)], "\n\n"), limit)


def keyboard(view: View) -> InlineKeyboardMarkup | None:
    """The view's buttons, two in a row."""
    buttons = [_button(action) for action in view.actions]
    rows = [buttons[start : start + _BUTTONS_IN_ROW] for start in range(0, len(buttons), _BUTTONS_IN_ROW)]
    return InlineKeyboardMarkup(rows) if rows else None


def button_data(call: CommandCall) -> str:
    """What a button carries: the command as it would be typed; Telegram allows 64 bytes."""
    return f"/{call.name} {call.argument}".rstrip()


def pressed(data: str) -> CommandCall | None:
    """The command that a button carries, None for data of another kind."""
    name, _, argument = data.removeprefix("/").partition(" ")
    return CommandCall(name, argument) if data.startswith("/") and name else None


def _button(action: Action) -> InlineKeyboardButton:
    return InlineKeyboardButton(
        _clean(action.label),
        callback_data=button_data(action.command),
        style="danger" if action.danger else None,
    )


def _block(block: Block) -> Formatted:
    match block:
        case Paragraph(text):
            return Formatted(_clean(text))
        case Fields(rows):
            return _fields(rows)
        case Gauge():
            return _gauge(block)
        case Items():
            return _items(block)


def _fields(rows: tuple[tuple[str, str], ...]) -> Formatted:
    lines = [Composer().add(_clean(label), "bold").add(f": {_clean(value)}").done() for label, value in rows]
    return joined(lines, "\n")


def _gauge(gauge: Gauge) -> Formatted:
    rows = legend(gauge)
    width = max((len(amount) for _, _, amount in rows), default=0)
    lines = [f"{mark} {amount:>{width}} {label}" for mark, label, amount in rows]
    share = f" ({gauge.used / gauge.capacity:.0%})" if gauge.capacity > 0 else ""
    total = f"{gauge.used:,} / {gauge.capacity:,} {gauge.unit}{share}"
    return Composer().add(_clean("\n".join([bar(gauge, _BAR_WIDTH), *lines, total])), "pre").done()


def _items(items: Items) -> Formatted:
    lines = [Composer().add(_clean(items.heading), "bold").done()] if items.heading else []
    for item in items.items:
        line = Composer().add(f"• {_clean(item.text)}")
        if item.detail:
            line.add("\n   ").add(_clean(item.detail), "italic")
        lines.append(line.done())
    return joined(lines, "\n")


def _clean(text: str) -> str:
    """Without what can't be sent: lone surrogates, NULs, carriage returns."""
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd").translate(_SURROGATES)


def _symbols() -> RenderConfig:
    """Plain marks where the library would put pictures, and quotes that aren't folded up."""
    config = RenderConfig.isolated()
    config.cite_expandable = False
    symbol = config.markdown_symbol
    for level in range(1, 7):
        setattr(symbol, f"heading_level_{level}", "")
    symbol.unordered_list_item = "•"
    symbol.task_completed, symbol.task_uncompleted = "✅", "⬜"
    return config
