"""What a note may say only if its sources say it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bot.memory.literals import literals, missing

DECEMBER = [datetime(2026, 12, 1, tzinfo=UTC)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Order 4711 costs 1,299.50", {"4711", "1299.50"}),
        ("See https://example.org/a?b=1.", {"https://example.org/a?b=1"}),
        ("Write to ann.lee@example.org!", {"ann.lee@example.org"}),
        ("Ticket AB-1234x is open", {"ab-1234x"}),
        ("The 18th at 20:30", {"18", "20:30"}),
        ("訂單8842,共1,200元", {"8842", "1200"}),
        ("金額是８５０元", {"850"}),
        ("nothing here", set()),
    ],
)
def test_literals_are_found_in_one_form(text: str, found: set[str]) -> None:
    assert literals(text) == found


@pytest.mark.parametrize(
    ("note", "sources"),
    [
        ("The aim is 850.", "my aim is 850"),
        ("考試是18號。", "考試在18號"),
        ("It costs 1200.", "1,200 euros"),
        ("The exam is on 2027-01-18.", "the exam is on the 18th next month"),
        ("They meet on 2 December 2026.", "we meet tomorrow"),
        ("Her number is 0912-345-678.", "call 0912-345-678"),
        ("See https://example.org/x", "look at https://example.org/x, please"),
    ],
)
def test_a_literal_may_be_kept_or_worked_out_from_the_date(note: str, sources: str) -> None:
    assert missing(note, sources, DECEMBER) == set()


@pytest.mark.parametrize(
    ("note", "sources", "invented"),
    [
        ("The aim is 900.", "my aim is 850", "900"),
        ("Her order is X-771.", "my order is X-772", "x-771"),
        ("See https://example.org/y", "look at https://example.org/x", "https://example.org/y"),
        ("He was born in 1987.", "he is old", "1987"),
    ],
)
def test_an_invented_literal_is_named(note: str, sources: str, invented: str) -> None:
    assert invented in missing(note, sources, DECEMBER)
