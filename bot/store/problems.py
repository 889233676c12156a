"""Turns what SQLite and the file system report into the store's own errors, in this one place."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from bot.errors import StoreError, StoreFull, StoreUnusable

_FULL = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY}
_UNUSABLE = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_PERM}
# The memory shared by the connections is a file too; it fails to grow when the disk is full.
_FULL_EXTENDED = {sqlite3.SQLITE_IOERR_SHMSIZE}


def translated(error: sqlite3.Error) -> StoreError:
    """The store's error for one of SQLite's. Extended codes carry the primary one in their low byte."""
    code = getattr(error, "sqlite_errorcode", None)
    name = getattr(error, "sqlite_errorname", type(error).__name__)
    message = f"{error} ({name})"
    if code is None:
        return StoreError(message)
    if code in _FULL_EXTENDED or code & 0xFF in _FULL:
        return StoreFull(message)
    if code & 0xFF in _UNUSABLE:
        return StoreUnusable(message)
    return StoreError(message)


@contextmanager
def translating() -> Iterator[None]:
    """Let no error of SQLite's leave the block untranslated."""
    try:
        yield
    except sqlite3.Error as error:
        raise translated(error) from error
