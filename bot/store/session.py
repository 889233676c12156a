"""How statements are run: one transaction's or snapshot's way to its connection."""

from __future__ import annotations

import sqlite3

import aiosqlite

Value = str | int | float | None


def storable(text: str) -> str:
    """The text without lone surrogates, which JSON can carry and no UTF-8 file can hold."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


class Session:
    """Runs statements inside a transaction that its database opened and will end.

    `erased` tells the database that old texts have to vanish from the write-ahead log too.
    """

    __slots__ = ("_connection", "erased")

    def __init__(self, connection: aiosqlite.Connection) -> None:
        self._connection = connection
        self.erased = False

    async def all(self, sql: str, *values: Value) -> list[sqlite3.Row]:
        """All rows of a query."""
        return list(await self._connection.execute_fetchall(sql, _bound(values)))

    async def one(self, sql: str, *values: Value) -> sqlite3.Row | None:
        """The first row of a query, or None."""
        rows = await self.all(sql, *values)
        return rows[0] if rows else None

    async def run(self, sql: str, *values: Value) -> int:
        """The number of rows that a statement changed."""
        async with self._connection.execute(sql, _bound(values)) as cursor:
            return cursor.rowcount

    async def insert(self, sql: str, *values: Value) -> int:
        """The id of the row that a statement added."""
        async with self._connection.execute(sql, _bound(values)) as cursor:
            assert cursor.lastrowid is not None
            return cursor.lastrowid


def _bound(values: tuple[Value, ...]) -> list[Value]:
    return [storable(value) if isinstance(value, str) else value for value in values]
