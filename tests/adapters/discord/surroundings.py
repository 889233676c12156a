"""What the Discord adapter gets in tests instead of the core: an inbox, a clock, a small store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime

from adapters.discord.adapter import DiscordAdapter
from bot.messages import Inbound, IncomingMessage
from bot.ports import CommandInfo, Responder
from tests.servers.discord import DiscordServer, Message

COMMANDS = (
    CommandInfo("summary", {"en": "Show what I remember", "zh-hant": "顯示摘要", "zh-hans": "显示摘要"}),
    CommandInfo("history", {"en": "Page through all messages"}, argument="page"),
    CommandInfo("reset", {"en": "Start over"}, admin_only=True),
    CommandInfo("help", {"en": "Show what I can do"}),
)
Handler = Callable[[IncomingMessage, Responder], Awaitable[None]]


async def ignore(message: IncomingMessage, responder: Responder) -> None:
    """Does nothing with a message."""


class FakeInbox:
    """Keeps what is submitted; messages are given to `handler`, and are handled when it returns."""

    def __init__(self, handler: Handler = ignore) -> None:
        self.handler = handler
        self.events: list[Inbound] = []
        self.responders: list[Responder] = []
        self._arrived = asyncio.Event()

    def submit(self, event: Inbound, responder: Responder) -> Awaitable[None]:
        self.events.append(event)
        self.responders.append(responder)
        self._arrived.set()
        return asyncio.ensure_future(self._handle(event, responder))

    async def accepted(self) -> None:
        """Everything is always safe here."""

    async def wait_for(self, number: int) -> list[Inbound]:
        """All events, as soon as there are so many."""
        async with asyncio.timeout(10):
            while len(self.events) < number:
                self._arrived.clear()
                await self._arrived.wait()
        return self.events

    async def message(self, number: int = 1) -> IncomingMessage:
        """The newest event, a message, as soon as there are so many events."""
        event = (await self.wait_for(number))[number - 1]
        assert isinstance(event, IncomingMessage)
        return event

    @property
    def texts(self) -> list[str]:
        return [event.text for event in self.events if isinstance(event, IncomingMessage)]

    async def _handle(self, event: Inbound, responder: Responder) -> None:
        if isinstance(event, IncomingMessage):
            await self.handler(event, responder)


class FastClock:
    """Real time, except that sleeping takes a hundredth. `slept` holds all pauses in seconds."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return asyncio.get_running_loop().time()

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        await asyncio.sleep(seconds / 100)


class FakeState:
    """A StateStore in a mapping."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {}
        self._changed = asyncio.Event()

    async def get_state(self, name: str) -> str | None:
        return self.values.get(name)

    async def set_state(self, name: str, value: str) -> None:
        self.values[name] = value
        self._changed.set()

    async def marked(self, message: Message) -> None:
        """Wait until it is kept that everything up to a message was handled."""
        async with asyncio.timeout(10):
            while not any(f'"mark": {message.id}' in value for value in self.values.values()):
                self._changed.clear()
                await self._changed.wait()


def adapter_for(
    server: DiscordServer, state: FakeState, *, token: str | None = None, clock: FastClock | None = None
) -> DiscordAdapter:
    """An adapter that speaks to this server."""
    return DiscordAdapter(
        token or server.token, server.api_base_url, state, clock or FastClock(), guilds_within=0.05
    )


@asynccontextmanager
async def receiving(
    adapter: DiscordAdapter, inbox: FakeInbox, server: DiscordServer
) -> AsyncIterator[asyncio.Task[None]]:
    """The adapter while it receives; on the way out it stops as the application stops it."""
    async with adapter:
        running = asyncio.create_task(adapter.run(inbox, COMMANDS))
        try:
            connected = asyncio.create_task(server.connected())
            await asyncio.wait({running, connected}, return_when=asyncio.FIRST_COMPLETED)
            if running.done():
                connected.cancel()
                running.result()
            yield running
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
