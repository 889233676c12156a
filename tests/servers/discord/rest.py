"""The loopback Discord server's HTTP API: channels, messages, people and commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from tests.servers.discord import messages, payloads, refusals
from tests.servers.discord.bodies import checked_components, checked_content
from tests.servers.discord.gateway import DIRECT_MESSAGES, GUILD_MESSAGES, Gateway
from tests.servers.discord.values import DEFAULT, EPHEMERAL, REPLY, Channel, Message, would_ping
from tests.servers.discord.world import World

# The application's flag for the message content intent of a bot in few guilds.
CONTENT_FLAG = 1 << 19


@dataclass(frozen=True, slots=True)
class Request:
    """A request as a handler gets it: parameters of the path and the query, and the JSON body."""

    path: Mapping[str, str]
    query: Mapping[str, str]
    body: Any

    def id(self, name: str) -> int:
        """A snowflake of the path."""
        return int(self.path[name])


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer; no body means none (204)."""

    body: Any = None

    @property
    def status(self) -> int:
        return 204 if self.body is None else 200


Handler = Callable[[Request], Answer]


class Rest:
    """Handlers of the API's routes over one world."""

    def __init__(self, world: World, gateway: Gateway, address: Callable[[], str], flags: int) -> None:
        self._world = world
        self._gateway = gateway
        self._address = address
        self._flags = flags
        self._content = bool(flags & CONTENT_FLAG)

    @property
    def routes(self) -> Mapping[tuple[str, str], Handler]:
        """Handlers by method and path template, templates as in the published description."""
        messages, message = "/channels/{channel_id}/messages", "/channels/{channel_id}/messages/{message_id}"
        commands = "/applications/{application_id}/commands"
        return {
            ("GET", "/gateway"): self._gateway_address,
            ("GET", "/gateway/bot"): self._gateway_bot,
            ("GET", "/users/@me"): lambda _: Answer(payloads.me(self._world.bot)),
            ("GET", "/users/{user_id}"): self._user,
            ("GET", "/applications/@me"): self._application,
            ("GET", "/oauth2/applications/@me"): self._application,
            ("POST", "/users/@me/channels"): self._open_dm,
            ("GET", "/channels/{channel_id}"): self._channel,
            ("POST", "/channels/{channel_id}/typing"): self._typing,
            ("GET", messages): self._list,
            ("POST", messages): self._send,
            ("GET", message): self._get,
            ("PATCH", message): self._edit,
            ("DELETE", message): self._delete,
            ("POST", f"{messages}/bulk-delete"): self._delete_many,
            ("GET", commands): lambda _: Answer(self._world.commands),
            ("PUT", commands): self._set_commands,
        }

    # -- what happens to messages, whoever causes it

    def announce(self, event: str, message: Message) -> None:
        """Tell the gateway of a message that everybody in its channel sees."""
        private = message.channel.guild is None
        self._gateway.dispatch(
            event,
            messages.dispatched(message, self._world.users),
            DIRECT_MESSAGES if private else GUILD_MESSAGES,
            private=private,
        )

    def announce_gone(self, channel: Channel, ids: list[int]) -> None:
        """Tell the gateway that messages were deleted."""
        where: dict[str, Any] = {"channel_id": str(channel.id)}
        if channel.guild:
            where["guild_id"] = str(channel.guild.id)
        needs = GUILD_MESSAGES if channel.guild else DIRECT_MESSAGES
        if len(ids) == 1:
            self._gateway.dispatch("MESSAGE_DELETE", {"id": str(ids[0]), **where}, needs)
        else:
            self._gateway.dispatch("MESSAGE_DELETE_BULK", {"ids": [str(i) for i in ids], **where}, needs)

    def delete(self, channel: Channel, messages: list[Message]) -> None:
        """Delete messages and tell of it."""
        for message in messages:
            message.deleted = True
        self.announce_gone(channel, [message.id for message in messages])
        self._world.changes.note()

    # -- routes

    def _gateway_address(self, _: Request) -> Answer:
        return Answer({"url": self._address()})

    def _gateway_bot(self, _: Request) -> Answer:
        limit = {"total": 1000, "remaining": 999, "reset_after": 86_400_000, "max_concurrency": 1}
        return Answer({"url": self._address(), "shards": 1, "session_start_limit": limit})

    def _user(self, request: Request) -> Answer:
        found = self._world.users.get(request.id("user_id"))
        if not found:
            raise refusals.unknown("User")
        return Answer(payloads.user(found))

    def _application(self, _: Request) -> Answer:
        return Answer(payloads.application(self._world.bot, self._world.owner, self._flags))

    def _open_dm(self, request: Request) -> Answer:
        person = self._world.users.get(int(request.body["recipient_id"]))
        if not person:
            raise refusals.unknown("User")
        return Answer(payloads.channel(self._world.dm(person)))

    def _channel(self, request: Request) -> Answer:
        return Answer(payloads.channel(self._world.channel(request.id("channel_id"))))

    def _typing(self, request: Request) -> Answer:
        self._world.typing.append(self._world.channel(request.id("channel_id")))
        self._world.changes.note()
        return Answer()

    def _list(self, request: Request) -> Answer:
        found = self._world.channel(request.id("channel_id")).messages
        limit = int(request.query.get("limit", 50))
        if not 1 <= limit <= 100:
            raise refusals.invalid("limit", "NUMBER_TYPE_MAX", "int value should be between 1 and 100.")
        if "after" in request.query:
            after = int(request.query["after"])
            chosen = [message for message in found if message.id > after][:limit]
        else:
            before = int(request.query.get("before", 1 << 63))
            chosen = [message for message in found if message.id < before][-limit:]
        return Answer([self._readable(message) for message in reversed(chosen)])

    def _get(self, request: Request) -> Answer:
        channel = self._world.channel(request.id("channel_id"))
        return Answer(self._readable(self._world.message(channel, request.id("message_id"))))

    def _readable(self, message: Message) -> dict[str, Any]:
        """A message as far as the bot may read it."""
        shown = messages.message(message, self._world.users)
        private = message.channel.guild is None
        return shown if self._content else messages.redacted(shown, self._world.bot, private)

    def _send(self, request: Request) -> Answer:
        channel, body = self._world.channel(request.id("channel_id")), request.body
        if body.get("enforce_nonce") and (sent := self._sent_before(channel, body["nonce"])):
            return Answer(messages.message(sent, self._world.users))
        raw, components = checked_content(body), checked_components(body)
        target = self._replied_to(channel, body.get("message_reference"))
        message = Message(
            self._world.ids.new(),
            channel,
            self._world.bot,
            raw,
            REPLY if target else DEFAULT,
            int(body.get("flags") or 0) & ~EPHEMERAL,
            list(body.get("embeds") or ()),
            components,
            reply_to=target,
            nonce=body.get("nonce"),
            pings=would_ping(raw, body.get("allowed_mentions"), reply=target is not None),
        )
        self._world.add(message)
        self.announce("MESSAGE_CREATE", message)
        return Answer(messages.message(message, self._world.users))

    def _sent_before(self, channel: Channel, nonce: Any) -> Message | None:
        own = [message for message in channel.messages if message.author is self._world.bot]
        return next((message for message in own if message.nonce == nonce), None)

    def _replied_to(self, channel: Channel, reference: Mapping[str, Any] | None) -> Message | None:
        if not reference:
            return None
        if channel.history_hidden:
            raise refusals.forbidden(160002)
        found = [message for message in channel.messages if message.id == int(reference["message_id"])]
        if not found and reference.get("fail_if_not_exists", True):
            raise refusals.invalid("message_reference", "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
        return found[0] if found else None

    def _edit(self, request: Request) -> Answer:
        channel, body = self._world.channel(request.id("channel_id")), request.body
        message = self._world.message(channel, request.id("message_id"))
        if message.author is not self._world.bot:
            raise refusals.forbidden(50005)
        self.change(message, body)
        self.announce("MESSAGE_UPDATE", message)
        return Answer(messages.message(message, self._world.users))

    def change(self, message: Message, body: Mapping[str, Any]) -> None:
        """Lay the body of an edit over a message."""
        if "content" in body:
            message.change(checked_content({"embeds": message.embeds, **body}))
            message.pings |= would_ping(message.content, body.get("allowed_mentions"), reply=False)
        if "components" in body:
            message.components = checked_components(body)
        if "embeds" in body:
            message.embeds = list(body["embeds"] or ())
        message.edited_at = datetime.now(UTC)
        self._world.changes.note()

    def _delete(self, request: Request) -> Answer:
        channel = self._world.channel(request.id("channel_id"))
        self.delete(channel, [self._world.message(channel, request.id("message_id"))])
        return Answer()

    def _delete_many(self, request: Request) -> Answer:
        channel = self._world.channel(request.id("channel_id"))
        ids = {int(found) for found in request.body["messages"]}
        self.delete(channel, [message for message in channel.messages if message.id in ids])
        return Answer()

    def _set_commands(self, request: Request) -> Answer:
        self._world.commands = [self._registered(command) for command in request.body or ()]
        self._world.changes.note()
        return Answer(self._world.commands)

    def _registered(self, command: Mapping[str, Any]) -> dict[str, Any]:
        number = str(self._world.ids.new())
        defaults: dict[str, Any] = {
            "type": 1,
            "default_member_permissions": None,
            "nsfw": False,
            "description": "",
        }
        own = {"id": number, "application_id": str(self._world.bot.id), "version": number}
        return {**defaults, **command, **own}
