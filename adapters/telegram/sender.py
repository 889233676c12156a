"""Shows things in chats exactly once: waits, tries again, and finds messages that got lost."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from itertools import chain, repeat
from typing import TypeVar

import structlog
from telegram.error import ChatMigrated, Forbidden, TelegramError

from adapters.telegram.calls import Calls, Content, MessageLost
from adapters.telegram.chats import Chat, Chats, Place
from adapters.telegram.errors import delivery_error, may_have_arrived
from bot.errors import ChatGone, DeliveryDelayed, DeliveryError
from bot.ports import Clock

Result = TypeVar("Result")

# How long one call is tried again, in seconds, and the pauses where Telegram names none.
_PATIENCE = 180.0
_PAUSES = (1.0, 2.0, 4.0, 8.0, 15.0)
# How many messages before one that was sent again its lost twin is looked for.
_LOOK_BACK = 15

log = structlog.get_logger(__name__)


class Sender:
    """The calls that show something; all raise DeliveryError. In a chat that is gone none is made.

    With `persist` a call is tried again for as long as Telegram asks, up to some minutes; without it, it
    fails at once.
    """

    def __init__(self, calls: Calls, chats: Chats, clock: Clock) -> None:
        self._calls = calls
        self._chats = chats
        self._clock = clock

    def check(self, place: Place) -> None:
        """ChatGone when it is known that nothing can be written there."""
        if self._chats[place.chat].gone:
            raise ChatGone("the bot was blocked or removed")

    async def send(self, place: Place, content: Content, *, reply: bool, persist: bool) -> int:
        """Send a message; its id. An earlier try that arrived unnoticed is not left beside it."""
        chat = self._chats[place.chat]
        answered = place.reply_to if reply else None

        async def call(number: int) -> int:
            try:
                return await self._calls.send(number, place.thread, answered, content)
            except TelegramError as error:
                if may_have_arrived(error):
                    known = max([place.heard, *chat.sent])
                    chat.doubts.setdefault(place.thread, known)
                raise

        async with chat.lock:
            try:
                number = await self._tried(place, call, persist)
            except DeliveryError:
                if persist:  # nobody sends it again, so nothing later is its twin
                    chat.doubts.pop(place.thread, None)
                raise
            if place.thread in chat.doubts:
                number = await self._only_one(place, chat, number, content)
            chat.sent.append(number)
        return number

    async def edit(self, place: Place, number: int, content: Content, *, persist: bool) -> None:
        """Change a message. MessageLost when it can't be changed any more."""
        await self._tried(place, lambda chat: self._calls.edit(chat, number, content), persist)

    async def delete(self, place: Place, number: int, *, persist: bool) -> None:
        """Remove a message of the bot."""
        await self._tried(place, lambda chat: self._calls.delete(chat, number), persist)

    async def typing(self, place: Place) -> None:
        """Show for some seconds that an answer is being made."""
        await self._tried(place, lambda chat: self._calls.typing(chat, place.thread), persist=False)

    async def _tried(self, place: Place, call: Callable[[int], Awaitable[Result]], persist: bool) -> Result:
        chat = self._chats[place.chat]
        deadline = self._clock.monotonic() + (_PATIENCE if persist else 0.0)
        pauses = chain(_PAUSES, repeat(_PAUSES[-1]))
        while True:
            self.check(place)
            failure: DeliveryError
            if (silence := chat.quiet_until - self._clock.monotonic()) > 0:
                failure = DeliveryDelayed("Telegram asked for silence in this chat", silence)
            else:
                try:
                    return await call(chat.moved_to or place.chat)
                except TelegramError as error:
                    if _moved(chat, error):
                        continue
                    failure = self._noted(chat, error)
            if not isinstance(failure, DeliveryDelayed):
                raise failure
            pause = next(pauses) if failure.retry_after is None else failure.retry_after
            if self._clock.monotonic() + pause > deadline:
                raise failure
            await self._clock.sleep(pause)

    def _noted(self, chat: Chat, error: TelegramError) -> DeliveryError:
        """What a failure means, also for later calls to this chat."""
        failure = delivery_error(error)
        if isinstance(error, Forbidden):
            chat.gone = True
        if isinstance(failure, DeliveryDelayed) and failure.retry_after:
            chat.quiet_until = self._clock.monotonic() + failure.retry_after
        return failure

    async def _only_one(self, place: Place, chat: Chat, number: int, content: Content) -> int:
        """Find the tries that arrived without our hearing of it, and leave just the first of them.

        Telegram has no way to ask what was sent, but an edit tells: of the messages since, only a lost one
        is the bot's without being known. After the edit it shows the right content, too.
        """
        known = chat.doubts.pop(place.thread)
        if chat.doubts:
            return number  # another topic has a lost message too, which must not be mistaken for this one
        between = range(max(known + 1, number - _LOOK_BACK), number)
        unknown = [candidate for candidate in between if candidate not in chat.sent]
        found: list[int] = []
        try:
            found = [candidate for candidate in unknown if await self._is_ours(place, candidate, content)]
            for double in [*found, number][1:]:
                await self.delete(place, double, persist=True)
        except DeliveryError as error:
            log.info("looking for a lost message was given up", error=repr(error))
        return [*found, number][0]

    async def _is_ours(self, place: Place, number: int, content: Content) -> bool:
        try:
            await self.edit(place, number, content, persist=True)
        except MessageLost:
            return False
        return True


def _moved(chat: Chat, error: TelegramError) -> bool:
    """Follow a group that became a supergroup, once."""
    if not isinstance(error, ChatMigrated) or chat.moved_to == error.new_chat_id:
        return False
    chat.moved_to = error.new_chat_id
    return True
