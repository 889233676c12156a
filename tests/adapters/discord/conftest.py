"""Fixtures of the Discord adapter's tests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from tests.adapters.discord.surroundings import FakeInbox, FakeState, adapter_for, receiving
from tests.servers.discord import Channel, DiscordServer, User
from tests.servers.discord.fixtures import discord_server

__all__ = ["discord_server"]


@dataclass(frozen=True, slots=True)
class Home:
    """A guild's channel with two people."""

    general: Channel
    ann: User
    bob: User


@pytest.fixture
def inbox() -> FakeInbox:
    return FakeInbox()


@pytest.fixture
def state() -> FakeState:
    return FakeState()


@pytest.fixture
def home(discord_server: DiscordServer) -> Home:
    general = discord_server.general(discord_server.add_guild("Home"))
    return Home(general, discord_server.add_user("ann", "Ann"), discord_server.add_user("bob", "Bob"))


@pytest.fixture
async def running(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox, state: FakeState
) -> AsyncIterator[asyncio.Task[None]]:
    """The adapter's receiving, from the loopback server into the inbox."""
    async with receiving(adapter_for(discord_server, state), inbox, discord_server) as task:
        yield task
