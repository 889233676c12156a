"""The application's life: what it refuses at the start, how it ends."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import pytest

from bot.app import Core, Surroundings, check_budget, open_core, serve
from bot.commands.registry import menu
from bot.config import Secrets, Settings
from bot.errors import ChatGone, DeliveryError, SettingsError
from bot.memory.tokens import TiktokenCounter
from bot.ports import CommandInfo, Inbox
from bot.store import SqliteStore
from tests.fakes.clock import StepClock, Watched
from tests.fakes.responder import RecordingResponder, RecordingSink
from tests.fakes.store import KEY, said


def _settings(path: Path, **memory: Any) -> Settings:
    return Settings.model_validate({"storage": {"path": path}, "memory": memory})


@pytest.fixture
def around() -> Surroundings:
    return Surroundings(StepClock(), lambda: 1.0)


@pytest.fixture
async def core(tmp_path: Path, around: Surroundings) -> AsyncIterator[Core]:
    settings = _settings(tmp_path / "memora.db")
    async with open_core(settings, Secrets(), around, patience=0) as opened:
        yield opened


class Face(Watched):
    """An adapter that does as it is told; `log` is shared, so that the order of things shows."""

    def __init__(self, platform: str = "here", log: list[str] | None = None) -> None:
        super().__init__()
        self.platform = platform
        self.log = [] if log is None else log
        self.inbox: Inbox | None = None
        self.commands: Sequence[CommandInfo] = ()
        self.over = asyncio.Event()
        self.error: Exception | None = None
        self.entering: Exception | None = None

    async def __aenter__(self) -> Self:
        if self.entering:
            raise self.entering
        self._say("entered")
        return self

    async def __aexit__(self, *_: object) -> None:
        self._say("left")

    async def run(self, inbox: Inbox, commands: Sequence[CommandInfo]) -> None:
        self.inbox, self.commands = inbox, commands
        self._say("receives")
        try:
            await self.over.wait()
        finally:
            self._say("stopped")
        if self.error:
            raise self.error

    async def check(self) -> str:
        return self.platform

    async def receiving(self) -> Inbox:
        await self.until(lambda: self.inbox is not None)
        assert self.inbox
        return self.inbox

    def ends(self, error: Exception | None = None) -> None:
        self.error = error
        self.over.set()

    def _say(self, what: str) -> None:
        self.log.append(f"{self.platform} {what}")
        self.changed()


class Held(RecordingResponder):
    """A reply that begins only when `gate` opens."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()
        self.began = asyncio.Event()

    async def open_reply(self) -> RecordingSink:
        self.began.set()
        await self.gate.wait()
        return await super().open_reply()


def _serve(core: Core, *faces: Face, drain: float = 60.0) -> tuple[asyncio.Task[None], asyncio.Event]:
    stop = asyncio.Event()
    factories = [lambda _, face=face: face for face in faces]
    return asyncio.create_task(serve(core, factories, stop, drain)), stop


@pytest.mark.parametrize(
    ("memory", "path"),
    [({"input_budget": 200}, "summary.max_tokens"), ({"input_budget": 1250}, "summary.max_tokens")],
)
async def test_a_budget_that_leaves_no_room_is_refused_before_anything_is_opened(
    tmp_path: Path, around: Surroundings, memory: dict[str, int], path: str
) -> None:
    file = tmp_path / "memora.db"
    with pytest.raises(SettingsError) as caught:
        async with open_core(_settings(file, **memory), Secrets(), around, patience=0):
            raise AssertionError("opened")
    assert caught.value.path == path
    assert not file.exists()


def test_a_persona_that_fills_the_budget_alone_is_named_as_such(tmp_path: Path) -> None:
    settings = Settings.model_validate(
        {"bot": {"persona": "Be kind. " * 200}, "memory": {"input_budget": 500}}
    )
    with pytest.raises(SettingsError) as caught:
        check_budget(settings, TiktokenCounter("o200k_base"), StepClock())
    assert caught.value.path == "memory.input_budget"


def test_the_defaults_leave_room() -> None:
    check_budget(Settings(), TiktokenCounter("o200k_base"), StepClock())


async def test_it_receives_until_it_is_told_to_stop(core: Core) -> None:
    face = Face()
    task, stop = _serve(core, face)
    await face.receiving()
    assert tuple(face.commands) == menu()
    stop.set()
    await task
    assert face.log == ["here entered", "here receives", "here stopped", "here left"]


async def test_what_a_platform_submits_is_stored_and_answered(core: Core) -> None:
    face = Face()
    task, stop = _serve(core, face)
    inbox = await face.receiving()
    responder = RecordingResponder()
    await inbox.submit(said("Hello there, my name is Ann.", "1"), responder)
    assert responder.answer
    stop.set()
    await task
    conversation = await core.store.find(KEY)
    assert conversation
    assert (await core.store.memory(conversation)).stored == 2


async def test_a_running_reply_is_finished_while_its_platform_is_still_there(core: Core) -> None:
    face = Face()
    task, stop = _serve(core, face)
    inbox = await face.receiving()
    responder = Held()
    done = asyncio.ensure_future(inbox.submit(said("Hello there, my name is Ann.", "1"), responder))
    await responder.began.wait()
    stop.set()
    await face.until(lambda: "here stopped" in face.log)
    late = RecordingResponder()
    assert "here left" not in face.log
    responder.gate.set()
    await task
    assert responder.answer
    assert done.done()
    await inbox.submit(said("Too late?", "2"), late)
    assert late.silent
    assert face.log[-1] == "here left"


async def test_a_reply_that_takes_too_long_is_stopped_at_the_deadline(core: Core) -> None:
    face = Face()
    task, stop = _serve(core, face, drain=0)
    inbox = await face.receiving()
    responder = Held()
    done = asyncio.ensure_future(inbox.submit(said("Hello there.", "1"), responder))
    await responder.began.wait()
    stop.set()
    await task
    assert responder.answer is None
    await asyncio.gather(done, return_exceptions=True)
    assert face.log[-1] == "here left"


async def test_it_ends_when_every_platform_has_ended(core: Core) -> None:
    one, other = Face("one"), Face("other")
    task, _ = _serve(core, one, other)
    await one.receiving()
    await other.receiving()
    one.ends()
    other.ends()
    await task


async def test_one_platform_that_can_t_work_leaves_the_others_at_work(core: Core) -> None:
    broken, fine = Face("broken"), Face("fine")
    task, stop = _serve(core, broken, fine)
    inbox = await fine.receiving()
    broken.ends(ChatGone("the token is wrong"))
    await broken.until(lambda: "broken stopped" in broken.log)
    responder = RecordingResponder()
    await inbox.submit(said("Hello there, my name is Ann.", "1"), responder)
    assert responder.answer
    assert not task.done()
    stop.set()
    await task


async def test_it_fails_when_no_platform_can_work(core: Core) -> None:
    one, other = Face("one"), Face("other")
    task, _ = _serve(core, one, other)
    await one.receiving()
    await other.receiving()
    one.ends(DeliveryError("the first token is wrong"))
    other.ends(DeliveryError("the other token is wrong"))
    with pytest.raises(DeliveryError, match="token is wrong"):
        await task
    assert (one.log[-1], other.log[-1]) == ("one left", "other left")


async def test_a_fault_in_one_platform_ends_all_in_good_order(core: Core) -> None:
    log: list[str] = []
    odd, fine = Face("odd", log), Face("fine", log)
    task, _ = _serve(core, odd, fine)
    await odd.receiving()
    await fine.receiving()
    odd.ends(RuntimeError("nobody thought of this"))
    with pytest.raises(RuntimeError):
        await task
    assert log[-3:] == ["fine stopped", "fine left", "odd left"]


async def test_a_platform_that_can_t_be_entered_leaves_none_open(core: Core) -> None:
    log: list[str] = []
    first, second = Face("first", log), Face("second", log)
    second.entering = DeliveryError("unreachable")
    task, _ = _serve(core, first, second)
    with pytest.raises(DeliveryError):
        await task
    assert log == ["first entered", "first left"]


async def test_who_listens_may_be_named_after_the_core_is_open(tmp_path: Path, around: Surroundings) -> None:
    heard: list[Mapping[str, Any]] = []
    settings = _settings(tmp_path / "memora.db", recent_turns=1, trigger_turns=2)
    async with open_core(settings, Secrets(), around, patience=60) as core:
        around.listener = heard.append
        face = Face()
        task, stop = _serve(core, face)
        inbox = await face.receiving()
        for place in range(4):
            text = f"My {place + 1}. cat is called Mia, she was born in 2019 and lives in Oslo with us."
            await inbox.submit(said(text, str(place)), RecordingResponder())
        stop.set()
        await task
        await core.compactor.join()
    assert heard
    assert heard[0]["result"] == "done"


async def test_a_closed_core_lets_go_of_its_file(tmp_path: Path, around: Surroundings) -> None:
    path = tmp_path / "memora.db"
    async with open_core(_settings(path), Secrets(), around, patience=0) as core:
        await core.store.append(said("Hello", "1"))
    async with SqliteStore.open(path, StepClock()) as store:
        assert await store.find(KEY)
    assert os.listdir(tmp_path) == ["memora.db"]
