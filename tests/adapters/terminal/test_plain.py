"""Answers and views as plain text."""

from __future__ import annotations

import pytest

from adapters.terminal.plain import PlainForm, gauge_total, view_lines
from adapters.terminal.translate import conversation_key, incoming, speaker
from bot.messages import IncomingMessage
from bot.views.drawing import bar
from bot.views.model import Gauge, Paragraph, View
from tests.adapters.terminal import views
from tests.adapters.terminal.console import StillClock


@pytest.fixture
def message() -> IncomingMessage:
    given = incoming(
        "hi", key=conversation_key(""), author=speaker("you"), message_id="1", sent_at=StillClock().now()
    )
    assert given
    return given


def test_context_lists_its_parts_and_their_sum() -> None:
    assert view_lines(views.CONTEXT) == [
        "Context of the last answer",
        bar(views.GAUGE),
        "█ persona    120    2%",
        "▓ summary  1,210   15%",
        "▒ recent   2,105   26%",
        "░ current     35    0%",
        "3,470 / 8,000 tokens · 43%",
        "Model                     gpt-5-mini",
        "Reported by the provider  3,481",
        "Waiting                   14 messages",
        "                          until noon",
    ]


def test_lists_have_hanging_lines_and_details() -> None:
    assert view_lines(views.SUMMARY) == [
        "Summary",
        "74 messages",
        "in 12 versions",
        "Notes",
        "- The exam is on 18 July. (#1, #7)",
        "- 考試目標八百五十分，聽力較弱。",
        "- one",
        "  two",
    ]


def test_actions_are_commands_to_type() -> None:
    assert view_lines(views.RESET) == [
        "! Erase this conversation?",
        "88 messages are erased for good.",
        "/reset confirm 3  ! Yes, erase everything",
        "/reset cancel     Keep it",
    ]


def test_a_gauge_without_capacity_has_no_share() -> None:
    assert gauge_total(Gauge((), 0, "tokens")) == "0 / 0 tokens"


def test_each_event_ends_with_an_empty_line(message: IncomingMessage) -> None:
    form = PlainForm()
    assert form.reply(message, "2", "\n**yes**\n\n- no\n") == "**yes**\n\n- no\n\n"
    assert form.failure(message, views.ERROR).startswith("✗ The model can't be reached\n")
    assert form.view(message, views.SUMMARY).endswith("  two\n\n")
    assert form.report({"event": "compaction"}) == ""


def test_nothing_that_steers_a_terminal_gets_through(message: IncomingMessage) -> None:
    form = PlainForm()
    texts = [
        form.reply(message, "2", "\x1b[2Jgone"),
        form.view(message, View("k", "\x1bT", (Paragraph("\x9bp"),))),
    ]
    assert texts == ["␛[2Jgone\n\n", "␛T\n\ufffdp\n\n"]
