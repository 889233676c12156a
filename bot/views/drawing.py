"""Draws gauges with block characters, for every face that shows monospaced text."""

from __future__ import annotations

from bot.views.model import Gauge

_FILLS = "█▓▒░▞▚"
_FREE = "·"


def fill(index: int) -> str:
    """The character that stands for segment `index` in bar and legend."""
    return _FILLS[index % len(_FILLS)]


def bar(gauge: Gauge, width: int = 32) -> str:
    """The gauge as `width` characters: each segment by its share of the capacity, then what is free.

    A segment above zero gets at least one character; an overfull gauge is scaled to its own sum.
    """
    whole = max(gauge.capacity, gauge.used, 1)
    cells = [max(1, round(s.amount * width / whole)) if s.amount > 0 else 0 for s in gauge.segments]
    while sum(cells) > width:
        cells[cells.index(max(cells))] -= 1
    drawn = "".join(fill(index) * count for index, count in enumerate(cells))
    return drawn + _FREE * (width - len(drawn))


def legend(gauge: Gauge) -> list[tuple[str, str, str]]:
    """Rows of (character, label, amount) for the segments; amounts have thousands separators."""
    return [
        (fill(index), segment.label, f"{segment.amount:,}") for index, segment in enumerate(gauge.segments)
    ]
