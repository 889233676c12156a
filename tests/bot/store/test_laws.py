"""Whatever happens, in whatever order: what is covered and what is verbatim are all live messages."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bot.messages import MessageEdited, MessagesDeleted
from bot.records import Conversation, Memory, SummaryDraft
from bot.store import SqliteStore
from tests.bot.store.ledger import Entry, Ledger, Version, pairs
from tests.fakes.store import KEY, HandClock, draft, note, record, said

T = TypeVar("T")

PLACES = st.integers(min_value=0, max_value=30)


class Laws(RuleBasedStateMachine):
    """Drives a real file and a ledger side by side."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.mkdtemp()
        self._runner = asyncio.Runner()
        self._stack = AsyncExitStack()
        self._clock = HandClock()
        self._ledger = Ledger()
        self._next_platform_id = 0
        self._next_note = 0
        self._late: tuple[Conversation, SummaryDraft, Version] | None = None

    def _do(self, work: Coroutine[Any, Any, T]) -> T:
        self._clock.pass_time(1)
        return self._runner.run(work)

    @initialize()
    def open(self) -> None:
        path = Path(self._folder, "memora.db")
        self._store = self._do(self._stack.enter_async_context(SqliteStore.open(path, self._clock)))
        self._do(self._append("0", "first", addressed=True))

    def teardown(self) -> None:
        self._do(self._stack.aclose())
        self._runner.close()
        shutil.rmtree(self._folder)

    def _pick(self, place: int) -> Entry | None:
        entries = list(self._ledger.entries.values())
        return entries[place % len(entries)] if entries else None

    async def _append(self, platform_id: str, text: str, addressed: bool) -> None:
        known = self._ledger.named(platform_id)
        appended = await self._store.append(said(text, platform_id, addressed=addressed))
        self._conversation = appended.conversation
        assert appended.new == (known is None and platform_id not in self._ledger.ended)
        if appended.new:
            state = "open" if addressed else "background"
            added = Entry(appended.message.id, [platform_id], "user", text, state)
            self._ledger.entries[added.id] = added
        elif known is not None:
            assert (appended.message.id, appended.open) == (known.id, known.state == "open")

    @rule(text=st.text(max_size=8), addressed=st.booleans())
    def a_message_comes(self, text: str, addressed: bool) -> None:
        self._next_platform_id += 1
        self._do(self._append(str(self._next_platform_id), text, addressed))

    @rule(place=PLACES)
    def a_message_comes_again(self, place: int) -> None:
        self._do(self._append(str(place % (self._next_platform_id + 1)), "again", addressed=True))

    @rule(place=PLACES)
    def an_answer_is_given(self, place: int) -> None:
        question = self._pick(place)
        if question is None or question.role == "assistant":
            return
        self._next_platform_id += 1
        parts = [f"p{self._next_platform_id}", f"q{self._next_platform_id}"]
        answer = self._do(
            self._store.add_answer(self._conversation, question.id, "Memora", "an answer", record())
        )
        assert (answer is None) == (question.state == "answered")
        if answer is not None:
            self._do(self._store.attach_parts(answer.id, parts))
            question.state = "answered"
            self._ledger.entries[answer.id] = Entry(answer.id, parts, "assistant", "an answer", "")

    @rule(place=PLACES, too_large=st.booleans())
    def a_turn_is_given_up(self, place: int, too_large: bool) -> None:
        entry = self._pick(place)
        if entry is None:
            return
        self._do(self._store.close_turn(entry.id, "too_large" if too_large else "failed"))
        if entry.state in ("open", "failed"):
            entry.state = "too_large" if too_large else "failed"
            entry.live = entry.live and not too_large

    @rule(place=PLACES, text=st.text(max_size=8))
    def a_message_is_edited(self, place: int, text: str) -> None:
        entry = self._pick(place)
        if entry is None:
            return
        event = MessageEdited(KEY, entry.platform_ids[0], text, self._clock.now())
        expected = entry.role == "user" and not entry.erased and entry.text != text
        assert self._do(self._store.edit(event)) == expected
        if expected:
            entry.text, entry.changes = text, entry.changes + 1

    @rule(places=st.lists(PLACES, max_size=3))
    def messages_are_deleted(self, places: list[int]) -> None:
        chosen = {entry.id: entry for place in places if (entry := self._pick(place))}.values()
        platform_ids = tuple(entry.platform_ids[-1] for entry in chosen)
        count = self._do(self._store.delete(MessagesDeleted(KEY, platform_ids)))
        assert count == sum(entry.live for entry in chosen)
        for entry in chosen:
            self._ledger.erase(entry)

    async def _drafted(self, length: int) -> tuple[Conversation, SummaryDraft, Version] | None:
        memory = await self._store.memory(self._conversation)
        messages = await self._store.unfolded(self._conversation, length)
        if not messages:
            return None
        self._next_note += 1
        made = note(self._next_note, *messages[:2])
        carried = memory.summary.draft.notes if memory.summary else ()
        predecessor = memory.summary.id if memory.summary else None
        made_draft = replace(
            draft(messages, *carried, made, predecessor=predecessor), read_at=self._clock.now()
        )
        before = self._ledger.versions[-1].notes if self._ledger.versions else {}
        known = {kept.id: seen for kept, seen in before.items()}
        notes = {kept: known[kept.id] for kept in carried} | {made: self._ledger.changes(made)}
        return self._conversation, made_draft, Version(0, messages[-1].id, notes)

    async def _store_draft(self, drafted: tuple[Conversation, SummaryDraft, Version]) -> None:
        conversation, made, version = drafted
        stored = await self._store.add_summary(conversation, made)
        current = self._ledger.versions[-1].id if self._ledger.versions else None
        fits = conversation.epoch == self._ledger.epoch and made.predecessor == current
        assert (stored is not None) == fits
        if stored is not None:
            self._ledger.versions.append(replace(version, id=stored.id))

    @rule(length=st.integers(1, 6))
    def messages_are_folded(self, length: int) -> None:
        if drafted := self._do(self._drafted(length)):
            self._do(self._store_draft(drafted))

    @rule(length=st.integers(1, 6))
    def a_slow_fold_begins(self, length: int) -> None:
        self._late = self._do(self._drafted(length))

    @precondition(lambda self: self._late is not None)
    @rule()
    def a_slow_fold_ends(self) -> None:
        assert self._late is not None
        self._do(self._store_draft(self._late))
        self._late = None

    @rule(sure=st.integers(0, 3))
    def a_new_epoch_begins(self, sure: int) -> None:
        if sure == 0:
            self._conversation = self._do(self._store.reset(self._conversation))
            self._ledger.reset()

    @rule()
    def the_process_starts_again(self) -> None:
        self._do(self._stack.aclose())
        path = Path(self._folder, "memora.db")
        self._store = self._do(self._stack.enter_async_context(SqliteStore.open(path, self._clock)))

    @invariant()
    def covered_and_verbatim_are_all_live_messages(self) -> None:
        memory = self._do(self._store.memory(self._conversation))
        covered = memory.summary.covers if memory.summary else 0
        live, after = self._ledger.live(), self._ledger.live(self._ledger.watermark)
        assert pairs(memory.verbatim) == after
        assert covered + memory.older + len(memory.verbatim) == memory.stored == len(live)
        assert pairs(self._do(self._store.unfolded(self._conversation, 99))) == after
        history, count = self._do(self._store.history(self._conversation, 99))
        assert (pairs(history), count) == (live, len(live))
        self._check_summary(memory)

    def _check_summary(self, memory: Memory) -> None:
        versions = self._do(self._store.versions(self._conversation))
        assert [version.id for version in versions] == [version.id for version in self._ledger.versions]
        assert memory.summary == (versions[-1] if versions else None)
        assert [version.watermark for version in versions] == [one.last for one in self._ledger.versions]
        for version, expected in zip(versions, self._ledger.versions, strict=True):
            assert version.stale == self._ledger.stale(expected)

    @invariant()
    def the_oldest_open_turn_is_known(self) -> None:
        assert self._do(self._store.open_turn(self._conversation)) == self._ledger.open_turn()


TestLaws = Laws.TestCase
TestLaws.settings = settings(
    max_examples=40,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
