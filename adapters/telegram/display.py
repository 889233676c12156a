"""One answer or view on the screen: the messages that show it, brought up to date by edits."""

from __future__ import annotations

from collections.abc import Sequence

from telegram import InlineKeyboardMarkup

from adapters.telegram.calls import Content, MessageLost
from adapters.telegram.chats import Place
from adapters.telegram.formatted import Formatted
from adapters.telegram.sender import Sender


class Display:
    """Messages in order. `standing` are ids of messages that may be reused, whatever they show now."""

    def __init__(self, sender: Sender, place: Place, standing: Sequence[int] = ()) -> None:
        self._sender = sender
        self._place = place
        self._shown: list[tuple[int, Content | None]] = [(number, None) for number in standing]

    @property
    def numbers(self) -> list[int]:
        """Ids of the messages, in order."""
        return [number for number, _ in self._shown]

    async def show(
        self, parts: Sequence[Formatted], markup: InlineKeyboardMarkup | None = None, *, persist: bool
    ) -> None:
        """Show these parts and nothing else, the buttons under the last. Raises DeliveryError.

        After a failure, another call goes on where this one stopped.
        """
        for index, part in enumerate(parts):
            content = Content(part, markup if index == len(parts) - 1 else None)
            if index < len(self._shown):
                await self._change(index, content, persist)
            else:
                await self._add(index, content, persist)
        while len(self._shown) > len(parts):
            await self._sender.delete(self._place, self._shown[-1][0], persist=persist)
            self._shown.pop()

    async def _change(self, index: int, content: Content, persist: bool) -> None:
        number, before = self._shown[index]
        if before == content:
            return
        try:
            await self._sender.edit(self._place, number, content, persist=persist)
            self._shown[index] = (number, content)
        except MessageLost:
            await self._add(index, content, persist)

    async def _add(self, index: int, content: Content, persist: bool) -> None:
        number = await self._sender.send(self._place, content, reply=index == 0, persist=persist)
        self._shown[index : index + 1] = [(number, content)]
