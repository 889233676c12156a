"""Every error of SQLite's becomes one of the store's."""

from __future__ import annotations

import sqlite3

import pytest

from bot.errors import StoreError, StoreFull, StoreUnusable
from bot.store.problems import translated, translating


def raised(name: str) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("something")
    error.sqlite_errorcode = getattr(sqlite3, name)
    error.sqlite_errorname = name
    return error


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("SQLITE_FULL", StoreFull),
        ("SQLITE_READONLY", StoreFull),
        ("SQLITE_READONLY_DIRECTORY", StoreFull),
        ("SQLITE_READONLY_DBMOVED", StoreFull),
        ("SQLITE_IOERR_SHMSIZE", StoreFull),
        ("SQLITE_CANTOPEN", StoreUnusable),
        ("SQLITE_CANTOPEN_ISDIR", StoreUnusable),
        ("SQLITE_NOTADB", StoreUnusable),
        ("SQLITE_PERM", StoreUnusable),
        ("SQLITE_BUSY", StoreError),
        ("SQLITE_IOERR", StoreError),
        ("SQLITE_CORRUPT", StoreError),
        ("SQLITE_CONSTRAINT_UNIQUE", StoreError),
    ],
)
def test_what_a_person_can_mend_has_a_kind_of_its_own(name: str, kind: type[StoreError]) -> None:
    error = translated(raised(name))
    assert type(error) is kind
    assert name in str(error)


def test_an_error_of_the_module_itself_has_no_code() -> None:
    assert type(translated(sqlite3.ProgrammingError("wrong number of bindings"))) is StoreError


def test_only_sqlites_errors_are_translated() -> None:
    with pytest.raises(StoreError), translating():
        raise sqlite3.InterfaceError("x")
    with pytest.raises(KeyError), translating():
        raise KeyError("x")
