"""Checks that a note says no number, date, amount, address or identifier that its sources don't say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from bot.memory.language import understood
from bot.memory.literals import Form, Literal, found, kept, plain, times
from bot.memory.relative import COUNTS, may_mean, years_meant

Said = tuple[str, datetime | None]

_WORD = re.compile(r"[a-z]+|[一二三四五六七八九十兩两]+")
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80}


def missing(text: str, sources: Sequence[Said]) -> set[str]:
    """What `text` says and `sources` neither say nor explain, as it is written.

    A source is what was said, and when. A date may be worked out from its words and its day ("tomorrow",
    "the 18th next month"), a time of day from "8pm", a number from "three".
    """
    told = [(plain(words), said) for words, said in sources]
    every = [literal for words, _ in told for literal in found(words)]
    return {item.written for item in found(text) if not _explained(item, every, told)}


def _explained(item: Literal, every: Sequence[Literal], told: Sequence[Said]) -> bool:
    if any(item.core == other.core for other in every) or any(_contains(words, item) for words, _ in told):
        return True
    if item.form is Form.DATE:
        said_so = any(item.day.says(other.day) for other in every if item.day and other.day)
        return said_so or any(_dated(item, words, said) for words, said in told)
    if item.form is Form.TIME:
        return any(times(item) & times(other) for other in every if other.form is Form.TIME)
    if item.form is Form.PHONE:
        return kept(item, every)
    if item.form is Form.ADDRESS:
        numbers = re.findall(r"\d+", item.written)
        return all(any(_contains(words, Literal(Form.NUMBER, n, n)) for words, _ in told) for n in numbers)
    few = item.core.isdecimal() and len(item.core) <= 4
    return few and any(_counted(int(item.core), words, said) for words, said in told)


def _contains(words: str, item: Literal) -> bool:
    """Whether the item stands in the words, not as a part of a longer number or word."""
    spelled = {re.escape(part) for part in (item.core, item.written.lower())}
    return any(re.search(rf"(?<![a-z0-9]){part}(?![a-z0-9])", words.lower()) for part in spelled)


def _dated(item: Literal, words: str, said: datetime | None) -> bool:
    day = item.day
    if day is None or said is None:
        return False
    return may_mean(day, words, said.date()) or (not understood(words) and _near(item, words, said))


def _counted(number: int, words: str, said: datetime | None) -> bool:
    if said and number in years_meant(words, said.date()):
        return True
    return number in {_number(word) for word in _WORD.findall(words.lower())}


def _number(word: str) -> int:
    if word in _TENS or word in COUNTS:
        return _TENS.get(word) or COUNTS[word]
    tens, mark, ones = word.partition("十")
    if not mark or len(tens) > 1 or len(ones) > 1:
        return 0
    return COUNTS.get(tens, 1) * 10 + COUNTS.get(ones, 0)


def _near(item: Literal, words: str, said: datetime) -> bool:
    """For languages whose "tomorrow" isn't known here: a date close by, or with a day that the words name."""
    day = item.day
    assert day is not None
    days = {(said + timedelta(days=step)).day for step in range(-7, 15)}
    named = {int(number) for number in re.findall(r"(?<!\d)\d{1,2}(?!\d)", words)}
    months = {(said.month - 1 + step) % 12 + 1 for step in range(-1, 3)}
    year = day.year in {0, said.year - 1, said.year, said.year + 1}
    return year and day.day in days | named | {0} and day.month in months | named | {0}
