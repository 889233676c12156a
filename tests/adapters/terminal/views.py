"""Views with something of everything in them."""

from __future__ import annotations

from bot.messages import CommandCall
from bot.views.model import Action, Fields, Gauge, Item, Items, Paragraph, Segment, View

GAUGE = Gauge(
    (Segment("persona", 120), Segment("summary", 1210), Segment("recent", 2105), Segment("current", 35)),
    8000,
    "tokens",
)

CONTEXT = View(
    "context",
    "Context of the last answer",
    (
        GAUGE,
        Fields((("Model", "gpt-5-mini"), ("Reported by the provider", "3,481"))),
        Fields((("Waiting", "14 messages\nuntil noon"),)),
    ),
)

SUMMARY = View(
    "summary",
    "Summary",
    (
        Paragraph("74 messages\nin 12 versions"),
        Items((Item("The exam is on 18 July.", "#1, #7"), Item("考試目標八百五十分，聽力較弱。")), "Notes"),
        Items((Item("one\ntwo"),)),
    ),
)

RESET = View(
    "reset",
    "Erase this conversation?",
    (Paragraph("88 messages are erased for good."),),
    (
        Action("Yes, erase everything", CommandCall("reset", "confirm 3"), danger=True),
        Action("Keep it", CommandCall("reset", "cancel")),
    ),
    "warning",
)

ERROR = View(
    "unreachable",
    "The model can't be reached",
    (Paragraph("Is the server running?"), Paragraph("Try again later.")),
    (),
    "error",
)

ALL = (CONTEXT, SUMMARY, RESET, ERROR)
