"""Finds the statements of a scene that best match a question."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence

from bot.llm.offline.context import Scene
from bot.llm.offline.facts import Fact
from bot.llm.offline.kinds import (
    NOTABLE,
    kind_of,
    worth,
)
from bot.llm.offline.lexicon import words_for
from bot.llm.offline.script import folded
from bot.llm.offline.terms import focus_terms, question_terms, question_words
from bot.llm.offline.vocabulary import SEVERAL

# A statement must cover this share of a question's weight to be quoted.
_FLOOR = 0.5
# Statements within this share of the best are as good as it; the latest of them is quoted.
_AS_GOOD = 0.9
_CUE_WEIGHT = 0.4
# What a question is after ("What is my AIM in the exam?") weighs more than what it says around it.
_FOCUS_WEIGHT = 2.0
# Another word for the same, as "test" for "exam", counts a little less than the word itself.
_OTHER_WORD = 0.8
_MOST = 3
# Asked for these, a person wants to hear all; asked for a goal or for work, the present one.
_LISTED = SEVERAL - {"=goal", "=work"}
_OVERVIEW = 5

_OWN_MATTER = re.compile(r"\b(?:i|me|my|mine|i'm|i've|i'll|i'd)\b|我(?!们)")
_ASKS_OVERVIEW = re.compile(
    r"\b(?:know|remember|recall|told|tell|say|said|noted|talk(?:ed)?)\b|\bsummar\w+|\bwho am i\b"
    r"|知道|记得|记住|说过|说了|了解|总结|我是谁"
)


def best(question: str, scene: Scene, facts: Sequence[Fact]) -> list[Fact]:
    """The statements to quote for `question`, oldest first: mostly one, some more where people have several
    such things, none below the floor. Bot's replies and earlier questions only where no statement is found.
    """
    named = _named(question, scene)
    terms = question_terms(question) - question_terms(" ".join(named.values()))
    eligible = [fact for fact in facts if _concerns(fact, question, named, scene)]
    if not any(_is_content(term) for term in terms):
        return _overview(question, named, scene, eligible)
    weights = _weights(terms, focus_terms(question), facts)
    words = question_words(question)
    scored = [(_score(fact, weights, words), fact) for fact in eligible]
    matching = [(score, fact) for score, fact in scored if score >= _FLOOR]
    people = [pair for pair in matching if not pair[1].asks and not pair[1].line.by_bot]
    bot = [pair for pair in matching if not pair[1].asks and pair[1].line.by_bot]
    asked = [pair for pair in matching if pair[1].asks and question_terms(pair[1].text) != terms]
    return _chosen(people or bot or asked, several=bool(terms & _LISTED))


def _named(question: str, scene: Scene) -> dict[int, str]:
    """Numbers and names of the people whose names the question holds."""
    plain = folded(question)
    people = {line.speaker: line.name for line in (*scene.lines, scene.current) if line.name}
    return {number: name for number, name in people.items() if _mentions(plain, name)}


def _mentions(plain: str, name: str) -> bool:
    return bool(re.search(rf"(?<![a-z\d]){re.escape(folded(name))}(?![a-z\d])", plain))


def _concerns(fact: Fact, question: str, named: Mapping[int, str], scene: Scene) -> bool:
    """Whether a statement can be about those whom the question is about."""
    if named:
        plain = folded(fact.text)
        return fact.line.speaker in named or any(_mentions(plain, name) for name in named.values())
    if not scene.group or not _OWN_MATTER.search(folded(question)):
        return True
    name = scene.current.name
    line = fact.line
    if line.speaker == scene.current.speaker or (name and _mentions(folded(fact.text), name)):
        return True
    return not fact.personal and not (line.origin == "note" and line.speaker)


def _is_content(term: str) -> bool:
    return not term.startswith(("?", "~"))


def _weights(terms: frozenset[str], focus: frozenset[str], facts: Sequence[Fact]) -> dict[str, float]:
    """Rare terms weigh more, as in inverse document frequency (Spärck Jones, 1972); cues weigh little."""
    weights = {}
    for term in sorted(terms):
        holding = sum(fact.counts.get(term, 0.0) >= 1.0 for fact in facts)
        weight = 1.0 + math.log((len(facts) + 1) / (holding + 1))
        factor = _FOCUS_WEIGHT if term in focus else 1.0 if _is_content(term) else _CUE_WEIGHT
        weights[term] = weight * factor
    return weights


def _score(fact: Fact, weights: Mapping[str, float], words: frozenset[str]) -> float:
    if not any(_is_content(term) and fact.counts.get(term, 0.0) for term in weights):
        return 0.0
    covered = sum(weight * _count(fact, term, words) for term, weight in weights.items())
    return covered / sum(weights.values())


def _count(fact: Fact, term: str, words: frozenset[str]) -> float:
    """How far a statement counts for a term: less where it has only another word for it."""
    count = fact.counts.get(term, 0.0)
    spoken = words_for(term)
    other = bool(spoken) and not any(word in fact.counts for word in spoken & words)
    return count * _OTHER_WORD if other else count


def _chosen(scored: Sequence[tuple[float, Fact]], *, several: bool) -> list[Fact]:
    if not scored:
        return []
    top = max(score for score, _ in scored)
    good = sorted(_distinct(fact for score, fact in scored if score >= top * _AS_GOOD), key=_recency)
    return good[-_MOST:] if several else good[-1:]


def _overview(question: str, named: Mapping[int, str], scene: Scene, facts: Sequence[Fact]) -> list[Fact]:
    """What is most worth knowing of the asker or of those named, for a question that asks for no more."""
    if not _ASKS_OVERVIEW.search(folded(question)):
        return []
    people = set(named) or {scene.current.speaker}
    told = _distinct(fact for fact in facts if fact.line.speaker in people and not fact.asks)
    notable = [fact for fact in told if _worth(fact) >= NOTABLE]
    ranked = sorted(notable or told, key=lambda fact: (-_worth(fact), _recency(fact)))
    return sorted(ranked[:_OVERVIEW], key=_recency)


def _worth(fact: Fact) -> float:
    return worth(fact.line.kind or kind_of(fact.text), fact.text)


def _distinct(facts: Iterator[Fact]) -> list[Fact]:
    return list({fact.text: fact for fact in facts}.values())


def _recency(fact: Fact) -> tuple[int, int, int]:
    return fact.order
