"""Notes that near their limit are merged, rarely, and nothing that must be kept is lost on the way."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bot.memory import consolidation
from bot.memory.acceptance import Piece
from bot.memory.notes import notes_tokens
from bot.memory.portions import size
from bot.memory.summariser import Summariser
from bot.memory.tokens import TiktokenCounter
from bot.ports import Completion, Finish, Usage
from bot.records import LiteralLine, Note, NoteKind
from tests.bot.memory.talk import MEMBERS, answered, said
from tests.fakes.model import Reply, ScriptedModel

FACT = NoteKind.FACT
NOTES = (
    Note("n1", FACT, "Ann has said that she would very much like to eat more vegetables.", 1, (1,)),
    Note("n2", FACT, "Ann has said that she does not want to eat any meat at all.", 1, (4, 6)),
    Note("n5", FACT, "Bob has said that he likes to eat a lot of meat in the evening.", 2, (5,)),
    Note("n7", FACT, "Ann has said that the number of her locker at the pool is 4711.", 1, (8,)),
    Note("n8", FACT, "The weather was fine on that day, and nobody wanted to go home.", 0, (9,)),
)
MESSAGES = (
    said(20, "Well, I have bought a red bicycle, and I ride it to work each and every day of the week."),
    answered(21, "That is a fine thing to do.", 20),
)
MERGE = {"op": "merge", "notes": ["n1", "n2"], "kind": "preference", "about": 1, "text": "Ann is vegetarian."}
DROP = {"op": "drop", "note": "n8", "reason": "minor"}
ADD = {"op": "add", "kind": "fact", "about": 1, "text": "Ann has a red bicycle.", "sources": [1]}


def _answer(*operations: object) -> Completion:
    return Completion(json.dumps({"operations": operations}), Finish.STOP, "m", Usage(100, 10))


def _scripted(*answers: Completion) -> ScriptedModel:
    model = ScriptedModel("brief")
    model.script(*(Reply(answer.text, usage=answer.usage) for answer in answers))
    return model


def _piece(counter: TiktokenCounter, version: int = 4, literals: tuple[LiteralLine, ...] = ()) -> Piece:
    return Piece(NOTES, 9, MESSAGES, MEMBERS, size(MESSAGES, counter), literals, version)


def _judged(counter: TiktokenCounter, *operations: object) -> Any:
    return consolidation.judge(_answer(*operations), _piece(counter), 200, counter)


def test_a_merged_note_has_the_first_id_and_the_sources_of_all(counter: TiktokenCounter) -> None:
    verdict = _judged(counter, MERGE, DROP)
    assert verdict.notes == (
        Note("n1", NoteKind.PREFERENCE, "Ann is vegetarian.", 1, (1, 4, 6)),
        NOTES[2],
        NOTES[3],
    )
    assert verdict.dropped == (("n2", "merged"), ("n8", "minor"))
    assert verdict.next_note == 9


def test_a_literal_of_a_note_that_goes_is_kept_in_a_line(counter: TiktokenCounter) -> None:
    verdict = _judged(counter, MERGE, {"op": "drop", "note": "n7", "reason": "minor"})
    assert verdict.literals == (LiteralLine(8, 1, ("4711",)),)


def test_a_literal_that_would_be_lost_refuses_the_whole(counter: TiktokenCounter) -> None:
    drop = {"op": "drop", "note": "n7", "reason": "minor"}
    verdict = consolidation.judge(_answer(MERGE, drop), _piece(counter), 20, counter)
    assert verdict.notes is None
    assert "4711 would be lost" in verdict.reasons[0]


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ({**MERGE, "notes": ["n1", "n9"]}, "n9"),
        ({**MERGE, "notes": []}, ""),
        ({**MERGE, "notes": ["n1", "n5"]}, "different people"),
        ({**MERGE, "about": 2}, "wrong speaker"),
        ({**MERGE, "text": "Ann weighs 62 kg."}, "says 62"),
        ({**MERGE, "text": "You must serve vegetables."}, "instruction"),
        ({**MERGE, "text": "安吃素不吃肉喜歡蔬菜"}, "another language or script"),
        ({**MERGE, "text": " "}, "empty"),
        ({**MERGE, "kind": "rumour"}, "rumour"),
        ({**DROP, "note": "n9"}, "n9"),
        ({**DROP, "reason": "bored"}, "unknown reason"),
        ("merge", ""),
    ],
)
def test_a_bad_operation_is_left_out_alone(bad: Any, why: str, counter: TiktokenCounter) -> None:
    verdict = _judged(counter, bad, DROP)
    assert verdict.notes == NOTES[:4]
    assert verdict.reasons[0].startswith("operation 1: ")
    assert why in verdict.reasons[0]


@pytest.mark.parametrize(
    "completion",
    [
        _answer(),
        _answer({**MERGE, "notes": ["n2"], "text": "Ann has said that she does not want any meat at all."}),
        _answer(*({"op": "drop", "note": note.id, "reason": "minor"} for note in NOTES)),
        Completion("Ann is vegetarian.", Finish.STOP, "m"),
        Completion(_answer(MERGE).text, Finish.LENGTH, "m"),
        Completion("", Finish.STOP, "m"),
    ],
)
def test_what_is_not_worth_it_or_no_answer_changes_nothing(
    completion: Completion, counter: TiktokenCounter
) -> None:
    verdict = consolidation.judge(completion, _piece(counter), 200, counter)
    assert verdict.notes is None
    assert verdict.reasons[0].startswith("consolidation: ")


def test_it_is_rare(counter: TiktokenCounter) -> None:
    tokens = notes_tokens(NOTES, MEMBERS, counter)
    crowded, roomy = int(tokens / 0.85), int(tokens / 0.7)
    assert [consolidation.is_due(_piece(counter, n), crowded, counter) for n in (4, 5, 6, 7, 8)] == [
        True, False, False, False, True,
    ]  # fmt: skip
    assert not consolidation.is_due(_piece(counter, 4), roomy, counter)


async def test_crowded_notes_are_consolidated_in_the_same_run(counter: TiktokenCounter) -> None:
    limit = int(notes_tokens(NOTES, MEMBERS, counter) / 0.85)
    model = _scripted(_answer(MERGE, DROP), _answer(ADD))
    outcome = await Summariser(model, counter, "Memora", limit, None).fold(_piece(counter))
    notes = outcome.verdict.notes
    assert notes is not None
    assert [note.id for note in notes] == ["n1", "n5", "n7", "n9"]
    assert outcome.verdict.dropped == (("n2", "merged"), ("n8", "minor"))
    assert outcome.usage == Usage(200, 20)
    first, second = model.requests
    assert first.schema_name == "memory_merges"
    assert first.messages[0].text.endswith("\nMessages")
    assert f"at most {int(limit * 0.6)} tokens" in first.instructions
    assert "Ann is vegetarian." in second.messages[0].text


async def test_a_piece_that_finds_no_room_makes_some(counter: TiktokenCounter) -> None:
    limit = notes_tokens(NOTES, MEMBERS, counter) + 5
    model = _scripted(_answer(ADD), _answer(ADD), _answer(MERGE, DROP), _answer(ADD))
    outcome = await Summariser(model, counter, "Memora", limit, None).fold(_piece(counter, version=5))
    assert outcome.verdict.notes is not None
    assert outcome.usage == Usage(400, 40)


async def test_a_refused_consolidation_leaves_the_notes_and_is_told(counter: TiktokenCounter) -> None:
    limit = int(notes_tokens(NOTES, MEMBERS, counter) / 0.82)
    model = _scripted(_answer(), _answer(ADD))
    outcome = await Summariser(model, counter, "Memora", limit, None).fold(_piece(counter))
    assert outcome.verdict.notes is not None
    assert outcome.verdict.notes[:5] == NOTES
    assert outcome.verdict.reasons[0].startswith("consolidation: ")
