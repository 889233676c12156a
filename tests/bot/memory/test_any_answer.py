"""Whatever a summariser answers, it is judged: nothing breaks, and what stands holds to the rules."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.memory.acceptance import Piece, judge
from bot.memory.grounding import Said, missing
from bot.memory.notes import notes_tokens
from bot.memory.tokens import TiktokenCounter
from bot.ports import Completion, Finish
from bot.records import Note, NoteKind
from tests.bot.memory.talk import MEMBERS, answered, said

MESSAGES = (
    said(11, "The exam is on the 18th, room B-204, and my aim is 850. I live near the harbour now."),
    answered(12, "I keep that in mind: the exam on the 18th in room B-204, and your aim of 850.", 11),
    said(15, "And I would rather sit at the window than at the door of that room, if I may.", by=2),
)
NOTES = (
    Note("n1", NoteKind.FACT, "The shop opens at 09:00", 1, (3,)),
    Note("n2", NoteKind.QUESTION, "Where is the harbour?", 2, (4, 5)),
)
PIECE = Piece(NOTES, 3, MESSAGES, MEMBERS, 120)
LIMIT = 80

odd = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
texts = st.sampled_from(["The aim is 850", "Bob likes the window", "The aim is 900", "", "Room B-204"])
sensible = {
    "op": st.sampled_from(["add", "revise", "drop"]),
    "note": st.sampled_from(["n1", "n2", "n9"]),
    "kind": st.sampled_from([*NoteKind, "rumour"]),
    "about": st.integers(0, 3),
    "text": texts | st.text(max_size=40),
    "sources": st.lists(st.integers(0, 4), max_size=3),
    "reason": st.sampled_from(["superseded", "resolved", "minor", "bored"]),
}
operations = st.fixed_dictionaries({}, optional={key: value | odd for key, value in sensible.items()})
answers = st.lists(st.fixed_dictionaries(sensible) | operations | odd, max_size=5)


def _judged(text: str, counter: TiktokenCounter) -> None:
    verdict = judge(Completion(text, Finish.STOP, "m"), PIECE, LIMIT, counter)
    if verdict.notes is None:
        assert verdict.reasons
        return
    assert notes_tokens(verdict.notes, MEMBERS, counter, verdict.literals) == verdict.tokens <= LIMIT
    ids = [note.id for note in verdict.notes]
    assert len(set(ids)) == len(ids)
    assert all(int(name[1:]) < verdict.next_note for name in ids)
    known = {message.id: message for message in MESSAGES}
    for note in verdict.notes:
        if note in NOTES:
            continue
        fresh = [known[source] for source in note.sources if source in known]
        assert fresh
        old = next((before for before in NOTES if before.id == note.id), None)
        assert set(note.sources) == {*(message.id for message in fresh), *(old.sources if old else ())}
        words: list[Said] = [(message.text, message.sent_at) for message in fresh]
        assert missing(note.text, [*words, (old.text if old else "", None)]) == set()


@given(answers)
def test_any_operations_are_judged(counter: TiktokenCounter, answer: list[Any]) -> None:
    _judged(json.dumps({"operations": answer}), counter)


@given(odd)
def test_any_json_is_judged(counter: TiktokenCounter, answer: Any) -> None:
    _judged(json.dumps(answer), counter)


@given(st.text(max_size=200))
def test_any_text_is_judged(counter: TiktokenCounter, answer: str) -> None:
    _judged(answer, counter)


@pytest.mark.parametrize(
    "answer",
    [
        "[" * 100_000,
        '{"operations": ' * 100_000,
        '{"operations": [{"op": "add", "kind": "fact", "about": 1, "text": "x", "sources": [1e999]}]}',
        '{"operations": [{"op": "add", "kind": "fact", "about": 1e999, "text": "x", "sources": [1]}]}',
        '{"operations": [{"op": "add", "kind": "fact", "about": 1, "text": "x", "sources": ['
        + "9" * 5000
        + "]}]}",
        '{"operations": [{"op": "revise", "note": [], "kind": {}, "about": [], "text": [], "sources": {}}]}',
        "\x00" * 100,
        "```json\n" + "\n" * 100_000,
        "n" * 100_000,
        "n-" * 100_000,
        "n@" * 100_000,
    ],
    ids=range(11),
)
def test_the_oddest_answers_are_judged(counter: TiktokenCounter, answer: str) -> None:
    _judged(answer, counter)
