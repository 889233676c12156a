"""The vocabulary of views: an adapter draws these and nothing else.

All texts are plain: an adapter escapes whatever its platform would read as markup.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from bot.messages import CommandCall


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text; line breaks are kept."""

    text: str


@dataclass(frozen=True, slots=True)
class Fields:
    """Labels with values, one pair a line."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a gauge."""

    label: str
    amount: int


@dataclass(frozen=True, slots=True)
class Gauge:
    """Amounts of one whole: drawn as a bar of `capacity`, with a legend of its segments and their sum."""

    segments: tuple[Segment, ...]
    capacity: int
    unit: str

    @property
    def used(self) -> int:
        """Sum of the segments."""
        return sum(segment.amount for segment in self.segments)


@dataclass(frozen=True, slots=True)
class Item:
    """A line of a list. `detail` is secondary: source, date, speaker."""

    text: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Items:
    """A list under an optional heading."""

    items: tuple[Item, ...]
    heading: str = ""


Block = Paragraph | Fields | Gauge | Items


@dataclass(frozen=True, slots=True)
class Action:
    """A button. Pressing it is the same as giving `command` (name and argument: at most 60 bytes)."""

    label: str
    command: CommandCall
    danger: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """A card. `kind` is a stable word for machines ("summary", "context", "error", ...)."""

    kind: str
    title: str
    blocks: Sequence[Block] = ()
    actions: tuple[Action, ...] = ()
    tone: Literal["plain", "warning", "error"] = "plain"
