"""Owns the state of the loopback Discord server, and tells who waits when something in it changes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tests.servers.discord import refusals
from tests.servers.discord.values import DM, TEXT, Channel, Guild, Message, Role, Snowflakes, User

T = TypeVar("T")
MODERATE = 1 << 13


class Changes:
    """Counts changes, and wakes those who wait for one."""

    def __init__(self) -> None:
        self.version = 0
        self._changed = asyncio.Event()

    def note(self) -> None:
        """Something changed."""
        self.version += 1
        self._changed.set()
        self._changed = asyncio.Event()

    async def until(self, predicate: Callable[[], T], timeout: float) -> T:
        """The predicate's first true answer; TimeoutError after `timeout` seconds."""
        async with asyncio.timeout(timeout):
            while not (found := predicate()):
                await self._changed.wait()
            return found


@dataclass(slots=True, eq=False)
class World:
    """Everything there is. The bot is the one user whom the API knows as @me."""

    bot: User
    owner: User
    ids: Snowflakes = field(default_factory=Snowflakes)
    changes: Changes = field(default_factory=Changes)
    users: dict[int, User] = field(default_factory=dict)
    guilds: dict[int, Guild] = field(default_factory=dict)
    channels: dict[int, Channel] = field(default_factory=dict)
    commands: list[dict[str, Any]] = field(default_factory=list)
    typing: list[Channel] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.users |= {self.bot.id: self.bot, self.owner.id: self.owner}

    def new_user(self, username: str, display: str, *, bot: bool = False, locale: str = "en-US") -> User:
        person = User(self.ids.new(), username, display, bot, locale)
        self.users[person.id] = person
        return person

    def new_guild(self, name: str, owner: User) -> Guild:
        """A guild with the role of everyone, one for moderators, and the one that belongs to the bot."""
        guild = Guild(self.ids.new(), name, owner)
        guild.roles = [
            Role(guild.id, "@everyone", 1 << 10 | 1 << 11 | 1 << 16),
            Role(self.ids.new(), "Moderators", MODERATE),
            Role(self.ids.new(), self.bot.display, 0, self.bot.id),
        ]
        self.guilds[guild.id] = guild
        return guild

    def new_channel(self, name: str, guild: Guild | None, kind: int = TEXT, **more: Any) -> Channel:
        channel = Channel(self.ids.new(), kind, name, guild, **more)
        self.channels[channel.id] = channel
        return channel

    def dm(self, person: User) -> Channel:
        """The bot's direct messages with a person, opened when needed."""
        for channel in self.channels.values():
            if channel.kind == DM and channel.recipient is person:
                return channel
        return self.new_channel("", None, DM, recipient=person)

    def add(self, message: Message) -> Message:
        """Put a message at the end of its channel."""
        message.channel.log.append(message)
        self.changes.note()
        return message

    def channel(self, channel_id: int) -> Channel:
        """Raises the API's own refusal when there is none, or the bot may do nothing there."""
        if channel_id not in self.channels:
            raise refusals.unknown("Channel")
        found = self.channels[channel_id]
        if found.forbidden:
            raise refusals.forbidden(found.forbidden)
        return found

    def message(self, channel: Channel, message_id: int) -> Message:
        """A message that everybody sees; Unknown Message otherwise."""
        for message in channel.messages:
            if message.id == message_id:
                return message
        raise refusals.unknown("Message")
