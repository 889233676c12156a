"""Code accepts a summary, not the model."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from bot.memory.acceptance import Piece, judge
from bot.memory.tokens import TiktokenCounter
from bot.ports import Completion, Finish
from bot.records import Note, NoteKind
from tests.bot.memory.talk import MEMBERS, answered, said

MESSAGES = (
    said(1, "My exam is on the 18th next month and my aim is 850, please remember both of these well."),
    answered(2, "I will keep both the date of your exam and your aim in mind from now on.", 1),
    said(3, "My sister Mia lives in the small house beside the old harbour, right at the water."),
)
OLD = Note("n1", NoteKind.FACT, "The shop opens at 09:00.", 1, (0,))
PIECE = Piece((OLD,), 2, MESSAGES, MEMBERS, 90)
GOOD = {"op": "add", "kind": "goal", "about": 1, "text": "The aim is 850.", "sources": [1]}


def _completion(*operations: object, finish: Finish = Finish.STOP) -> Completion:
    return Completion(json.dumps({"operations": operations}), finish, "m")


def test_good_edits_leave_every_other_note_as_it_is(counter: TiktokenCounter) -> None:
    verdict = judge(_completion(GOOD), PIECE, 500, counter)
    assert verdict.notes is not None
    assert verdict.notes[0] is OLD
    assert verdict.notes[1] == Note("n2", NoteKind.GOAL, "The aim is 850.", 1, (1,))
    assert verdict.next_note == 3
    assert verdict.reasons == ()


def test_a_revised_note_keeps_its_id_and_gathers_sources(counter: TiktokenCounter) -> None:
    revise = {**GOOD, "op": "revise", "note": "n1", "text": "The shop opens at 09:00, the aim is 850."}
    verdict = judge(_completion(revise), PIECE, 500, counter)
    assert verdict.notes == (
        Note("n1", NoteKind.GOAL, "The shop opens at 09:00, the aim is 850.", 1, (0, 1)),
    )


def test_a_dropped_notes_id_is_not_given_again(counter: TiktokenCounter) -> None:
    drop = {"op": "drop", "note": "n1", "reason": "superseded", "sources": [1]}
    verdict = judge(_completion(drop, GOOD), PIECE, 500, counter)
    assert verdict.notes is not None
    assert [note.id for note in verdict.notes] == ["n2"]


@pytest.mark.parametrize("finish", [Finish.LENGTH, Finish.FILTER, Finish.TOOL, Finish.REFUSAL])
def test_an_unfinished_answer_is_refused_however_good_it_looks(
    finish: Finish, counter: TiktokenCounter
) -> None:
    verdict = judge(_completion(GOOD, finish=finish), PIECE, 500, counter)
    assert verdict.notes is None
    assert verdict.reasons


@pytest.mark.parametrize("text", ["", "  \n", '{"operations": []}'])
def test_nothing_is_refused_where_there_would_be_no_notes(text: str, counter: TiktokenCounter) -> None:
    verdict = judge(Completion(text, Finish.STOP, "m"), replace(PIECE, notes=()), 500, counter)
    assert verdict.notes is None


def test_small_talk_may_add_nothing_to_present_notes(counter: TiktokenCounter) -> None:
    verdict = judge(_completion(), PIECE, 500, counter)
    assert verdict.notes == (OLD,)


def test_an_invented_number_drops_its_note_alone(counter: TiktokenCounter) -> None:
    invented = {**GOOD, "text": "The aim is 990."}
    verdict = judge(_completion(invented, GOOD), PIECE, 500, counter)
    assert verdict.notes is not None
    assert [note.text for note in verdict.notes] == [OLD.text, "The aim is 850."]
    assert "990" in verdict.reasons[0]


def test_a_run_in_which_nothing_stands_is_refused(counter: TiktokenCounter) -> None:
    verdict = judge(_completion({**GOOD, "text": "The aim is 990."}), PIECE, 500, counter)
    assert verdict.notes is None
    assert "990" in verdict.reasons[0]


def test_notes_over_their_limit_are_refused(counter: TiktokenCounter) -> None:
    verdict = judge(_completion(GOOD), PIECE, 20, counter)
    assert verdict.notes is None
    assert "more than 20" in verdict.reasons[0]


def test_notes_that_repeat_their_input_are_refused(counter: TiktokenCounter) -> None:
    echo = [
        {"op": "add", "kind": "event", "about": 1, "text": message.text, "sources": [place]}
        for place, message in enumerate(MESSAGES, start=1)
    ]
    verdict = judge(_completion(*echo), PIECE, 500, counter)
    assert verdict.notes is None
    assert "repeats the messages" in verdict.reasons[0]
