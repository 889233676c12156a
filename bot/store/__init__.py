"""The one place with SQL: conversations in one SQLite file."""

from bot.store.sqlite import SqliteStore

__all__ = ["SqliteStore"]
