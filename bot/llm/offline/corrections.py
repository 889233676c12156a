"""Recognises corrections, and finds what they correct."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bot.llm.offline.kinds import is_personal, is_question
from bot.llm.offline.script import folded
from bot.llm.offline.terms import cues, figures, statement_terms, subject_terms
from bot.llm.offline.vocabulary import SEVERAL
from bot.llm.offline.wording import pair, replaced, topic

# A correction without a subject of its own ("sorry, the 19th") can mean one of so many statements before it.
_REACH = 6
# So much of the shorter text's subjects must be shared where the texts don't name a topic.
_LIKE = 0.5
_VALUES = frozenset({"?date", "?time", "?number"})

_MARK = re.compile(
    r"\bcorrection\b|\bi (?:was|got (?:it|that)) wrong\b|\bi (?:meant|misspoke|misremembered)\b"
    r"|\bmy mistake\b|\bactually\b|\bin fact\b|^(?:no|oops|sorry|wait)[,.!:]+\s"
    r"|^(?:sorry|oops|no|wait) (?:it's|it is|it was|that's|not|i meant|my|our|the)\b"
    r"|\bnot\b.{1,40}\bbut\b|,\s*(?:and\s+)?not\s+\w|\binstead of\b|\brather than\b"
    r"|\b(?:moved|changed|postponed|rescheduled|pushed|switched|brought forward)\b.*\bto\b"
    r"|\bno longer\b|\bany ?more\b|\bcalled off\b|\bcancell?ed\b"
    r"|更正|纠正|[说记写搞弄讲]错|不是.+是|是.+不是|改[成到为在]|改期|延[到期至]|提前到|其实|不对|才对|不再|取消"
)
_END_OF_IT = re.compile(r"\bno longer\b|\bany ?more\b|\bcancell?ed\b|\bcalled off\b|不再|取消")


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement as far as corrections go. `speaker` is a person's number, 0 where it isn't known.

    `subjects` is what it is about, `topic` the part of that before "is"; `shown` the kinds of information
    it holds.
    """

    text: str
    speaker: int
    subjects: frozenset[str]
    topic: frozenset[str]
    figures: frozenset[str]
    shown: frozenset[str]
    personal: bool

    @classmethod
    def of(cls, text: str, speaker: int) -> Claim:
        """Read a statement."""
        about = topic(text)
        return cls(
            text,
            speaker,
            subject_terms(text),
            subject_terms(about) | figures(about),
            figures(text),
            cues(statement_terms(text)),
            is_personal(text),
        )


def is_correction(sentence: str) -> bool:
    """Whether a sentence reads like a correction. What it corrects decides whether it is one."""
    return bool(_MARK.search(folded(sentence).strip())) and not is_question(sentence)


def marked(units: Sequence[str]) -> list[bool]:
    """Which statements of a message read like corrections: "Sorry, I got it wrong." marks the next one."""
    found: list[bool] = []
    carried = False
    for unit in units:
        own = is_correction(unit)
        found.append(own or carried)
        carried = own and not subject_terms(unit) and not figures(unit)
    return found


def corrected(correction: Claim, earlier: Sequence[Claim]) -> int | None:
    """Index of the statement in `earlier` (oldest first) that `correction` corrects, None for none."""
    candidates = [(place, claim) for place, claim in enumerate(earlier) if _same_voice(correction, claim)]
    contrast = pair(correction.text)
    likenesses = [(_likeness(correction, claim, contrast), place) for place, claim in candidates]
    likeness, place = max(likenesses, default=(0.0, 0))
    if likeness:
        return place
    if correction.subjects or not correction.shown:
        return None
    near = [place for place, claim in candidates[-_REACH:] if correction.shown <= claim.shown]
    return near[-1] if near else None


def supersedes(new: Claim, old: Claim) -> bool:
    """Whether `new`, without saying so, gives another figure for the very same thing as `old`."""
    same = new.topic == old.topic != frozenset() and _same_voice(new, old)
    return same and bool(new.figures) and bool(old.figures) and new.figures != old.figures


def _same_voice(correction: Claim, claim: Claim) -> bool:
    return correction.speaker == claim.speaker or not (claim.personal or correction.personal)


def _likeness(correction: Claim, claim: Claim, contrast: tuple[str, str] | None) -> float:
    if contrast and replaced(claim.text, *contrast):
        return 3.0
    if not _comparable(correction, claim):
        return 0.0
    if correction.topic and claim.topic:
        nested = correction.topic <= claim.topic or claim.topic <= correction.topic
        common = len(correction.topic & claim.topic) / len(correction.topic | claim.topic)
        return 1.0 + common if nested else 0.0
    subjects, about = correction.subjects - SEVERAL, claim.subjects - SEVERAL
    shared = subjects & about
    if not shared:
        return 0.0
    likeness = len(shared) / min(len(subjects), len(about))
    close = len(shared) >= 2 or bool(correction.shown & claim.shown & _VALUES)
    return likeness if close and likeness >= _LIKE else 0.0


def _comparable(correction: Claim, claim: Claim) -> bool:
    """A figure is only replaced by a figure, or by the end of the whole matter."""
    return not claim.figures or bool(correction.figures or _END_OF_IT.search(folded(correction.text)))
