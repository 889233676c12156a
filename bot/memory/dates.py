"""Reads the dates that are written out in a text, in English, Chinese and the common figures."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?P<name>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_ORDINAL = r"(?P<d>\d{1,2})(?:st|nd|rd|th)"
_YEAR = r"(?:,?\s+(?P<y>\d{4}))?"

NAMED_MONTH = re.compile(rf"\b{_MONTH}(?!\w)", re.IGNORECASE)
# Forms with more parts come first, so that a part of one isn't read as another.
_FORMS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?<![\d-])(?P<y>\d{4})([-/.])(?P<m>\d{1,2})\2(?P<d>\d{1,2})(?![\d-])",
        r"(?<![\d.])(?P<d>\d{1,2})([./])(?P<m>\d{1,2})\2(?P<y>\d{4}|\d{2})(?![\d.]*\d)",
        r"(?<!\d)(?:(?P<y>\d{4})\s?年\s?)?(?P<m>\d{1,2})\s?月\s?(?P<d>\d{1,2})\s?[日號号]?(?!\d)",
        rf"(?<![\w.])(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\.?\s+(?:of\s+)?{_MONTH}{_YEAR}(?!\w)",
        rf"(?<!\w){_MONTH}\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?{_YEAR}(?![\w:])",
        rf"(?<!\w){_MONTH},?\s+(?P<y>\d{{4}})(?!\w)",
        r"(?<![\d-])(?P<y>\d{4})-(?P<m>\d{2})(?![\d-])",
        r"(?<!\d)(?P<y>\d{4})\s?年\s?(?P<m>\d{1,2})\s?月",
        r"(?<!\d)(?P<m>\d{1,2})\s?月",
        rf"(?<!\w){_ORDINAL}(?!\w)",
        r"(?<!\d)(?P<d>\d{1,2})\s?[日號号](?![線线樓楼院店館馆])",
    )
)


@dataclass(frozen=True, slots=True)
class Day:
    """A date as far as it is said: 0 stands for what isn't. `start` and `end` are its place in the text."""

    year: int
    month: int
    day: int
    start: int = 0
    end: int = 0

    @property
    def core(self) -> str:
        """The one way of writing it: 2027-01-18, 01-18, 2027-01, 01 or 18."""
        if self.day and not self.month:
            return str(self.day)
        parts = (self.year and f"{self.year:04}", f"{self.month:02}", self.day and f"{self.day:02}")
        return "-".join(part for part in parts if part)

    def says(self, other: Day) -> bool:
        """Whether `other` says all that this date says, and the same."""
        pairs = ((self.year, other.year), (self.month, other.month), (self.day, other.day))
        return all(not mine or mine == theirs for mine, theirs in pairs)

    def agrees(self, other: Day) -> bool:
        """Whether both may be the same date; they have the day in common."""
        pairs = ((self.month, other.month), (self.year, other.year))
        return self.day == other.day and all(
            not mine or not theirs or mine == theirs for mine, theirs in pairs
        )


def written(text: str) -> list[Day]:
    """The dates that are written out in `text` (normalised); none overlaps another."""
    found: list[Day] = []
    for pattern in _FORMS:
        here = [day for day in map(_day, pattern.finditer(text)) if day]
        text = blanked(text, ((day.start, day.end) for day in here))
        found += here
    return found


def blanked(text: str, places: Iterable[tuple[int, int]]) -> str:
    """`text` with what stands at `places` (ascending, apart) out of the way of every pattern."""
    parts: list[str] = []
    last = 0
    for start, end in places:
        parts += (text[last:start], "\x00" * (end - start))
        last = end
    return "".join((*parts, text[last:]))


def month_number(name: str) -> int:
    """1 for January, by its name or the start of it."""
    return _MONTHS.index(name[:3].lower()) + 1


def _day(match: re.Match[str]) -> Day | None:
    parts = match.groupdict()
    month = month_number(parts["name"]) if parts.get("name") else int(parts.get("m") or 0)
    year, day = int(parts.get("y") or 0), int(parts.get("d") or 0)
    if 0 < year < 100:
        year += 2000
    fits = month <= 12 and day <= 31 and (month or day) and (not year or 1000 <= year <= 2999)
    return Day(year, month, day, *match.span()) if fits else None
