"""A turn costs the same however long the log is: no statement of it reads a whole table."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.messages import MessageEdited, MessagesDeleted
from bot.store import SqliteStore
from bot.store.session import Session, Value
from tests.fakes.store import KEY, START, draft, note, record, said, talk

Statement = tuple[str, tuple[Value, ...]]

# What may be scanned: lists that the statement itself brings.
_SMALL = ("CONSTANT ROW", "json_each", "wanted")


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[Statement]:
    """All statements that the store runs, with their values."""
    seen: list[Statement] = []
    originals = Session.all, Session.run, Session.insert

    async def read(session: Session, sql: str, *values: Value) -> list[sqlite3.Row]:
        seen.append((sql, values))
        return await originals[0](session, sql, *values)

    async def run(session: Session, sql: str, *values: Value) -> int:
        seen.append((sql, values))
        return await originals[1](session, sql, *values)

    async def insert(session: Session, sql: str, *values: Value) -> int:
        seen.append((sql, values))
        return await originals[2](session, sql, *values)

    monkeypatch.setattr(Session, "all", read)
    monkeypatch.setattr(Session, "run", run)
    monkeypatch.setattr(Session, "insert", insert)
    return seen


def scans(path: Path, statements: list[Statement]) -> list[tuple[str, str]]:
    """The steps that read all of something, or sort, with their statements."""
    found = []
    with closing(sqlite3.connect(path)) as connection:
        for sql, values in statements:
            for step in connection.execute(f"EXPLAIN QUERY PLAN {sql}", values):
                plan = step[3]
                if "TEMP B-TREE" in plan or (
                    plan.startswith("SCAN") and not any(word in plan for word in _SMALL)
                ):
                    found.append((plan, sql))
    return found


async def test_no_step_of_a_turn_reads_a_whole_table(
    store: SqliteStore, path: Path, ran: list[Statement]
) -> None:
    conversation, messages = await talk(store, *"abcdefgh")
    answer = await store.add_answer(conversation, messages[0].id, "Memora", "A", record())
    assert answer is not None
    await store.attach_parts(answer.id, ["90", "91"])
    await store.close_turn(messages[1].id, "failed")
    first = await store.add_summary(conversation, draft(messages[:4], note(1, messages[0])))
    assert first is not None
    await store.add_summary(conversation, draft(messages[4:5], note(1, messages[0]), predecessor=first.id))
    await store.memory(conversation)
    await store.memory(conversation, upto=messages[6].id)
    await store.unfolded(conversation, 3)
    await store.open_turn(conversation)
    await store.history(conversation, 2)
    await store.last_request(conversation)
    await store.totals(conversation)
    await store.compaction_state(conversation)
    await store.edit(MessageEdited(KEY, "1", "changed", START))
    await store.delete(MessagesDeleted(KEY, ("2",)))
    await store.append(said("again", "2"))
    assert [message async for message in store.export(conversation)]
    await store.reset(conversation)
    assert len(ran) > 80
    assert scans(path, ran) == []


async def test_the_check_itself_notices_a_scan(store: SqliteStore, path: Path) -> None:
    await talk(store, "a")
    assert scans(path, [("SELECT * FROM entries WHERE live = 1", ())])
    assert scans(path, [("SELECT id FROM messages WHERE id > ? ORDER BY sent_at", (0,))])
