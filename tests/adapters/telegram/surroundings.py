"""What the Telegram adapter gets in tests instead of the core: an inbox, a clock, a small store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from datetime import UTC, datetime

from adapters.telegram.adapter import TelegramAdapter
from adapters.telegram.connection import Connection
from bot.messages import Inbound, IncomingMessage
from bot.ports import CommandInfo, Responder
from tests.servers.telegram import TelegramServer

NOW = datetime(2025, 6, 1, 12, 0, tzinfo=UTC)
COMMANDS = (
    CommandInfo("summary", {"en": "Show what I remember", "zh-hant": "顯示摘要", "zh-hans": "显示摘要"}),
    CommandInfo("history", {"en": "Page through all messages"}, argument="page"),
    CommandInfo("reset", {"en": "Start over"}, admin_only=True),
    CommandInfo("help", {"en": "Show what I can do"}),
)


class FakeInbox:
    """Keeps what is submitted. `open_gate` cleared: events are not safe yet, however long one waits."""

    def __init__(self) -> None:
        self.events: list[Inbound] = []
        self.responders: list[Responder] = []
        self.open_gate = asyncio.Event()
        self.open_gate.set()
        self._arrived = asyncio.Event()

    def submit(self, event: Inbound, responder: Responder) -> Awaitable[None]:
        self.events.append(event)
        self.responders.append(responder)
        self._arrived.set()
        handled: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        handled.set_result(None)
        return handled

    async def accepted(self) -> None:
        await self.open_gate.wait()

    async def wait_for(self, number: int) -> list[Inbound]:
        """All events, as soon as there are so many."""
        async with asyncio.timeout(10):
            while len(self.events) < number:
                self._arrived.clear()
                await self._arrived.wait()
        return self.events

    async def message(self, number: int = 1) -> IncomingMessage:
        """The newest event, a message, as soon as there are so many events."""
        event = (await self.wait_for(number))[-1]
        assert isinstance(event, IncomingMessage)
        return event


class FakeClock:
    """Time that passes only by sleeping. `slept` holds all pauses in seconds."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    def now(self) -> datetime:
        return NOW

    def monotonic(self) -> float:
        return 1000.0 + sum(self.slept)

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        await asyncio.sleep(0)


class FakeState:
    """A StateStore in a mapping; `kept` is set when something was put there."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {}
        self.kept = asyncio.Event()

    async def get_state(self, name: str) -> str | None:
        return self.values.get(name)

    async def set_state(self, name: str, value: str) -> None:
        self.values[name] = value
        self.kept.set()


def adapter_for(
    server: TelegramServer,
    clock: FakeClock,
    state: FakeState,
    *,
    token: str | None = None,
    language: str = "en",
    timeout: float = 5.0,
) -> TelegramAdapter:
    """An adapter that speaks to this server; `timeout` is that of its connections."""
    connection = Connection(token or server.token, server.base_url, timeout)
    return TelegramAdapter(connection, language, state, clock, poll=5)


@asynccontextmanager
async def receiving(adapter: TelegramAdapter, inbox: FakeInbox) -> AsyncIterator[TelegramAdapter]:
    """The adapter, entered and running; a failure of its loop is raised at the end."""
    async with adapter:
        loop = asyncio.create_task(adapter.run(inbox, COMMANDS))
        try:
            yield adapter
        finally:
            loop.cancel()
            for result in await asyncio.gather(loop, return_exceptions=True):
                if isinstance(result, Exception):
                    raise result
