"""Finds what must be kept to the letter: numbers, dates, amounts, addresses and code-like identifiers."""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime, timedelta

_URL = re.compile(r"https?://[^\s<>\"'，。）)]+")
# Each pattern looks at a character a bounded number of times, however long a word without an end is.
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]+\.[\w.-]*\w")
_WORD = re.compile(r"\b[A-Za-z0-9][A-Za-z0-9_-]{2,}\b", re.ASCII)
_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
_ORDINAL = re.compile(r"^(\d+)(?:st|nd|rd|th)$", re.IGNORECASE)


def literals(text: str) -> set[str]:
    """The literals of `text`, normalised (full width to ASCII, lower case, thousands separators gone)."""
    left = unicodedata.normalize("NFKC", text)
    found: set[str] = set()

    def take(match: re.Match[str]) -> str:
        found.update(_normal(match.group().rstrip(".,;:!?")))
        return " "

    for pattern in (_URL, _EMAIL):
        left = pattern.sub(take, left)
    left = _WORD.sub(lambda match: take(match) if _mixed(match.group()) else match.group(), left)
    _NUMBER.sub(take, left)
    return found


def missing(text: str, sources: str, dates: list[datetime]) -> set[str]:
    """Literals of `text` that neither `sources` hold nor their `dates` explain.

    A relative date ("tomorrow", "next month") may be worked out from the date of its message: day, month
    and year of the days around it and of the months and years next to it are allowed.
    """
    allowed = literals(sources)
    plain = unicodedata.normalize("NFKC", sources).lower()
    unexplained = {item for item in literals(text) - allowed if item not in plain}
    if not unexplained:
        return set()
    near = set().union(*(_near(date) for date in dates)) if dates else set()
    numbers = {part for item in allowed for part in re.findall(r"\d+", item)}
    return {item for item in unexplained if not _explained(item, near | {n.lstrip("0") for n in numbers})}


def _explained(item: str, allowed: set[str]) -> bool:
    parts = re.split(r"[-/.:]", item)
    return all(part.isdigit() and part.lstrip("0") in allowed for part in parts)


def _near(date: datetime) -> set[str]:
    days = {(date + timedelta(days=offset)).day for offset in range(-7, 15)}
    months = {(date.month - 1 + offset) % 12 + 1 for offset in range(-1, 3)}
    return {str(value) for value in days | months | {date.year - 1, date.year, date.year + 1}}


def _mixed(word: str) -> bool:
    """Whether it is an identifier: letters and digits in one."""
    return any(sign.isdigit() for sign in word) and any(sign.isalpha() for sign in word)


def _normal(item: str) -> set[str]:
    item = item.lower()
    ordinal = _ORDINAL.match(item)
    if ordinal:
        return {ordinal.group(1)}
    grouped = re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", item)
    return {item.replace(",", "") if grouped else item}
