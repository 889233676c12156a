"""Steers the loopback Discord server over HTTP, for tests that run it as a process of its own.

GET  /control/state?after=N&timeout=S   what there is; waits until it is newer than version N
POST /control/do {"action": NAME, ...}  something that people do, or that goes wrong; ids are numbers
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from aiohttp import web

from tests.servers.discord.interaction import Interaction
from tests.servers.discord.refusals import limited
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.values import Message

Arguments = Mapping[str, Any]


class ControlledServer(DiscordServer):
    """The server with its /control/ addresses."""

    def add_routes(self, app: web.Application) -> None:
        """Add the control's addresses."""
        app.router.add_get("/control/state", self._state)
        app.router.add_post("/control/do", self._do)

    async def _state(self, http: web.Request) -> web.Response:
        after, timeout = int(http.query.get("after", -1)), float(http.query.get("timeout", 10))
        changes = self.world.changes
        try:
            await changes.until(lambda: changes.version > after, timeout)
        except TimeoutError:
            return web.json_response(status=408)
        return web.json_response(self.snapshot())

    async def _do(self, http: web.Request) -> web.Response:
        arguments = await http.json()
        try:
            done = self._actions[arguments.pop("action")](arguments)
        except (KeyError, AssertionError, StopIteration) as error:
            return web.json_response({"error": repr(error)}, status=400)
        self.world.changes.note()
        return web.json_response({"id": done})

    # -- what there is

    def snapshot(self) -> dict[str, Any]:
        """Everything that a test may look at."""
        world = self.world
        return {
            "version": world.changes.version,
            "connected": self.gateway.connected,
            "identifies": len(self.gateway.identifies),
            "resumes": self.gateway.resumes,
            "bot": world.bot.id,
            "commands": world.commands,
            "channels": {
                str(channel.id): {
                    "name": channel.name,
                    "guild": channel.guild.id if channel.guild else None,
                    "messages": [_message(message, world.bot.id) for message in channel.messages],
                }
                for channel in world.channels.values()
            },
            "interactions": [self._interaction(one) for one in self.interactions.all],
            "typing": [channel.id for channel in world.typing],
            "calls": [asdict(call) for call in self.calls],
            "violations": self.violations,
        }

    def _interaction(self, one: Interaction) -> dict[str, Any]:
        answers = [_message(message, self.world.bot.id) for message in one.answers]
        return {"id": one.id, "answers": answers, "thinking": one.thinking, "after": one.answered_after}

    # -- what can be done

    @property
    def _actions(self) -> Mapping[str, Callable[[Arguments], int | None]]:
        return {
            "add_user": lambda a: self.add_user(**a).id,
            "add_guild": lambda a: self.general(self.add_guild(**a)).id,
            "dm": lambda a: self.dm(self.world.users[a["user"]]).id,
            "moderate": self._moderate,
            "say": self._say,
            "edit": lambda a: self.edit(self._message(a["message"]), a["content"]),
            "delete": lambda a: self.delete(*(self._message(number) for number in a["messages"])),
            "thread": self._thread,
            "slash": self._slash,
            "press": self._press,
            "cut": lambda _: self.gateway.cut(),
            "forget": lambda _: self.gateway.forget(),
            "limit": self._limit,
        }

    def _moderate(self, a: Arguments) -> None:
        guild = self.channel(a["channel"]).guild
        assert guild
        guild.moderators.add(a["user"])

    def _say(self, a: Arguments) -> int:
        channel, user = self.channel(a["channel"]), self.world.users[a["user"]]
        mentions = [self.world.users[number] for number in a.get("mentions", ())]
        target = self._message(a["reply_to"]) if a.get("reply_to") else None
        return self.say(channel, user, a["content"], mentions=mentions, reply_to=target).id

    def _thread(self, a: Arguments) -> int:
        starter = self._message(a["starter"]) if a.get("starter") else None
        return self.thread(self.channel(a["channel"]), a["name"], self.world.users[a["user"]], starter).id

    def _slash(self, a: Arguments) -> int:
        user = self.world.users[a["user"]]
        return self.slash(self.channel(a["channel"]), user, a["name"], a.get("options")).id

    def _press(self, a: Arguments) -> int:
        return self.press(self._message(a["message"]), a["custom_id"], self.world.users[a["user"]]).id

    def _limit(self, a: Arguments) -> None:
        self.fail(a["method"], a["template"], refusal=limited(a["retry_after"]), times=a.get("times", 1))

    def _message(self, number: int) -> Message:
        known = [message for channel in self.world.channels.values() for message in channel.log]
        return next(message for message in known if message.id == number)


def _message(message: Message, bot: int) -> dict[str, Any]:
    return {
        "id": message.id,
        "author": message.author.id,
        "from_bot": message.author.id == bot,
        "content": message.content,
        "raw": message.raw,
        "versions": message.versions,
        "buttons": message.buttons,
        "ephemeral": message.ephemeral,
        "pings": message.pings,
        "reply_to": message.reply_to.id if message.reply_to else None,
    }
