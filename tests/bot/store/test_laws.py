"""Whatever happens, in whatever order: what is covered and what is verbatim are all live messages."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bot.messages import MessageEdited, MessagesDeleted
from bot.records import Conversation, LiteralLine, Memory, Summary, SummaryDraft
from bot.store import SqliteStore, retention, striking
from tests.bot.store.ledger import Entry, Ledger, Version, pairs
from tests.fakes.store import KEY, HandClock, draft, half, note, record, said

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
        self._late: tuple[Conversation, SummaryDraft, Version] | None = None
        self._patch = pytest.MonkeyPatch()
        self._patch.setattr(retention, "MESSAGES_AT_ONCE", 2)  # so that expiring is done in pieces
        self._patch.setattr(striking, "VERSIONS_AT_ONCE", 2)

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
        self._patch.undo()
        shutil.rmtree(self._folder)

    def _pick(self, place: int) -> Entry | None:
        entries = list(self._ledger.entries.values())
        return entries[place % len(entries)] if entries else None

    async def _append(self, platform_id: str, text: str, addressed: bool) -> None:
        known = self._ledger.named(platform_id)
        now = self._clock.now()
        appended = await self._store.append(said(text, platform_id, addressed=addressed, sent_at=now))
        self._conversation = appended.conversation
        assert appended.new == (known is None and platform_id not in self._ledger.ended)
        if appended.new:
            state = "open" if addressed else "background"
            added = Entry(appended.message.id, [platform_id], "user", text, state, now)
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
            added = Entry(answer.id, parts, "assistant", "an answer", "", answer.sent_at)
            self._ledger.entries[answer.id] = added

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

    @rule(seconds=st.integers(0, 60))
    def messages_grow_too_old(self, seconds: int) -> None:
        before = self._clock.now() - timedelta(seconds=seconds)
        old = [one for one in self._ledger.entries.values() if one.sent_at < before and not one.erased]
        assert self._do(self._store.expire(before)) == len(old)
        for entry in old:
            self._ledger.erase(entry)

    async def _drafted(self, length: int, partly: bool) -> tuple[Conversation, SummaryDraft, Version] | None:
        summary = (await self._store.memory(self._conversation)).summary
        messages = await self._store.unfolded(self._conversation, length)
        if not messages:
            return None
        made = note(summary.draft.next_note if summary else 1, *messages[:2])
        line = LiteralLine(messages[0].id, 1, (f"beside {made.id}",))
        drafted = replace(
            draft(
                messages,
                *(summary.draft.notes if summary else ()),
                made,
                predecessor=summary.id if summary else None,
                read_at=self._clock.now(),
            ),
            literals=(*(summary.draft.literals if summary else ()), line),
            refused=(f"not in {messages[-1].text}",),
        )
        if partly:
            whole = messages[-2].id if len(messages) > 1 else self._ledger.watermark
            drafted = replace(half(drafted, 5), last=whole)
        return self._conversation, drafted, self._expected(drafted)

    def _expected(self, drafted: SummaryDraft) -> Version:
        """What should be known of a draft made now."""
        ledger, before = self._ledger, self._ledger.current
        known = {kept.id: seen for kept, seen in before.notes.items()} if before else {}
        end = drafted.partial.message if drafted.partial else drafted.last
        quotable = {entry for entry in ledger.entries if drafted.first <= entry <= end}
        for seen in (*before.notes.values(), *before.lines.values()) if before else ():
            quotable.update(seen)
        return Version(
            id=0,
            predecessor=drafted.predecessor,
            last=drafted.last,
            notes={one: known.get(one.id, ledger.changes(one.sources)) for one in drafted.notes},
            lines={
                one: before.lines[one] if before and one in before.lines else ledger.changes([one.message])
                for one in drafted.literals
            },
            partial=drafted.partial,
            half=ledger.changes([end]),
            quotable=ledger.changes(quotable),
        )

    async def _store_draft(self, drafted: tuple[Conversation, SummaryDraft, Version]) -> None:
        conversation, made, version = drafted
        stored = await self._store.add_summary(conversation, made)
        current = self._ledger.current.id if self._ledger.current else None
        fits = conversation.epoch == self._ledger.epoch and made.predecessor == current
        assert (stored is not None) == fits
        if stored is not None:
            named = dict(zip(stored.draft.notes, version.notes.values(), strict=True))
            assert made.read_at is not None
            self._ledger.add(replace(version, id=stored.id, notes=named), made.read_at)

    @rule(length=st.integers(1, 6), partly=st.booleans())
    def messages_are_folded(self, length: int, partly: bool) -> None:
        if drafted := self._do(self._drafted(length, partly)):
            self._do(self._store_draft(drafted))

    @rule(length=st.integers(1, 6), partly=st.booleans())
    def a_slow_fold_begins(self, length: int, partly: bool) -> None:
        self._late = self._do(self._drafted(length, partly))

    @precondition(lambda self: self._late is not None)
    @rule()
    def a_slow_fold_ends(self) -> None:
        assert self._late is not None
        self._do(self._store_draft(self._late))
        self._late = None

    @rule()
    def the_summary_is_undone(self) -> None:
        assert self._do(self._store.undo(self._conversation)) == (self._ledger.current is not None)
        if self._ledger.current is not None:
            self._ledger.undo()

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
        current = self._ledger.current
        assert memory.summary == next((one for one in versions if current and one.id == current.id), None)
        assert [version.version for version in versions] == list(range(1, len(versions) + 1))
        for version, expected in zip(versions, self._ledger.versions, strict=True):
            self._check_version(version, expected)

    def _check_version(self, version: Summary, expected: Version) -> None:
        assert version.watermark == expected.last
        assert version.stale == self._ledger.stale(expected)
        assert {one.id for one in version.draft.notes if not one.text} == version.stale
        assert version.draft.literals == self._ledger.lines(expected)
        assert version.draft.partial == self._ledger.partial(expected)
        assert not version.draft.refused or self._ledger.unchanged(expected.quotable)

    @invariant()
    def it_is_idle_while_something_is_new(self) -> None:
        offered = self._do(self._store.idle(self._clock.now() + timedelta(seconds=9), 9))
        newest = max((message for message, _ in self._ledger.live()), default=0)
        assert offered == ([self._conversation] if newest > self._ledger.settled else [])

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
