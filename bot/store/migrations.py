"""Brings a file to the schema this version knows, and refuses files that are not Memora's or are newer."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from bot.errors import StoreUnusable
from bot.store.session import Session

APPLICATION_ID = 0x4D454D4F  # "MEMO": tells Memora's files from other programs' SQLite files


@dataclass(frozen=True, slots=True)
class Migration:
    """The statements that lead from version - 1 to version."""

    version: int
    statements: tuple[str, ...]


def migrations() -> tuple[Migration, ...]:
    """Those that come with this version, in order, read from the package's schema folder."""
    folder = resources.files("bot.store") / "schema"
    files = sorted(
        (file for file in folder.iterdir() if file.name.endswith(".sql")), key=lambda file: file.name
    )
    return tuple(
        Migration(version, tuple(statements(file.read_text("utf-8"))))
        for version, file in enumerate(files, 1)
    )


def statements(script: str) -> Iterator[str]:
    """The single statements of a script; each must end its last line.

    `executescript` would do the splitting, but it commits the open transaction first.
    """
    lines: list[str] = []
    for line in script.splitlines():
        lines.append(line)
        if line.rstrip().endswith(";") and sqlite3.complete_statement("\n".join(lines)):
            yield "\n".join(lines)
            lines = []
    if any(line.strip() and not line.lstrip().startswith("--") for line in lines):
        raise ValueError(f"not a whole statement: {lines}")


def examine(path: Path, newest: int) -> None:
    """Raise StoreUnusable unless the file is new, or Memora's and not newer than `newest`.

    Closing the connection again also empties the write-ahead log that a killed process may have left.
    """
    with closing(sqlite3.connect(path)) as connection:
        application = int(connection.execute("PRAGMA application_id").fetchone()[0])
        version = int(connection.execute("PRAGMA user_version").fetchone()[0])
        tables = int(connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])
    _judge(path, application, version, tables, newest)


def _judge(path: Path, application: int, version: int, tables: int, newest: int) -> None:
    if application != APPLICATION_ID and (application or version or tables):
        raise StoreUnusable(f"{path} is a database of another application")
    if version > newest:
        raise StoreUnusable(
            f"{path} was written by a newer version of Memora (schema {version}, this one knows {newest})"
        )


async def migrate(session: Session, known: Sequence[Migration]) -> int:
    """Run what is missing, inside the caller's transaction. Returns the number of migrations run."""
    row = await session.one("PRAGMA user_version")
    assert row is not None
    missing = [migration for migration in known if migration.version > row[0]]
    for migration in missing:
        for statement in migration.statements:
            await session.run(statement)
    if missing:
        await session.run(f"PRAGMA application_id = {APPLICATION_ID}")
        await session.run(f"PRAGMA user_version = {missing[-1].version}")
        if await session.all("PRAGMA foreign_key_check"):
            raise StoreUnusable(
                "rows point to missing rows after the change of the schema; nothing was changed"
            )
    return len(missing)
