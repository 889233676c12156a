"""Plays people at a loopback Discord server that runs as a process of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar

import aiohttp

T = TypeVar("T")
State = Mapping[str, Any]


class RemoteDiscord:
    """A server's control over HTTP; `base` is its address, such as http://127.0.0.1:8002.

    Methods return ids. What there is comes as plain objects from `state`; see ControlledServer.snapshot.
    """

    def __init__(self, base: str) -> None:
        self.api_base_url = f"{base}/api/v10"
        self._base = base
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._session:
            await self._session.close()

    async def do(self, action: str, **arguments: Any) -> int:
        """Do something; the id of what came of it (0 for nothing)."""
        assert self._session
        body = {"action": action, **arguments}
        async with self._session.post(f"{self._base}/control/do", json=body) as answer:
            told = await answer.json()
            assert answer.status == 200, told
            return int(told["id"] or 0)

    async def state(self, after: int = -1, timeout: float = 10.0) -> State:
        """What there is, as soon as it is newer than version `after`. TimeoutError when nothing happens."""
        assert self._session
        query = {"after": str(after), "timeout": str(timeout)}
        async with self._session.get(f"{self._base}/control/state", params=query) as answer:
            if answer.status == 408:
                raise TimeoutError("nothing happened")
            found: State = await answer.json()
            return found

    async def wait_for(self, predicate: Callable[[State], T], timeout: float = 20.0) -> T:
        """The first true answer of the predicate, asked anew with every change."""
        async with asyncio.timeout(timeout):
            version = -1
            while True:
                state = await self.state(version, timeout)
                if found := predicate(state):
                    return found
                version = state["version"]

    # -- in short

    async def say(
        self,
        channel: int,
        user: int,
        content: str,
        mentions: Sequence[int] = (),
        reply_to: int | None = None,
    ) -> int:
        """Somebody writes; the message's id."""
        told = {"content": content, "mentions": list(mentions), "reply_to": reply_to}
        return await self.do("say", channel=channel, user=user, **told)

    async def slash(
        self, channel: int, user: int, name: str, options: Mapping[str, Any] | None = None
    ) -> int:
        """Somebody uses a command; the interaction's id."""
        return await self.do("slash", channel=channel, user=user, name=name, options=options or {})

    async def answers(self, interaction: int, timeout: float = 20.0) -> list[dict[str, Any]]:
        """What a person gets to see of an interaction, once there is something."""
        found = await self.wait_for(lambda state: answers(state, interaction), timeout)
        return list(found)

    async def replies(self, channel: int, count: int, timeout: float = 20.0) -> list[dict[str, Any]]:
        """What the bot wrote in a channel, once there are `count` messages of it."""

        def enough(state: State) -> list[dict[str, Any]]:
            written = replies(state, channel)
            return written if len(written) >= count else []

        return await self.wait_for(enough, timeout)


def replies(state: State, channel: int) -> list[dict[str, Any]]:
    """What the bot wrote in a channel, oldest first."""
    return [message for message in state["channels"][str(channel)]["messages"] if message["from_bot"]]


def answers(state: State, interaction: int) -> list[dict[str, Any]]:
    """What a person sees as the answer to a command or a button."""
    found = next(one for one in state["interactions"] if one["id"] == interaction)
    return list(found["answers"])
