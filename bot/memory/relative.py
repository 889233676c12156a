"""Works out which dates words such as "next Friday" may mean on the day they were said.

English and Chinese are understood. "Next Friday" may be either of two days: whoever asks here only wants to
know whether a date may have been meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from bot.memory.dates import NAMED_MONTH, Day, month_number, written

_WEEK = r"(?:個|个)?(?:星期|[週周]|[禮礼]拜)"
_MONTH_WORDS = (
    (r"\bnext month\b|(?<!下)下(?:個|个)?月", 1),
    (r"\bmonth after next\b|下下(?:個|个)?月", 2),
    (r"\bthis month\b|\bend of the month\b|[這这本](?:個|个)?月|月底", 0),
    (r"\blast month\b|上(?:個|个)?月", -1),
)
_YEAR_WORDS = (
    (r"\bnext year\b|明年", 1),
    (r"\byear after next\b|[後后]年", 2),
    (r"\bthis year\b|今年", 0),
    (r"\blast year\b|去年", -1),
    (r"\byear before last\b|前年", -2),
)
_DAY_WORDS = (
    (r"(?<!after )\btomorrow\b|明[天日晚早]", 1),
    (r"\bday after tomorrow\b|(?<!大)[後后]天", 2),
    (r"大[後后]天", 3),
    (r"(?<!before )\byesterday\b|\blast night\b|昨[天日晚]", -1),
    (r"\bday before yesterday\b|(?<!大)前天", -2),
    (r"大前天", -3),
)
_WEEK_WORDS = (
    (rf"\bnext week(?:end)?\b|(?<!下)下{_WEEK}", 1),
    (rf"\bweek after next\b|下下{_WEEK}", 2),
    (rf"\b(?:this|the) week(?:end)?\b|[這这本]{_WEEK}|[週周]末", 0),
    (rf"\blast week(?:end)?\b|上{_WEEK}", -1),
)
_WEEKDAY = re.compile(
    r"(?:\b(?P<which>next|last|past)\s+)?\b(?P<en>mon|tues|wednes|thurs|fri|satur|sun)day\b"
    rf"|(?P<when>[下上])?{_WEEK}(?P<zh>[一二三四五六日天])"
)
_ENGLISH_DAYS = ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun")
_CHINESE_DAYS = "一二三四五六日"
_COUNTED = (
    ("a", "an", "one", "一"),
    ("two", "二", "兩", "两"),
    ("three", "三"),
    ("four", "四"),
    ("five", "五"),
    ("six", "六"),
    ("seven", "七"),
    ("eight", "八"),
    ("nine", "九"),
    ("ten", "十"),
    ("eleven", "十一"),
    ("twelve", "十二"),
)
COUNTS = {word: count for count, words in enumerate(_COUNTED, start=1) for word in words}
_COUNT = r"(?P<n>\d{1,3}|" + "|".join(sorted(COUNTS, key=len, reverse=True)) + ")"
_UNIT = r"(?P<unit>day|week|month|year)s?"
_ZH_UNIT = rf"(?P<unit>天|{_WEEK}|(?:個|个)月|年)(?:之|以)?"
_DISTANCES = (
    (rf"\b(?:in|within) {_COUNT} {_UNIT}\b", 1),
    (rf"\b{_COUNT} {_UNIT} (?:from now|later)\b", 1),
    (rf"\b{_COUNT} {_UNIT} (?:ago|earlier)\b", -1),
    (rf"(?<!\d){_COUNT}\s?{_ZH_UNIT}[後后]", 1),
    (rf"(?<!\d){_COUNT}\s?{_ZH_UNIT}前", -1),
)


def may_mean(wanted: Day, text: str, said: date) -> bool:
    """Whether `text` (normalised), said on the day `said`, may mean the date `wanted`."""
    return any(wanted.says(meant) for meant in _meant(text, said))


def years_meant(text: str, said: date) -> set[int]:
    """The years that `text` may mean without naming them."""
    return {day.year for day in _meant(text, said)}


def _meant(text: str, said: date) -> Iterator[Day]:
    plain = text.lower()
    yield _of(said)
    told = written(plain)
    for day in told:
        yield from _completed(day, said)
    for step in _steps(_MONTH_WORDS, plain):
        year, month = _month(said, step)
        yield Day(year, month, 0)
        yield from (Day(year, month, day.day) for day in told if day.day and not day.month)
    names = [match["name"] for match in NAMED_MONTH.finditer(text)]
    named = [month_number(name) for name in names if name != "may"]  # that one is a verb
    for step in _steps(_YEAR_WORDS, plain):
        yield Day(said.year + step, 0, 0)
        yield from (Day(said.year + step, day.month, day.day) for day in told if day.month)
        yield from (Day(said.year + step, month, 0) for month in named)
    yield from (Day(said.year + step, month, 0) for month in named for step in (-1, 0, 1))
    yield from map(_of, _days(plain, said))
    yield from _distances(plain, said)


def _completed(day: Day, said: date) -> Iterator[Day]:
    """A date with the year, or month and year, that it lacks: those within a year, or a month, of `said`."""
    if day.year:
        yield day
    elif day.month:
        months = (_month(said, step) for step in range(-12, 13))
        yield from (Day(year, month, day.day) for year, month in months if month == day.month)
    else:
        yield from (Day(*_month(said, step), day.day) for step in (-1, 0, 1))


def _days(plain: str, said: date) -> Iterator[date]:
    yield from (said + timedelta(days=step) for step in _steps(_DAY_WORDS, plain))
    monday = said - timedelta(days=said.weekday())
    for step in _steps(_WEEK_WORDS, plain):
        yield from (monday + timedelta(days=7 * step + day) for day in range(7))
    for match in _WEEKDAY.finditer(plain):
        day = (
            _ENGLISH_DAYS.index(match["en"])
            if match["en"]
            else _CHINESE_DAYS.index(match["zh"].replace("天", "日"))
        )
        first, last = _reach(match["which"] or match["when"] or "")
        yield from (near for near in _around(said, first, last) if near.weekday() == day)


def _reach(which: str) -> tuple[int, int]:
    """How far before and after the day of the message a weekday may lie, in days."""
    if which in {"next", "下"}:
        return 1, 14
    return (-14, -1) if which in {"last", "past", "上"} else (-7, 7)


def _around(said: date, first: int, last: int) -> Iterator[date]:
    return (said + timedelta(days=step) for step in range(first, last + 1))


def _distances(plain: str, said: date) -> Iterator[Day]:
    for pattern, sign in _DISTANCES:
        for match in re.finditer(pattern, plain):
            count = sign * (int(match["n"]) if match["n"].isdigit() else COUNTS[match["n"]])
            unit = match["unit"]
            if unit in {"day", "天"}:
                yield _of(said + timedelta(days=count))
            elif unit in {"month", "個月", "个月"}:
                year, month = _month(said, count)
                yield from (Day(year, month, 0), Day(year, month, said.day))
            elif unit in {"year", "年"}:
                yield Day(said.year + count, said.month, said.day)
            else:
                yield from map(_of, _around(said + timedelta(weeks=count), -3, 3))


def _steps(words: tuple[tuple[str, int], ...], plain: str) -> Iterator[int]:
    return (step for pattern, step in words if re.search(pattern, plain))


def _month(day: date, months: int) -> tuple[int, int]:
    count = day.year * 12 + day.month - 1 + months
    return count // 12, count % 12 + 1


def _of(day: date) -> Day:
    return Day(day.year, day.month, day.day)
