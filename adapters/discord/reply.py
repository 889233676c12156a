"""The way back to the person: typing, streamed answers, views."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import discord

from adapters.discord.parts import Parts
from adapters.discord.places import ChannelPlace, InteractionPlace
from adapters.discord.problems import reaching_discord
from adapters.discord.render import answer_parts, buttons, view_parts
from adapters.discord.split import MAX_LENGTH
from bot.messages import PlatformLimits
from bot.ports import Clock, ReplySink
from bot.views.model import View

# Discord takes five messages or edits in five seconds in a channel; other answers may run beside this one.
LIMITS = PlatformLimits(MAX_LENGTH, "characters", edit_interval=1.5)
_LAST_UPDATE_SECONDS = 15.0


class StreamedReply:
    """The ReplySink port: messages that grow by edits.

    An update on its way is not broken off, since it could then arrive after what comes next: who cancels it
    only stops waiting, and the end waits for it.
    """

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._update: asyncio.Task[None] | None = None

    async def update(self, text: str) -> None:
        """Show what there is so far; nothing while the last update is still on its way."""
        if self._update and not self._update.done():
            return
        if texts := answer_parts(text):
            self._update = asyncio.create_task(self._parts.show(texts, persist=False))
            await asyncio.shield(self._update)

    async def finish(self, text: str) -> Sequence[str]:
        """Show the whole answer; the ids of its messages."""
        await self._settle()
        await self._parts.show(answer_parts(text), persist=True)
        return self._parts.ids

    async def fail(self, view: View) -> None:
        """Show why there is no answer, in place of what there was of it."""
        await self._settle()
        await show_view(self._parts, view)

    async def _settle(self) -> None:
        if self._update:
            await asyncio.wait({self._update}, timeout=_LAST_UPDATE_SECONDS)
            self._update.cancel()
            await asyncio.gather(self._update, return_exceptions=True)


class MessageResponder:
    """The Responder port for a message: answers it in its channel, for everybody there."""

    limits = LIMITS

    def __init__(
        self, channel: discord.PartialMessageable, guild: int | None, message: int, clock: Clock
    ) -> None:
        self._channel = channel
        self._guild = guild
        self._message = message
        self._clock = clock

    async def typing(self) -> None:
        """Show for some seconds that an answer is being made."""
        with reaching_discord():
            await self._channel.typing()

    async def open_reply(self) -> ReplySink:
        """A streamed answer."""
        return StreamedReply(self._parts("."))

    async def show(self, view: View) -> None:
        """Show a view as a reply."""
        await show_view(self._parts(":"), view)

    def _parts(self, mark: str) -> Parts:
        place = ChannelPlace(self._channel, self._guild, self._message, f"{self._message}{mark}")
        return Parts(place, self._clock)


class InteractionResponder:
    """The Responder port for a deferred slash command or button: answers only the person who used it."""

    limits = LIMITS

    def __init__(self, interaction: discord.Interaction, clock: Clock) -> None:
        self._parts = Parts(InteractionPlace(interaction), clock)
        self.answered = False

    async def typing(self) -> None:
        """Discord shows by itself that an answer is being made."""

    async def open_reply(self) -> ReplySink:
        """A streamed answer."""
        self.answered = True
        return StreamedReply(self._parts)

    async def show(self, view: View) -> None:
        """Show a view in place of "is thinking", or of the view whose button was pressed."""
        self.answered = True
        await show_view(self._parts, view)


async def show_view(parts: Parts, view: View) -> None:
    """Show a view; its buttons may replace it only where it is one message."""
    texts = view_parts(view)
    await parts.show(texts, buttons(view.actions, in_place=len(texts) == 1), persist=True)
