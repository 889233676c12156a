"""Remembers of each chat what is needed to write there: gone, moved, what was sent, what may have been."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Sequence
from dataclasses import dataclass, field

_CHATS = 10_000
_VIEWS = 1_000


@dataclass(frozen=True, slots=True)
class Place:
    """Where to write: a chat, a forum topic in it (None: outside topics), and the message that is answered.

    `heard` is an id in this chat: whatever is sent from here has a higher one.
    """

    chat: int
    thread: int | None = None
    reply_to: int | None = None
    heard: int = 0
    group: bool = False


@dataclass(slots=True)
class Chat:
    """One chat. Its sends follow one another under `lock`.

    `gone`: the bot was blocked or removed. `quiet_until`: Telegram asked for silence (monotonic seconds).
    `sent`: ids of the newest messages of the bot. `doubts`: topics in which a message may have arrived
    without its id becoming known -> the newest id known before it.
    """

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    gone: bool = False
    moved_to: int | None = None
    quiet_until: float = 0.0
    sent: deque[int] = field(default_factory=lambda: deque(maxlen=64))
    doubts: dict[int | None, int] = field(default_factory=dict)


class Chats:
    """The chats used last, and which messages make up the views shown last."""

    def __init__(self) -> None:
        self._chats: OrderedDict[int, Chat] = OrderedDict()
        self._views: OrderedDict[tuple[int, int], tuple[int, ...]] = OrderedDict()

    def __getitem__(self, number: int) -> Chat:
        chat = self._chats.setdefault(number, Chat())
        self._chats.move_to_end(number)
        if len(self._chats) > _CHATS and not next(iter(self._chats.values())).lock.locked():
            self._chats.popitem(last=False)
        return chat

    def remember_view(self, chat: int, messages: Sequence[int]) -> None:
        """A view is shown in these messages; its buttons are on the last."""
        self._views[chat, messages[-1]] = tuple(messages)
        if len(self._views) > _VIEWS:
            self._views.popitem(last=False)

    def view_around(self, chat: int, message: int) -> tuple[int, ...]:
        """All messages of the view whose buttons are on this one."""
        return self._views.get((chat, message), (message,))
