"""The digest that stands in for what doesn't fit."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.memory.digest import digest
from bot.memory.tokens import TiktokenCounter
from tests.bot.memory.talk import MEMBERS, answered, said


def test_telling_lines_are_kept_in_order_with_date_and_sender(counter: TiktokenCounter) -> None:
    messages = [
        said(1, "Hm. The code is 4711! Ok."),
        answered(2, "Thanks, 99 is noted.", 1),
        said(3, "well well", by=2),
        said(4, "Meet Dr. Wu on 5 May 2027.", by=2),
    ]
    assert digest(messages, MEMBERS, counter, 55).splitlines() == [
        '- 2026-12-01 #1 Ann: "The code is 4711!"',
        '- 2026-12-01 #2 Bob: "Wu on 5 May 2027."',
    ]


@given(st.lists(st.text(max_size=80), max_size=8), st.integers(0, 60))
def test_a_digest_never_exceeds_its_room(counter: TiktokenCounter, texts: list[str], tokens: int) -> None:
    messages = [said(number, text) for number, text in enumerate(texts, start=1)]
    assert counter.count(digest(messages, MEMBERS, counter, tokens)) <= tokens
