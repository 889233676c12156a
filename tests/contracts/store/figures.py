"""Figures: requests come back whole, and costs add up."""

from __future__ import annotations

from dataclasses import replace

from bot.ports import ConversationStore
from bot.ports.model import Usage
from bot.records import Totals
from tests.fakes.store import draft, record, talk


class FiguresContract:
    async def test_the_last_request_comes_back_whole(self, store: ConversationStore) -> None:
        conversation, (a, b) = await talk(store, "a", "b")
        assert await store.last_request(conversation) is None
        bare = replace(record(None, None), cached=None, summary_version=None, counted_by="api")
        for question, sent in ((a, record()), (b, bare)):
            await store.add_answer(conversation, question.id, "Memora", "x", sent)
            assert await store.last_request(conversation) == sent

    async def test_a_refused_answer_leaves_no_figures(self, store: ConversationStore) -> None:
        conversation, (a,) = await talk(store, "a")
        await store.add_answer(conversation, a.id, "Memora", "x", record())
        await store.add_answer(conversation, a.id, "Memora", "y", record(7, 7))
        assert await store.last_request(conversation) == record()

    async def test_answers_and_summaries_are_added_up_apart(self, store: ConversationStore) -> None:
        conversation, (a, b) = await talk(store, "a", "b")
        assert await store.totals(conversation) == Totals()
        await store.add_answer(conversation, a.id, "Memora", "x", record(95, 20))
        await store.add_answer(conversation, b.id, "Memora", "y", record(None, None))
        await store.add_summary(conversation, draft([a]))
        await store.add_cost(conversation, "gpt-5-mini", Usage(input=40, output=4))
        assert await store.totals(conversation) == Totals(
            answers=2,
            answer_input=95 + 100,
            answer_output=20,
            summaries=1,
            summary_input=500 + 40,
            summary_output=80 + 4,
        )
