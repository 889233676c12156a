"""Care for what nobody touches: old messages are erased, idle conversations are found."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from bot.messages import ConversationKey, MessagesDeleted
from bot.ports import ConversationStore
from bot.records import CompactionState, Conversation, LiteralLine, Partial
from tests.contracts.store.folding import current, fold
from tests.fakes.store import KEY, START, HandClock, draft, half, note, record, said, talk

OTHER = ConversationKey("telegram", "4711", "101")
HOUR = timedelta(hours=1)


class RetentionContract:
    async def test_old_messages_are_erased_in_all_conversations(self, store: ConversationStore) -> None:
        one, _ = await talk(store, "old", "old too", sent_at=START - HOUR)
        _, (kept,) = await talk(store, "new", start=3)
        other, _ = await talk(store, "old", key=OTHER, sent_at=START - HOUR)
        assert await store.expire(START) == 3
        assert (await store.memory(one)).verbatim == (kept,)
        assert (await store.memory(other)).stored == 0
        assert await store.expire(START) == 0
        assert await store.expire(START + HOUR) == 1

    async def test_an_expired_message_does_not_come_back(self, store: ConversationStore) -> None:
        conversation, _ = await talk(store, "old")
        await store.expire(START + HOUR)
        again = await store.append(said("old", "1"))
        assert (again.new, again.open, again.message.text) == (False, False, "")
        assert await store.open_turn(conversation) is None

    async def test_messages_too_large_for_any_context_expire_too(self, store: ConversationStore) -> None:
        conversation, (a, _) = await talk(store, "a", "b")
        await store.close_turn(a.id, "too_large")
        await store.delete(MessagesDeleted(KEY, ("2",)))
        assert await store.expire(START + HOUR) == 1
        assert (await store.memory(conversation)).stored == 0

    async def test_answers_expire_by_their_own_time(self, store: ConversationStore, clock: HandClock) -> None:
        conversation, (a,) = await talk(store, "a")
        clock.pass_time(60)
        answer = await store.add_answer(conversation, a.id, "Memora", "A", record())
        assert await store.expire(START + timedelta(seconds=60)) == 1
        assert (await store.memory(conversation)).verbatim == (answer,)

    async def test_what_rests_on_expired_messages_falls(self, store: ConversationStore) -> None:
        conversation, (a,) = await talk(store, "a", sent_at=START - HOUR)
        _, (b, c) = await talk(store, "b", "c", start=2)
        lines = (LiteralLine(a.id, 1, ("850",)), LiteralLine(b.id, 1, ("860",)))
        made = replace(draft([a, b], note(1, a), note(2, b)), literals=lines, refused=("no number 850",))
        one = await fold(store, conversation, made)
        carried = draft([c], note(1, a), note(2, b), note(3, a, c), predecessor=one.id)
        await fold(store, conversation, replace(carried, literals=lines))
        await store.note_failure(conversation, CompactionState(1, "no number 850"))
        await store.expire(START)
        versions = await store.versions(conversation)
        assert [version.stale for version in versions] == [{"n1"}, {"n1", "n3"}]
        assert [version.draft.literals for version in versions] == [lines[1:]] * 2
        assert [one.text for one in versions[1].draft.notes] == ["", "fact 2", ""]
        assert versions[0].draft.refused == ()
        assert (versions[1].watermark, versions[1].covers) == (c.id, 2)
        assert (await store.compaction_state(conversation)).error == "…"

    async def test_what_rests_on_newer_messages_stays(self, store: ConversationStore) -> None:
        conversation, (a,) = await talk(store, "a", sent_at=START - HOUR)
        _, (b, c) = await talk(store, "b", "c", start=2)
        one = await fold(store, conversation, draft([a, b], note(1, b)))
        made = half(draft([c], note(1, b), predecessor=one.id), 5, watermark=b.id)
        made = replace(made, refused=("no number 850",))
        two = await fold(store, conversation, made)
        await store.expire(START)
        assert (await current(store, conversation)).draft == two.draft
        assert two.draft.partial == Partial(c.id, 5)

    async def test_what_a_run_makes_of_messages_that_expire_meanwhile_is_not_used(
        self, store: ConversationStore, clock: HandClock
    ) -> None:
        conversation, messages = await talk(store, "a")
        read_at = clock.now()
        clock.pass_time(1)
        await store.expire(clock.now())
        made = replace(draft(messages, note(1, *messages), read_at=read_at), refused=("no number 850",))
        summary = await fold(store, conversation, made)
        assert (summary.stale, summary.draft.refused, summary.covers) == (frozenset({"n1"}), (), 0)


class IdleContract:
    async def test_an_idle_conversation_is_offered_until_there_is_a_summary(
        self, store: ConversationStore, clock: HandClock
    ) -> None:
        conversation, messages = await talk(store, "a", "b")
        assert await store.idle(START, 9) == []
        later = START + HOUR
        assert await store.idle(later, 9) == [conversation]
        clock.pass_time(60)
        await fold(store, conversation, draft(messages[:1]))
        assert await store.idle(later, 9) == []
        await talk(store, "c", start=3, sent_at=clock.now())
        assert await store.idle(clock.now(), 9) == []
        assert await store.idle(later, 9) == [conversation]

    async def test_what_is_covered_is_not_idle(self, store: ConversationStore) -> None:
        conversation, messages = await talk(store, "a", "b")
        await fold(store, conversation, draft(messages, read_at=START - HOUR))
        assert await store.idle(START + HOUR, 9) == []

    async def test_a_message_that_came_while_a_summary_was_made_counts(
        self, store: ConversationStore, clock: HandClock
    ) -> None:
        conversation, (a,) = await talk(store, "a")
        read_at = clock.now()
        clock.pass_time(5)
        await talk(store, "b", start=2, sent_at=clock.now())
        await fold(store, conversation, draft([a], read_at=read_at))
        assert await store.idle(START + HOUR, 9) == [conversation]

    async def test_an_old_message_that_is_delivered_late_counts(
        self, store: ConversationStore, clock: HandClock
    ) -> None:
        conversation, (a,) = await talk(store, "a")
        clock.pass_time(5)
        await fold(store, conversation, draft([a]))
        await talk(store, "sent long ago", start=2, sent_at=START - HOUR)
        assert await store.idle(START + HOUR, 9) == [conversation]

    async def test_going_back_does_not_call_for_another_summary(self, store: ConversationStore) -> None:
        conversation, messages = await talk(store, "a")
        await fold(store, conversation, draft(messages))
        await store.undo(conversation)
        assert await store.idle(START + HOUR, 9) == []

    async def test_the_longest_idle_come_first(self, store: ConversationStore) -> None:
        offered: list[Conversation] = []
        for chat, minutes in (("1", 20), ("2", 40), ("3", 30)):
            sent_at = START - timedelta(minutes=minutes)
            conversation, _ = await talk(store, "a", key=replace(KEY, chat=chat), sent_at=sent_at)
            offered.append(conversation)
        assert await store.idle(START, 2) == [offered[1], offered[2]]
        assert await store.idle(START - timedelta(minutes=25), 9) == [offered[1], offered[2]]

    async def test_a_settled_conversation_is_not_offered_before_something_is_said(
        self, store: ConversationStore
    ) -> None:
        conversation, _ = await talk(store, "a")
        await store.settle(conversation, START)
        assert await store.idle(START + HOUR, 9) == [conversation]
        await store.settle(conversation, START + HOUR)
        assert await store.idle(START + HOUR, 9) == []
        await talk(store, "b", start=2)
        assert await store.idle(START + HOUR, 9) == [conversation]

    async def test_what_is_not_live_is_not_idle(self, store: ConversationStore) -> None:
        conversation, (_, b, _) = await talk(store, "a", "b", "c", sent_at=START - HOUR)
        await talk(store, "d", start=4)
        assert await store.idle(START, 9) == []
        await store.delete(MessagesDeleted(KEY, ("4",)))
        assert await store.idle(START, 9) == [conversation]
        await store.delete(MessagesDeleted(KEY, ("1", "3")))
        await store.close_turn(b.id, "too_large")
        assert await store.idle(START, 9) == []
        await store.reset(conversation)
        assert await store.idle(START, 9) == []

    async def test_a_reset_starts_over(self, store: ConversationStore) -> None:
        old, messages = await talk(store, "a", "b")
        await fold(store, old, draft(messages))
        new = await store.reset(old)
        assert await store.idle(_far(), 9) == []
        await talk(store, "c", start=3)
        await store.settle(old, _far())
        assert await store.idle(_far(), 9) == [new]


def _far() -> datetime:
    return START + 24 * HOUR
