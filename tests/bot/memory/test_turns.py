"""Messages divided into turns."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.memory.turns import turns
from bot.messages import Message
from tests.bot.memory.talk import answered, dialogue, said


def test_a_turn_is_a_question_with_its_answer() -> None:
    messages = dialogue(3)
    assert turns(messages) == [tuple(messages[0:2]), tuple(messages[2:4]), tuple(messages[4:6])]


def test_each_line_of_others_is_a_turn_of_its_own() -> None:
    messages = [said(1, "a"), said(2, "b", by=2), said(3, "c")]
    assert turns(messages) == [(messages[0],), (messages[1],), (messages[2],)]


def test_a_question_stays_with_an_answer_that_comes_late() -> None:
    messages = [said(1, "question"), said(2, "aside", by=2), answered(3, "answer", 1), said(4, "next")]
    assert turns(messages) == [tuple(messages[:3]), (messages[3],)]


def test_an_answer_whose_question_is_gone_stands_alone() -> None:
    messages = [answered(5, "late", 1), said(6, "next")]
    assert turns(messages) == [(messages[0],), (messages[1],)]


@st.composite
def logs(draw: st.DrawFn) -> list[Message]:
    """Any order of messages and answers to earlier ones."""
    messages: list[Message] = []
    open_ones: list[int] = []
    for number in range(1, draw(st.integers(min_value=0, max_value=20)) + 1):
        place = draw(st.integers(min_value=-3, max_value=len(open_ones) - 1))
        if place >= 0:
            to = open_ones.pop(place)
            messages.append(answered(number, "answer", to))
        else:
            open_ones.append(number)
            messages.append(said(number, "question"))
    return messages


@given(logs())
def test_turns_are_a_partition_that_keeps_questions_with_their_answers(messages: list[Message]) -> None:
    found = turns(messages)
    assert [message for turn in found for message in turn] == messages
    assert all(turn[0].role == "user" for turn in found[1:])
    where = {message.id: place for place, turn in enumerate(found) for message in turn}
    for message in messages:
        if message.answers is not None and where[message.id] != where[message.answers]:
            assert len(found[where[message.answers]]) >= 12


def test_questions_and_answers_that_interlock_without_end_are_cut() -> None:
    messages = [said(1, "first")]
    for number in range(2, 60, 2):
        messages += [said(number, "next"), answered(number + 1, "late", max(number - 2, 1))]
    assert max(len(turn) for turn in turns(messages)) < 15
