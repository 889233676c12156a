"""What the core needs of a platform, and what a platform's adapter gets of the core."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self

from bot.messages import Inbound, PlatformLimits
from bot.views.model import View


class ReplySink(Protocol):
    """Where one streamed answer goes. The core throttles `update`; the adapter renders and splits.

    Raises `bot.errors.DeliveryError`. Exactly one of `finish` and `fail` ends it.
    """

    async def update(self, text: str) -> None:
        """Show `text`, the whole answer so far, in Markdown. May be skipped or shortened by the adapter."""
        ...

    async def finish(self, text: str) -> Sequence[str]:
        """Show the whole answer, in as many parts as needed; the platform's ids of all parts, in order."""
        ...

    async def fail(self, view: View) -> None:
        """The answer failed: show why, in place of whatever part of it was shown."""
        ...


class Responder(Protocol):
    """The way back to the person who caused an event. One per event; made by the adapter."""

    @property
    def limits(self) -> PlatformLimits: ...

    async def typing(self) -> None:
        """Show once that an answer is being made (platforms let it fade after some seconds)."""
        ...

    async def open_reply(self) -> ReplySink:
        """Start a streamed answer; nothing need be visible until the first update."""
        ...

    async def show(self, view: View) -> None:
        """Show a view as the answer to this event (for a pressed button: in place of the view it was on)."""
        ...


class Inbox(Protocol):
    """Where adapters put what they received."""

    def submit(self, event: Inbound, responder: Responder) -> Awaitable[None]:
        """Take an event. Returns at once; the awaitable is done when the event is wholly handled.

        Adapters of platforms ignore it; the terminal and tests wait for it. Submitting while the
        application shuts down is allowed: the awaitable then is done without anything handled.
        """
        ...

    async def accepted(self) -> None:
        """Returns when everything submitted so far is safely in the store (or refused aloud)."""
        ...


@dataclass(frozen=True, slots=True)
class CommandInfo:
    """What a platform's menu needs to know of a command. `argument` is a hint such as "page", "" for none.

    `descriptions` maps a language ("en", "zh-hant", "zh-hans") to one line; "en" is always there.
    """

    name: str
    descriptions: Mapping[str, str]
    argument: str = ""
    admin_only: bool = False


class Adapter(Protocol):
    """One platform. Entered once, then `run` receives until it is cancelled; leaving closes everything."""

    @property
    def platform(self) -> str: ...

    async def __aenter__(self) -> Self: ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...

    async def run(self, inbox: Inbox, commands: Sequence[CommandInfo]) -> None:
        """Receive and submit until cancelled. Raises DeliveryError when it can't ever work (bad token)."""
        ...

    async def check(self) -> str:
        """The bot's own name on the platform, if this token reaches it; DeliveryError otherwise."""
        ...


class StateStore(Protocol):
    """Small values an adapter keeps over restarts, such as a hash of the commands it registered."""

    async def get_state(self, name: str) -> str | None: ...

    async def set_state(self, name: str, value: str) -> None: ...
