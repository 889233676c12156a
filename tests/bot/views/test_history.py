"""The view of /history: pages, marks and buttons."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.messages import Message, Speaker
from bot.views.history import PAGE, history_view
from bot.views.model import Items, View
from bot.views.words import Words
from tests.fakes.responder import words_of
from tests.fakes.store import START

EN = Words("en")
QUESTION = Message(7, "user", Speaker("1", "Ann"), 1, "Hello?", START)
ANSWER = Message(8, "assistant", Speaker("4711", "kept name", is_bot=True), 0, "Yes.", START, answers=7)


def _view(*messages: Message, page: int = 1, total: int = 2, watermark: int = 0) -> View:
    return history_view(messages, page, total, watermark, "Memora", EN)


def _buttons(view: View) -> list[tuple[str, str]]:
    return [(action.label, f"{action.command.name} {action.command.argument}") for action in view.actions]


def test_each_line_says_who_and_when_and_whether_it_is_summarised() -> None:
    edited = replace(QUESTION, edited_at=START + timedelta(hours=1))
    (items,) = _view(edited, ANSWER, watermark=7).blocks
    assert isinstance(items, Items)
    assert [(item.text, item.detail) for item in items.items] == [
        ("Hello?", "#7 · 2026-03-01 12:00 · Ann · edited · summarised"),
        ("Yes.", "#8 · 2026-03-01 12:00 · Memora"),
    ]
    assert items.heading == "Page 1 of 1, 2 messages"


def test_a_long_text_is_cut_and_shows_that_it_is() -> None:
    (items,) = _view(replace(QUESTION, text="x" * 301), replace(QUESTION, text="y" * 300)).blocks
    assert isinstance(items, Items)
    assert [item.text for item in items.items] == ["x" * 300 + "…", "y" * 300]


@pytest.mark.parametrize(
    ("page", "total", "buttons"),
    [
        (1, PAGE, []),
        (1, PAGE + 1, [("‹ Older", "history 2")]),
        (2, 3 * PAGE, [("‹ Older", "history 3"), ("Newer ›", "history 1")]),
        (3, 3 * PAGE, [("Newer ›", "history 2")]),
    ],
)
def test_buttons_lead_to_the_pages_that_are_there(
    page: int, total: int, buttons: list[tuple[str, str]]
) -> None:
    assert _buttons(_view(QUESTION, page=page, total=total)) == buttons


def test_a_page_that_isn_t_there_says_so() -> None:
    view = _view(page=9, total=12)
    assert "no messages on this page" in words_of(view)
    assert view.actions == ()
