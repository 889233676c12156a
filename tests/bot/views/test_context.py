"""The view of /context: parts, counts and costs, each named for what it is."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from bot.records import CompactionState, Memory, RequestRecord, Totals
from bot.views.context import context_view
from bot.views.model import Gauge, Segment, View
from bot.views.words import LANGUAGES, Words
from tests.fakes.responder import words_of
from tests.fakes.store import START, record

EMPTY = Memory(None, (), 0, 0)
RECORD = replace(record(), left_out=0)


def _view(
    request: RequestRecord | None = RECORD,
    state: CompactionState | None = None,
    totals: Totals | None = None,
    memory: Memory = EMPTY,
) -> View:
    return context_view(request, memory, state or CompactionState(), totals or Totals(), START, Words("en"))


def _lines(view: View) -> list[str]:
    return words_of(view).splitlines()


def test_the_gauge_holds_the_parts_that_were_sent() -> None:
    gauge = _view().blocks[0]
    assert isinstance(gauge, Gauge)
    assert gauge.segments == (Segment("persona", 40), Segment("recent", 50), Segment("current", 10))
    assert (gauge.used, gauge.capacity) == (100, 8000)


def test_counted_and_reported_tokens_are_told_apart() -> None:
    lines = _lines(_view())
    assert "Counted before sending: 100 (by tiktoken)" in lines
    assert "Reported by the provider: 95 (-5)" in lines
    lines = _lines(_view(replace(RECORD, counted_by="api", input=None, output=None)))
    assert "Counted before sending: 100 (by the provider)" in lines
    assert "Reported by the provider: nothing" in lines
    assert not any(line.startswith("Answer:") for line in lines)


def test_all_is_plain_where_nothing_is_left_out_and_nothing_failed() -> None:
    assert _view().tone == "plain"


def test_what_was_left_out_is_a_warning() -> None:
    view = _view(replace(RECORD, left_out=12))
    assert view.tone == "warning"
    assert "Left out: 12 messages that didn't fit" in _lines(view)


@pytest.mark.parametrize(
    ("next_try", "when"), [(START + timedelta(minutes=5), "in 5 min"), (None, "with the next message")]
)
def test_a_failing_summary_says_why_and_when(next_try: datetime | None, when: str) -> None:
    state = CompactionState(3, "ModelTimeout: late", next_try)
    view = _view(state=state)
    assert view.tone == "warning"
    assert f"Summarising failed: 3 times: ModelTimeout: late; next try {when}" in _lines(view)


def test_messages_that_wait_are_counted_whether_loaded_or_not() -> None:
    assert "Not summarised yet: 40 messages" in _lines(_view(memory=replace(EMPTY, older=40)))


def test_answers_and_summaries_are_paid_apart() -> None:
    lines = _lines(_view(totals=Totals(4, 4000, 400, 1, 1500, 90)))
    assert "Answers so far: 4: 4,000 tokens in, 400 out" in lines
    assert "Summaries so far: 1: 1,500 tokens in, 90 out" in lines
    assert "Whole conversation: 5,990 tokens" in lines


@pytest.mark.parametrize("language", LANGUAGES)
def test_text_that_people_wrote_is_never_filled_in(language: str) -> None:
    """An error may quote what a model said: braces in it are no fields."""
    state = CompactionState(1, "the note '{n} {0} {' says 5", START)
    view = context_view(RECORD, EMPTY, state, Totals(), START, Words(language))
    assert "the note '{n} {0} {' says 5" in words_of(view)
