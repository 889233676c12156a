"""Languages, and times as people say them."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.views.moments import moment
from bot.views.words import Words, closest
from tests.fakes.store import START

EN = Words("en")


@pytest.mark.parametrize(
    ("tag", "language"),
    [
        ("en", "en"),
        ("en_US", "en"),
        ("de-DE", "en"),
        ("", "en"),
        ("zh", "zh-hans"),
        ("zh-CN", "zh-hans"),
        ("zh_Hans_SG", "zh-hans"),
        ("zh-TW", "zh-hant"),
        ("zh_HK", "zh-hant"),
        ("zh-hant", "zh-hant"),
        ("ZH-MO", "zh-hant"),
    ],
)
def test_a_client_s_language_finds_its_catalogue(tag: str, language: str) -> None:
    assert closest(tag) == language


def test_an_unknown_language_and_an_unknown_sentence_stay_english() -> None:
    assert Words("tlh")("History") == "History"
    assert Words("zh-hant")("No catalogue has {this}.", this="that") == "No catalogue has that."


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0, "just now"),
        (4, "just now"),
        (5, "5 s ago"),
        (59, "59 s ago"),
        (60, "1 min ago"),
        (3600, "1 h ago"),
        (172_799, "48 h ago"),
        (172_800, "2026-02-27"),
        (-30, "in 30 s"),
        (-120, "in 2 min"),
        (-7200, "in 2 h"),
        (-172_800, "2026-03-03"),
    ],
)
def test_times_near_are_relative_and_others_are_dates(seconds: float, told: str) -> None:
    assert moment(START - timedelta(seconds=seconds), START, EN) == told
