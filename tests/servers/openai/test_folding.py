"""The played summariser is accepted by the real one's judge, over the wire."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.llm.client import OpenAIModel
from bot.llm.endpoint import Api, Endpoint
from bot.memory.acceptance import Piece
from bot.memory.summariser import Summariser
from bot.memory.tokens import TiktokenCounter
from bot.messages import Message, Speaker
from bot.records import Note
from tests.servers.openai import OpenAIServer, told
from tests.servers.openai.fixtures import openai_server

__all__ = ["openai_server"]

BEGIN = datetime(2026, 12, 1, tzinfo=UTC)


def turn(number: int) -> list[Message]:
    at = BEGIN + timedelta(minutes=number)
    said = (
        f"Lesson {number}: I got {number * 7} of 100 words right and will repeat the rest tomorrow evening."
    )
    answered = "Well done, that is a good step forward; we will look at the rest together tomorrow evening."
    return [
        Message(number * 2, "user", Speaker("u1", "Ann"), 1, said, at),
        Message(number * 2 + 1, "assistant", Speaker("bot", "Memora"), 0, answered, at),
    ]


@pytest.mark.parametrize("api", ["responses", "chat"])
async def test_edits_are_accepted_run_after_run(openai_server: OpenAIServer, api: Api) -> None:
    model = OpenAIModel(Endpoint("gpt-5-mini", "key", openai_server.base_url, api))
    counter = TiktokenCounter("o200k_base")
    summariser = Summariser(model, counter, "Memora", 600, 0.1)
    notes: tuple[Note, ...] = ()
    following = 1
    for run in range(12):
        messages = tuple(message for number in range(run * 3, run * 3 + 3) for message in turn(number))
        size = sum(counter.count(message.text) for message in messages)
        piece = Piece(notes, following, messages, {1: "Ann"}, size)
        verdict = (await summariser.fold(piece)).verdict
        assert verdict.notes is not None, verdict.reasons
        assert verdict.reasons == ()
        notes, following = verdict.notes, verdict.next_note
        shown = [line.text for line in told(openai_server.summaries[-1])]
        assert shown == [message.text for message in messages]
    await model.close()
    assert len(notes) == 8
    assert len(openai_server.summaries) == 12
