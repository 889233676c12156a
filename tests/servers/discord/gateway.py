"""The loopback Discord server's gateway: sessions, heartbeats, events, and their replay after a break."""

from __future__ import annotations

import asyncio
import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSMsgType, web

from tests.servers.discord import messages, payloads
from tests.servers.discord.world import World

DISPATCH, HEARTBEAT, IDENTIFY, RESUME, RECONNECT, INVALID_SESSION, HELLO, ACK = 0, 1, 2, 6, 7, 9, 10, 11
GUILDS, GUILD_MESSAGES, DIRECT_MESSAGES, CONTENT = 1 << 0, 1 << 9, 1 << 12, 1 << 15
PRIVILEGED = 1 << 1 | 1 << 8 | CONTENT
_SYNC_FLUSH = zlib.Z_SYNC_FLUSH


class Link:
    """One websocket connection; what is sent goes out in order, compressed where the client asked for it."""

    def __init__(self, socket: web.WebSocketResponse, *, compressed: bool) -> None:
        self.session: Session | None = None
        self._socket = socket
        self._compress = zlib.compressobj() if compressed else None
        self._queue: asyncio.Queue[dict[str, Any] | int] = asyncio.Queue()
        self._writer = asyncio.create_task(self._write())

    def send(self, op: int, data: Any = None, *, seq: int | None = None, event: str | None = None) -> None:
        """Queue one gateway message."""
        self._queue.put_nowait({"op": op, "d": data, "s": seq, "t": event})

    def close(self, code: int) -> None:
        """Close with a code once everything before is sent."""
        self._queue.put_nowait(code)

    def cut(self, http: web.Request) -> None:
        """Break the connection off as a failing network does."""
        if http.transport:
            http.transport.abort()

    async def end(self) -> None:
        self._writer.cancel()
        await asyncio.gather(self._writer, return_exceptions=True)

    async def _write(self) -> None:
        while True:
            message = await self._queue.get()
            if isinstance(message, int):
                await self._socket.close(code=message)
                return
            text = json.dumps(message)
            try:
                if self._compress:
                    data = self._compress.compress(text.encode()) + self._compress.flush(_SYNC_FLUSH)
                    await self._socket.send_bytes(data)
                else:
                    await self._socket.send_str(text)
            except ConnectionError:
                return  # the client is gone; a resumed session gets its events again


@dataclass(slots=True, eq=False)
class Session:
    """What a client identified for. It outlives its connection, so that it can be resumed."""

    id: str
    intents: int
    events: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    link: Link | None = None

    def dispatch(self, event: str, data: dict[str, Any]) -> None:
        """Send an event, or keep it for the resumption."""
        self.events.append((event, data))
        if self.link:
            self.link.send(DISPATCH, data, seq=len(self.events), event=event)

    def replay(self, seen: int) -> None:
        """Send again what came after number `seen`."""
        assert self.link
        for number, (event, data) in enumerate(self.events[seen:], start=seen + 1):
            self.link.send(DISPATCH, data, seq=number, event=event)


class Gateway:
    """All sessions. `privileged` are the privileged intents that the application is allowed to ask for.

    `closes_with` is a code to close every connection with that identifies; `heartbeat_interval` in seconds.
    """

    def __init__(self, world: World, token: str, privileged: int, address: Callable[[], str]) -> None:
        self.heartbeat_interval = 41.25
        self.offline = False
        self.answers_heartbeats = True
        self.closes_with: int | None = None
        self.identifies: list[dict[str, Any]] = []
        self.resumes = 0
        self.turned_away = 0
        self.heartbeats = 0
        self.sessions: dict[str, Session] = {}
        self._world = world
        self._token = token
        self._privileged = privileged
        self._address = address
        self._links: dict[Link, web.Request] = {}

    # -- events

    def dispatch(
        self, event: str, data: dict[str, Any], needs: int = GUILDS, *, private: bool = False
    ) -> None:
        """Send an event to every session whose intents ask for it; to all where it `needs` none.

        Content is left out for those without the intent for it, unless it is `private` with the bot.
        """
        for session in self.sessions.values():
            if not needs or session.intents & needs:
                bare = needs in (GUILD_MESSAGES, DIRECT_MESSAGES) and not session.intents & CONTENT
                content = (
                    messages.redacted(data, self._world.bot, private) if bare and "author" in data else data
                )
                session.dispatch(event, content)

    @property
    def connected(self) -> bool:
        """Whether some session has its connection."""
        return any(session.link for session in self.sessions.values())

    # -- faults

    def cut(self) -> None:
        """Break all connections off; their sessions can be resumed."""
        for link, http in list(self._links.items()):
            self._detach(link)
            link.cut(http)

    def ask_reconnect(self) -> None:
        """Ask every client to reconnect and resume (op 7)."""
        for link in self._links:
            link.send(RECONNECT)

    def invalidate(self, *, resumable: bool = False) -> None:
        """Say that the session is invalid (op 9); not resumable ones are forgotten."""
        for link in self._links:
            if link.session and not resumable:
                self.sessions.pop(link.session.id, None)
            link.send(INVALID_SESSION, resumable)

    def forget(self) -> None:
        """Forget all sessions, as Discord does after a while: whoever resumes has to identify anew."""
        self.sessions.clear()

    def repeat_ready(self) -> None:
        """Send READY and all guilds once more within the same sessions."""
        for session in self.sessions.values():
            self._welcome(session)

    # -- one connection

    async def handle(self, http: web.Request) -> web.StreamResponse:
        """The websocket's whole life."""
        if self.offline:
            self.turned_away += 1
            self._world.changes.note()
            return web.Response(status=503, text="the gateway is away")
        socket = web.WebSocketResponse()
        await socket.prepare(http)
        link = Link(socket, compressed=http.query.get("compress") == "zlib-stream")
        self._links[link] = http
        link.send(HELLO, {"heartbeat_interval": round(self.heartbeat_interval * 1000)})
        try:
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    self._receive(link, json.loads(message.data))
        finally:
            self._detach(link)
            await link.end()
        return socket

    async def close(self) -> None:
        """End every connection."""
        self.offline = True
        for link in list(self._links):
            link.close(1001)

    def _detach(self, link: Link) -> None:
        self._links.pop(link, None)
        if link.session and link.session.link is link:
            link.session.link = None
        self._world.changes.note()

    def _receive(self, link: Link, message: dict[str, Any]) -> None:
        data = message.get("d")
        if message["op"] == HEARTBEAT:
            self.heartbeats += 1
            if self.answers_heartbeats:
                link.send(ACK)
        elif message["op"] == IDENTIFY and isinstance(data, dict):
            self._identify(link, data)
        elif message["op"] == RESUME and isinstance(data, dict):
            self._resume(link, data)
        self._world.changes.note()

    def _identify(self, link: Link, data: dict[str, Any]) -> None:
        if self.closes_with or data["token"] != self._token:
            link.close(self.closes_with or 4004)
            return
        self.identifies.append({key: value for key, value in data.items() if key != "token"})
        intents = int(data["intents"])
        if intents & PRIVILEGED & ~self._privileged:
            link.close(4014)
            return
        session = Session(f"session-{self._world.ids.new()}", intents, link=link)
        link.session = session
        self.sessions[session.id] = session
        self._welcome(session)

    def _welcome(self, session: Session) -> None:
        world = self._world
        ready = {
            "v": 10,
            "user": payloads.me(world.bot),
            "session_id": session.id,
            "session_type": "normal",
            "resume_gateway_url": self._address(),
            "guilds": [{"id": str(guild), "unavailable": True} for guild in world.guilds],
            "private_channels": [],
            "application": {"id": str(world.bot.id), "flags": 0},
        }
        session.dispatch("READY", ready)
        channels, people = list(world.channels.values()), list(world.users.values())
        for guild in world.guilds.values():
            # "unavailable": false marks a guild of before; without it the bot was invited now.
            shown = {**payloads.guild(guild, channels, people), "unavailable": False}
            session.dispatch("GUILD_CREATE", shown)

    def _resume(self, link: Link, data: dict[str, Any]) -> None:
        session = self.sessions.get(str(data["session_id"]))
        if data["token"] != self._token or session is None:
            link.send(INVALID_SESSION, False)
            return
        self.resumes += 1
        session.link, link.session = link, session
        session.replay(int(data["seq"] or 0))
        session.dispatch("RESUMED", {})
