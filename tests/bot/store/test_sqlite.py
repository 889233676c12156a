"""SqliteStore keeps the contract of a store, and keeps it over restarts."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.errors import StoreError
from bot.ports import ConversationStore
from bot.records import CompactionState
from bot.store import SqliteStore, reading, sqlite
from tests.contracts.store import StoreContract
from tests.fakes.store import KEY, START, HandClock, draft, note, record, said, talk


class TestContract(StoreContract):
    """The fixtures come from conftest."""


async def test_everything_is_there_after_a_restart(path: Path, clock: HandClock) -> None:
    async with SqliteStore.open(path, clock) as store:
        conversation, messages = await talk(store, "a", "b", "c")
        await store.add_answer(conversation, messages[0].id, "Memora", "A", record())
        await store.add_summary(conversation, draft(messages[:2], note(1, messages[0])))
        await store.note_failure(conversation, CompactionState(2, "a reason", START))
        await store.set_state("name", "value")
        before = await _everything(store)
    async with SqliteStore.open(path, clock) as store:
        assert await _everything(store) == before


async def _everything(store: SqliteStore) -> list[object]:
    conversation = await store.find(KEY)
    assert conversation is not None
    return [
        conversation,
        await store.memory(conversation),
        await store.history(conversation, 99),
        await store.versions(conversation),
        await store.last_request(conversation),
        await store.totals(conversation),
        await store.compaction_state(conversation),
        await store.open_turn(conversation),
        await store.conversations(),
        await store.get_state("name"),
    ]


async def test_a_copy_holds_what_was_there_and_can_be_used(
    store: ConversationStore, tmp_path: Path, clock: HandClock
) -> None:
    conversation, messages = await talk(store, "a", "b")
    await store.backup(tmp_path / "copy.db")
    await talk(store, "c", start=3)
    async with SqliteStore.open(tmp_path / "copy.db", clock) as copy:
        assert (await copy.memory(conversation)).verbatim == tuple(messages)
        assert (await copy.append(said("d", "4"))).new


async def test_of_a_long_backlog_only_the_newest_are_read(
    store: ConversationStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "NEWEST", 3)
    conversation, messages = await talk(store, *"abcdef")
    await store.add_summary(conversation, draft(messages[:1]))
    memory = await store.memory(conversation)
    assert (memory.verbatim, memory.older, memory.stored) == (tuple(messages[3:]), 2, 6)
    assert memory.summary is not None
    assert memory.summary.covers == 1
    memory = await store.memory(conversation, upto=messages[4].id)
    assert (memory.verbatim, memory.older) == (tuple(messages[2:5]), 1)


async def test_a_long_export_is_read_in_pieces(
    store: ConversationStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "_PAGE", 2)
    conversation, messages = await talk(store, *"abcde")
    assert [message async for message in store.export(conversation)] == messages


async def test_a_message_that_arrives_twice_at_once_is_stored_once(store: ConversationStore) -> None:
    results = await asyncio.gather(*(store.append(said("a", "1")) for _ in range(8)))
    assert sorted(result.new for result in results) == [False] * 7 + [True]
    assert len({result.message.id for result in results}) == 1


async def test_two_answers_at_once_become_one(store: ConversationStore) -> None:
    conversation, (question,) = await talk(store, "a")
    answers = await asyncio.gather(
        *(store.add_answer(conversation, question.id, "Memora", text, record()) for text in "xyz")
    )
    assert len([answer for answer in answers if answer]) == 1
    assert (await store.memory(conversation)).stored == 2


async def test_two_summaries_at_once_become_one(store: ConversationStore) -> None:
    conversation, messages = await talk(store, "a", "b")
    made = await asyncio.gather(*(store.add_summary(conversation, draft(messages)) for _ in range(3)))
    assert len([summary for summary in made if summary]) == 1
    assert len(await store.versions(conversation)) == 1


async def test_a_closed_store_says_so(path: Path, clock: HandClock) -> None:
    async with SqliteStore.open(path, clock) as store:
        pass
    copy = path.with_name("copy.db")
    for call in (store.append(said("a", "1")), store.find(KEY), store.check(), store.backup(copy)):
        with pytest.raises(StoreError, match="closed"):
            await call


async def test_a_missing_folder_is_made(tmp_path: Path, clock: HandClock) -> None:
    async with SqliteStore.open(tmp_path / "deep" / "down" / "memora.db", clock) as store:
        await store.check()
    assert (tmp_path / "deep" / "down" / "memora.db").exists()
