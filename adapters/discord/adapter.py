"""Discord as a platform: logs in, registers the commands, receives, and leaves in order."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from itertools import chain, repeat
from types import TracebackType
from typing import Self

import discord
import structlog

from adapters.discord.address import api_address, find_gateway
from adapters.discord.client import Client
from adapters.discord.problems import REACHING, delivery_error
from adapters.discord.reception import Reception
from adapters.discord.seen import Seen
from adapters.discord.slash import fingerprint, slash_commands
from adapters.discord.translate import PLATFORM
from bot.clock import SystemClock
from bot.config import Secrets, Settings
from bot.errors import DeliveryDelayed, SettingsError, StoreError
from bot.ports import Clock, CommandInfo, Inbox, StateStore

# In seconds: pauses after failed attempts to connect, and how long leaving may take.
_PAUSES = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0)
_GOODBYE = 3.0
_NO_CONTENT = (
    "the message content intent is off: outside direct messages only messages that mention the bot can be "
    "read; switch it on at https://discord.com/developers/applications under Bot"
)

log = structlog.get_logger(__name__)


def build(settings: Settings, secrets: Secrets, state: StateStore) -> DiscordAdapter:
    """The adapter for these settings. Raises SettingsError without a token."""
    if secrets.discord_bot_token is None:
        raise SettingsError("DISCORD_BOT_TOKEN", "is missing")
    token = secrets.discord_bot_token.get_secret_value()
    return DiscordAdapter(token, settings.discord.api_base_url, state, SystemClock())


class DiscordAdapter:
    """The Adapter port. It starts without Discord being reachable and keeps trying."""

    platform = PLATFORM

    def __init__(
        self, token: str, base_url: str, state: StateStore, clock: Clock, guilds_within: float = 2.0
    ) -> None:
        self._token = token
        self._base_url = base_url
        self._state = state
        self._clock = clock
        self._guilds_within = guilds_within
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        self._stack.enter_context(api_address(self._base_url))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    async def check(self) -> str:
        """The bot's name, and what it may not see; DeliveryError when this token doesn't reach it."""
        with api_address(self._base_url):
            client = Client(content=True)
            try:
                await client.login(self._token)
            except REACHING as error:
                raise delivery_error(error) from None
            finally:
                await client.close()
        flags = client.application.flags if client.application else discord.ApplicationFlags()
        visible = flags.gateway_message_content or flags.gateway_message_content_limited
        return str(client.user) if visible else f"{client.user} ({_NO_CONTENT})"

    async def run(self, inbox: Inbox, commands: Sequence[CommandInfo]) -> None:
        """Receive until cancelled. DeliveryError when Discord refuses for good, as with a wrong token."""
        client = await self._logged_in(content=True)
        await self._register(client, commands)
        seen = Seen(self._state, f"{PLATFORM}:{client.application_id}:seen", self._clock)
        await seen.load(discord.utils.time_snowflake(self._clock.now()))
        saving = asyncio.create_task(seen.keep_saving())
        try:
            try:
                await self._receive(client, inbox, seen)
            except discord.PrivilegedIntentsRequired:
                log.warning(_NO_CONTENT)
                await self._receive(await self._logged_in(content=False), inbox, seen)
        finally:
            saving.cancel()
            seen.freeze()
            await seen.save()

    async def _receive(self, client: Client, inbox: Inbox, seen: Seen) -> None:
        client.reception = Reception(client, inbox, self._clock, seen, content_visible=client.content)
        self._stack.push_async_callback(client.reception.close, _GOODBYE)
        log.info("receiving from Discord", bot=str(client.user))
        try:
            await self._connect(client)
        finally:
            # Only receiving ends here: answers under way still need the client's HTTP side.
            client.reception = None
            await _hang_up(client)

    async def _logged_in(self, *, content: bool) -> Client:
        """A client that is known to Discord, however long that takes. It is closed with the adapter."""
        for pause in chain(_PAUSES, repeat(_PAUSES[-1])):
            client = Client(content=content, guilds_within=self._guilds_within)
            try:
                await client.login(self._token)
                await find_gateway(client)
            except REACHING as error:
                failure = delivery_error(error)
                await client.close()
            else:
                self._stack.push_async_callback(client.close)
                return client
            if not isinstance(failure, DeliveryDelayed):
                raise failure
            wait = pause if failure.retry_after is None else failure.retry_after
            log.warning("Discord can't be reached", error=str(failure), again_in=wait)
            await self._clock.sleep(wait)
        raise AssertionError("the pauses never end")

    async def _connect(self, client: Client) -> None:
        """Keep the gateway's connection until cancelled. PrivilegedIntentsRequired passes through."""
        for pause in chain(_PAUSES, repeat(_PAUSES[-1])):
            try:
                await client.connect()
                return
            except discord.PrivilegedIntentsRequired:
                raise
            except REACHING as error:
                raise delivery_error(error) from None
            except AttributeError:
                # discord.py reconnects by itself, but stumbles when the very first attempt fails: there is
                # no websocket yet whose session it could resume.
                if client.ws is not None:
                    raise
            log.warning("Discord's gateway can't be reached", again_in=pause)
            await self._clock.sleep(pause)

    async def _register(self, client: Client, commands: Sequence[CommandInfo]) -> None:
        """Register the slash commands, unless they are as they were. The bot works without them, too."""
        wanted = slash_commands(commands)
        name, present = f"discord:{client.application_id}:commands", fingerprint(wanted)
        try:
            if await self._state.get_state(name) == present:
                return
            assert client.application_id
            await client.http.bulk_upsert_global_commands(client.application_id, wanted)
            await self._state.set_state(name, present)
        except REACHING as error:
            log.warning("the slash commands were not registered", error=repr(delivery_error(error)))
        except StoreError as error:
            log.warning("the slash commands may be registered again", error=repr(error))


async def _hang_up(client: Client) -> None:
    if client.ws is not None and client.ws.open:
        try:
            async with asyncio.timeout(_GOODBYE):
                await client.ws.close(code=1000)
        except TimeoutError:
            log.debug("the gateway didn't say goodbye")
