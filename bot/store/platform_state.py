"""Small values that platforms keep over restarts, and the write that changes nothing."""

from __future__ import annotations

from bot.store.session import Session


async def get(session: Session, name: str) -> str | None:
    """The value of that name."""
    row = await session.one("SELECT value FROM state WHERE name = ?", name)
    return None if row is None else str(row["value"])


async def put(session: Session, name: str, value: str) -> None:
    """Set the value of that name."""
    await session.run(
        "INSERT INTO state (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
        name,
        value,
    )


async def touch(session: Session) -> None:
    """Write a page without changing it, so that the commit really reaches the disk.

    An insert that is rolled back would stay in memory and succeed on a full disk.
    """
    row = await session.one("PRAGMA user_version")
    assert row is not None
    await session.run(f"PRAGMA user_version = {row[0]}")
