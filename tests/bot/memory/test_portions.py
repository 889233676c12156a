"""Backlogs and huge messages are folded in bounded pieces, with nothing left out and nothing twice."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.memory.portions import portion, size
from bot.memory.tokens import TiktokenCounter
from bot.memory.turns import turns
from bot.messages import Message
from bot.records import Partial
from tests.bot.memory.talk import answered, dialogue, said


def _folded(messages: list[Message], limit: int, counter: TiktokenCounter) -> list[tuple[int, str]]:
    """Everything that the pieces hold, in order."""
    told: list[tuple[int, str]] = []
    begun: Partial | None = None
    left = messages
    while left:
        part = portion(turns(left), limit, counter, begun)
        assert size(part.messages, counter) <= limit
        told += [(message.id, message.text) for message in part.messages]
        whole = {message.id for message in part.whole}
        left = [message for message in left if message.id not in whole]
        if part.partial:
            assert part.partial.message == left[0].id
            assert 0 < part.partial.done < len(left[0].text)
        assert whole or part.partial != begun
        begun = part.partial
    return told


def test_a_backlog_is_taken_in_bounded_pieces(counter: TiktokenCounter) -> None:
    messages = dialogue(2500)
    assert _folded(messages, 6000, counter) == [(message.id, message.text) for message in messages]


def test_a_huge_message_is_taken_in_parts_that_end_with_a_sentence(counter: TiktokenCounter) -> None:
    text = "".join(f"This is the sentence with the number {n}. " for n in range(3000))
    messages = [said(1, text), answered(2, "I see.", 1), said(3, "Next.")]
    told = _folded(messages, 6000, counter)
    parts = [part for identity, part in told if identity == 1]
    assert len(parts) > 4
    assert "".join(parts) == text
    assert all(part.rstrip().endswith(".") for part in parts)
    assert [identity for identity, _ in told[-2:]] == [2, 3]


@pytest.mark.parametrize("sign", ["x", "很", "👍", "\n", '"', "\x00"])
def test_a_text_without_sentences_is_divided_as_well(sign: str, counter: TiktokenCounter) -> None:
    told = _folded([said(1, sign * 4000)], 300, counter)
    assert "".join(part for _, part in told) == sign * 4000


def test_small_messages_before_a_huge_one_go_by_themselves(counter: TiktokenCounter) -> None:
    part = portion(turns([said(1, "Small."), said(2, "word " * 9000)]), 6000, counter)
    assert [message.id for message in part.messages] == [1]
    assert part.partial is None


def test_a_huge_answer_begins_in_the_piece_of_its_question(counter: TiktokenCounter) -> None:
    part = portion(turns([said(1, "Tell me."), answered(2, "word " * 9000, 1)]), 6000, counter)
    assert [message.id for message in part.whole] == [1]
    assert part.partial is not None
    assert part.partial.message == 2


def test_what_was_begun_elsewhere_says_nothing_of_this_message(counter: TiktokenCounter) -> None:
    part = portion(turns([said(5, "Whole text.")]), 6000, counter, Partial(4, 3))
    assert [message.text for message in part.messages] == ["Whole text."]


@given(st.lists(st.text(min_size=1, max_size=400), min_size=1, max_size=6))
def test_any_texts_are_told_once_and_whole(counter: TiktokenCounter, texts: list[str]) -> None:
    messages = [said(number, text) for number, text in enumerate(texts, start=1)]
    told = _folded(messages, 60, counter)
    for message in messages:
        assert "".join(text for identity, text in told if identity == message.id) == message.text
