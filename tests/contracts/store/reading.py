"""Reading: what a request is built from, pages, export."""

from __future__ import annotations

from bot.ports import ConversationStore
from tests.fakes.store import BOB, draft, note, record, said, talk


class ReadingContract:
    async def test_memory_of_an_empty_epoch_is_empty(self, store: ConversationStore) -> None:
        conversation, _ = await talk(store, "a")
        memory = await store.memory(await store.reset(conversation))
        assert (memory.summary, memory.verbatim, memory.older, memory.stored) == (None, (), 0, 0)
        assert memory.members == {}

    async def test_memory_is_the_summary_and_what_came_after_it(self, store: ConversationStore) -> None:
        conversation, messages = await talk(store, "a", "b", "c", "d")
        summary = await store.add_summary(conversation, draft(messages[:3], note(1, messages[0])))
        memory = await store.memory(conversation)
        assert memory.summary == summary
        assert memory.summary is not None
        assert memory.summary.covers == 3
        assert (memory.verbatim, memory.older, memory.stored) == ((messages[3],), 0, 4)

    async def test_later_questions_are_left_out_and_answers_are_not(self, store: ConversationStore) -> None:
        conversation, (a, b, c) = await talk(store, "a", "b", "c")
        answer = await store.add_answer(conversation, a.id, "Memora", "A", record())
        memory = await store.memory(conversation, upto=b.id)
        assert memory.verbatim == (a, b, answer)
        assert memory.stored == 4
        assert (await store.memory(conversation, upto=c.id)).verbatim == (a, b, c, answer)

    async def test_members_are_the_people_by_number(self, store: ConversationStore) -> None:
        conversation, (a,) = await talk(store, "a")
        await store.append(said("b", "2", BOB))
        await store.add_answer(conversation, a.id, "Memora", "A", record())
        assert (await store.memory(conversation)).members == {1: "Ann", 2: "Bob"}

    async def test_unfolded_are_the_oldest_after_the_watermark(self, store: ConversationStore) -> None:
        conversation, messages = await talk(store, "a", "b", "c", "d")
        assert await store.unfolded(conversation, 2) == messages[:2]
        await store.add_summary(conversation, draft(messages[:1]))
        assert await store.unfolded(conversation, 2) == messages[1:3]
        assert await store.unfolded(conversation, 9) == messages[1:]

    async def test_the_oldest_open_turn_comes_first(self, store: ConversationStore) -> None:
        conversation, (a, b) = await talk(store, "a", "b")
        assert await store.open_turn(conversation) == a.id
        await store.close_turn(a.id, "failed")
        assert await store.open_turn(conversation) == b.id
        await store.add_answer(conversation, b.id, "Memora", "B", record())
        assert await store.open_turn(conversation) is None

    async def test_history_begins_with_the_newest_page(self, store: ConversationStore) -> None:
        conversation, messages = await talk(store, "a", "b", "c", "d", "e")
        await store.add_summary(conversation, draft(messages[:4]))
        assert await store.history(conversation, 2) == (messages[3:], 5)
        assert await store.history(conversation, 2, 2) == (messages[1:3], 5)
        assert await store.history(conversation, 2, 4) == (messages[:1], 5)
        assert await store.history(conversation, 2, 6) == ([], 5)

    async def test_export_tells_everything_in_order(self, store: ConversationStore) -> None:
        conversation, messages = await talk(store, *map(str, range(7)))
        await store.add_summary(conversation, draft(messages[:4]))
        await store.close_turn(messages[2].id, "too_large")
        exported = [message async for message in store.export(conversation)]
        assert exported == messages[:2] + messages[3:]

    async def test_an_export_may_be_left_early(self, store: ConversationStore) -> None:
        conversation, messages = await talk(store, "a", "b")
        async for message in store.export(conversation):
            assert message == messages[0]
            break
        assert (await store.append(said("c", "3"))).new
