"""What is erased is in no byte of the file or its write-ahead log any more."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import aiosqlite
import pytest

from bot.messages import Attachment, ConversationKey, Message, MessageEdited, MessagesDeleted, Speaker
from bot.records import CompactionState, Summary, SummaryDraft
from bot.store import SqliteStore, database
from bot.store.database import Database
from bot.store.migrations import migrations
from tests.fakes.store import KEY, START, HandClock, draft, note, record, said, talk

Found = Callable[..., list[str]]


@pytest.fixture
def found(path: Path) -> Found:
    """Which of these words are in the bytes of the file or the log beside it."""

    def look(*words: str) -> list[str]:
        files = [file for file in path.parent.iterdir() if not file.name.endswith("-shm")]
        content = b"".join(file.read_bytes() for file in files)
        return [word for word in words if word.encode() in content]

    return look


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a folder as they are."""
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def put_back(folder: Path, files: dict[str, bytes]) -> None:
    """Make the files of a folder what they were."""
    for name, content in files.items():
        (folder / name).write_bytes(content)


@pytest.fixture
async def opened(path: Path) -> AsyncIterator[Database]:
    async with Database.open(path, migrations()) as made:
        yield made


@pytest.fixture
def store(opened: Database, clock: HandClock) -> SqliteStore:
    return SqliteStore(opened, clock)


async def test_a_deleted_message_leaves_no_trace(store: SqliteStore, found: Found) -> None:
    photo = Attachment("photo", "passport-name.jpg", "passport-text")
    conversation = (await store.append(said("kept words", "1"))).conversation
    gone = (await store.append(said("secret words " * 2000, "2", attachments=(photo,)))).message
    await store.add_summary(
        conversation, draft(await store.unfolded(conversation, 9), note(1, gone, text="noted secret"))
    )
    words = ("secret words", "passport-name", "passport-text", "noted secret")
    assert found(*words) == list(words)
    await store.delete(MessagesDeleted(KEY, ("2",)))
    assert found(*words, "kept words") == ["kept words"]


async def test_what_an_edit_replaced_leaves_no_trace(store: SqliteStore, found: Found) -> None:
    conversation, messages = await talk(store, "password hunter2")
    one = await store.add_summary(conversation, draft(messages, note(1, messages[0], text="hunter2 it is")))
    assert one is not None
    await store.edit(MessageEdited(KEY, "1", "password ******", START))
    assert found("hunter2") == []
    carried = draft(messages, *one.draft.notes, predecessor=one.id)
    await store.add_summary(conversation, carried)  # made of what was read before the edit
    assert found("hunter2") == []


async def test_a_reset_leaves_no_trace(store: SqliteStore, found: Found) -> None:
    asked = await store.append(said("a question", "1", Speaker("1", "Annabel")))
    await store.add_answer(asked.conversation, asked.message.id, "Memora", "an answer", record())
    folded = draft([asked.message], note(1, asked.message, text="a noted thing"))
    await store.add_summary(asked.conversation, folded)
    await store.note_failure(asked.conversation, CompactionState(1, "the number 850 is missing", START))
    words = ("a question", "an answer", "a noted thing", "Annabel", "the number 850")
    assert found(*words) == list(words)
    await store.reset(asked.conversation)
    assert found(*words) == []


async def test_an_earlier_name_and_an_earlier_failure_leave_no_trace(
    store: SqliteStore, found: Found
) -> None:
    conversation = (await store.append(said("a", "1", Speaker("1", "Old Name")))).conversation
    await store.append(said("b", "2", Speaker("1", "New Name")))
    await store.note_failure(conversation, CompactionState(1, "old reason"))
    await store.note_failure(conversation, CompactionState(2, "new reason"))
    assert found("Old Name", "New Name", "old reason", "new reason") == ["New Name", "new reason"]


async def test_other_conversations_keep_their_words(store: SqliteStore, found: Found) -> None:
    other = ConversationKey("telegram", "4711", "101")
    conversation, _ = await talk(store, "mine to erase")
    kept, messages = await talk(store, "theirs to keep", key=other)
    await store.reset(conversation)
    assert found("mine to erase", "theirs to keep") == ["theirs to keep"]
    assert (await store.memory(kept)).verbatim == tuple(messages)


async def test_a_reader_only_puts_off_that_the_log_is_emptied(
    store: SqliteStore, opened: Database, found: Found, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_BRIEFLY", 1)
    conversation, _ = await talk(store, "secret")
    async with opened.snapshot() as session:
        await session.all("SELECT * FROM entries")
        await store.delete(MessagesDeleted(KEY, ("1",)))
    await store.set_state("any", "write")
    assert found("secret") == []
    assert (await store.memory(conversation)).stored == 0


async def test_a_copy_only_puts_off_that_the_log_is_emptied(
    store: SqliteStore, tmp_path: Path, found: Found, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads, go_on = asyncio.Event(), asyncio.Event()

    async def slow(source: aiosqlite.Connection, target: aiosqlite.Connection) -> None:
        await source.execute_fetchall("BEGIN")
        await source.execute_fetchall("SELECT * FROM texts")
        reads.set()
        await go_on.wait()

    monkeypatch.setattr(aiosqlite.Connection, "backup", slow)
    await talk(store, "secret")
    copying = asyncio.create_task(store.backup(tmp_path / "copy.db"))
    await reads.wait()
    await store.delete(MessagesDeleted(KEY, ("1",)))
    go_on.set()
    await copying
    assert found("secret") == []


async def test_the_log_of_a_killed_process_is_emptied_at_the_next_start(
    path: Path, clock: HandClock, tmp_path: Path, found: Found, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def leave(_: Database) -> None:
        """As if killed before."""

    with monkeypatch.context() as patch:
        patch.setattr(Database, "_tidy", leave)
        async with SqliteStore.open(path, clock) as store:
            await talk(store, "secret")
            await store.delete(MessagesDeleted(KEY, ("1",)))
            files = contents(tmp_path)
    put_back(tmp_path, files)
    assert found("secret") == ["secret"]
    async with SqliteStore.open(path, clock):
        assert found("secret") == []


@pytest.mark.parametrize("seed", range(6))
async def test_no_trace_is_left_however_rows_move_in_the_file(
    store: SqliteStore, opened: Database, found: Found, seed: int
) -> None:
    async with opened._writing:
        await opened._writer.execute_fetchall("PRAGMA synchronous = OFF")  # for speed
    chaos = _Chaos(store, random.Random(seed))
    for _ in range(160):
        await chaos.step()
    assert len(chaos.gone) > 30
    assert found(*chaos.gone) == []


class _Chaos:
    """Appends, edits, deletes, folds and resets of all sizes at random."""

    def __init__(self, store: SqliteStore, chance: random.Random) -> None:
        self._store = store
        self._chance = chance
        self._count = 0
        self._live: dict[str, str] = {}
        self.gone: list[str] = []

    async def step(self) -> None:
        kinds = (self._append, self._edit, self._delete, self._fold, self._reset)
        (kind,) = self._chance.choices(kinds, (60, 15, 15, 9, 1))
        await kind()

    def _word(self) -> str:
        self._count += 1
        return f"word{self._count:05d}end"

    def _text(self, word: str) -> str:
        return word + "x" * self._chance.choice((0, 5, 50, 300, 1500, 6000))

    async def _append(self) -> None:
        word = self._word()
        speaker = Speaker(str(self._chance.randint(1, 5)), "Ann")
        platform_id = str(self._count)
        await self._store.append(said(self._text(word), platform_id, speaker))
        self._live[platform_id] = word

    async def _edit(self) -> None:
        if self._live:
            platform_id, word = self._chance.choice(list(self._live.items()))
            self._live[platform_id] = self._word()
            await self._store.edit(
                MessageEdited(KEY, platform_id, self._text(self._live[platform_id]), START)
            )
            self.gone.append(word)

    async def _delete(self) -> None:
        if self._live:
            platform_id, word = self._chance.choice(list(self._live.items()))
            del self._live[platform_id]
            await self._store.delete(MessagesDeleted(KEY, (platform_id,)))
            self.gone.append(word)

    async def _fold(self) -> None:
        conversation = await self._store.find(KEY)
        if conversation and (
            messages := await self._store.unfolded(conversation, self._chance.randint(1, 30))
        ):
            summary = (await self._store.memory(conversation)).summary
            await self._store.add_summary(conversation, self._draft(summary, messages))

    def _draft(self, summary: Summary | None, messages: list[Message]) -> SummaryDraft:
        old = summary.draft.notes if summary else ()
        new = [
            note(len(old) + place, message, text=message.text[:12])
            for place, message in enumerate(messages, 1)
        ]
        return draft(messages, *old, *new, predecessor=summary.id if summary else None)

    async def _reset(self) -> None:
        if conversation := await self._store.find(KEY):
            await self._store.reset(conversation)
            self.gone.extend(self._live.values())
            self._live.clear()
