"""The way back to the person: typing, streamed answers, views."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from adapters.telegram.chats import Chats, Place
from adapters.telegram.display import Display
from adapters.telegram.errands import Errands
from adapters.telegram.render import answer_parts, keyboard, view_parts
from adapters.telegram.sender import Sender
from adapters.telegram.split import MAX_UNITS
from bot.errors import DeliveryDelayed
from bot.messages import PlatformLimits
from bot.ports import ReplySink
from bot.views.model import View

# Telegram takes about one message or edit a second in a chat, and twenty a minute in a group.
_PRIVATE = PlatformLimits(MAX_UNITS, "utf16", edit_interval=1.0)
_GROUP = PlatformLimits(MAX_UNITS, "utf16", edit_interval=3.0)


class TelegramResponder:
    """The Responder port. `pressed` is the message whose button was pressed, None for other events."""

    def __init__(
        self, sender: Sender, chats: Chats, errands: Errands, place: Place, pressed: int | None = None
    ) -> None:
        self._sender = sender
        self._chats = chats
        self._errands = errands
        self._place = place
        self._pressed = pressed

    @property
    def limits(self) -> PlatformLimits:
        return _GROUP if self._place.group else _PRIVATE

    async def typing(self) -> None:
        """Show for some seconds that an answer is being made."""
        await self._sender.typing(self._place)

    async def open_reply(self) -> ReplySink:
        """A streamed answer. ChatGone, before any work is done, where nothing can be shown."""
        self._sender.check(self._place)
        return StreamedReply(Display(self._sender, self._place), self._errands)

    async def show(self, view: View) -> None:
        """Show a view: in place of the one whose button was pressed, otherwise as a new message."""
        chat = self._place.chat
        standing = self._chats.view_around(chat, self._pressed) if self._pressed else ()
        display = Display(self._sender, self._place, standing)
        await display.show(view_parts(view), keyboard(view), persist=True)
        if view.actions and display.numbers:
            self._chats.remember_view(chat, display.numbers)


class StreamedReply:
    """The ReplySink port: one or more messages that grow by edits.

    An update on its way is never broken off, since it could then arrive unnoticed: who cancels it only
    stops waiting, and the end waits for it.
    """

    def __init__(self, display: Display, errands: Errands) -> None:
        self._display = display
        self._errands = errands
        self._update: asyncio.Task[None] | None = None

    async def update(self, text: str) -> None:
        """Show what there is so far; nothing where Telegram wants silence or the last update still runs."""
        if self._update and not self._update.done():
            return
        if parts := answer_parts(text):
            self._update = self._errands.start(self._display.show(parts, persist=False))
            try:
                await asyncio.shield(self._update)
            except DeliveryDelayed:
                return

    async def finish(self, text: str) -> Sequence[str]:
        """Show the whole answer, however long Telegram makes us wait; the ids of its messages."""
        await self._settle()
        await self._display.show(answer_parts(text), persist=True)
        return [str(number) for number in self._display.numbers]

    async def fail(self, view: View) -> None:
        """Show why there is no answer, in place of what there was of it."""
        await self._settle()
        await self._display.show(view_parts(view), keyboard(view), persist=True)

    async def _settle(self) -> None:
        if self._update and not self._update.done():
            await asyncio.wait({self._update})
