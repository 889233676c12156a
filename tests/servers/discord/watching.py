"""discord.py as it comes, connected to the loopback server, for the server's own tests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import discord
import pytest
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from tests.servers.discord.server import DiscordServer


class Watcher(discord.Client):
    """discord.py as it comes, noting what it receives."""

    def __init__(self, server: DiscordServer, **options: Any) -> None:
        intents = options.pop("intents", None) or discord.Intents(
            guilds=True, messages=True, message_content=True
        )
        super().__init__(intents=intents, max_messages=None, **options)
        self.server = server
        self.events: list[tuple[str, Any]] = []

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """No pause before identifying anew."""

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        self.events.append((event, args[0] if args else None))
        self.server.world.changes.note()
        super().dispatch(event, *args, **kwargs)

    def seen(self, event: str) -> list[Any]:
        return [argument for name, argument in self.events if name == event]

    async def expect(self, event: str, count: int = 1) -> Any:
        """The latest event of a kind, once there are `count` of them."""
        return (await self.server.wait_for(lambda: found if len(found := self.seen(event)) >= count else []))[
            -1
        ]


@asynccontextmanager
async def watching(server: DiscordServer, **options: Any) -> AsyncIterator[Watcher]:
    client = Watcher(server, **options)
    async with client:
        await client.login(server.token)
        task = asyncio.create_task(client.connect())
        await server.connected()
        await client.expect("connect")
        yield client
        await client.close()
        await asyncio.gather(task, return_exceptions=True)


@pytest.fixture
def address(discord_server: DiscordServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Points discord.py at the server for the time of a test."""
    monkeypatch.setattr(Route, "BASE", discord_server.api_base_url)
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(discord_server.gateway_url))
