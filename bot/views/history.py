"""The view of /history: the log itself, page by page."""

from __future__ import annotations

from collections.abc import Sequence

from bot.messages import CommandCall, Message
from bot.views.model import Action, Item, Items, Paragraph, View
from bot.views.words import Words

PAGE = 10
_TEXT_LENGTH = 300


def history_view(
    messages: Sequence[Message], page: int, total: int, watermark: int, bot_name: str, words: Words
) -> View:
    """Page `page` (1 is the newest) of `total` messages; those up to `watermark` are marked as summarised."""
    title = words("History")
    if not messages:
        return View("history", title, (Paragraph(words("There are no messages on this page.")),))
    pages = -(-total // PAGE)
    heading = words("Page {page} of {pages}, {total} messages", page=page, pages=pages, total=total)
    items = tuple(_item(message, watermark, bot_name, words) for message in messages)
    return View("history", title, (Items(items, heading),), _actions(page, pages, words))


def _item(message: Message, watermark: int, bot_name: str, words: Words) -> Item:
    text = message.text if len(message.text) <= _TEXT_LENGTH else message.text[:_TEXT_LENGTH] + "…"
    who = bot_name if message.role == "assistant" else message.speaker.name
    marks = [f"#{message.id}", f"{message.sent_at:%Y-%m-%d %H:%M}", who]
    if message.edited_at:
        marks.append(words("edited"))
    if message.id <= watermark:
        marks.append(words("summarised"))
    return Item(text, " · ".join(marks))


def _actions(page: int, pages: int, words: Words) -> tuple[Action, ...]:
    found = []
    if page < pages:
        found.append(Action(words("‹ Older"), CommandCall("history", str(page + 1))))
    if page > 1:
        found.append(Action(words("Newer ›"), CommandCall("history", str(page - 1))))
    return tuple(found)
