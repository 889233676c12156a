"""What the loopback Discord server knows: people, guilds, channels, messages, as plain objects."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

EPOCH_MS = 1_420_070_400_000
EPHEMERAL = 1 << 6
LOADING = 1 << 7
TEXT, DM, ANNOUNCEMENT, PUBLIC_THREAD, PRIVATE_THREAD = 0, 1, 5, 11, 12
DEFAULT, REPLY, THREAD_CREATED, CHAT_INPUT_COMMAND, THREAD_STARTER = 0, 19, 18, 20, 21

_USER_MENTION = re.compile(r"<@!?(\d+)>")
_ROLE_MENTION = re.compile(r"<@&(\d+)>")


class Snowflakes:
    """Ids as Discord makes them: milliseconds since 2015 in the upper bits, always growing."""

    def __init__(self) -> None:
        self._last = 0

    def new(self) -> int:
        self._last = max(self._last + 1, (int(time.time() * 1000) - EPOCH_MS) << 22)
        return self._last


def moment(snowflake: int) -> datetime:
    """When an id was made."""
    return datetime.fromtimestamp(((snowflake >> 22) + EPOCH_MS) / 1000, UTC)


@dataclass(slots=True, eq=False)
class User:
    """A person or a bot. `display` is the global display name."""

    id: int
    username: str
    display: str
    bot: bool = False
    locale: str = "en-US"

    @property
    def mention(self) -> str:
        return f"<@{self.id}>"


@dataclass(slots=True, eq=False)
class Role:
    """A role of a guild. `bot` is the id of the bot that a managed role belongs to."""

    id: int
    name: str
    permissions: int = 0
    bot: int | None = None

    @property
    def mention(self) -> str:
        return f"<@&{self.id}>"


@dataclass(slots=True, eq=False)
class Guild:
    """A guild. Everybody known to the server is a member; `moderators` hold the ids of those who moderate."""

    id: int
    name: str
    owner: User
    roles: list[Role] = field(default_factory=list)
    nicknames: dict[int, str] = field(default_factory=dict)
    moderators: set[int] = field(default_factory=set)


@dataclass(slots=True, eq=False)
class Channel:
    """A text channel, direct messages or a thread. `log` holds every message, also the ones that went."""

    id: int
    kind: int
    name: str = ""
    guild: Guild | None = None
    parent: Channel | None = None
    recipient: User | None = None
    owner: User | None = None
    log: list[Message] = field(default_factory=list)
    forbidden: int | None = None  # error code that the bot gets for whatever it does here
    history_hidden: bool = False

    @property
    def messages(self) -> list[Message]:
        """What everybody in the channel sees now, oldest first."""
        return [message for message in self.log if not message.deleted and not message.ephemeral]

    @property
    def is_thread(self) -> bool:
        return self.kind in (PUBLIC_THREAD, PRIVATE_THREAD)


@dataclass(slots=True, eq=False)
class Message:
    """A message. `raw` is its text as it was sent, `content` what is shown: Discord cuts outer white space.

    `pings` tells whether it would have notified anybody by a mention, at first or by an edit;
    `versions` are all texts it ever had.
    """

    id: int
    channel: Channel
    author: User
    raw: str
    kind: int = DEFAULT
    flags: int = 0
    embeds: list[dict[str, Any]] = field(default_factory=list)
    components: list[dict[str, Any]] = field(default_factory=list)
    attachments: list[dict[str, Any]] = field(default_factory=list)
    stickers: list[dict[str, Any]] = field(default_factory=list)
    snapshots: list[dict[str, Any]] = field(default_factory=list)
    poll: dict[str, Any] | None = None
    reply_to: Message | None = None
    reply_pings: bool = True
    webhook_id: int | None = None
    nonce: str | int | None = None
    edited_at: datetime | None = None
    deleted: bool = False
    pings: bool = False
    versions: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.versions.append(self.content)

    @property
    def content(self) -> str:
        return self.raw.strip()

    @property
    def ephemeral(self) -> bool:
        return bool(self.flags & EPHEMERAL)

    @property
    def loading(self) -> bool:
        """Whether it only says "is thinking"."""
        return bool(self.flags & LOADING)

    @property
    def buttons(self) -> list[tuple[str, str]]:
        """Label and custom id of every button."""
        rows = [row.get("components", ()) for row in self.components]
        return [(str(b.get("label", "")), str(b["custom_id"])) for row in rows for b in row if b["type"] == 2]

    def change(self, raw: str) -> None:
        """Give it another text."""
        self.raw = raw
        self.versions.append(self.content)

    def mentioned(self) -> set[int]:
        """Ids of the users whom its text mentions."""
        return {int(found) for found in _USER_MENTION.findall(self.content)}


def would_ping(content: str, allowed: Mapping[str, Any] | None, *, reply: bool) -> bool:
    """Whether a message notifies anybody by a mention, by Discord's rules for `allowed_mentions`."""
    if allowed is None:
        allowed = {"parse": ["users", "roles", "everyone"], "replied_user": True}
    parse = set(allowed.get("parse") or ())
    users = {str(user) for user in allowed.get("users") or ()}
    roles = {str(role) for role in allowed.get("roles") or ()}
    return (
        ("everyone" in parse and ("@everyone" in content or "@here" in content))
        or any("users" in parse or user in users for user in _USER_MENTION.findall(content))
        or any("roles" in parse or role in roles for role in _ROLE_MENTION.findall(content))
        or (reply and bool(allowed.get("replied_user")))
    )
