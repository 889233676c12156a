"""The loopback Discord server: listens, checks who asks and what, records, and answers."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from aiohttp import web

from tests.servers.discord import checking
from tests.servers.discord.faults import Fault, Faults, Limits
from tests.servers.discord.gateway import CONTENT, Gateway
from tests.servers.discord.interactions import Interactions
from tests.servers.discord.refusals import Refusal, no_route, unauthorized
from tests.servers.discord.rest import CONTENT_FLAG, Answer, Handler, Request, Rest
from tests.servers.discord.scene import Scene
from tests.servers.discord.values import Snowflakes, User
from tests.servers.discord.world import World

PREFIX = "/api/v10"
_MAJOR = ("channel_id", "guild_id", "webhook_id", "webhook_token")


@dataclass(frozen=True, slots=True)
class Call:
    """A request of the bot with the status it got. `at` is in seconds since the epoch."""

    method: str
    template: str
    path: str
    body: Any
    status: int
    at: float


class DiscordServer(Scene):
    """Listens on loopback while it is entered.

    `content_intent` says whether the application may see what others write. `record` names a file that gets
    every request as a line of JSON.
    """

    def __init__(
        self,
        *,
        token: str = "loopback.discord.token",
        port: int = 0,
        record: Path | None = None,
        bot_name: str = "Memora",
        content_intent: bool = True,
    ) -> None:
        ids = Snowflakes()
        bot, owner = User(ids.new(), bot_name.lower(), bot_name, bot=True), User(ids.new(), "owner", "Owner")
        flags = CONTENT_FLAG if content_intent else 0
        self.token = token
        self.calls: list[Call] = []
        self.violations: list[str] = []
        self.faults = Faults()
        self.limits = Limits()
        self.world = World(bot, owner, ids)
        self.gateway = Gateway(self.world, token, CONTENT if content_intent else 0, lambda: self.gateway_url)
        self.rest = Rest(self.world, self.gateway, lambda: self.gateway_url, flags)
        self.interactions = Interactions(self.world, self.gateway, self.rest)
        self._port = port
        self._record = record
        self._runner: web.AppRunner | None = None

    # -- addresses

    @property
    def api_base_url(self) -> str:
        """What the bot is given in place of https://discord.com/api/v10."""
        return f"http://127.0.0.1:{self._port}{PREFIX}"

    @property
    def gateway_url(self) -> str:
        return f"ws://127.0.0.1:{self._port}/gateway"

    @property
    def control_url(self) -> str:
        return f"http://127.0.0.1:{self._port}/control"

    # -- faults and records

    def fail(self, method: str, template: str, **fault: Any) -> Fault:
        """Spoil coming requests; see Fault."""
        made = Fault(method, template, **fault)
        self.faults.add(made)
        return made

    def made(self, method: str, template: str) -> list[Call]:
        """The calls of one route, in order."""
        return [call for call in self.calls if (call.method, call.template) == (method, template)]

    # -- listening

    async def __aenter__(self) -> Self:
        app = web.Application()
        for routes, trusted in ((self.rest.routes, False), (self.interactions.routes, True)):
            for (method, template), handler in routes.items():
                serve = partial(self._serve, template=template, handler=handler, trusted=trusted)
                app.router.add_route(method, PREFIX + template, serve)
        app.router.add_get("/gateway", self.gateway.handle)
        self.add_routes(app)
        lost = partial(self._serve, template="", handler=_no_route, trusted=False)
        app.router.add_route("*", "/{path:.*}", lost)
        self._runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=1.0, access_log=None)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self._port)
        await site.start()
        self._port = self._runner.addresses[0][1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.gateway.close()
        if self._runner:
            await self._runner.cleanup()

    def add_routes(self, app: web.Application) -> None:
        """For more than Discord has."""

    async def _serve(
        self, http: web.Request, template: str, handler: Handler, trusted: bool
    ) -> web.StreamResponse:
        body: Any = None
        headers: Mapping[str, str] = {}
        try:
            body = json.loads(raw) if (raw := await http.read()) else None
            if not trusted and http.headers.get("Authorization") != f"Bot {self.token}":
                raise unauthorized()
            fault = self.faults.take(http.method, template)
            if fault:
                await self._spoil(fault)
            headers = self.limits.headers(http.method, template, _major(http))
            self._check(http, template, body)
            answer = handler(Request(http.match_info, http.query, body))
        except Refusal as refusal:
            self._note(http, template, body, refusal.status)
            return self._answer(refusal.status, refusal.body, {**headers, **refusal.headers})
        self._note(http, template, body, answer.status)
        if fault and fault.lose and http.transport:
            http.transport.abort()
        return self._answer(answer.status, answer.body, headers)

    async def _spoil(self, fault: Fault) -> None:
        self.world.changes.note()
        if fault.hold:
            await fault.hold.wait()
        if fault.refusal:
            raise fault.refusal

    def _check(self, http: web.Request, template: str, body: Any) -> None:
        if not template:
            self.violations.append(f"{http.method} {http.path}: no such route here")
            return
        found = checking.request_violations(http.method, template, body)
        if found:
            self.violations += [f"{http.method} {http.path}: {violation}" for violation in found]
            raise Refusal(400, 50035, f"Invalid Form Body: {'; '.join(found)}")

    def _note(self, http: web.Request, template: str, body: Any, status: int) -> None:
        call = Call(http.method, template, http.path.removeprefix(PREFIX), body, status, time.time())
        self.calls.append(call)
        if self._record:
            with self._record.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(asdict(call)) + "\n")
        self.world.changes.note()

    def _answer(self, status: int, body: Any, headers: Mapping[str, str]) -> web.Response:
        headers = {"Via": "1.1 loopback", **headers}
        if body is None:
            return web.Response(status=status, headers=headers)
        # Discord names no charset, and discord.py reads JSON only from exactly this type.
        content = json.dumps(body).encode()
        return web.Response(
            status=status, headers={**headers, "Content-Type": "application/json"}, body=content
        )


def _major(http: web.Request) -> str:
    return "+".join(http.match_info[name] for name in _MAJOR if name in http.match_info)


def _no_route(_: Request) -> Answer:
    raise no_route()
