"""Beside the notes: literal lines and reasons follow the messages they quote; messages folded in pieces."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.errors import StoreError
from bot.messages import ConversationKey, Message, MessageEdited, MessagesDeleted
from bot.ports import ConversationStore
from bot.records import CompactionState, LiteralLine, Partial, SummaryDraft
from tests.contracts.store.folding import current, fold
from tests.fakes.store import KEY, START, HandClock, draft, half, note, talk

OTHER = ConversationKey("telegram", "4711", "101")


def line(message: Message, *literals: str) -> LiteralLine:
    """What is kept to the letter of a message."""
    return LiteralLine(message.id, 1, literals or (message.text,))


def with_reasons(made: SummaryDraft, *lines: LiteralLine) -> SummaryDraft:
    """The draft with literal lines, a drop and a refusal."""
    return replace(made, literals=lines, dropped=(("n9", "minor"),), refused=("no number 850",))


class BesideContract:
    async def test_all_that_is_beside_the_notes_comes_back(self, store: ConversationStore) -> None:
        conversation, messages = await talk(store, "a", "b")
        lines = (line(messages[1], "850", "a@example.org"), line(messages[0]))
        made = with_reasons(draft(messages, note(1, messages[0])), *lines)
        summary = await fold(store, conversation, made)
        assert summary.draft == made
        assert await store.versions(conversation) == [summary]

    async def test_a_line_goes_with_its_message_in_all_versions(self, store: ConversationStore) -> None:
        conversation, (a, b, c) = await talk(store, "a", "b", "c")
        lines = (line(a), line(b))
        one = await fold(store, conversation, replace(draft([a, b]), literals=lines))
        await fold(store, conversation, replace(draft([c], predecessor=one.id), literals=(*lines, line(c))))
        await store.edit(MessageEdited(KEY, "1", "a, edited", START))
        kept = [version.draft.literals for version in await store.versions(conversation)]
        assert kept == [(line(b),), (line(b), line(c))]
        await store.delete(MessagesDeleted(KEY, ("2",)))
        kept = [version.draft.literals for version in await store.versions(conversation)]
        assert kept == [(), (line(c),)]

    async def test_lines_made_of_what_was_said_before_an_edit_are_left_out(
        self, store: ConversationStore, clock: HandClock
    ) -> None:
        conversation, (a, b, c) = await talk(store, "a", "b", "c")
        read_at = clock.now()
        clock.pass_time(1)
        await store.edit(MessageEdited(KEY, "1", "a, edited", START))
        await store.delete(MessagesDeleted(KEY, ("2",)))
        made = replace(draft([a, b, c], read_at=read_at), literals=(line(a), line(b), line(c)))
        assert (await fold(store, conversation, made)).draft.literals == (line(c),)

    async def test_a_line_may_quote_an_edited_message_as_it_is_now(
        self, store: ConversationStore, clock: HandClock
    ) -> None:
        conversation, (a, b) = await talk(store, "a", "b")
        await store.edit(MessageEdited(KEY, "1", "a, edited", START))
        clock.pass_time(1)
        edited = line(a, "a, edited")
        made = replace(draft([a], read_at=clock.now()), literals=(edited,))
        one = await fold(store, conversation, made)
        made = replace(draft([b], predecessor=one.id, read_at=START), literals=(edited, line(b)))
        assert (await fold(store, conversation, made)).draft.literals == (edited, line(b))

    async def test_a_line_of_another_conversation_is_left_out(self, store: ConversationStore) -> None:
        conversation, messages = await talk(store, "a")
        _, (other,) = await talk(store, "x", key=OTHER)
        made = replace(draft(messages), literals=(line(other), line(messages[0])))
        assert (await fold(store, conversation, made)).draft.literals == (line(messages[0]),)

    async def test_reasons_go_with_any_message_they_may_quote(self, store: ConversationStore) -> None:
        conversation, (a, b, c, d, e) = await talk(store, *"abcde")
        before = replace(draft([a, b], note(1, a)), literals=(line(b),))
        one = await fold(store, conversation, before)
        made = with_reasons(draft([c, d], note(1, a), predecessor=one.id), line(b))
        two = await fold(store, conversation, made)
        await fold(store, conversation, draft([e], predecessor=two.id))
        await store.delete(MessagesDeleted(KEY, ("5",)))
        assert (await store.versions(conversation))[1].draft == two.draft
        await store.delete(MessagesDeleted(KEY, ("4",)))
        version = (await store.versions(conversation))[1]
        assert (version.draft.dropped, version.draft.refused) == ((("n9", ""),), ())
        assert version.draft.literals == (line(b),)

    @pytest.mark.parametrize("platform_id", ["1", "2"])
    async def test_reasons_go_with_what_earlier_notes_and_lines_told(
        self, store: ConversationStore, platform_id: str
    ) -> None:
        conversation, (a, b, c) = await talk(store, *"abc")
        before = replace(draft([a, b], note(1, a)), literals=(line(b),))
        one = await fold(store, conversation, before)
        await fold(store, conversation, with_reasons(draft([c], predecessor=one.id)))
        await store.edit(MessageEdited(KEY, platform_id, "edited", START))
        version = await current(store, conversation)
        assert (version.draft.dropped, version.draft.refused) == ((("n9", ""),), ())

    async def test_reasons_that_quote_what_was_erased_meanwhile_are_left_out(
        self, store: ConversationStore, clock: HandClock
    ) -> None:
        conversation, messages = await talk(store, "a", "b")
        read_at = clock.now()
        clock.pass_time(1)
        await store.delete(MessagesDeleted(KEY, ("1",)))
        made = with_reasons(draft(messages, read_at=read_at))
        assert (await fold(store, conversation, made)).draft.refused == ()

    async def test_reasons_stay_where_a_message_was_erased_before_it_was_read(
        self, store: ConversationStore, clock: HandClock
    ) -> None:
        conversation, messages = await talk(store, "a", "b", "c")
        await store.delete(MessagesDeleted(KEY, ("2",)))
        clock.pass_time(1)
        made = with_reasons(draft(messages, read_at=clock.now()))
        assert (await fold(store, conversation, made)).draft == made

    async def test_why_folding_failed_is_forgotten_with_a_message(self, store: ConversationStore) -> None:
        conversation, _ = await talk(store, "a", "b")
        await store.note_failure(conversation, CompactionState(2, "no number 850", START))
        await store.delete(MessagesDeleted(KEY, ("1",)))
        assert await store.compaction_state(conversation) == CompactionState(2, "…", START)


class PiecesContract:
    async def test_a_message_folded_in_part_is_not_covered(self, store: ConversationStore) -> None:
        conversation, (a, b, c) = await talk(store, "a", "long", "c")
        made = half(draft([a, b], note(1, a), note(2, b)), 2)
        one = await fold(store, conversation, made)
        assert (one.draft, one.watermark, one.covers, one.stale) == (made, a.id, 1, frozenset())
        assert one.draft.partial == Partial(b.id, 2)
        assert (await store.memory(conversation)).verbatim == (b, c)
        assert await store.unfolded(conversation, 9) == [b, c]

    async def test_a_message_is_folded_piece_by_piece(self, store: ConversationStore) -> None:
        conversation, (a, b) = await talk(store, "very long", "b")
        one = await fold(store, conversation, half(draft([a], note(1, a)), 2))
        assert (one.draft.first, one.watermark, one.covers) == (a.id, 0, 0)
        two = await fold(store, conversation, half(draft([a], note(1, a), note(2, a), predecessor=one.id), 4))
        assert (two.version, two.watermark, two.draft.partial) == (2, 0, Partial(a.id, 4))
        three = await fold(store, conversation, draft([a], *two.draft.notes, predecessor=two.id))
        assert (three.watermark, three.covers, three.draft.partial) == (a.id, 1, None)
        assert three.stale == frozenset()
        assert (await store.memory(conversation)).verbatim == (b,)

    async def test_a_half_folded_message_starts_over_when_it_changes(
        self, store: ConversationStore, clock: HandClock
    ) -> None:
        conversation, (a,) = await talk(store, "very long")
        one = await fold(store, conversation, half(draft([a], note(1, a)), 2))
        clock.pass_time(1)
        await store.edit(MessageEdited(KEY, "1", "long, edited", START))
        summary = await current(store, conversation)
        assert (summary.draft.partial, summary.stale, summary.watermark) == (None, frozenset({"n1"}), 0)
        clock.pass_time(1)
        again = half(draft([a], note(2, a), predecessor=one.id, read_at=clock.now()), 2)
        two = await fold(store, conversation, again)
        assert (two.draft.partial, two.stale) == (Partial(a.id, 2), frozenset())
        await store.delete(MessagesDeleted(KEY, ("1",)))
        summary = await current(store, conversation)
        assert (summary.draft.partial, summary.stale) == (None, frozenset({"n2"}))
        assert await store.unfolded(conversation, 9) == []

    async def test_a_piece_read_before_an_edit_is_no_progress(
        self, store: ConversationStore, clock: HandClock
    ) -> None:
        conversation, (a,) = await talk(store, "very long")
        read_at = clock.now()
        clock.pass_time(1)
        await store.edit(MessageEdited(KEY, "1", "long, edited", START))
        made = half(draft([a], note(1, a), read_at=read_at), 2)
        summary = await fold(store, conversation, made)
        assert (summary.draft.partial, summary.stale) == (None, frozenset({"n1"}))

    async def test_a_message_found_too_large_is_not_folded_on(self, store: ConversationStore) -> None:
        conversation, (a,) = await talk(store, "very long")
        await fold(store, conversation, half(draft([a]), 2))
        await store.close_turn(a.id, "too_large")
        assert (await current(store, conversation)).draft.partial is None

    async def test_a_piece_must_follow_what_is_folded(self, store: ConversationStore) -> None:
        conversation, (a, b, c) = await talk(store, "a", "b", "c")
        _, (other,) = await talk(store, "x", key=OTHER)
        one = await fold(store, conversation, draft([a]))
        good = half(draft([b], predecessor=one.id), 2, watermark=a.id)
        wrong = (
            replace(good, partial=Partial(a.id, 2)),
            replace(good, partial=Partial(c.id, 2)),
            replace(good, partial=Partial(999, 2)),
            replace(good, partial=Partial(other.id, 2)),
            replace(good, first=c.id, partial=Partial(c.id, 2)),
            replace(good, last=0),
        )
        for made in wrong:
            with pytest.raises(StoreError):
                await store.add_summary(conversation, made)
        assert (await fold(store, conversation, good)).draft == good

    async def test_a_first_summary_folds_something(self, store: ConversationStore) -> None:
        conversation, messages = await talk(store, "a")
        with pytest.raises(StoreError):
            await store.add_summary(conversation, replace(draft(messages), last=0, folded=0))

    async def test_a_summary_that_folds_nothing_may_keep_the_progress(self, store: ConversationStore) -> None:
        conversation, (a, b) = await talk(store, "a", "very long")
        one = await fold(store, conversation, half(draft([a, b], note(1, a, b)), 2))
        made = half(draft([b], note(1, a, b), predecessor=one.id), 2, watermark=a.id)
        assert (await fold(store, conversation, made)).draft == made
        assert (await store.unfolded(conversation, 9)) == [b]


class UndoContract:
    async def test_what_an_undone_summary_folded_waits_again(self, store: ConversationStore) -> None:
        conversation, (a, b, c) = await talk(store, "a", "b", "c")
        one = await fold(store, conversation, draft([a], note(1, a)))
        two = await fold(store, conversation, draft([b], note(1, a), note(2, b), predecessor=one.id))
        assert await store.undo(conversation)
        summary = await current(store, conversation)
        assert replace(summary, draft=one.draft) == one
        assert (await store.memory(conversation)).verbatim == (b, c)
        assert await store.unfolded(conversation, 9) == [b, c]
        assert await store.versions(conversation) == [summary, two]
        assert await store.undo(conversation)
        memory = await store.memory(conversation)
        assert (memory.summary, memory.verbatim, memory.stored) == (None, (a, b, c), 3)
        assert not await store.undo(conversation)

    async def test_there_is_nothing_to_undo_before_the_first_summary(self, store: ConversationStore) -> None:
        conversation, _ = await talk(store, "a")
        assert not await store.undo(conversation)

    async def test_numbers_are_not_given_again(self, store: ConversationStore) -> None:
        conversation, (a, b, c) = await talk(store, "a", "b", "c")
        one = await fold(store, conversation, draft([a], note(1, a)))
        await fold(store, conversation, draft([b], note(1, a), note(2, b), note(3, b), predecessor=one.id))
        await store.undo(conversation)
        assert (await current(store, conversation)).draft.next_note == 4
        three = await fold(store, conversation, draft([b, c], note(1, a), note(4, c), predecessor=one.id))
        assert (three.version, three.draft.predecessor) == (3, one.id)
        assert [version.version for version in await store.versions(conversation)] == [1, 2, 3]
        assert three.draft.next_note == 5

    async def test_new_notes_that_claim_numbers_taken_get_higher_ones(self, store: ConversationStore) -> None:
        conversation, (a, b) = await talk(store, "a", "b")
        await fold(store, conversation, draft([a], note(1, a), note(2, a)))
        await store.undo(conversation)
        again = await fold(store, conversation, draft([a], note(1, a, text="x"), note(2, a, text="y")))
        assert [(one.id, one.text) for one in again.notes] == [("n3", "x"), ("n4", "y")]
        assert (again.version, again.draft.predecessor, again.draft.next_note) == (2, None, 5)
        made = draft([b], *again.notes, note(5, b), predecessor=again.id)
        assert [one.id for one in (await fold(store, conversation, made)).notes] == ["n3", "n4", "n5"]

    async def test_a_summary_on_top_of_an_undone_one_comes_too_late(self, store: ConversationStore) -> None:
        conversation, (a, b) = await talk(store, "a", "b")
        one = await fold(store, conversation, draft([a]))
        await store.undo(conversation)
        assert await store.add_summary(conversation, draft([b], predecessor=one.id)) is None

    async def test_messages_that_change_change_undone_versions_too(self, store: ConversationStore) -> None:
        conversation, (a, b) = await talk(store, "a", "b")
        one = await fold(store, conversation, draft([a], note(1, a)))
        await fold(store, conversation, draft([b], note(1, a), note(2, b), predecessor=one.id))
        await store.undo(conversation)
        await store.delete(MessagesDeleted(KEY, ("2",)))
        assert [version.stale for version in await store.versions(conversation)] == [set(), {"n2"}]

    async def test_undoing_forgets_failures(self, store: ConversationStore) -> None:
        conversation, (a,) = await talk(store, "a")
        await fold(store, conversation, draft([a]))
        await store.note_failure(conversation, CompactionState(2, "a reason", START + timedelta(hours=1)))
        await store.undo(conversation)
        assert await store.compaction_state(conversation) == CompactionState()

    async def test_an_earlier_epoch_can_not_be_undone(self, store: ConversationStore) -> None:
        old, (a,) = await talk(store, "a")
        await fold(store, old, draft([a]))
        new = await store.reset(old)
        _, (b,) = await talk(store, "b", start=2)
        summary = await fold(store, new, draft([b]))
        assert summary.version == 1
        assert not await store.undo(old)
        assert await current(store, new) == summary
