"""Interactions of the loopback Discord server: slash commands and buttons, their answers and time limits."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from tests.servers.discord import messages, refusals
from tests.servers.discord.bodies import checked_components, checked_content
from tests.servers.discord.gateway import Gateway
from tests.servers.discord.interaction import COMMAND, COMPONENT, Interaction, event
from tests.servers.discord.rest import Answer, Handler, Request, Rest
from tests.servers.discord.values import (
    CHAT_INPUT_COMMAND,
    EPHEMERAL,
    LOADING,
    REPLY,
    Channel,
    Message,
    User,
    would_ping,
)
from tests.servers.discord.world import World

_MESSAGE, _DEFERRED, _DEFERRED_UPDATE, _UPDATE = 4, 5, 6, 7


class Interactions:
    """All interactions. A callback later than `patience` seconds after the event finds it unknown."""

    def __init__(self, world: World, gateway: Gateway, rest: Rest) -> None:
        self.patience = 3.0
        self.all: list[Interaction] = []
        self._world = world
        self._gateway = gateway
        self._rest = rest

    @property
    def routes(self) -> Mapping[tuple[str, str], Handler]:
        """Handlers by method and path template. The interaction's token is the key to them."""
        hook = "/webhooks/{webhook_id}/{webhook_token}"
        original, message = f"{hook}/messages/@original", f"{hook}/messages/{{message_id}}"
        return {
            ("POST", "/interactions/{interaction_id}/{interaction_token}/callback"): self._callback,
            ("POST", hook): self._follow_up,
            ("GET", original): lambda request: self._answer(self._original(request)),
            ("PATCH", original): lambda request: self._edit(self._original(request), request),
            ("DELETE", original): lambda request: self._delete(self._original(request)),
            ("GET", message): lambda request: self._answer(self._shown(request)),
            ("PATCH", message): lambda request: self._edit(self._shown(request), request),
            ("DELETE", message): lambda request: self._delete(self._shown(request)),
        }

    # -- the person's side

    def slash(self, channel: Channel, person: User, name: str, options: Mapping[str, Any]) -> Interaction:
        """A person uses a command. It must be registered with the options that are given."""
        command = next((entry for entry in self._world.commands if entry["name"] == name), None)
        assert command, f"/{name} isn't registered"
        known = {option["name"]: option["type"] for option in command.get("options") or ()}
        given = [{"name": key, "type": known[key], "value": value} for key, value in options.items()]
        data = {"id": command["id"], "name": name, "type": 1, "options": given}
        return self._begin(COMMAND, channel, person, data)

    def press(self, message: Message, custom_id: str, person: User) -> Interaction:
        """A person presses a button that is on a message now."""
        assert not message.deleted
        assert custom_id in [button for _, button in message.buttons], f"no button {custom_id} there"
        data = {"custom_id": custom_id, "component_type": 2, "id": 1}
        return self._begin(COMPONENT, message.channel, person, data, message)

    def _begin(
        self,
        kind: int,
        channel: Channel,
        person: User,
        data: dict[str, Any],
        source: Message | None = None,
    ) -> Interaction:
        number = self._world.ids.new()
        begun = asyncio.get_running_loop().time()
        one = Interaction(number, f"interaction-token-{number}", kind, channel, person, data, begun, source)
        self.all.append(one)
        self._gateway.dispatch("INTERACTION_CREATE", event(one, self._world), needs=0)
        self._world.changes.note()
        return one

    def repeat(self, one: Interaction) -> None:
        """Send an interaction's event once more."""
        self._gateway.dispatch("INTERACTION_CREATE", event(one, self._world), needs=0)

    # -- the bot's side

    def _callback(self, request: Request) -> Answer:
        one = self._by_token(request.path["interaction_token"])
        waited = asyncio.get_running_loop().time() - one.begun if one else 0.0
        if one is None or one.id != request.id("interaction_id"):
            raise refusals.unknown("Interaction")
        if one.response is not None:
            raise refusals.acknowledged()
        if waited > self.patience:
            raise refusals.unknown("Interaction")
        kind, data = int(request.body["type"]), request.body.get("data") or {}
        self._respond(one, kind, data)
        one.response, one.answered_after = kind, waited
        self._world.changes.note()
        if request.query.get("with_response") in ("1", "true"):
            return Answer(self._callback_answer(one))
        return Answer()

    def _respond(self, one: Interaction, kind: int, data: Mapping[str, Any]) -> None:
        if kind == _MESSAGE:
            one.original = self._show(one, data)
        elif kind == _DEFERRED:
            flags = LOADING | (int(data.get("flags") or 0) & EPHEMERAL)
            one.original = self._put(one, "", flags)
        elif kind in (_DEFERRED_UPDATE, _UPDATE) and one.kind == COMPONENT:
            one.original = one.source
            if kind == _UPDATE and one.source:
                self._change(one.source, data)
        else:
            raise refusals.invalid("type", "BASE_TYPE_CHOICES", "Not a response to this interaction.")

    def _callback_answer(self, one: Interaction) -> dict[str, Any]:
        callback: dict[str, Any] = {"id": str(one.id), "type": one.kind}
        resource: dict[str, Any] = {"type": one.response}
        if one.response in (_MESSAGE, _DEFERRED, _UPDATE) and one.original:
            resource["message"] = messages.message(one.original, self._world.users)
        if one.original:
            callback["response_message_id"] = str(one.original.id)
            callback["response_message_loading"] = one.original.loading
            callback["response_message_ephemeral"] = one.original.ephemeral
        return {"interaction": callback, "resource": resource}

    def _follow_up(self, request: Request) -> Answer:
        one = self._acknowledged(request)
        if one.original and one.original.loading:
            # Discord turns the first follow-up into the deferred answer; its own flags don't count then.
            self._change(one.original, request.body)
            return self._answer(one.original)
        return self._answer(self._show(one, request.body))

    def _edit(self, message: Message, request: Request) -> Answer:
        self._change(message, request.body)
        return self._answer(message)

    def _delete(self, message: Message) -> Answer:
        message.deleted = True
        if not message.ephemeral:
            self._rest.announce_gone(message.channel, [message.id])
        self._world.changes.note()
        return Answer()

    def _answer(self, message: Message) -> Answer:
        return Answer(messages.message(message, self._world.users))

    def _show(self, one: Interaction, data: Mapping[str, Any]) -> Message:
        raw, components = checked_content(data), checked_components(data)
        message = self._put(one, raw, int(data.get("flags") or 0) & ~LOADING)
        message.components = components
        message.pings = would_ping(raw, data.get("allowed_mentions"), reply=False)
        if not message.ephemeral:
            self._rest.announce("MESSAGE_CREATE", message)
        return message

    def _put(self, one: Interaction, raw: str, flags: int) -> Message:
        kind = CHAT_INPUT_COMMAND if one.kind == COMMAND else REPLY
        bot = self._world.bot
        message = Message(self._world.ids.new(), one.channel, bot, raw, kind, flags, webhook_id=bot.id)
        one.shown.append(message)
        return self._world.add(message)

    def _change(self, message: Message, data: Mapping[str, Any]) -> None:
        was_loading = message.loading
        if was_loading:
            checked_content(data)
        self._rest.change(message, data)
        message.flags &= ~LOADING
        if not message.ephemeral:
            self._rest.announce("MESSAGE_CREATE" if was_loading else "MESSAGE_UPDATE", message)

    def _original(self, request: Request) -> Message:
        one = self._acknowledged(request)
        if one.original is None or one.original.deleted:
            raise refusals.unknown("Message")
        return one.original

    def _shown(self, request: Request) -> Message:
        one, wanted = self._acknowledged(request), request.id("message_id")
        known = [*one.shown, *([one.source] if one.source else [])]
        for message in known:
            if message.id == wanted and not message.deleted:
                return message
        raise refusals.unknown("Message")

    def _acknowledged(self, request: Request) -> Interaction:
        one = self._by_token(request.path["webhook_token"])
        if one is None or one.response is None:
            raise refusals.unknown("Webhook")
        return one

    def _by_token(self, token: str) -> Interaction | None:
        return next((one for one in self.all if one.token == token), None)
