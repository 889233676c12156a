"""The walls: keys, people, moves, epochs."""

from __future__ import annotations

from dataclasses import replace

from bot.messages import (
    ChatKind,
    ConversationKey,
    ConversationMoved,
    MessageEdited,
    MessagesDeleted,
    Speaker,
)
from bot.ports import ConversationStore
from bot.ports.model import Usage
from bot.records import CompactionState
from tests.fakes.store import ANN, BOB, KEY, START, draft, note, record, said, talk

TOPIC = replace(KEY, thread="5")
NEW = ConversationKey("telegram", "4711", "-1001")


class WallsContract:
    async def test_a_conversation_exists_from_its_first_message(self, store: ConversationStore) -> None:
        assert await store.find(KEY) is None
        made = (await store.append(said("a", "1", kind=ChatKind.GROUP, title="Family"))).conversation
        assert (made.key, made.epoch, made.kind, made.title) == (KEY, 1, ChatKind.GROUP, "Family")
        assert await store.find(KEY) == made

    async def test_kind_and_title_follow_the_platform(self, store: ConversationStore) -> None:
        await store.append(said("a", "1", title="Old"))
        await store.append(said("b", "2", kind=ChatKind.GROUP, title="New"))
        found = (await store.append(said("c", "3", kind=ChatKind.GROUP))).conversation
        assert (found.kind, found.title) == (ChatKind.GROUP, "New")

    async def test_nothing_crosses_from_one_key_to_another(self, store: ConversationStore) -> None:
        keys = [
            KEY,
            TOPIC,
            replace(KEY, chat="101"),
            replace(KEY, account="4712"),
            replace(KEY, platform="discord"),
        ]
        for key in keys:
            await store.append(said(f"for {key}", "1", key=key))
        for key in keys:
            found = await store.find(key)
            assert found is not None
            assert [message.text for message in (await store.memory(found)).verbatim] == [f"for {key}"]

    async def test_people_are_numbered_by_first_appearance(self, store: ConversationStore) -> None:
        people = [ANN, BOB, Speaker("3", "Ann"), BOB, ANN]
        stored = [await store.append(said("x", str(place), who)) for place, who in enumerate(people)]
        assert [one.message.number for one in stored] == [1, 2, 3, 2, 1]
        assert (await store.memory(stored[0].conversation)).members == {1: "Ann", 2: "Bob", 3: "Ann"}

    async def test_a_renamed_person_stays_one(self, store: ConversationStore) -> None:
        await store.append(said("a", "1", ANN))
        renamed = await store.append(said("b", "2", Speaker(ANN.id, "Anna")))
        memory = await store.memory(renamed.conversation)
        assert [message.number for message in memory.verbatim] == [1, 1]
        assert memory.members == {1: "Anna"}

    async def test_a_person_with_the_bots_id_is_still_a_person(self, store: ConversationStore) -> None:
        asked = await store.append(said("a", "1", Speaker(KEY.account, "Ann")))
        await store.add_answer(asked.conversation, asked.message.id, "Memora", "A", record())
        memory = await store.memory(asked.conversation)
        assert [message.speaker.name for message in memory.verbatim] == ["Ann", "Memora"]
        assert memory.members == {1: "Ann"}

    async def test_memory_moves_along_with_all_topics(self, store: ConversationStore) -> None:
        main, (a,) = await talk(store, "a")
        topic, (b,) = await talk(store, "b", key=TOPIC)
        await store.move(ConversationMoved(KEY, NEW))
        for before, key, message in ((main, NEW, a), (topic, replace(NEW, thread="5"), b)):
            after = await store.find(key)
            assert after == replace(before, key=key)
            assert after is not None
            assert (await store.memory(after)).verbatim == (message,)

    async def test_a_later_conversation_at_the_new_key_stays_as_it_is(self, store: ConversationStore) -> None:
        old, (a,) = await talk(store, "a")
        new, (b,) = await talk(store, "b", key=NEW)
        await store.move(ConversationMoved(KEY, NEW))
        assert (await store.memory(old)).verbatim == (a,)
        assert (await store.memory(new)).verbatim == (b,)
        assert await store.find(KEY) == old
        assert await store.find(NEW) == new

    async def test_what_arrives_late_under_the_old_key_belongs_to_the_new_one(
        self, store: ConversationStore
    ) -> None:
        before, _ = await talk(store, "a")
        await store.move(ConversationMoved(KEY, NEW))
        await store.move(ConversationMoved(NEW, replace(NEW, chat="-1002")))
        assert not (await store.append(said("a", "1"))).new
        late = await store.append(said("b", "2"))
        assert late.conversation.id == before.id
        assert late.conversation.key.chat == "-1002"
        assert await store.edit(MessageEdited(KEY, "1", "a, edited", START))
        assert await store.delete(MessagesDeleted(KEY, ("1",))) == 1
        first_in_topic = await store.append(said("c", "3", key=TOPIC))
        assert first_in_topic.conversation.key == replace(NEW, chat="-1002", thread="5")

    async def test_a_chat_that_moved_counts_its_messages_anew(self, store: ConversationStore) -> None:
        await talk(store, "a", "b")
        await store.move(ConversationMoved(KEY, NEW))
        fresh = await store.append(said("first in the new chat", "1", key=NEW))
        assert fresh.new
        assert await store.edit(MessageEdited(NEW, "1", "first, edited", START))
        texts = [message.text for message in (await store.memory(fresh.conversation)).verbatim]
        assert texts == ["a", "b", "first, edited"]

    async def test_moving_to_where_it_is_changes_nothing(self, store: ConversationStore) -> None:
        conversation, _ = await talk(store, "a")
        await store.move(ConversationMoved(KEY, KEY))
        await store.move(ConversationMoved(NEW, replace(NEW, chat="5")))
        assert await store.find(KEY) == conversation

    async def test_a_reset_leaves_nothing_to_read(self, store: ConversationStore) -> None:
        old, messages = await talk(store, "a", "b")
        await store.add_answer(old, messages[0].id, "Memora", "A", record())
        await store.add_summary(old, draft(messages, note(1, messages[0])))
        await store.note_failure(old, CompactionState(1, "a reason", START))
        new = await store.reset(old)
        assert new == replace(old, epoch=2)
        assert await store.find(KEY) == new
        for conversation in (old, new):
            memory = await store.memory(conversation)
            assert (memory.summary, memory.verbatim, memory.members) == (None, (), {})
            assert await store.unfolded(conversation, 9) == []
            assert await store.history(conversation, 9) == ([], 0)
            assert [message async for message in store.export(conversation)] == []
            assert await store.versions(conversation) == []
            assert await store.open_turn(conversation) is None
            assert await store.compaction_state(conversation) == CompactionState()
        assert await store.last_request(new) is None

    async def test_nothing_comes_back_into_a_new_epoch(self, store: ConversationStore) -> None:
        old, messages = await talk(store, "a", "b")
        new = await store.reset(old)
        await store.append(said("c", "3", BOB))
        again = await store.append(said("a", "1", ANN))
        assert (again.new, again.open, again.message.text, again.conversation) == (False, False, "", new)
        assert again.message.speaker.name == ""
        assert not await store.edit(MessageEdited(KEY, "1", "a", START))
        assert await store.delete(MessagesDeleted(KEY, ("1",))) == 0
        assert await store.add_answer(old, messages[0].id, "Memora", "late", record()) is None
        assert await store.add_summary(old, draft(messages, note(1, messages[0]))) is None
        await store.note_failure(old, CompactionState(3, "late", START))
        await store.attach_parts(messages[0].id, ["77"])
        assert await store.compaction_state(new) == CompactionState()
        assert [message.text for message in (await store.memory(new)).verbatim] == ["c"]

    async def test_a_new_epoch_counts_from_one_again(self, store: ConversationStore) -> None:
        old, messages = await talk(store, "a", "b")
        await store.append(said("x", "9", BOB))
        await store.add_summary(old, draft(messages))
        await store.reset(old)
        bob = await store.append(said("c", "3", BOB))
        summary = await store.add_summary(bob.conversation, draft([bob.message]))
        assert bob.message.number == 1
        assert summary is not None
        assert (summary.version, summary.draft.predecessor) == (1, None)

    async def test_costs_outlive_a_reset(self, store: ConversationStore) -> None:
        old, messages = await talk(store, "a")
        await store.add_answer(old, messages[0].id, "Memora", "A", record())
        await store.add_summary(old, draft(messages))
        before = await store.totals(old)
        new = await store.reset(old)
        assert await store.totals(new) == before
        await store.add_cost(old, "gpt-5-mini", Usage(10, 1))
        assert (await store.totals(new)).summary_input == before.summary_input + 10

    async def test_conversations_are_listed_with_their_figures(self, store: ConversationStore) -> None:
        first, messages = await talk(store, "a", "b")
        await store.add_summary(first, draft(messages))
        second, _ = await talk(store, "c", key=NEW)
        second = await store.reset(second)
        lines = {line.conversation: line for line in await store.conversations()}
        assert set(lines) == {first, second}
        assert (lines[first].messages, lines[first].summaries, lines[first].last_at) == (2, 1, START)
        assert (lines[second].messages, lines[second].summaries, lines[second].last_at) == (0, 0, None)
