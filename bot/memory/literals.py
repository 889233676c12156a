"""Finds what must be kept to the letter: numbers, dates, amounts, addresses and code-like identifiers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from bot.memory.dates import Day, blanked, written


class Form(StrEnum):
    """What a literal looks like."""

    URL = "url"
    EMAIL = "email"
    ADDRESS = "address"
    DATE = "date"
    TIME = "time"
    PHONE = "phone"
    AMOUNT = "amount"
    IDENTIFIER = "identifier"
    NUMBER = "number"


@dataclass(frozen=True, slots=True)
class Literal:
    """A literal as it is `written`, and its `core`, which is the same for every way of writing it."""

    form: Form
    written: str
    core: str
    day: Day | None = None

    @property
    def protected(self) -> bool:
        """Whether it must outlive its message: all but small plain numbers, as in "3 cups"."""
        return self.form is not Form.NUMBER or len(re.sub(r"\D", "", self.core)) >= 3 or "." in self.core


_STREET = (
    r"\d{1,5}[a-z]?,? (?:[\w'.-]+ ){1,3}(?:street|st|road|rd|avenue|ave|lane|ln|drive|boulevard|blvd)\b"
    r"|\d{1,5}[a-z]?,? (?:rue|avenue|boulevard|place|via|calle|jalan) [\w'-]+(?: [A-Z][\w'-]+)*"
    r"|\b\w{1,40}(?:straße|strasse|str\.|weg|platz|gasse|allee) \d{1,4}[a-z]?\b"
    r"|[\u4e00-\u9fff]{1,12}(?:路|街|大道|巷|弄)[\u4e00-\u9fff\d]{0,10}?\d+(?:之\d+)?[號号](?:\d+[樓楼])?"
)
_CURRENCY = r"(?:NT\$|US\$|HK\$|[$€£¥₩₹]|\b(?:usd|eur|gbp|twd|ntd|jpy|cny|rmb|rp))"
_UNIT = (
    r"(?:[$€£¥₩₹%元塊块円]"
    r"|(?:usd|eur|gbp|twd|ntd|jpy|cny|rmb|euros?|dollars?|pounds?|cents?|percent|yen)\b)"
)
_FIGURE = r"\d+(?:[.,]\d+)*"
_FORMS = (
    (Form.URL, r"(?:https?://|www\.)[^\s<>\"'，。；、）)」』]+"),
    (Form.EMAIL, r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{0,64}\w"),
    (Form.ADDRESS, _STREET),
    (Form.DATE, ""),  # read by bot.memory.dates
    (
        Form.TIME,
        r"(?<![\d:])\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]\.?m\b\.?)?(?![\d:])|(?<!\d)\d{1,2}\s?[ap]\.?m\b\.?"
        r"|(?:上午|早上|中午|下午|晚上|凌晨)?\d{1,2}[點点](?:半|\d{1,2}分?)?",
    ),
    (Form.AMOUNT, rf"{_CURRENCY}\s?{_FIGURE}|(?<![\da-z.,]){_FIGURE}\s?{_UNIT}"),
    (
        Form.PHONE,
        r"(?<![\da-z.-])(?:\+\d|\(?0\d)[\d\s()./-]{4,16}\d(?![\da-z])"
        r"|(?<![\da-z.-])\d{2,4}(?:[-.]\d{2,4}){2,4}(?![\da-z-])",
    ),
    (
        Form.NUMBER,
        r"(?<![\w-])\d+(?:[.,]\d+)?(?=(?:kg|g|mg|km|cm|mm|m|ml|l|h|hrs?|min|s|ms|gb|mb|tb|x|th|st|nd"
        r"|rd)\b)",
    ),
    (
        Form.IDENTIFIER,
        r"\b(?=[a-z0-9_.-]{0,60}\d)(?=[a-z0-9_-]{0,60}[a-z])[a-z0-9](?:\.(?=[a-z0-9])|[a-z0-9_-]){2,80}"
        r"(?<![.-])(?![a-z0-9_])",
    ),
    (Form.NUMBER, r"\d+(?:[.,:/]\d+)*"),
)
_PATTERNS = tuple(
    (form, re.compile(pattern, re.IGNORECASE | (re.ASCII if form is Form.IDENTIFIER else re.UNICODE)))
    for form, pattern in _FORMS
)
_AFTERNOON = re.compile(r"p\.?m|下午|晚上")
_MORNING = re.compile(r"a\.?m|上午|早上|凌晨")


def found(text: str) -> list[Literal]:
    """The literals of `text`, form by form."""
    left = plain(text)
    every: list[Literal] = []
    for form, pattern in _PATTERNS:
        places = list(_dates(left)) if form is Form.DATE else list(_matches(form, pattern, left))
        every += (literal for literal, _, _ in places)
        left = blanked(left, ((start, end) for _, start, end in places))
    return every


def literals(text: str) -> set[str]:
    """The cores of the literals of `text`."""
    return {literal.core for literal in found(text)}


def protected(text: str) -> list[Literal]:
    """The literals of a person's message that must not be lost, each once, in the order of their forms."""
    return list({literal.core: literal for literal in found(text) if literal.protected}.values())


def holds(texts: Iterable[str], wanted: Literal) -> bool:
    """Whether one of `texts` keeps `wanted`: in the same form, or written out further, as dates are."""
    return any(kept(wanted, found(text)) for text in texts)


def kept(wanted: Literal, others: Iterable[Literal]) -> bool:
    """Whether one of `others` keeps `wanted`."""
    return any(_is_kept(wanted, other) for other in others)


def plain(text: str) -> str:
    """Text with compatibility forms, such as full-width figures, as ordinary ones."""
    return unicodedata.normalize("NFKC", text)


def times(literal: Literal) -> set[str]:
    """The times of day that a time may be: "8:30" is in the morning or in the evening."""
    hour, minutes = int(literal.core[:2]), literal.core[3:5]
    clear = hour >= 12 or literal.written.startswith("0") or _MORNING.search(literal.written.lower())
    return {f"{value:02}:{minutes}" for value in ((hour,) if clear else (hour, hour + 12))}


def _is_kept(wanted: Literal, other: Literal) -> bool:
    if wanted.core == other.core:
        return True
    if wanted.day and other.day:
        return wanted.day.says(other.day) or (wanted.day.day > 0 and wanted.day.agrees(other.day))
    if wanted.form is Form.TIME and other.form is Form.TIME:
        return bool(times(wanted) & times(other))
    return wanted.form is Form.PHONE and _digits(wanted.core) == _digits(other.core)


def _dates(text: str) -> Iterator[tuple[Literal, int, int]]:
    for day in sorted(written(text), key=lambda day: day.start):
        yield Literal(Form.DATE, text[day.start : day.end].strip(), day.core, day), day.start, day.end


def _matches(form: Form, pattern: re.Pattern[str], text: str) -> Iterator[tuple[Literal, int, int]]:
    for match in pattern.finditer(text):
        whole = match.group().strip()
        if form in {Form.URL, Form.EMAIL, Form.TIME}:
            whole = whole.rstrip(".,;:!?")
        start = match.start() + match.group().index(whole)
        yield Literal(form, whole, _core(form, whole)), start, start + len(whole)


def _core(form: Form, written: str) -> str:
    item = written.lower()
    if form is Form.PHONE:
        return _digits(item)
    if form is Form.TIME:
        return _clock(item)
    if form is Form.ADDRESS:
        return " ".join(item.split())
    if form is Form.AMOUNT:
        item = "".join(re.findall(r"[\d.,]+", item)[:1]).strip(".,")
    grouped = re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", item)
    return item.replace(",", "") if grouped else item


def _clock(item: str) -> str:
    figures = re.findall(r"\d+", item)
    minutes = figures[1:] or (["30"] if "半" in item else ["00"])
    hour = int(figures[0])
    if hour < 12 and _AFTERNOON.search(item):
        hour += 12
    return ":".join([f"{hour:02}", *minutes])


def _digits(text: str) -> str:
    return re.sub(r"\D", "", text)
