"""Order numbers, dates, addresses and the like of folded messages outlive them, in a note or in a line."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bot.memory.acceptance import Piece, Verdict, judge
from bot.memory.keeping import Change, fitted, lines_after
from bot.memory.notes import lines, notes_tokens
from bot.memory.portions import size
from bot.memory.tokens import TiktokenCounter
from bot.messages import Message
from bot.ports import Completion, Finish
from bot.records import LiteralLine, Note, NoteKind
from tests.bot.memory.talk import MEMBERS, answered, said

FILLER = " This is said at some length, so that it can be told in fewer words than these."
ORDER = said(1, "My order is AB-4711 and it costs 1,299.50 euros, on 3 shelves." + FILLER)
CALL = said(2, "Call me at 0912-345-678 on the 18th at 8pm." + FILLER, by=2)
ANSWER = answered(3, "I will call the office 5550199 for you." + FILLER, 2)


def _judged(
    counter: TiktokenCounter,
    messages: tuple[Message, ...],
    *operations: dict[str, Any],
    notes: tuple[Note, ...] = (),
    literals: tuple[LiteralLine, ...] = (),
    limit: int = 600,
) -> Verdict:
    piece = Piece(notes, 5, messages, MEMBERS, size(messages, counter), literals)
    answer = Completion(json.dumps({"operations": operations}), Finish.STOP, "m")
    verdict = judge(answer, piece, limit, counter)
    assert verdict.notes is not None, verdict.reasons
    return verdict


def _add(text: str, *sources: int, about: int = 1, kind: str = "fact") -> dict[str, Any]:
    return {"op": "add", "kind": kind, "about": about, "text": text, "sources": list(sources)}


def test_what_no_note_holds_goes_into_the_line_of_its_message(counter: TiktokenCounter) -> None:
    verdict = _judged(counter, (ORDER, CALL, ANSWER), _add("The order is AB-4711.", 1))
    assert verdict.literals == (
        LiteralLine(1, 1, ("1,299.50 euros",)),
        LiteralLine(2, 2, ("18th", "8pm", "0912-345-678")),
    )
    assert verdict.notes is not None
    assert verdict.tokens == notes_tokens(verdict.notes, MEMBERS, counter, verdict.literals)


def test_lines_are_told_after_the_notes_as_quoted_data() -> None:
    told = lines((), MEMBERS, (LiteralLine(1, 1, ('a"7', "4711")), LiteralLine(2, 0, ("5",))))
    assert told == '- #1 Ann said: "a\\"7", "4711"\n- said: "5"'


def test_lines_carry_over_and_a_literal_that_comes_up_again_refreshes_its_line(
    counter: TiktokenCounter,
) -> None:
    old = (LiteralLine(8, 1, ("4711",)), LiteralLine(9, 2, ("X-77",)))
    again = said(20, "Where is 4711 now? I wait for it since days, and nobody knows." + FILLER)
    verdict = _judged(counter, (again,), _add("Ann waits for the parcel.", 1), literals=old)
    assert verdict.literals == (LiteralLine(9, 2, ("X-77",)), LiteralLine(8, 1, ("4711",)))


def test_a_line_gives_way_to_a_note(counter: TiktokenCounter) -> None:
    old = (LiteralLine(8, 1, ("4711", "X-77")),)
    again = said(20, "My order 4711 has come." + FILLER)
    verdict = _judged(counter, (again,), _add("The order 4711 has come.", 1), literals=old)
    assert verdict.literals == (LiteralLine(8, 1, ("X-77",)),)


def test_what_was_corrected_gets_no_line(counter: TiktokenCounter) -> None:
    wrong = said(1, "My exam is on the 18th, my seat is B-204." + FILLER)
    right = said(2, "Sorry, I was wrong, it is on the 20th." + FILLER)
    correction = _add("The exam is on the 20th.", 1, 2, kind="correction")
    verdict = _judged(counter, (wrong, right), correction)
    assert verdict.literals == (LiteralLine(1, 1, ("B-204",)),)


def test_a_minor_note_leaves_its_literals(counter: TiktokenCounter) -> None:
    note = Note("n1", NoteKind.FACT, "The locker is 4711.", 1, (4,))
    for reason, kept in (("minor", (LiteralLine(4, 1, ("4711",)),)), ("superseded", ())):
        drop = {"op": "drop", "note": "n1", "reason": reason, "sources": []}
        plain = said(20, "I like tea." + FILLER)
        verdict = _judged(counter, (plain,), drop, _add("Likes tea.", 1), notes=(note,))
        assert verdict.literals == kept


def test_the_longest_unused_lines_leave_first(counter: TiktokenCounter) -> None:
    old = tuple(LiteralLine(number, 1, (f"AB-{number}00",)) for number in range(1, 60))
    verdict = _judged(counter, (ORDER,), _add("The order is AB-4711.", 1), literals=old, limit=600)
    assert notes_tokens((), MEMBERS, counter, verdict.literals) <= 150
    assert verdict.literals[-1].message == 1
    assert verdict.literals[:-1] == old[-len(verdict.literals) + 1 :]


def test_one_message_does_not_take_the_room_of_all_others(counter: TiktokenCounter) -> None:
    huge = LiteralLine(9, 1, tuple(f"ID-{number}" for number in range(1000, 2000)))
    kept = fitted((LiteralLine(1, 1, ("AB-1",)), huge), 120, MEMBERS, counter)
    assert [line.message for line in kept] == [1, 9]
    assert notes_tokens((), MEMBERS, counter, kept) <= 120
    assert 0 < len(kept[1].literals) < 1000


@pytest.mark.parametrize("room", [-5, 0, 3])
def test_without_room_there_are_no_lines(room: int, counter: TiktokenCounter) -> None:
    assert fitted((LiteralLine(1, 1, ("AB-1",)),), room, MEMBERS, counter) == ()


def test_parts_of_one_message_share_a_line() -> None:
    first = lines_after((), Change((), (), (), (said(7, "number 4711"),)))
    assert lines_after(first, Change((), (), (), (said(7, "and 4712"),))) == (
        LiteralLine(7, 1, ("4711", "4712")),
    )


def test_lines_count_within_the_limit_of_the_summary(counter: TiktokenCounter) -> None:
    many = said(1, "Orders: " + ", ".join(f"AB-{number}" for number in range(100, 200)) + FILLER)
    verdict = _judged(counter, (many,), _add("Ann has many orders.", 1), limit=100)
    assert verdict.literals
    assert verdict.tokens <= 100


def test_an_old_value_that_its_correction_repeats_gets_no_line(counter: TiktokenCounter) -> None:
    wrong = said(1, "My aim is 850." + FILLER)
    right = said(2, "My aim is not 850 but 900, and my desk is number 417." + FILLER)
    correction = _add("The aim is 900.", 1, 2, kind="correction")
    verdict = _judged(counter, (wrong, right), correction)
    assert verdict.literals == (LiteralLine(2, 1, ("417",)),)

    note = Note("n1", NoteKind.GOAL, "The aim is 850.", 1, (1,))
    revised = {**_add("The aim is 900.", 1, kind="correction"), "op": "revise", "note": "n1"}
    verdict = _judged(counter, (right,), revised, notes=(note,))
    assert verdict.literals == (LiteralLine(2, 1, ("417",)),)
