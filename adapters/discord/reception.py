"""Hands what Discord tells to the core: translated, in order, with the way back."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any

import discord
import structlog

from adapters.discord import translate
from adapters.discord.missed import missed
from adapters.discord.problems import REACHING, delivery_error
from adapters.discord.render import press
from adapters.discord.reply import InteractionResponder, MessageResponder
from adapters.discord.seen import Seen
from bot.errors import DeliveryError
from bot.messages import CommandCall, Inbound
from bot.ports import Clock, Inbox
from bot.views.problems import problem
from bot.views.words import Words, closest

log = structlog.get_logger(__name__)


class Reception:
    """Takes events of one logged-in client until it is closed.

    `content_visible`: Discord lets the bot see what people write without speaking to it.
    """

    def __init__(
        self, client: discord.Client, inbox: Inbox, clock: Clock, seen: Seen, *, content_visible: bool
    ) -> None:
        assert client.user
        self._client = client
        self._me = client.user
        self._inbox = inbox
        self._clock = clock
        self._seen = seen
        self._content_visible = content_visible
        self._held: list[tuple[int | None, Callable[[], object]]] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    # -- messages

    def message(self, message: discord.Message) -> None:
        """Somebody wrote."""
        self._in_order(partial(self._take, message), message.id)

    def edited(self, message: discord.Message) -> None:
        """A message is not what it was; it need not be cached."""
        for event in translate.edited(message, self._me, content_visible=self._content_visible):
            guild = message.guild.id if message.guild else None
            self._in_order(partial(self._submit, event, message.channel.id, guild, message.id))

    def deleted(self, channel: int, guild: int | None, messages: set[int]) -> None:
        """Messages are gone; they need not be cached."""
        for event in translate.deleted(self._me.id, channel, messages, in_guild=guild is not None):
            self._in_order(partial(self._submit, event, channel, guild, min(messages)))

    def hold(self) -> None:
        """Keep what comes until what was missed is fetched, so that everything is handed on in order."""
        if self._held is None and not self._seen.fresh:
            self._held = []

    def catch_up(self) -> None:
        """Fetch what was missed, then let go of what was held."""
        if self._seen.fresh:
            self._seen.fresh = False
        else:
            self._start(self._fetch_missed())

    async def _fetch_missed(self) -> None:
        found: list[discord.Message] = []
        try:
            now = self._clock.now()
            found = await missed(self._client, self._seen.mark, self._seen.private, now)
        finally:
            held, self._held = self._held or [], None
            for message in found:
                self._take(message)
            fetched = {message.id for message in found}
            for new, event in held:
                if new not in fetched:
                    event()

    def _in_order(self, event: Callable[[], object], new: int | None = None) -> None:
        """Do something about an event, now or after what was missed. `new` is the id of a new message."""
        if self._held is None:
            event()
        else:
            self._held.append((new, event))

    def _take(self, message: discord.Message) -> None:
        event = translate.incoming(message, self._me)
        if event is None:
            self._seen.pass_over(message.id)
        else:
            guild = message.guild.id if message.guild else None
            handled = self._submit(event, message.channel.id, guild, message.id)
            self._seen.note(message.id, handled, None if guild else message.channel.id)

    def _submit(self, event: Inbound, channel: int, guild: int | None, message: int) -> Awaitable[None]:
        place = self._client.get_partial_messageable(channel, guild_id=guild)
        return self._inbox.submit(event, MessageResponder(place, guild, message, self._clock))

    # -- commands and buttons

    def interaction(self, interaction: discord.Interaction) -> None:
        """Somebody used a slash command or a button."""
        self._start(self._answer(interaction))

    async def close(self, patience: float) -> None:
        """Let interactions under way end for `patience` seconds, then stop them."""
        left = set(self._tasks)
        if left:
            await asyncio.wait(left, timeout=patience)
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer(self, interaction: discord.Interaction) -> None:
        try:
            call, in_place = _asked(interaction)
            if call is None or interaction.channel_id is None:
                log.warning("an interaction isn't understood", kind=interaction.type.name)
                return
            # Before anything else: Discord gives up on an interaction that isn't acknowledged in 3 seconds.
            await _defer(interaction, in_place=in_place)
            await self._handle(interaction, call)
        except REACHING as error:
            # Too late, or acknowledged before: this is a repetition. Nobody would see an answer.
            log.warning("an interaction can't be acknowledged", error=repr(delivery_error(error)))
        except DeliveryError as error:
            log.warning("an interaction can't be answered", error=repr(error))
        except Exception:
            log.exception("an interaction could not be handled", kind=interaction.type.name)

    async def _handle(self, interaction: discord.Interaction, call: CommandCall) -> None:
        responder = InteractionResponder(interaction, self._clock)
        await self._inbox.submit(translate.command(interaction, call, self._me), responder)
        if not responder.answered:
            words = Words(closest(interaction.locale.value))
            await responder.show(problem(RuntimeError("a command ended without an answer"), words))


def _asked(interaction: discord.Interaction) -> tuple[CommandCall | None, bool]:
    """The command that an interaction gives, and whether its answer replaces the view it came from."""
    if interaction.type is discord.InteractionType.application_command:
        return translate.slash_call(interaction.data), False
    if interaction.type is discord.InteractionType.component and interaction.data:
        pressed = press(str(dict(interaction.data).get("custom_id", "")))
        if pressed:
            alone = interaction.message is not None and interaction.message.flags.ephemeral
            return pressed.command, pressed.in_place and alone
    return None, False


async def _defer(interaction: discord.Interaction, *, in_place: bool) -> None:
    if in_place:
        await interaction.response.defer()
    else:
        await interaction.response.defer(ephemeral=True, thinking=True)
