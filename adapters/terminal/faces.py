"""The ways back to a person in a terminal: whole lines for scripts, a moving screen for people."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from adapters.terminal.screen import GrowingAnswer, Screen
from adapters.terminal.streams import Output
from bot.messages import IncomingMessage, PlatformLimits
from bot.ports import ReplySink
from bot.views.model import View

LIMITS = PlatformLimits(max_length=10_000_000, unit="characters", edit_interval=0.1)

NewId = Callable[[], str]


class Form(Protocol):
    """How events become text; "" for an event that isn't shown."""

    def reply(self, message: IncomingMessage, answer_id: str, text: str) -> str: ...

    def view(self, message: IncomingMessage, view: View) -> str: ...

    def failure(self, message: IncomingMessage, view: View) -> str: ...

    def report(self, event: Mapping[str, Any]) -> str: ...


class WholeReplies:
    """Answers one message on a stream, each event in one piece; also the sink of its answer."""

    limits = LIMITS

    def __init__(self, message: IncomingMessage, form: Form, output: Output, new_id: NewId) -> None:
        self._message = message
        self._form = form
        self._output = output
        self._new_id = new_id

    async def typing(self) -> None:
        """A script need not see that an answer is being made."""

    async def open_reply(self) -> ReplySink:
        """The sink is this object."""
        return self

    async def show(self, view: View) -> None:
        """Write a view."""
        self._output.write(self._form.view(self._message, view))

    async def update(self, text: str) -> None:
        """Unfinished answers aren't written."""

    async def finish(self, text: str) -> Sequence[str]:
        """Write the answer."""
        answer_id = self._new_id()
        self._output.write(self._form.reply(self._message, answer_id, text))
        return [answer_id]

    async def fail(self, view: View) -> None:
        """Write why there is no answer."""
        self._output.write(self._form.failure(self._message, view))


class MovingReplies:
    """Answers one message on the screen, until it is hushed; also the sink of its answer."""

    limits = LIMITS

    def __init__(self, screen: Screen, new_id: NewId) -> None:
        self._screen = screen
        self._answer = GrowingAnswer(screen)
        self._new_id = new_id
        self._hushed = False

    def hush(self) -> None:
        """Show nothing more: the person turned to something else."""
        self._hushed = True
        self._answer.stop()

    async def typing(self) -> None:
        """Show that an answer is being made."""
        if not self._hushed:
            self._screen.wait()

    async def open_reply(self) -> ReplySink:
        """The sink is this object."""
        await self.typing()
        return self

    async def show(self, view: View) -> None:
        """Draw a view."""
        if not self._hushed:
            self._screen.panel(view)

    async def update(self, text: str) -> None:
        """Draw the answer so far."""
        if not self._hushed:
            self._answer.grow(text)

    async def finish(self, text: str) -> Sequence[str]:
        """Draw the whole answer."""
        if not self._hushed:
            self._answer.end(text)
        return [self._new_id()]

    async def fail(self, view: View) -> None:
        """Draw why there is no answer."""
        await self.show(view)
