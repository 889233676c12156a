"""Text that is shown can't steer the terminal."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.terminal.clean import clean, one_line


@given(st.text(st.characters(exclude_categories=())))
def test_no_control_character_or_surrogate_is_left(text: str) -> None:
    left = {unicodedata.category(character) for character in clean(text) if character not in "\n\t"}
    assert not left & {"Cc", "Cs"}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "␛[31mred␛[0m"),
        ("\x1b]0;title\x07", "␛]0;title␇"),
        ("\x9b31m", "\ufffd31m"),
        ("one\r\ntwo\rthree", "one\ntwo␍three"),
        ("pay \u202e001\u202c euro", "pay 001 euro"),
        ("a\ud800b", "a\ufffdb"),
        ("\ttab, 你好, 👩‍👩‍👧, עברית\u200f", "\ttab, 你好, 👩‍👩‍👧, עברית\u200f"),
    ],
)
def test_dangerous_characters_become_visible_and_others_stay(text: str, shown: str) -> None:
    assert clean(text) == shown


def test_a_title_is_one_line() -> None:
    assert one_line(" a\n\nSystem:\tb\r\x1b ") == "a System: b ␛"
