"""A file is brought up to date as a whole or not at all, and foreign files are left alone."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from bot.errors import StoreError, StoreFull, StoreUnusable
from bot.store import SqliteStore
from bot.store.database import Database
from bot.store.migrations import APPLICATION_ID, Migration, migrations, statements
from bot.store.session import Session
from tests.fakes.store import HandClock, talk

NEXT = Migration(
    len(migrations()) + 1,
    (
        "ALTER TABLE conversations ADD COLUMN colour TEXT NOT NULL DEFAULT 'blue'",
        "CREATE TABLE colours (name TEXT)",
        "INSERT INTO colours (name) VALUES ('blue')",
    ),
)
BOTH = (*migrations(), NEXT)
ROOT = Path(__file__).parents[3]


def state(path: Path) -> tuple[int, int, list[str]]:
    """Application, version and the whole schema of a file."""
    with closing(sqlite3.connect(path)) as connection:
        return (
            connection.execute("PRAGMA application_id").fetchone()[0],
            connection.execute("PRAGMA user_version").fetchone()[0],
            [
                row[0]
                for row in connection.execute(
                    "SELECT sql FROM sqlite_master WHERE sql NOT NULL ORDER BY name"
                )
            ],
        )


def content(path: Path) -> bytes:
    """The bytes of a file."""
    return path.read_bytes()


async def opened(path: Path, known: tuple[Migration, ...] = migrations()) -> None:
    async with Database.open(path, known):
        pass


async def test_a_fresh_file_gets_the_newest_schema(path: Path) -> None:
    await opened(path)
    application, version, schema = state(path)
    assert (application, version) == (APPLICATION_ID, len(migrations()))
    assert any("TABLE messages" in sql for sql in schema)


async def test_an_empty_file_counts_as_fresh(path: Path) -> None:
    sqlite3.connect(path).close()
    assert content(path) == b""
    await opened(path)
    assert state(path)[:2] == (APPLICATION_ID, len(migrations()))


async def test_a_current_file_stays_as_it_is(path: Path) -> None:
    await opened(path)
    before = content(path)
    await opened(path)
    assert content(path) == before


async def test_an_older_file_is_brought_up_to_date_with_its_rows(path: Path, clock: HandClock) -> None:
    async with SqliteStore.open(path, clock) as store:
        conversation, messages = await talk(store, "a", "b")
    async with Database.open(path, BOTH) as database:
        assert (await SqliteStore(database, clock).memory(conversation)).verbatim == tuple(messages)
        async with database.snapshot() as session:
            row = await session.one("SELECT colour FROM conversations")
            assert row is not None
            assert row["colour"] == "blue"
    assert state(path)[1] == NEXT.version


async def test_a_newer_file_is_refused_and_left_alone(path: Path, clock: HandClock) -> None:
    await opened(path, BOTH)
    before = content(path)
    with pytest.raises(StoreUnusable, match="newer"):
        async with SqliteStore.open(path, clock):
            pass
    assert content(path) == before


@pytest.mark.parametrize(
    "script",
    [
        "CREATE TABLE theirs (x)",
        "PRAGMA application_id = 5",
        "PRAGMA user_version = 1",
        f"PRAGMA application_id = {APPLICATION_ID + 1}; PRAGMA user_version = 1; CREATE TABLE messages (x)",
    ],
)
async def test_another_applications_file_is_refused_and_left_alone(path: Path, script: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)
    before = content(path)
    with pytest.raises(StoreUnusable, match="another application"):
        await opened(path)
    assert content(path) == before
    assert os.listdir(path.parent) == [path.name]


async def test_a_file_that_is_no_database_is_refused() -> None:
    with pytest.raises(StoreUnusable):
        await opened(Path(__file__))


async def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreUnusable):
        await opened(tmp_path)


async def test_a_folder_that_can_not_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreUnusable):
        await opened(tmp_path / "file" / "memora.db")


@pytest.mark.parametrize("place", range(len(NEXT.statements) + 1))
async def test_a_migration_that_fails_anywhere_leaves_the_old_version(path: Path, place: int) -> None:
    await opened(path)
    before = state(path)
    broken = Migration(
        NEXT.version, (*NEXT.statements[:place], "SELECT no_such_thing", *NEXT.statements[place:])
    )
    with pytest.raises(StoreError):
        await opened(path, (*migrations(), broken))
    assert state(path) == before
    await opened(path, BOTH)
    assert state(path)[1] == NEXT.version


@pytest.mark.parametrize("place", range(0, sum(len(one.statements) for one in migrations()), 4))
async def test_a_first_opening_that_is_cancelled_anywhere_leaves_an_empty_file(
    path: Path, place: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, count = Session.run, 0

    async def run_or_be_cancelled(session: Session, sql: str, *values: str | float | None) -> int:
        nonlocal count
        count += 1
        if count > place:
            raise asyncio.CancelledError
        return await run(session, sql, *values)

    with monkeypatch.context() as patch:
        patch.setattr(Session, "run", run_or_be_cancelled)
        with pytest.raises(asyncio.CancelledError):
            await opened(path)
    assert state(path) == (0, 0, [])
    await opened(path)
    assert state(path)[1] == len(migrations())


async def test_a_migration_that_breaks_references_is_refused(path: Path, clock: HandClock) -> None:
    async with SqliteStore.open(path, clock) as store:
        await talk(store, "a")
    before = state(path)
    with pytest.raises(StoreUnusable, match="missing rows"):
        await opened(path, (*migrations(), Migration(NEXT.version, ("DELETE FROM texts",))))
    assert state(path) == before


async def test_a_fresh_file_may_be_opened_several_times_at_once(path: Path) -> None:
    await asyncio.gather(*(opened(path) for _ in range(4)))
    assert state(path)[:2] == (APPLICATION_ID, len(migrations()))


@contextmanager
def as_somebody(folder: Path) -> Iterator[None]:
    """Root may write to read-only files, so go on as a user who may not; the folder becomes theirs."""
    if os.geteuid() != 0:
        yield
        return
    for file in (folder, *folder.iterdir()):
        os.chown(file, 65534, 65534)
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


async def test_a_read_only_file_can_be_read_and_says_that_it_can_not_be_written(clock: HandClock) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "memora.db")
        async with SqliteStore.open(path, clock) as store:
            conversation, messages = await talk(store, "a")
        os.chmod(path, 0o400)
        with as_somebody(Path(folder)):
            async with SqliteStore.open(path, clock) as store:
                assert (await store.memory(conversation)).verbatim == tuple(messages)
                for call in (store.check(), talk(store, "b", start=2)):
                    with pytest.raises(StoreFull):
                        await call


async def test_a_folder_without_permission_is_told_at_once() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o500)
        with as_somebody(Path(folder)):
            for path in (Path(folder, "memora.db"), Path(folder, "deeper", "memora.db")):
                with pytest.raises(StoreUnusable):
                    await opened(path)


def test_versions_count_up_without_gaps() -> None:
    assert [migration.version for migration in migrations()] == list(range(1, len(migrations()) + 1))


def test_a_script_is_split_into_whole_statements() -> None:
    trigger = "CREATE TRIGGER t AFTER INSERT ON a\nBEGIN\n    SELECT 1;\n    SELECT ';';\nEND;"
    script = f"-- a comment; with a semicolon;\nCREATE TABLE a (x);\n\n{trigger}\n\nSELECT 2;\n-- the end\n"
    split = list(statements(script))
    assert len(split) == 3
    assert split[1].strip() == trigger


def test_half_a_statement_is_refused() -> None:
    with pytest.raises(ValueError, match="whole statement"):
        list(statements("SELECT 1;\nSELECT 2"))


def test_the_schema_travels_in_the_wheel(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if name.startswith("bot/store/schema/")}
    assert packed == {f"bot/store/schema/{file.name}" for file in (ROOT / "bot/store/schema").glob("*.sql")}
