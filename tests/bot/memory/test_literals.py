"""What must be kept to the letter, in whatever way it is written."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bot.memory.grounding import missing
from bot.memory.literals import Form, found, holds, literals, protected


@pytest.mark.parametrize(
    ("text", "cores"),
    [
        ("Order 4711 costs 1,299.50", {"4711", "1299.50"}),
        ("See https://example.org/a?b=1.", {"https://example.org/a?b=1"}),
        ("Write to ann.lee@example.org!", {"ann.lee@example.org"}),
        ("Ticket AB-1234x is open", {"ab-1234x"}),
        ("The 18th at 20:30", {"18", "20:30"}),
        ("訂單8842,共1,200元", {"8842", "1200"}),
        ("金額是８５０元", {"850"}),
        ("On 18 January 2027, or 2027-01-19, or January 20", {"2027-01-18", "2027-01-19", "01-20"}),
        ("下個月18號下午3點半", {"18", "15:30"}),
        ("1月18日晚上8點", {"01-18", "20:00"}),
        ("at 8pm or 8:15 a.m.", {"20:00", "08:15"}),
        ("call 0912-345-678 or +49 30 1234567", {"0912345678", "49301234567"}),
        ("電話0912-345-678", {"0912345678"}),
        ("$5, 20 euros, NT$300", {"5", "20", "300"}),
        ("12 Harbour Street, Hafenstraße 7", {"12 harbour street", "hafenstraße 7"}),
        ("中山路二段36號5樓", {"中山路二段36號5樓"}),
        ("2kg of flour, 500ml milk", {"2", "500"}),
        ("nothing here", set()),
    ],
)
def test_literals_are_found_in_one_form(text: str, cores: set[str]) -> None:
    assert literals(text) == cores


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("3 cups of 25 things", []),
        ("order 4711", ["4711"]),
        ("AB-12 and v1.2.3", ["AB-12", "v1.2.3"]),
        ("2.5 hours", ["2.5"]),
        ("$5 on the 2nd at 8pm", ["2nd", "8pm", "$5"]),
        ("A 4711, and 4711 again", ["4711"]),
        ("ann@example.org, https://x.example/7", ["https://x.example/7", "ann@example.org"]),
    ],
)
def test_all_but_small_plain_numbers_is_protected(text: str, kept: list[str]) -> None:
    assert [literal.written for literal in protected(text)] == kept


@pytest.mark.parametrize(
    ("said", "note"),
    [
        ("the 18th", "The exam is on 2027-01-18."),
        ("1月18日", "考試在2027年1月18日"),
        ("January 18", "The exam is on 18 January 2027."),
        ("call 0912-345-678", "Her number is 0912 345 678."),
        ("it costs 1,200 euros", "It costs 1200."),
        ("at 8pm", "They meet at 20:00."),
        ("at 8:30", "They meet at 20:30."),
        ("My order is AB-12", "Her order is ab-12."),
    ],
)
def test_a_note_keeps_a_literal_in_its_own_way_of_writing(said: str, note: str) -> None:
    (literal,) = protected(said)
    assert holds(["no", note], literal)


@pytest.mark.parametrize(
    ("said", "note"),
    [
        ("the 18th", "The exam is on 2027-01-19."),
        ("January 18", "The exam is on 18 March 2027."),
        ("order 4711", "Her order is 14711."),
        ("order AB-12", "Her order is AB-123."),
        ("at 8pm", "They meet at 08:00."),
    ],
)
def test_another_literal_does_not_keep_it(said: str, note: str) -> None:
    (literal,) = protected(said)
    assert not holds([note], literal)


def test_a_long_word_takes_no_time() -> None:
    assert found("a" * 50_000 + "-" * 50_000 + "中" * 20_000) == []


@pytest.mark.parametrize("sign", ["1月", "12-", "路", "ID-7 ", "january 1 ", "(01 ", "www.", "x@"])
def test_any_number_of_literals_takes_no_time(sign: str) -> None:
    assert missing("On 2026-12-02 at 9.", [(sign * 8000, datetime(2026, 12, 1, tzinfo=UTC))])


def test_forms_are_told() -> None:
    assert [literal.form for literal in found("AB-12 at 8pm")] == [Form.TIME, Form.IDENTIFIER]
