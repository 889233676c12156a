"""Notices that a conversation has turned to another topic, by the words that it uses.

Lexical cohesion between the turns before and after a gap, after Hearst, "TextTiling: Segmenting Text into
Multi-paragraph Subtopic Passages", Computational Linguistics 23(1), 1997.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

from bot.memory.turns import Turn

_WORD = re.compile(r"[^\W\d_]{4,}|\d{3,}")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_STEM = 6
# How many turns on each side of a gap are compared, and how many a topic needs to be one.
_BLOCK = 6
_LEAST_BEFORE = 3
_LEAST_AFTER = 2
# Sides this alike or more speak of one thing; each side must hold together at least this much itself.
_APART = 0.05
_TOGETHER = 0.12


def shifted(turns: Sequence[Turn]) -> bool:
    """Whether the last few turns speak of something else than those before them.

    Careful rather than quick: both sides must hold together and share next to nothing.
    """
    vectors = [terms(" ".join(message.text for message in turn)) for turn in turns[-2 * _BLOCK :]]
    for gap in range(_LEAST_BEFORE, len(vectors) - _LEAST_AFTER + 1):
        before, after = vectors[max(gap - _BLOCK, 0) : gap], vectors[gap:]
        apart = cosine(sum(before, Counter()), sum(after, Counter())) < _APART
        if apart and _cohesion(before) >= _TOGETHER and _cohesion(after) >= _TOGETHER:
            return True
    return False


def terms(text: str) -> Counter[str]:
    """Longer words by their first letters (which is a stem of a kind), and pairs of CJK characters."""
    lowered = text.lower()
    words = [word[:_STEM] for word in _WORD.findall(_CJK.sub(" ", lowered))]
    pairs = [run[at : at + 2] for run in _CJK.findall(lowered) for at in range(len(run) - 1)]
    return Counter(words + pairs)


def cosine(one: Counter[str], other: Counter[str]) -> float:
    """Cosine of two term vectors, 0 to 1; 0 where one is empty."""
    shared = sum(count * other[term] for term, count in one.items())
    lengths = math.hypot(*one.values()) * math.hypot(*other.values())
    return shared / lengths if lengths else 0.0


def _cohesion(vectors: Sequence[Counter[str]]) -> float:
    """How alike neighbouring turns are, at their best: one that is off the topic doesn't count against it."""
    pairs = [cosine(one, other) for at, one in enumerate(vectors) for other in vectors[at + 1 :]]
    return max(pairs, default=0.0)
