"""What is said in a benchmark: a conversation from a file, or one that is made up."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count, cycle
from pathlib import Path

_SUBJECTS = (
    "the garden",
    "my new bicycle",
    "our trip to the coast",
    "the choir",
    "her exam",
    "the old kitchen",
)
_FACTS = (
    "I paid {a} euros for {subject} on the {d}th of May and kept the receipt {code}.",
    "We talked about {subject} again, and I think that it needs another {a} minutes each week.",
    "My cousin says that {subject} was much better {d} years ago, when nobody hurried.",
    "Please remember that {subject} must be finished before {h}:30, otherwise we lose {a} points.",
    "I don't know yet what to do about {subject}; the weather was bad and everybody went home early.",
)


def lines(data: Path | None) -> Iterator[str]:
    """Endless lines of people: those of the file's conversations one after another, or made-up ones."""
    return _recorded(data) if data else _made_up()


def _recorded(data: Path) -> Iterator[str]:
    samples = [sample["conversation"] for sample in json.loads(data.read_text(encoding="utf-8"))]
    spoken = [
        f"{turn['speaker']}: {turn['text']}"
        for sample in samples
        for name, session in sample.items()
        if name.startswith("session_") and isinstance(session, list)
        for turn in session
    ]
    return cycle(spoken)


def _made_up() -> Iterator[str]:
    for number in count(1):
        fact = _FACTS[number % len(_FACTS)]
        yield fact.format(
            a=number * 7 % 400 + 20,
            d=number % 27 + 2,
            h=number % 12 + 8,
            code=f"R-{number * 7919 % 100000:05d}",
            subject=_SUBJECTS[number // 12 % len(_SUBJECTS)],
        )
