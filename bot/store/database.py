"""The SQLite file: its connections, their settings, transactions and snapshots.

One writer connection behind one lock, because coroutines on one connection share one transaction; readers
have connections of their own and, thanks to the write-ahead log, never wait for the writer.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import aiosqlite
import structlog

from bot.errors import StoreError, StoreUnusable
from bot.store.migrations import Migration, examine, migrate
from bot.store.problems import translated, translating
from bot.store.session import Session
from bot.store.waiting import finish

_log = structlog.get_logger(__name__)

_READERS = 2
_PATIENCE = 5_000  # milliseconds to wait for another process that writes
_BRIEFLY = 500  # milliseconds a checkpoint waits for readers before it is put off


class Database:
    """An open file. Made by `open` only."""

    def __init__(self, path: Path, writer: aiosqlite.Connection) -> None:
        self._path = path
        self._writer = writer
        self._writing = asyncio.Lock()
        self._readers: asyncio.LifoQueue[aiosqlite.Connection] = asyncio.LifoQueue()
        self._traces = False
        self._copies = 0
        self._open = True

    @classmethod
    @asynccontextmanager
    async def open(cls, path: Path, known: tuple[Migration, ...]) -> AsyncIterator[Database]:
        """Open or create the file and its folder. Raises StoreUnusable or StoreFull."""
        await _prepare(path, known)
        with translating():
            async with AsyncExitStack() as stack:
                writer = await stack.enter_async_context(_connection(path))
                await _configure_writer(writer)
                database = cls(path, writer)
                async with database.transaction() as session:
                    await migrate(session, known)
                await writer.execute_fetchall("PRAGMA foreign_keys = ON")
                for _ in range(_READERS):
                    reader = await stack.enter_async_context(_connection(path))
                    await reader.execute_fetchall("PRAGMA query_only = ON")
                    database._readers.put_nowait(reader)
                try:
                    yield database
                finally:
                    database._open = False

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Session]:
        """Write. All of the block is stored when it ends, or nothing when it raises or is cancelled.

        Cancelled while the end is being stored, it may be stored or not.
        """
        async with self._writing:
            async with self._within(self._writer, "BEGIN IMMEDIATE", "COMMIT") as session:
                yield session
                self._traces = self._traces or session.erased
            await self._tidy()

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[Session]:
        """Read. The whole block sees one state of the file."""
        reader = await self._readers.get()
        try:
            async with self._within(reader, "BEGIN", "ROLLBACK") as session:
                yield session
        finally:
            self._readers.put_nowait(reader)

    @asynccontextmanager
    async def _within(self, connection: aiosqlite.Connection, begin: str, end: str) -> AsyncIterator[Session]:
        self._check_open()
        try:
            await connection.execute_fetchall(begin)
            yield Session(connection)
            await connection.execute_fetchall(end)
        except BaseException as error:
            # Statements queue up: when this one is through, whatever was under way has ended too.
            with translating():
                await finish(connection.rollback())
            if isinstance(error, sqlite3.Error):
                raise translated(error) from error
            raise

    def _check_open(self) -> None:
        if not self._open:
            raise StoreError("the store is closed")

    async def _tidy(self) -> None:
        """Move the write-ahead log into the file and empty it, because erased text stays in it otherwise.

        What was written is safe already, so a failure only puts this off until the next transaction.
        """
        if not self._traces or self._copies:
            return
        try:
            await self._writer.execute_fetchall(f"PRAGMA busy_timeout = {_BRIEFLY}")
            rows = list(await self._writer.execute_fetchall("PRAGMA wal_checkpoint(TRUNCATE)"))
            self._traces = bool(rows[0]["busy"])
        except sqlite3.Error as error:
            _log.warning("write-ahead log not emptied", error=str(error))
        finally:
            with translating():
                await self._writer.execute_fetchall(f"PRAGMA busy_timeout = {_PATIENCE}")

    async def backup(self, target: Path) -> None:
        """Copy the present state into a new file while others read and write."""
        self._check_open()
        await asyncio.to_thread(_create, target)
        self._copies += 1  # a copy reads all the time, and emptying the log would wait for it in vain
        try:
            with translating():
                async with _connection(self._path) as source, _connection(target) as copy:
                    await finish(source.backup(copy))
        except BaseException:
            await finish(asyncio.to_thread(target.unlink, missing_ok=True))
            raise
        finally:
            self._copies -= 1
        async with self._writing:
            await self._tidy()


async def _prepare(path: Path, known: tuple[Migration, ...]) -> None:
    try:
        await asyncio.to_thread(path.parent.mkdir, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreUnusable(f"the folder of {path} can't be made: {error.strerror}") from error
    with translating():
        await asyncio.to_thread(examine, path, len(known))


def _create(target: Path) -> None:
    try:
        target.open("xb").close()
    except FileExistsError as error:
        raise StoreUnusable(f"{target} exists already") from error
    except OSError as error:
        raise StoreUnusable(f"{target} can't be made: {error.strerror}") from error


@asynccontextmanager
async def _connection(path: Path) -> AsyncIterator[aiosqlite.Connection]:
    connection = aiosqlite.connect(path, isolation_level=None, timeout=_PATIENCE / 1000)
    try:
        await finish(_started(connection))
        connection.row_factory = sqlite3.Row
        yield connection
    finally:
        await finish(connection.close())


async def _started(connection: aiosqlite.Connection) -> None:
    await connection


async def _configure_writer(writer: aiosqlite.Connection) -> None:
    rows = list(await writer.execute_fetchall("PRAGMA journal_mode = WAL"))
    if rows[0][0] != "wal":
        raise StoreUnusable("the file can't be used with a write-ahead log where it lies")
    # FULL rather than NORMAL: a message counts as accepted once it is stored, the platform won't deliver it
    # again, and NORMAL may lose the last commits when the power fails. One flush for each message is cheap.
    await writer.execute_fetchall("PRAGMA synchronous = FULL")
    await writer.execute_fetchall("PRAGMA secure_delete = ON")
    await writer.execute_fetchall("PRAGMA temp_store = MEMORY")
