"""One interaction of the loopback Discord server, and its event."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.servers.discord import messages, payloads
from tests.servers.discord.values import DM, Channel, Message, User
from tests.servers.discord.world import World

COMMAND, COMPONENT = 2, 3


@dataclass(slots=True, eq=False)
class Interaction:
    """One use of a command or a button. `answered_after` is in seconds, None while it isn't acknowledged."""

    id: int
    token: str
    kind: int
    channel: Channel
    user: User
    data: dict[str, Any]
    begun: float
    source: Message | None = None
    response: int | None = None
    answered_after: float | None = None
    original: Message | None = None
    shown: list[Message] = field(default_factory=list)

    @property
    def answers(self) -> list[Message]:
        """What the person sees as the answer, in order, without a "thinking" that still lasts."""
        return [message for message in self.shown if not message.deleted and not message.loading]

    @property
    def thinking(self) -> bool:
        """Whether the person still waits for the answer."""
        return self.original is not None and self.original.loading


def event(one: Interaction, world: World) -> dict[str, Any]:
    """The interaction as the gateway sends it."""
    home, private = one.channel.guild, one.channel.kind == DM
    shown: dict[str, Any] = {
        "id": str(one.id),
        "application_id": str(world.bot.id),
        "type": one.kind,
        "data": one.data,
        "channel_id": str(one.channel.id),
        "channel": payloads.channel(one.channel),
        "token": one.token,
        "version": 1,
        "app_permissions": payloads.MEMBER,
        "locale": one.user.locale,
        "entitlements": [],
        "authorizing_integration_owners": {"0": str(home.id) if home else "0"},
        "context": 1 if private else 0,
        "attachment_size_limit": 10_485_760,
    }
    if one.source:
        shown["message"] = messages.message(one.source, world.users)
    if not home:
        return {**shown, "user": payloads.user(one.user)}
    moderates = one.user.id in home.moderators or one.user is home.owner
    permissions = payloads.MODERATOR if moderates else payloads.MEMBER
    member = {
        **payloads.member(one.user, home),
        "user": payloads.user(one.user),
        "permissions": permissions,
    }
    guild = {"id": str(home.id), "locale": "en-US", "features": []}
    return {**shown, "guild_id": str(home.id), "guild": guild, "guild_locale": "en-US", "member": member}
