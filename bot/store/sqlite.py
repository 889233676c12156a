"""The store of conversations in one SQLite file: says which work shares a transaction or a snapshot."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Literal

from bot.messages import (
    ConversationKey,
    ConversationMoved,
    IncomingMessage,
    Message,
    MessageEdited,
    MessagesDeleted,
)
from bot.ports.clock import Clock
from bot.ports.model import Usage
from bot.ports.store import Appended
from bot.records import (
    CompactionState,
    Conversation,
    ConversationLine,
    Memory,
    RequestRecord,
    Summary,
    SummaryDraft,
    Totals,
)
from bot.store import (
    accepting,
    conversations,
    figures,
    log,
    platform_state,
    reading,
    retention,
    striking,
    summaries,
)
from bot.store.database import Database
from bot.store.migrations import migrations

_PAGE = 500


class SqliteStore:
    """A `ConversationStore` and `StateStore` on an open database. What each method promises is said there."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        # One process has the file, so its memory is enough to say who works on a conversation.
        self._claims: set[tuple[int, str]] = set()

    @classmethod
    @asynccontextmanager
    async def open(cls, path: Path, clock: Clock) -> AsyncIterator[SqliteStore]:
        """Open the file, or make it and its folder. Raises StoreUnusable or StoreFull.

        A read-only file opens and can be read; `check` tells whether it can be written.
        """
        async with Database.open(path, migrations()) as database:
            yield cls(database, clock)

    # -- the log

    async def append(self, incoming: IncomingMessage) -> Appended:
        async with self._database.transaction() as session:
            return await log.append(session, incoming)

    async def edit(self, event: MessageEdited) -> bool:
        async with self._database.transaction() as session:
            return await log.edit(session, event, self._clock.now())

    async def delete(self, event: MessagesDeleted) -> int:
        async with self._database.transaction() as session:
            return await log.delete(session, event, self._clock.now())

    async def move(self, event: ConversationMoved) -> None:
        async with self._database.transaction() as session:
            await conversations.move(session, event)

    async def add_answer(
        self, conversation: Conversation, answers: int, speaker_name: str, text: str, record: RequestRecord
    ) -> Message | None:
        async with self._database.transaction() as session:
            now = self._clock.now()
            answer = await log.add_answer(session, conversation, answers, speaker_name, text, now)
            if answer is not None:
                await figures.add_request(session, conversation, answer, record)
            return answer

    async def attach_parts(self, message: int, platform_ids: Sequence[str]) -> None:
        async with self._database.transaction() as session:
            await log.attach_parts(session, message, platform_ids)

    async def close_turn(self, message: int, outcome: Literal["failed", "too_large"]) -> None:
        async with self._database.transaction() as session:
            await log.close_turn(session, message, outcome)

    # -- reading

    async def find(self, key: ConversationKey) -> Conversation | None:
        async with self._database.snapshot() as session:
            return await conversations.find(session, key)

    async def memory(self, conversation: Conversation, upto: int | None = None) -> Memory:
        async with self._database.snapshot() as session:
            return await reading.memory(session, conversation, upto)

    async def unfolded(self, conversation: Conversation, limit: int) -> list[Message]:
        async with self._database.snapshot() as session:
            return await reading.unfolded(session, conversation, limit)

    async def open_turn(self, conversation: Conversation) -> int | None:
        async with self._database.snapshot() as session:
            return await reading.open_turn(session, conversation)

    async def history(
        self, conversation: Conversation, limit: int, offset: int = 0
    ) -> tuple[list[Message], int]:
        async with self._database.snapshot() as session:
            return await reading.history(session, conversation, limit, offset)

    async def versions(self, conversation: Conversation) -> list[Summary]:
        async with self._database.snapshot() as session:
            return await summaries.versions(session, conversation)

    async def last_request(self, conversation: Conversation) -> RequestRecord | None:
        async with self._database.snapshot() as session:
            return await figures.last_request(session, conversation)

    async def totals(self, conversation: Conversation) -> Totals:
        async with self._database.snapshot() as session:
            return await figures.totals(session, conversation)

    # -- compaction

    @asynccontextmanager
    async def claim(self, conversation: Conversation, work: str) -> AsyncIterator[bool]:
        claim = (conversation.id, work)
        if claim in self._claims:
            yield False
            return
        self._claims.add(claim)
        try:
            yield True
        finally:
            self._claims.remove(claim)

    async def add_summary(self, conversation: Conversation, draft: SummaryDraft) -> Summary | None:
        async with self._database.transaction() as session:
            return await accepting.add(session, conversation, draft, self._clock.now())

    async def undo(self, conversation: Conversation) -> bool:
        async with self._database.transaction() as session:
            return await summaries.undo(session, conversation)

    async def note_failure(self, conversation: Conversation, state: CompactionState) -> None:
        async with self._database.transaction() as session:
            await summaries.note_failure(session, conversation, state)

    async def add_cost(self, conversation: Conversation, model: str, usage: Usage) -> None:
        async with self._database.transaction() as session:
            await figures.add_cost(session, conversation, model, usage, self._clock.now())

    async def compaction_state(self, conversation: Conversation) -> CompactionState:
        async with self._database.snapshot() as session:
            return await summaries.compaction_state(session, conversation)

    async def reset(self, conversation: Conversation) -> Conversation:
        async with self._database.transaction() as session:
            return await conversations.reset(session, conversation.id, self._clock.now())

    async def idle(self, before: datetime, limit: int) -> list[Conversation]:
        async with self._database.snapshot() as session:
            return await conversations.idle(session, before, limit)

    async def settle(self, conversation: Conversation, before: datetime) -> None:
        async with self._database.transaction() as session:
            await conversations.settle(session, conversation, before)

    # -- retention

    async def expire(self, before: datetime) -> int:
        erased, conversation = 0, await self._next_with_old(before, 0)
        while conversation is not None:
            async with self._database.transaction() as session:
                erased += await retention.erase_old(session, conversation, before, self._clock.now())
            conversation = await self._next_with_old(before, conversation)
        await self._strike_the_rest()
        return erased

    async def _next_with_old(self, before: datetime, start: int) -> int | None:
        async with self._database.snapshot() as session:
            return await retention.next_with_old(session, before, start)

    async def _strike_the_rest(self) -> None:
        """In pieces of their own; those that a killed process left are among them."""
        more = True
        while more:
            async with self._database.transaction() as session:
                more = await striking.go_on(session)

    # -- platforms' own small state

    async def get_state(self, name: str) -> str | None:
        async with self._database.snapshot() as session:
            return await platform_state.get(session, name)

    async def set_state(self, name: str, value: str) -> None:
        async with self._database.transaction() as session:
            await platform_state.put(session, name, value)

    # -- operating

    async def conversations(self) -> list[ConversationLine]:
        async with self._database.snapshot() as session:
            return await conversations.lines(session)

    async def export(self, conversation: Conversation) -> AsyncIterator[Message]:
        last = 0
        while True:
            async with self._database.snapshot() as session:
                page = await reading.page_after(session, conversation, last, _PAGE)
            for message in page:
                yield message
            if not page:
                return
            last = page[-1].id

    async def backup(self, target: Path) -> None:
        await self._database.backup(target)

    async def check(self) -> None:
        async with self._database.transaction() as session:
            await platform_state.touch(session)
