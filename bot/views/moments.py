"""Says when something was or will be, as people do."""

from __future__ import annotations

from datetime import datetime

from bot.views.words import Words


def moment(when: datetime, now: datetime, words: Words) -> str:
    """A relative time up to two days away, else the date. Both times are aware."""
    seconds = (now - when).total_seconds()
    size = abs(seconds)
    if size < 5:
        return words("just now")
    for limit, divisor, ago, ahead in (
        (60, 1, words("{n} s ago"), words("in {n} s")),
        (3600, 60, words("{n} min ago"), words("in {n} min")),
        (172_800, 3600, words("{n} h ago"), words("in {n} h")),
    ):
        if size < limit:
            return (ago if seconds > 0 else ahead).format(n=round(size / divisor))
    return f"{when:%Y-%m-%d}"
