"""The terminal's colours: each is about as far from black as from white, so both backgrounds do."""

from __future__ import annotations

from rich.theme import Theme

MUTED = "#767676"
BLUE = "#3c7dc4"
TEAL = "#1f8a84"
GREEN = "#4b8b3b"
AMBER = "#b0701a"
VIOLET = "#9064c2"
RED = "#d0453f"
ROSE = "#b8568c"

# Neighbours in a gauge differ clearly, also for people who don't tell red from green.
GAUGE = (BLUE, AMBER, TEAL, VIOLET, GREEN, ROSE)

TONES = {"plain": BLUE, "warning": AMBER, "error": RED}

_STYLES = {
    "muted": MUTED,
    "accent": BLUE,
    "danger": RED,
    "markdown.code": TEAL,
    "markdown.code_block": "none",
    "markdown.block_quote": MUTED,
    "markdown.list": "none",
    "markdown.item.bullet": BLUE,
    "markdown.item.number": BLUE,
    "markdown.hr": MUTED,
    "markdown.link": "none",
    "markdown.link_url": f"underline {BLUE}",
    "markdown.table.border": MUTED,
    "markdown.table.header": "bold",
    "markdown.h1": f"bold {BLUE}",
    "markdown.h2": f"bold {BLUE}",
    "markdown.h3": "bold",
    "markdown.h4": "bold",
    "markdown.h5": "bold",
    "markdown.h6": "bold",
}


def theme() -> Theme:
    """The styles that answers and views are drawn with."""
    return Theme(_STYLES)
