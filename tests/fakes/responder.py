"""The way back to a person that only writes down what it is told to show."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from bot.errors import DeliveryError
from bot.messages import PlatformLimits
from bot.views.model import Block, Fields, Gauge, Items, Paragraph, View
from tests.fakes.clock import Watched


class RecordingSink:
    """One streamed answer. With `gate` updates wait for it; with an error they, or the end, are refused."""

    def __init__(self, watched: Watched, number: int) -> None:
        self.updates: list[str] = []
        self.text: str | None = None
        self.failure: View | None = None
        self.gate: asyncio.Event | None = None
        self.update_error: DeliveryError | None = None
        self.finish_error: DeliveryError | None = None
        self.parts: tuple[str, ...] = (f"part-{number}",)
        self._watched = watched

    async def update(self, text: str) -> None:
        self._open()
        self.updates.append(text)
        self._watched.changed()
        if self.gate:
            await self.gate.wait()
        if self.update_error:
            raise self.update_error

    async def finish(self, text: str) -> Sequence[str]:
        self._open()
        self.text = text
        self._watched.changed()
        if self.finish_error:
            raise self.finish_error
        return self.parts

    async def fail(self, view: View) -> None:
        self._open()
        self.failure = view
        self._watched.changed()

    def _open(self) -> None:
        assert self.text is None, "the answer was ended before"
        assert self.failure is None, "the answer was ended before"


class RecordingResponder(Watched):
    """What one event got back: `typed` times typing was shown, the replies, and the views."""

    def __init__(self, edit_interval: float = 1.0, number: int = 0) -> None:
        super().__init__()
        self.limits = PlatformLimits(4096, "characters", edit_interval)
        self.typed = 0
        self.typing_error: DeliveryError | None = None
        self.views: list[View] = []
        self.replies: list[RecordingSink] = []
        self.show_error: DeliveryError | None = None
        self.open_error: DeliveryError | None = None
        self.sink = RecordingSink(self, number)  # the one that is handed out

    @property
    def answer(self) -> str | None:
        """The whole answer as it was shown in the end, if it was."""
        return self.sink.text

    @property
    def silent(self) -> bool:
        """Whether the person saw nothing at all."""
        return not (self.typed or self.views or self.replies)

    async def typing(self) -> None:
        self.typed += 1
        self.changed()
        if self.typing_error:
            raise self.typing_error

    async def open_reply(self) -> RecordingSink:
        if self.open_error:
            raise self.open_error
        assert not self.replies, "one event, one reply"
        self.replies.append(self.sink)
        self.changed()
        return self.sink

    async def show(self, view: View) -> None:
        if self.show_error:
            raise self.show_error
        self.views.append(view)
        self.changed()


def words_of(view: View) -> str:
    """Everything that a view says, line by line."""
    return "\n".join([view.title, *(line for block in view.blocks for line in _lines(block))])


def _lines(block: Block) -> list[str]:
    match block:
        case Paragraph(text):
            return [text]
        case Fields(rows):
            return [f"{label}: {value}" for label, value in rows]
        case Gauge(segments):
            return [f"{segment.label} {segment.amount:,}" for segment in segments]
        case Items(items, heading):
            return [heading, *(f"{item.text} ({item.detail})" for item in items)]
