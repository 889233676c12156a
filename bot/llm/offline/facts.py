"""Takes a scene apart into statements that can be quoted, and drops what later ones correct."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.llm.offline.context import Line, Scene
from bot.llm.offline.corrections import Claim, corrected, marked
from bot.llm.offline.kinds import courtesy, is_question, is_request
from bot.llm.offline.phrases import is_own
from bot.llm.offline.sentences import clauses, statements
from bot.llm.offline.terms import statement_terms

# How far a term counts that stands in a neighbouring sentence, is only hinted at, or is taken over from
# what a correction corrects.
_NEIGHBOUR = 0.5
_HINT = 0.6
_INHERITED = 0.8


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement that can be quoted. `counts` says how far it counts for each of its terms, 0 to 1.

    `order` grows with recency; `asks`: it is a question or request; `claims`: its clauses, as far as
    corrections go.
    """

    text: str
    line: Line
    order: tuple[int, int, int]
    counts: Mapping[str, float]
    asks: bool
    claims: tuple[Claim, ...]

    @property
    def personal(self) -> bool:
        """Whether any of it is in the first person."""
        return any(claim.personal for claim in self.claims)


def facts_of(scene: Scene) -> list[Fact]:
    """Every statement of a scene, oldest first, without what later ones correct.

    A correction counts for what it corrects too: "Sorry, the 19th." is then about the exam.
    """
    facts: list[Fact] = []
    for index, line in enumerate(scene.lines):
        if line.by_bot and is_own(line.text):
            continue
        units = [line.text] if line.origin == "note" else statements(line.text)
        for unit, counts, is_marked in zip(units, _counts(units), marked(units), strict=True):
            if courtesy(unit):
                continue
            asks = line.kind == "question" or is_question(unit) or is_request(unit)
            fact = Fact(unit, line, _order(index, line), counts, asks, _claims(unit, line))
            correcting = is_marked and not asks and line.origin != "note" and not line.by_bot
            facts.append(_linked(fact, facts) if correcting else fact)
    return facts


def _claims(unit: str, line: Line) -> tuple[Claim, ...]:
    return tuple(Claim.of(clause, line.speaker) for clause in clauses(unit))


def _counts(units: Sequence[str]) -> list[dict[str, float]]:
    own = [statement_terms(unit) for unit in units]
    everything = frozenset().union(*own)
    shown = []
    for terms in own:
        counts = dict.fromkeys(everything, _NEIGHBOUR) | dict.fromkeys(terms, 1.0)
        if "~self" in terms and "=self" not in terms:
            counts["=self"] = _HINT
        shown.append(counts)
    return shown


def _order(index: int, line: Line) -> tuple[int, int, int]:
    """Notes are older than what is verbatim; among notes a correction is the newest word."""
    return (int(line.origin != "note"), int(line.kind == "correction"), index)


def _linked(correction: Fact, facts: list[Fact]) -> Fact:
    """The correction with the terms of what it corrects, which is taken out of `facts`."""
    places = [
        (place, claim)
        for place, fact in enumerate(facts)
        if not (fact.asks or fact.line.by_bot)
        for claim in fact.claims
    ]
    whole = Claim.of(correction.text, correction.line.speaker)
    target = corrected(whole, [claim for _, claim in places])
    if target is None:
        return correction
    place, outdated = places[target]
    facts[place : place + 1] = _without(facts[place], outdated)
    inherited = dict.fromkeys(statement_terms(outdated.text), _INHERITED)
    return replace(correction, counts={**inherited, **correction.counts})


def _without(fact: Fact, outdated: Claim) -> list[Fact]:
    """What is left of a statement when one of its clauses is out of date."""
    left = [claim for claim in fact.claims if claim is not outdated]
    counted = zip(left, _counts([claim.text for claim in left]), strict=True)
    return [replace(fact, text=claim.text, counts=counts, claims=(claim,)) for claim, counts in counted]
