"""Folding: the watermark, versions, notes whose sources changed, failures, and who folds."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.errors import StoreError
from bot.messages import ConversationKey, MessageEdited, MessagesDeleted
from bot.ports import ConversationStore
from bot.records import CompactionState, Conversation, Summary, SummaryDraft
from tests.fakes.store import KEY, START, HandClock, draft, note, talk

OTHER = ConversationKey("telegram", "4711", "101")


async def fold(store: ConversationStore, conversation: Conversation, made: SummaryDraft) -> Summary:
    summary = await store.add_summary(conversation, made)
    assert summary is not None
    return summary


async def current(store: ConversationStore, conversation: Conversation) -> Summary:
    summary = (await store.memory(conversation)).summary
    assert summary is not None
    return summary


class FoldingContract:
    async def test_a_summary_comes_back_as_it_was_accepted(
        self, store: ConversationStore, clock: HandClock
    ) -> None:
        conversation, messages = await talk(store, "a", "b", "c")
        clock.pass_time(3)
        made = draft(messages[:2], note(1, messages[0]), note(2, *messages[:2]), read_at=START)
        summary = await fold(store, conversation, made)
        assert (summary.version, summary.draft, summary.watermark) == (1, made, messages[1].id)
        assert (summary.covers, summary.stale) == (2, frozenset())
        assert summary.created_at == START + timedelta(seconds=3)
        assert await current(store, conversation) == summary

    async def test_versions_follow_one_another(self, store: ConversationStore) -> None:
        conversation, messages = await talk(store, "a", "b", "c")
        one = await fold(store, conversation, draft(messages[:1], note(1, messages[0])))
        two = await fold(store, conversation, draft(messages[1:], note(1, messages[0]), predecessor=one.id))
        assert (two.version, two.draft.predecessor) == (2, one.id)
        assert await store.versions(conversation) == [one, two]
        assert (await store.memory(conversation)).verbatim == ()

    async def test_a_summary_on_another_predecessor_is_not_stored(self, store: ConversationStore) -> None:
        conversation, messages = await talk(store, "a", "b")
        one = await fold(store, conversation, draft(messages[:1]))
        for predecessor in (None, one.id + 1):
            assert await store.add_summary(conversation, draft(messages[1:], predecessor=predecessor)) is None
        assert await store.versions(conversation) == [one]
        assert (await store.memory(conversation)).verbatim == (messages[1],)

    async def test_a_first_summary_has_no_predecessor(self, store: ConversationStore) -> None:
        conversation, messages = await talk(store, "a")
        assert await store.add_summary(conversation, draft(messages, predecessor=1)) is None
        assert (await store.memory(conversation)).summary is None

    async def test_a_summary_must_not_skip_messages(self, store: ConversationStore) -> None:
        conversation, messages = await talk(store, "a", "b", "c")
        with pytest.raises(StoreError):
            await store.add_summary(conversation, draft(messages[1:]))
        await store.delete(MessagesDeleted(KEY, ("1",)))
        assert (await fold(store, conversation, draft(messages[1:]))).covers == 2

    async def test_a_summary_must_not_go_back_or_leave_its_conversation(
        self, store: ConversationStore
    ) -> None:
        conversation, messages = await talk(store, "a", "b")
        _, (other,) = await talk(store, "x", key=OTHER)
        one = await fold(store, conversation, draft(messages))
        for wrong in (messages[:1], [replace(other, id=999)], [other]):
            with pytest.raises(StoreError):
                await store.add_summary(conversation, draft(wrong, predecessor=one.id))
        assert await store.versions(conversation) == [one]

    async def test_a_message_deleted_while_it_was_folded_is_not_covered(
        self, store: ConversationStore
    ) -> None:
        conversation, messages = await talk(store, "a", "b", "c")
        await store.delete(MessagesDeleted(KEY, ("2",)))
        summary = await fold(
            store, conversation, draft(messages[:2], note(1, messages[0]), note(2, messages[1]))
        )
        assert (summary.covers, summary.stale) == (1, frozenset({"n2"}))

    async def test_notes_on_a_deleted_message_are_not_used(self, store: ConversationStore) -> None:
        conversation, messages = await talk(store, "a", "b")
        kept, gone = note(1, messages[1]), note(2, *messages)
        await fold(store, conversation, draft(messages, kept, gone))
        await store.delete(MessagesDeleted(KEY, ("1",)))
        summary = await current(store, conversation)
        assert (summary.stale, summary.notes, summary.covers) == (frozenset({"n2"}), (kept,), 1)

    async def test_notes_on_a_message_edited_later_are_not_used(self, store: ConversationStore) -> None:
        conversation, messages = await talk(store, "a", "b")
        await fold(store, conversation, draft(messages, note(1, messages[0]), note(2, messages[1])))
        await store.edit(MessageEdited(KEY, "1", "a, corrected", START))
        summary = await current(store, conversation)
        assert (summary.stale, summary.covers) == (frozenset({"n1"}), 2)
        assert [version.stale for version in await store.versions(conversation)] == [{"n1"}]

    async def test_notes_on_a_message_edited_before_are_used(self, store: ConversationStore) -> None:
        conversation, messages = await talk(store, "a")
        await store.edit(MessageEdited(KEY, "1", "a, corrected", START))
        assert (await fold(store, conversation, draft(messages, note(1, messages[0])))).stale == frozenset()

    async def test_an_edit_while_a_summary_is_made_is_noticed(
        self, store: ConversationStore, clock: HandClock
    ) -> None:
        conversation, messages = await talk(store, "a", "b")
        read_at = clock.now()
        clock.pass_time(2)
        await store.edit(MessageEdited(KEY, "1", "a, corrected", START))
        clock.pass_time(2)
        made = draft(messages, note(1, messages[0]), note(2, messages[1]), read_at=read_at)
        assert (await fold(store, conversation, made)).stale == {"n1"}

    async def test_an_edit_is_noticed_by_duration_where_the_time_of_reading_is_unknown(
        self, store: ConversationStore, clock: HandClock
    ) -> None:
        conversation, messages = await talk(store, "a", "b")
        clock.pass_time(2)
        await store.edit(MessageEdited(KEY, "1", "a, corrected", START))
        clock.pass_time(2)
        made = replace(draft(messages, note(1, messages[0])), duration=3.0)
        assert (await fold(store, conversation, made)).stale == {"n1"}

    async def test_an_untouched_note_does_not_become_sound_again(self, store: ConversationStore) -> None:
        conversation, messages = await talk(store, "a", "b", "c")
        one = await fold(store, conversation, draft(messages[:1], note(1, messages[0])))
        await store.edit(MessageEdited(KEY, "1", "a, corrected", START))
        carried = (await current(store, conversation)).draft.notes
        two = await fold(store, conversation, draft(messages[1:2], *carried, predecessor=one.id))
        again = note(1, messages[0], text="worded anew on the old text")
        three = await fold(store, conversation, draft(messages[2:], again, predecessor=two.id))
        assert two.stale == {"n1"}
        assert three.stale == {"n1"}

    async def test_a_new_note_may_rest_on_an_edited_message(self, store: ConversationStore) -> None:
        conversation, messages = await talk(store, "a", "b")
        one = await fold(store, conversation, draft(messages[:1], note(1, messages[0])))
        await store.edit(MessageEdited(KEY, "1", "a, corrected", START))
        two = await fold(
            store, conversation, draft(messages[1:], note(2, messages[0], messages[1]), predecessor=one.id)
        )
        assert two.stale == frozenset()

    async def test_a_note_must_rest_on_messages_of_its_conversation(self, store: ConversationStore) -> None:
        conversation, messages = await talk(store, "a")
        _, (other,) = await talk(store, "x", key=OTHER)
        summary = await fold(store, conversation, draft(messages, note(1, other), note(2, 999)))
        assert summary.stale == {"n1", "n2"}

    async def test_failures_are_kept_until_a_summary_is_stored(self, store: ConversationStore) -> None:
        conversation, messages = await talk(store, "a")
        assert await store.compaction_state(conversation) == CompactionState()
        for state in (CompactionState(1, "ModelBusy: wait", START), CompactionState(2, "no number 850")):
            await store.note_failure(conversation, state)
            assert await store.compaction_state(conversation) == state
        await fold(store, conversation, draft(messages))
        assert await store.compaction_state(conversation) == CompactionState()

    async def test_one_worker_at_a_time(self, store: ConversationStore) -> None:
        conversation, _ = await talk(store, "a")
        other, _ = await talk(store, "x", key=OTHER)
        async with store.claim(conversation, "fold") as first, store.claim(conversation, "fold") as second:
            assert (first, second) == (True, False)
            async with store.claim(conversation, "turn") as turn, store.claim(other, "fold") as elsewhere:
                assert (turn, elsewhere) == (True, True)
            async with store.claim(conversation, "fold") as third:
                assert not third

    async def test_a_claim_ends_with_its_work_however_that_ends(self, store: ConversationStore) -> None:
        conversation, _ = await talk(store, "a")
        with pytest.raises(RuntimeError):
            async with store.claim(conversation, "fold"):
                raise RuntimeError
        async with store.claim(conversation, "fold") as mine:
            assert mine
