"""What people do at the loopback Discord server: write, edit, delete, use commands and buttons."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

from tests.servers.discord import payloads
from tests.servers.discord.gateway import GUILDS, Gateway
from tests.servers.discord.interaction import Interaction
from tests.servers.discord.interactions import Interactions
from tests.servers.discord.rest import Rest
from tests.servers.discord.values import (
    DEFAULT,
    PUBLIC_THREAD,
    REPLY,
    TEXT,
    THREAD_STARTER,
    Channel,
    Guild,
    Message,
    User,
)
from tests.servers.discord.world import World

T = TypeVar("T")


class Scene:
    """People's side. Everything happens at once; what the bot makes of it is waited for by `wait_for`."""

    world: World
    gateway: Gateway
    rest: Rest
    interactions: Interactions

    @property
    def bot(self) -> User:
        return self.world.bot

    # -- places and people

    def add_user(self, username: str, display: str = "", *, bot: bool = False, locale: str = "en-US") -> User:
        """Somebody who is a member of every guild."""
        return self.world.new_user(username, display or username.capitalize(), bot=bot, locale=locale)

    def add_guild(self, name: str = "Home") -> Guild:
        """A guild with a channel named general. Add guilds before the bot connects, or it is invited now."""
        guild = self.world.new_guild(name, self.world.owner)
        self.world.new_channel("general", guild)
        channels, people = list(self.world.channels.values()), list(self.world.users.values())
        self.gateway.dispatch("GUILD_CREATE", payloads.guild(guild, channels, people), GUILDS)
        return guild

    def add_channel(self, guild: Guild, name: str, kind: int = TEXT) -> Channel:
        """A further channel."""
        channel = self.world.new_channel(name, guild, kind)
        self.gateway.dispatch("CHANNEL_CREATE", payloads.channel(channel), GUILDS)
        return channel

    def general(self, guild: Guild) -> Channel:
        """The first channel of a guild."""
        return next(channel for channel in self.world.channels.values() if channel.guild is guild)

    def dm(self, user: User) -> Channel:
        """Direct messages between the bot and a person."""
        return self.world.dm(user)

    def channel(self, channel_id: int) -> Channel:
        return self.world.channels[channel_id]

    def thread(self, channel: Channel, name: str, user: User, starter: Message | None = None) -> Channel:
        """A thread, begun from a message where one is given: then its first message points there."""
        thread = self.world.new_channel(name, channel.guild, PUBLIC_THREAD, parent=channel, owner=user)
        if starter:
            # Such a thread has its message's id.
            del self.world.channels[thread.id]
            thread.id = starter.id
            self.world.channels[thread.id] = thread
        self.gateway.dispatch("THREAD_CREATE", {**payloads.channel(thread), "newly_created": True}, GUILDS)
        if starter:
            message = Message(self.world.ids.new(), thread, user, "", THREAD_STARTER, reply_to=starter)
            self._publish(message)
        return thread

    # -- messages

    def say(
        self,
        channel: Channel,
        user: User,
        content: str = "",
        *,
        mentions: Sequence[User] = (),
        reply_to: Message | None = None,
        reply_pings: bool = True,
        **more: Any,
    ) -> Message:
        """Somebody writes. `mentions` are put before the content; `more` are further fields of Message."""
        raw = " ".join([*(person.mention for person in mentions), content])
        kind = more.pop("kind", REPLY if reply_to else DEFAULT)
        number = self.world.ids.new()
        message = Message(
            number, channel, user, raw, kind, reply_to=reply_to, reply_pings=reply_pings, **more
        )
        return self._publish(message)

    def edit(self, message: Message, content: str, **more: Any) -> None:
        """The author changes a message's text; `more` are further fields of Message to change."""
        message.change(content)
        for name, value in more.items():
            setattr(message, name, value)
        message.edited_at = datetime.now(UTC)
        self._update(message)

    def unfurl(self, message: Message, embed: Mapping[str, Any]) -> None:
        """Discord adds the preview of a link: an update without a time of editing."""
        message.embeds.append({"type": "article", **embed})
        self._update(message)

    def delete(self, *messages: Message) -> None:
        """Delete messages of one channel; several at once make one event."""
        self.rest.delete(messages[0].channel, list(messages))

    def repeat(self, message: Message) -> None:
        """Send a message's event once more."""
        self.rest.announce("MESSAGE_CREATE", message)

    def _publish(self, message: Message) -> Message:
        self.world.add(message)
        self.rest.announce("MESSAGE_CREATE", message)
        return message

    def _update(self, message: Message) -> None:
        self.rest.announce("MESSAGE_UPDATE", message)
        self.world.changes.note()

    # -- commands and buttons

    def slash(
        self, channel: Channel, user: User, name: str, options: Mapping[str, Any] | None = None
    ) -> Interaction:
        """Somebody uses a command that the bot registered."""
        return self.interactions.slash(channel, user, name, options or {})

    def press(self, message: Message, custom_id: str, user: User) -> Interaction:
        """Somebody presses a button of a message."""
        return self.interactions.press(message, custom_id, user)

    # -- looking

    def replies(self, channel: Channel) -> list[Message]:
        """What the bot wrote in a channel, for everybody to see."""
        return [message for message in channel.messages if message.author is self.world.bot]

    async def wait_for(self, predicate: Callable[[], T], timeout: float = 10.0) -> T:
        """The predicate's first true answer; it is asked anew whenever something changes."""
        return await self.world.changes.until(predicate, timeout)

    async def connected(self, timeout: float = 10.0) -> None:
        """Wait until the bot has its gateway connection."""
        await self.wait_for(lambda: self.gateway.connected, timeout)
