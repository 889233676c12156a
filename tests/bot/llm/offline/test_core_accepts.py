"""The core's own writing and judging of summaries: the offline model reads the one and passes the other."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.llm.offline import OfflineModel
from bot.memory.acceptance import Piece
from bot.memory.summariser import Summariser
from bot.memory.tokens import TiktokenCounter, message_tokens
from bot.messages import Message, Speaker
from bot.records import Note
from tests.bot.llm.offline.requests import PEOPLE, quoted
from tests.bot.llm.offline.test_any_text import PHRASES, joints, room

COUNTER = TiktokenCounter("o200k_base")
SUMMARISER = Summariser(OfflineModel(COUNTER), COUNTER, "Memora", 1200, None)
texts = st.lists(st.tuples(st.sampled_from(PHRASES), joints), min_size=1, max_size=8).map(
    lambda parts: "".join(phrase + joint for phrase, joint in parts)
)
conversations = st.lists(st.tuples(st.integers(0, 2), texts), min_size=1, max_size=8)
START = datetime(2026, 12, 1, tzinfo=UTC)


def messages(talk: list[tuple[int, str]], first: int) -> tuple[Message, ...]:
    return tuple(
        Message(
            identity,
            "user" if speaker else "assistant",
            Speaker(str(speaker), PEOPLE[speaker]),
            speaker,
            text,
            START + timedelta(hours=identity),
        )
        for identity, (speaker, text) in enumerate(talk, first)
    )


async def fold_all(talks: list[list[tuple[int, str]]]) -> tuple[Note, ...]:
    notes: tuple[Note, ...] = ()
    next_note, first = 1, 1
    for talk in talks:
        told = messages(talk, first)
        size = sum(message_tokens(COUNTER, quoted(message.text)) for message in told)
        piece = Piece(notes, next_note, told, PEOPLE, size)
        outcome = await SUMMARISER.fold(piece)
        assert outcome.verdict.notes is not None, outcome.verdict.reasons
        assert outcome.verdict.reasons == ()
        notes, next_note = outcome.verdict.notes, outcome.verdict.next_note
        first += len(told)
    return notes


@settings(max_examples=80, deadline=None)
@given(st.lists(conversations, min_size=1, max_size=3))
def test_every_summary_is_accepted(talks: list[list[tuple[int, str]]]) -> None:
    assert asyncio.run(fold_all([room(talk) for talk in talks]))


async def test_a_corrected_note_rests_on_both_messages() -> None:
    told = room([(1, "My exam is on the 18th next month.")]), room([(1, "Sorry, the 20th, not the 18th.")])
    (note,) = await fold_all(list(told))
    assert (note.text, note.kind, note.sources) == (
        "My exam is on the 20th next month.",
        "correction",
        (1, 3),
    )
