"""Noticing that the topic has changed."""

from __future__ import annotations

import pytest

from bot.memory.topics import cosine, shifted, terms
from bot.memory.turns import turns
from tests.bot.memory.talk import said

TRAVEL = [
    "We want to book flights to Lisbon for the summer holiday.",
    "The flights to Lisbon are cheaper on Tuesday than on Friday.",
    "Is the hotel in Lisbon near the beach?",
    "I will book the hotel in Lisbon tomorrow.",
]
COOKING = [
    "How long does the lentil soup have to simmer?",
    "I put carrots and onions into the lentil soup.",
    "The soup needs more pepper and the carrots are soft.",
]
JOURNEY = ["我們想訂去東京的機票。", "東京的機票星期二比較便宜。", "東京的飯店近車站嗎?"]
SOUP = ["扁豆湯要煮多久?", "我在扁豆湯裡放了紅蘿蔔。"]


def _shifted(texts: list[str]) -> bool:
    return shifted(turns([said(number, text) for number, text in enumerate(texts, start=1)]))


@pytest.mark.parametrize("texts", [TRAVEL + COOKING, JOURNEY + SOUP])
def test_another_topic_is_noticed(texts: list[str]) -> None:
    assert _shifted(texts)


@pytest.mark.parametrize(
    "texts", [TRAVEL, COOKING, JOURNEY, TRAVEL + COOKING[:1], ["ok", "yes", "thanks"] * 4, []]
)
def test_one_topic_or_an_aside_is_no_shift(texts: list[str]) -> None:
    assert not _shifted(texts)


def test_words_are_compared_by_their_stems() -> None:
    assert cosine(terms("booking flights"), terms("booked flight")) > 0.4
    assert cosine(terms("booking flights"), terms("lentil soup")) == 0
    assert cosine(terms(""), terms("lentil soup")) == 0
