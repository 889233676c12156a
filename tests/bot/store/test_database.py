"""Transactions hold or vanish as a whole, whoever fails or is cancelled and wherever."""

from __future__ import annotations

import asyncio
import itertools
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import aiosqlite
import pytest

from bot.errors import StoreError, StoreFull
from bot.store.database import Database
from bot.store.migrations import Migration
from bot.store.session import Session

SCHEMA = (Migration(1, ("CREATE TABLE things (name TEXT NOT NULL)",)),)
ADD = "INSERT INTO things (name) VALUES (?)"


@pytest.fixture
async def database(path: Path) -> AsyncIterator[Database]:
    async with Database.open(path, SCHEMA) as opened:
        yield opened


async def names(database: Database) -> list[str]:
    async with database.snapshot() as session:
        return await read(session)


async def read(session: Session) -> list[str]:
    return [row["name"] for row in await session.all("SELECT name FROM things ORDER BY rowid")]


async def add(database: Database, name: str) -> None:
    async with database.transaction() as session:
        await session.run(ADD, name)


class Halt:
    """Stops a connection's thread at the first statement that holds a given text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._loop = asyncio.get_running_loop()
        self.reached = asyncio.Event()
        self.go_on = threading.Event()

    def __call__(self, statement: str) -> None:
        if self._text in statement and not self.go_on.is_set():
            self._loop.call_soon_threadsafe(self.reached.set)
            assert self.go_on.wait(30)


async def halt(connection: aiosqlite.Connection, text: str) -> Halt:
    made = Halt(text)
    await connection.set_trace_callback(made)
    return made


async def test_a_transaction_that_raises_leaves_nothing(database: Database) -> None:
    async def work() -> None:
        async with database.transaction() as session:
            await session.run(ADD, "lost")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await work()
    await add(database, "kept")
    assert await names(database) == ["kept"]


async def test_a_transaction_cancelled_between_statements_leaves_nothing(database: Database) -> None:
    inside = asyncio.Event()

    async def work() -> None:
        async with database.transaction() as session:
            await session.run(ADD, "lost")
            inside.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(work())
    await inside.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await add(database, "kept")
    assert await names(database) == ["kept"]


@pytest.mark.parametrize("statement", ["BEGIN", "INSERT"])
async def test_a_transaction_cancelled_during_a_statement_waits_for_it_and_leaves_nothing(
    database: Database, statement: str
) -> None:
    stopped = await halt(database._writer, statement)
    task = asyncio.create_task(add(database, "lost"))
    await stopped.reached.wait()
    task.cancel()
    follower = asyncio.create_task(add(database, "kept"))
    for _ in range(5):
        await asyncio.sleep(0)
    task.cancel()  # a second one must not break the rolling back off
    await asyncio.sleep(0)
    assert not task.done()
    stopped.go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    await follower
    assert await names(database) == ["kept"]


async def test_a_transaction_cancelled_while_it_is_stored_is_stored(database: Database) -> None:
    stopped = await halt(database._writer, "COMMIT")
    task = asyncio.create_task(add(database, "stored"))
    await stopped.reached.wait()
    task.cancel()
    stopped.go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    await add(database, "next")
    assert await names(database) == ["stored", "next"]


async def test_two_writers_do_not_share_a_transaction(database: Database) -> None:
    first_wrote, second_waits = asyncio.Event(), asyncio.Event()

    async def fails() -> None:
        async with database.transaction() as session:
            await session.run(ADD, "lost")
            first_wrote.set()
            await second_waits.wait()
            raise RuntimeError

    async def works() -> None:
        await first_wrote.wait()
        second_waits.set()
        await add(database, "kept")

    results = await asyncio.gather(fails(), works(), return_exceptions=True)
    assert isinstance(results[0], RuntimeError)
    assert await names(database) == ["kept"]


async def test_a_snapshot_sees_one_state_and_never_waits_for_a_writer(database: Database) -> None:
    await add(database, "before")
    async with database.snapshot() as session:
        assert await read(session) == ["before"]
        async with database.transaction() as writing:
            await writing.run(ADD, "after")
            assert await names(database) == ["before"]
        assert await read(session) == ["before"]
    assert await names(database) == ["before", "after"]


async def test_cancelled_readers_come_back(database: Database) -> None:
    inside = asyncio.Semaphore(0)

    async def look() -> None:
        async with database.snapshot() as session:
            await read(session)
            inside.release()
            await asyncio.Event().wait()

    for _ in range(3):
        tasks = [asyncio.create_task(look()) for _ in range(5)]
        await inside.acquire()
        await inside.acquire()
        for task in tasks:
            task.cancel()
        assert all(
            isinstance(one, asyncio.CancelledError)
            for one in await asyncio.gather(*tasks, return_exceptions=True)
        )
    async with database.snapshot() as one, database.snapshot() as other:
        assert await read(one) == await read(other) == []


async def test_a_snapshot_can_not_write(database: Database) -> None:
    with pytest.raises(StoreError):
        async with database.snapshot() as session:
            await session.run(ADD, "x")
    assert await names(database) == []


async def test_a_full_disk_is_told_and_survived(database: Database) -> None:
    await database._writer.execute_fetchall("PRAGMA max_page_count = 8")
    await add(database, "kept")
    with pytest.raises(StoreFull):
        await add(database, "x" * 100_000)
    await database._writer.execute_fetchall("PRAGMA max_page_count = 1000000")
    await add(database, "room again")
    assert await names(database) == ["kept", "room again"]


async def test_a_read_only_file_is_told(database: Database) -> None:
    await database._writer.execute_fetchall("PRAGMA query_only = ON")
    with pytest.raises(StoreFull):
        await add(database, "x")


async def test_a_lock_held_by_another_process_is_told(database: Database, path: Path) -> None:
    await database._writer.execute_fetchall("PRAGMA busy_timeout = 0")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="locked"):
        await add(database, "x")
    other.close()
    await add(database, "kept")
    assert await names(database) == ["kept"]


async def test_the_file_is_set_up_to_lose_nothing(database: Database) -> None:
    expected = {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "secure_delete": 1,
        "busy_timeout": 5000,
    }
    async with database.transaction() as session:
        for name, value in expected.items():
            row = await session.one(f"PRAGMA {name}")
            assert row is not None
            assert (name, row[0]) == (name, value)


@pytest.mark.parametrize("place", range(22))
async def test_opening_and_closing_may_be_cancelled_at_any_step(
    path: Path, place: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = set(threading.enumerate())
    steps = itertools.count()

    def cancelling(original: Callable[..., Any]) -> Callable[..., Any]:
        def step(*args: Any, **settings: Any) -> Any:
            if next(steps) >= place:
                task.cancel()
            return original(*args, **settings)

        return step

    async def open_and_close() -> None:
        async with Database.open(path, SCHEMA):
            pass
        task.cancel()
        await asyncio.Event().wait()

    with monkeypatch.context() as patch:
        patch.setattr(aiosqlite, "connect", cancelling(aiosqlite.connect))
        for name in ("execute_fetchall", "close"):
            patch.setattr(aiosqlite.Connection, name, cancelling(getattr(aiosqlite.Connection, name)))
        task = asyncio.create_task(open_and_close())
        with pytest.raises(asyncio.CancelledError):
            await task
    for thread in set(threading.enumerate()) - before:
        if not thread.name.startswith("asyncio_"):  # the event loop's own pool stays
            thread.join(10)
            assert not thread.is_alive()
    async with Database.open(path, SCHEMA) as database:
        await add(database, "works")
