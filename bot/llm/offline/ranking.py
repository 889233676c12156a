"""Finds the statements of a scene that best match a question."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.llm.offline.context import Line, Scene
from bot.llm.offline.corrections import Claim, corrected, marked
from bot.llm.offline.kinds import (
    NOTABLE,
    courtesy,
    is_question,
    is_request,
    kind_of,
    worth,
)
from bot.llm.offline.phrases import is_own
from bot.llm.offline.script import folded
from bot.llm.offline.sentences import statements
from bot.llm.offline.terms import question_terms, statement_terms
from bot.llm.offline.vocabulary import SEVERAL

# A statement must cover this share of a question's weight to be quoted.
_FLOOR = 0.5
# Statements within this share of the best are as good as it; the latest of them is quoted.
_AS_GOOD = 0.9
_CUE_WEIGHT = 0.4
# How far a term counts that stands in a neighbouring sentence, is only hinted at, or is taken over from
# what a correction corrects.
_NEIGHBOUR = 0.5
_HINT = 0.6
_INHERITED = 0.8
_MOST = 3
_OVERVIEW = 5

_OWN_MATTER = re.compile(r"\b(?:i|me|my|mine|i'm|i've|i'll|i'd)\b|我(?!们)")
_ASKS_OVERVIEW = re.compile(
    r"\b(?:know|remember|recall|told|tell|say|said|noted|talk(?:ed)?)\b|\bsummar\w+|\bwho am i\b"
    r"|知道|记得|记住|说过|说了|了解|总结|我是谁"
)


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement that can be quoted. `counts` says how far it counts for each of its terms, 0 to 1.

    `order` grows with recency; `asks`: it is a question or request; `outdated`: a later one corrects it.
    """

    text: str
    line: Line
    order: tuple[int, int, int]
    counts: Mapping[str, float]
    asks: bool
    claim: Claim
    outdated: bool = False


def facts_of(scene: Scene) -> list[Fact]:
    """Every statement of a scene, oldest first; corrections are linked to what they correct."""
    facts: list[Fact] = []
    for index, line in enumerate(scene.lines):
        if line.by_bot and is_own(line.text):
            continue
        units = [line.text] if line.origin == "note" else statements(line.text)
        shown = _counts(units)
        for unit, counts, is_marked in zip(units, shown, marked(units), strict=True):
            if courtesy(unit):
                continue
            asks = line.kind == "question" or is_question(unit) or is_request(unit)
            fact = Fact(unit, line, _order(index, line), counts, asks, Claim.of(unit, line.speaker))
            correcting = is_marked and not asks and line.origin != "note" and not line.by_bot
            facts.append(_linked(fact, facts) if correcting else fact)
    return facts


def best(question: str, scene: Scene, facts: Sequence[Fact]) -> list[Fact]:
    """The statements to quote for `question`, oldest first: mostly one, some more where people have several
    such things, none below the floor. Bot's replies and earlier questions only where no statement is found.
    """
    named = _named(question, scene)
    terms = question_terms(question) - question_terms(" ".join(named.values()))
    eligible = [fact for fact in facts if not fact.outdated and _concerns(fact, question, named, scene)]
    if not any(_is_content(term) for term in terms):
        return _overview(question, named, scene, eligible)
    weights = _weights(terms, facts)
    scored = [(_score(fact, weights), fact) for fact in eligible]
    matching = [(score, fact) for score, fact in scored if score >= _FLOOR]
    people = [pair for pair in matching if not pair[1].asks and not pair[1].line.by_bot]
    bot = [pair for pair in matching if not pair[1].asks and pair[1].line.by_bot]
    asked = [pair for pair in matching if pair[1].asks and question_terms(pair[1].text) != terms]
    return _chosen(people or bot or asked, several=bool(terms & SEVERAL))


def _counts(units: Sequence[str]) -> list[dict[str, float]]:
    own = [statement_terms(unit) for unit in units]
    everything = frozenset().union(*own)
    shown = []
    for terms in own:
        counts = dict.fromkeys(everything, _NEIGHBOUR) | dict.fromkeys(terms, 1.0)
        if "~name" in terms and "=name" not in terms:
            counts["=name"] = _HINT
        shown.append(counts)
    return shown


def _order(index: int, line: Line) -> tuple[int, int, int]:
    """Notes are older than what is verbatim; among notes a correction is the newest word."""
    return (int(line.origin != "note"), int(line.kind == "correction"), index)


def _linked(correction: Fact, facts: list[Fact]) -> Fact:
    """The correction with the terms of what it corrects, which is marked as outdated in `facts`."""
    places = [
        place for place, fact in enumerate(facts) if not (fact.asks or fact.line.by_bot or fact.outdated)
    ]
    target = corrected(correction.claim, [facts[place].claim for place in places])
    if target is None:
        return correction
    old = facts[places[target]]
    facts[places[target]] = replace(old, outdated=True)
    inherited = {term: credit * _INHERITED for term, credit in old.counts.items()}
    return replace(correction, counts={**inherited, **correction.counts})


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
    own = fact.line.speaker == scene.current.speaker
    return own or not fact.claim.personal or bool(name and _mentions(folded(fact.text), name))


def _is_content(term: str) -> bool:
    return not term.startswith(("?", "~"))


def _weights(terms: frozenset[str], facts: Sequence[Fact]) -> dict[str, float]:
    """Rare terms weigh more, as in inverse document frequency (Spärck Jones, 1972); cues weigh little."""
    weights = {}
    for term in sorted(terms):
        holding = sum(fact.counts.get(term, 0.0) >= 1.0 for fact in facts)
        weight = 1.0 + math.log((len(facts) + 1) / (holding + 1))
        weights[term] = weight if _is_content(term) else weight * _CUE_WEIGHT
    return weights


def _score(fact: Fact, weights: Mapping[str, float]) -> float:
    if not any(_is_content(term) and fact.counts.get(term, 0.0) for term in weights):
        return 0.0
    covered = sum(weight * fact.counts.get(term, 0.0) for term, weight in weights.items())
    return covered / sum(weights.values())


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
