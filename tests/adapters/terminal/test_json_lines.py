"""Events as JSON lines."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.terminal.json_lines import JsonForm, line
from adapters.terminal.translate import conversation_key, incoming, speaker
from bot.messages import IncomingMessage
from tests.adapters.terminal import views
from tests.adapters.terminal.console import StillClock


@pytest.fixture
def message() -> IncomingMessage:
    given = incoming(
        "hi", key=conversation_key(""), author=speaker("you"), message_id="m1", sent_at=StillClock().now()
    )
    assert given
    return given


def read(text: str) -> dict[str, Any]:
    assert text.count("\n") == 1
    assert text.endswith("\n")
    event: dict[str, Any] = json.loads(text)
    return event


def test_a_reply_says_what_it_answers(message: IncomingMessage) -> None:
    assert read(JsonForm().reply(message, "m2", "**你好**\n")) == {
        "event": "reply",
        "conversation": "terminal:local:main",
        "in_reply_to": "m1",
        "message_id": "m2",
        "text": "**你好**\n",
    }


def test_text_stays_readable(message: IncomingMessage) -> None:
    assert "你好" in JsonForm().reply(message, "m2", "你好")


def test_a_view_has_typed_blocks(message: IncomingMessage) -> None:
    event = read(JsonForm().view(message, views.CONTEXT))
    assert (event["event"], event["kind"], event["title"]) == ("view", "context", views.CONTEXT.title)
    gauge, fields, _ = event["blocks"]
    assert gauge == {
        "type": "gauge",
        "unit": "tokens",
        "capacity": 8000,
        "used": 3470,
        "segments": [
            {"label": "persona", "amount": 120},
            {"label": "summary", "amount": 1210},
            {"label": "recent", "amount": 2105},
            {"label": "current", "amount": 35},
        ],
    }
    assert fields == {
        "type": "fields",
        "rows": [["Model", "gpt-5-mini"], ["Reported by the provider", "3,481"]],
    }
    paragraph, items, _ = read(JsonForm().view(message, views.SUMMARY))["blocks"]
    assert paragraph == {"type": "paragraph", "text": "74 messages\nin 12 versions"}
    assert (items["type"], items["heading"]) == ("items", "Notes")
    assert items["items"][0] == {"text": "The exam is on 18 July.", "detail": "#1, #7"}


def test_actions_are_commands_to_type(message: IncomingMessage) -> None:
    assert read(JsonForm().view(message, views.RESET))["actions"] == [
        {"label": "Yes, erase everything", "command": "/reset confirm 3", "danger": True},
        {"label": "Keep it", "command": "/reset cancel", "danger": False},
    ]


def test_errors_are_events_of_their_own(message: IncomingMessage) -> None:
    form = JsonForm()
    failed, shown = read(form.failure(message, views.ERROR)), read(form.view(message, views.ERROR))
    assert failed == shown
    assert (failed["event"], failed["kind"], failed["in_reply_to"]) == ("error", "unreachable", "m1")
    assert failed["message"] == "The model can't be reached\nIs the server running?\nTry again later."


def test_reports_are_compactions_unless_they_say_otherwise() -> None:
    form = JsonForm()
    at = datetime(2026, 7, 1, tzinfo=UTC)
    assert read(form.report({"folded": 12, "at": at})) == {"event": "compaction", "folded": 12, "at": str(at)}
    assert read(form.report({"event": "other"})) == {"event": "other"}


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_comes_back_whole_from_one_safe_line(text: str) -> None:
    written = line({"text": text})
    assert len(written.splitlines()) == 1
    assert not any(ord(character) in (*range(0x20), *range(0x7F, 0xA0)) for character in written[:-1])
    assert json.loads(written.encode("utf-8")) == {"text": text}
