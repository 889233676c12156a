"""Fixtures around the loopback Discord server; tests/conftest.py or a test module imports them."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.servers.discord.server import DiscordServer


@pytest.fixture
async def discord_server() -> AsyncIterator[DiscordServer]:
    """A listening server. The test fails at its end when a request broke Discord's description."""
    async with DiscordServer() as server:
        yield server
    assert server.violations == []
