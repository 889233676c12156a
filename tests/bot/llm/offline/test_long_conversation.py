"""A long conversation, folded in pieces: early facts last, and are found again."""

from __future__ import annotations

import pytest

from bot.llm.offline import OfflineModel
from tests.bot.llm.offline.checker import Memory
from tests.bot.llm.offline.requests import notes, reply

EARLY = (
    ("My TOEIC exam is on the 18th next month, my aim is 850 and listening is my weak point.", "18th"),
    ("我對花生過敏。", "花生"),
    ("My bike is locked at https://bikes.example/rack/77, the code is 4915.", "4915"),
    ("I prefer short answers.", "short answers"),
)
QUESTIONS = (
    ("Which day is my exam?", "18th"),
    ("What's my weak point?", "listening"),
    ("我對什麼過敏？", "花生"),
    ("What is the code of my bike?", "4915"),
)
_TOPICS = ("the river", "old films", "the market", "a heron", "the rain", "some trains", "a recipe", "chess")


def conversation() -> list[tuple[int, str]]:
    """200 messages: the early facts, then talk about this and that with numbers in it."""
    told = [(1, text) for text, _ in EARLY]
    for number in range((200 - len(told)) // 2):
        topic = _TOPICS[number % len(_TOPICS)]
        told.append((1, f"Today on day {number} we talked about {topic} for {number + 5} minutes."))
        told.append((0, f"That sounds nice! Tell me more about {topic} whenever you like to."))
    return told


async def fold_all(memory: Memory, piece: int) -> None:
    told = conversation()
    assert len(told) == 200
    for start in range(0, len(told), piece):
        await memory.fold(told[start : start + piece])


@pytest.mark.parametrize("piece", [10, 20, 50])
async def test_early_facts_last(memory: Memory, model: OfflineModel, piece: int) -> None:
    await fold_all(memory, piece)
    assert memory.size() <= 1200
    for _, part in EARLY:
        assert any(part in text for text in memory.texts), part
    background = notes(*(note.line for note in memory.notes))
    for question, part in QUESTIONS:
        assert part in await reply(model, background, "Nice weather!", question)


async def test_early_facts_last_in_a_small_summary(memory: Memory) -> None:
    memory.limit = 300
    await fold_all(memory, 20)
    for _, part in EARLY:
        assert any(part in text for text in memory.texts), part


async def test_early_notes_keep_their_words(memory: Memory) -> None:
    told = conversation()
    await memory.fold(told[:20])
    first = memory.texts[: len(EARLY)]
    for start in range(20, 200, 20):
        await memory.fold(told[start : start + 20])
        assert memory.texts[: len(EARLY)] == first


async def test_a_late_correction_reaches_an_early_fact(memory: Memory, model: OfflineModel) -> None:
    await fold_all(memory, 20)
    await memory.fold([(1, "Sorry, my exam isn't on the 18th. It's on the 20th."), (0, "I see. " * 20)])
    background = notes(*(note.line for note in memory.notes))
    answer = await reply(model, background, "Which day is my exam?")
    assert "20th" in answer
