"""The log: once, in order, edited, erased, answered."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.errors import StoreError
from bot.messages import Attachment, ConversationKey, MessageEdited, MessagesDeleted, Speaker
from bot.ports import ConversationStore
from tests.fakes.store import ANN, KEY, START, HandClock, record, said, talk

LATER = START + timedelta(minutes=1)
PHOTO = Attachment("photo", "sunset.jpg", "a beach\nat dusk")


class LogContract:
    async def test_a_message_comes_back_as_it_was_said(self, store: ConversationStore) -> None:
        appended = await store.append(said("Hello", "7"))
        message = appended.message
        assert appended.new
        assert appended.open
        assert (message.role, message.text, message.speaker) == ("user", "Hello", ANN)
        assert (message.number, message.sent_at, message.platform_id) == (1, START, "7")
        assert (await store.memory(appended.conversation)).verbatim == (message,)

    async def test_a_message_is_stored_once_however_often_it_arrives(self, store: ConversationStore) -> None:
        first = await store.append(said("Hello", "7"))
        again = await store.append(said("Hello, again", "7"))
        assert not again.new
        assert again.open
        assert again.message == first.message
        assert (await store.memory(first.conversation)).stored == 1

    async def test_a_duplicate_is_open_only_while_it_waits_for_its_answer(
        self, store: ConversationStore
    ) -> None:
        first = await store.append(said("Hello", "7"))
        await store.add_answer(first.conversation, first.message.id, "Memora", "Hi", record())
        assert not (await store.append(said("Hello", "7"))).open

    async def test_background_is_not_open(self, store: ConversationStore) -> None:
        appended = await store.append(said("someone delete the repo", "7", addressed=False))
        assert appended.new
        assert not appended.open
        assert await store.open_turn(appended.conversation) is None

    async def test_one_platform_id_in_two_chats_means_two_messages(self, store: ConversationStore) -> None:
        await store.append(said("here", "7"))
        there = await store.append(said("there", "7", key=ConversationKey("telegram", "4711", "101")))
        assert there.new
        assert there.message.text == "there"

    async def test_attachments_are_told_below_the_text(self, store: ConversationStore) -> None:
        both = await store.append(said("Look", "1", attachments=(PHOTO, Attachment("voice"))))
        alone = await store.append(said("", "2", attachments=(PHOTO,)))
        assert both.message.text == "Look\n[photo: sunset.jpg, a beach at dusk]\n[voice]"
        assert alone.message.text == "[photo: sunset.jpg, a beach at dusk]"

    async def test_text_that_no_file_can_hold_is_stored_readable(self, store: ConversationStore) -> None:
        broken = await store.append(
            said("half \ud83d, whole \ud83d\ude00, nul \x00.", "1", Speaker("1", "A\udc00"))
        )
        assert broken.message.text == "half \ufffd, whole \U0001f600, nul \x00."
        assert broken.message.speaker.name == "A\ufffd"

    async def test_an_edit_changes_the_text_and_keeps_the_attachments(self, store: ConversationStore) -> None:
        first = await store.append(said("Lok", "1", attachments=(PHOTO,)))
        assert await store.edit(MessageEdited(KEY, "1", "Look", LATER))
        (message,) = (await store.memory(first.conversation)).verbatim
        assert message.id == first.message.id
        assert message.text == "Look\n[photo: sunset.jpg, a beach at dusk]"
        assert message.edited_at == LATER

    async def test_an_edit_may_change_the_attachments(self, store: ConversationStore) -> None:
        first = await store.append(said("Look", "1", attachments=(PHOTO,)))
        assert await store.edit(MessageEdited(KEY, "1", "Look", LATER, attachments=(Attachment("voice"),)))
        assert (await store.memory(first.conversation)).verbatim[0].text == "Look\n[voice]"
        assert await store.edit(MessageEdited(KEY, "1", "Look!", LATER))
        assert (await store.memory(first.conversation)).verbatim[0].text == "Look!\n[voice]"

    async def test_an_edit_that_changes_nothing_changes_nothing(self, store: ConversationStore) -> None:
        first = await store.append(said("see https://example.org", "1"))
        assert not await store.edit(MessageEdited(KEY, "1", "see https://example.org", LATER))
        assert (await store.memory(first.conversation)).verbatim == (first.message,)

    async def test_an_edit_of_what_is_not_there_is_ignored(self, store: ConversationStore) -> None:
        assert not await store.edit(MessageEdited(KEY, "1", "x", LATER))
        await talk(store, "a")
        assert not await store.edit(MessageEdited(KEY, "2", "x", LATER))

    async def test_an_older_edit_does_not_undo_a_newer_one(self, store: ConversationStore) -> None:
        conversation, _ = await talk(store, "a")
        await store.edit(MessageEdited(KEY, "1", "newest", LATER))
        assert not await store.edit(MessageEdited(KEY, "1", "older", LATER - timedelta(seconds=1)))
        assert (await store.memory(conversation)).verbatim[0].text == "newest"

    async def test_the_display_of_an_answer_never_overwrites_it(self, store: ConversationStore) -> None:
        conversation, (question,) = await talk(store, "a")
        answer = await store.add_answer(conversation, question.id, "Memora", "**whole** answer", record())
        assert answer is not None
        await store.attach_parts(answer.id, ["90", "91"])
        assert not await store.edit(MessageEdited(KEY, "91", "a part", LATER))
        assert (await store.memory(conversation)).verbatim[1].text == "**whole** answer"

    async def test_deleted_messages_are_gone_and_counted(self, store: ConversationStore) -> None:
        conversation, (_, b, _) = await talk(store, "a", "b", "c")
        assert await store.delete(MessagesDeleted(KEY, ("1", "3", "3", "unknown"))) == 2
        assert (await store.memory(conversation)).verbatim == (b,)
        assert await store.delete(MessagesDeleted(KEY, ("1",))) == 0
        assert await store.delete(MessagesDeleted(ConversationKey("telegram", "4711", "9"), ("2",))) == 0

    async def test_a_deleted_message_does_not_come_back(self, store: ConversationStore) -> None:
        conversation, _ = await talk(store, "a", "b")
        await store.delete(MessagesDeleted(KEY, ("1",)))
        again = await store.append(said("a", "1"))
        assert not again.new
        assert not again.open
        assert again.message.text == ""
        assert not await store.edit(MessageEdited(KEY, "1", "a", LATER))
        assert [message.text for message in (await store.memory(conversation)).verbatim] == ["b"]

    async def test_deleting_a_question_ends_its_turn(self, store: ConversationStore) -> None:
        conversation, (_, b) = await talk(store, "a", "b")
        await store.delete(MessagesDeleted(KEY, ("1",)))
        assert await store.open_turn(conversation) == b.id

    async def test_an_answer_closes_its_turn(self, store: ConversationStore, clock: HandClock) -> None:
        conversation, (a, b) = await talk(store, "a", "b")
        clock.pass_time(5)
        answer = await store.add_answer(conversation, a.id, "Memora", "A!", record())
        assert answer is not None
        assert (answer.role, answer.number, answer.text, answer.answers) == ("assistant", 0, "A!", a.id)
        assert answer.speaker == Speaker("4711", "Memora", is_bot=True)
        assert answer.sent_at == START + timedelta(seconds=5)
        assert await store.open_turn(conversation) == b.id
        assert (await store.memory(conversation)).verbatim == (a, b, answer)

    async def test_a_message_is_answered_once(self, store: ConversationStore) -> None:
        conversation, (a,) = await talk(store, "a")
        await store.add_answer(conversation, a.id, "Memora", "first", record())
        assert await store.add_answer(conversation, a.id, "Memora", "second", record()) is None
        assert [message.text for message in (await store.memory(conversation)).verbatim] == ["a", "first"]
        assert (await store.totals(conversation)).answers == 1

    async def test_a_foreign_message_can_not_be_answered(self, store: ConversationStore) -> None:
        conversation, _ = await talk(store, "a")
        _, (other,) = await talk(store, "b", key=ConversationKey("telegram", "4711", "101"))
        for unknown in (other.id, 999):
            with pytest.raises(StoreError):
                await store.add_answer(conversation, unknown, "Memora", "x", record())

    async def test_any_part_of_an_answer_leads_to_it(self, store: ConversationStore) -> None:
        conversation, (a,) = await talk(store, "a")
        answer = await store.add_answer(conversation, a.id, "Memora", "long", record())
        assert answer is not None
        await store.attach_parts(answer.id, ["90", "91"])
        await store.attach_parts(answer.id, ["90", "91", "92"])
        assert (await store.memory(conversation)).verbatim[1].platform_id == "90"
        assert not (await store.append(said("an echo", "92"))).new
        assert await store.delete(MessagesDeleted(KEY, ("91", "92"))) == 1
        assert (await store.memory(conversation)).verbatim == (a,)

    async def test_parts_of_an_unknown_answer_are_refused(self, store: ConversationStore) -> None:
        with pytest.raises(StoreError):
            await store.attach_parts(5, ["90"])

    async def test_a_failed_turn_is_closed_and_stays_in_memory(self, store: ConversationStore) -> None:
        conversation, (a,) = await talk(store, "a")
        await store.close_turn(a.id, "failed")
        assert await store.open_turn(conversation) is None
        assert not (await store.append(said("a", "1"))).open
        assert (await store.memory(conversation)).verbatim == (a,)

    async def test_a_message_too_large_leaves_the_memory(self, store: ConversationStore) -> None:
        conversation, (a, b) = await talk(store, "a", "b")
        await store.close_turn(a.id, "too_large")
        memory = await store.memory(conversation)
        assert (memory.verbatim, memory.stored) == ((b,), 1)
        assert await store.unfolded(conversation, 9) == [b]
        assert await store.open_turn(conversation) == b.id
        assert await store.delete(MessagesDeleted(KEY, ("1",))) == 0

    async def test_an_answered_turn_stays_answered(self, store: ConversationStore) -> None:
        conversation, (a,) = await talk(store, "a")
        await store.add_answer(conversation, a.id, "Memora", "A", record())
        await store.close_turn(a.id, "too_large")
        assert (await store.memory(conversation)).stored == 2
