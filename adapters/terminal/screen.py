"""Owns what is drawn on an interactive terminal: waiting, growing answers, panels and remarks."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TextIO

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.live import Live
from rich.segment import Segment
from rich.spinner import Spinner
from rich.text import Text

from adapters.terminal import palette
from adapters.terminal.clean import clean, one_line
from adapters.terminal.markdown import answer_lines, blocks, finished
from adapters.terminal.render import view_panel
from bot.ports import Clock
from bot.views.model import View

_PATIENCE_SECONDS = 0.25
_TICK_SECONDS = 0.1


class AnswerBlock:
    """A block of an answer. With `cut`, only its last lines, as many as the screen has room for."""

    def __init__(self, text: str, cut: bool = False) -> None:
        self._text = text
        self._cut = cut

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        lines = answer_lines(self._text, console, options)
        for line in lines[-max(console.height - 3, 1) :] if self._cut else lines:
            yield from line
            yield Segment.line()


class Screen:
    """Draws on a terminal. One thing moves at a time: a spinner, or the end of a growing answer.

    All drawing is done on the event loop: a thread of its own could cut into the middle of a redraw.
    """

    def __init__(self, stdout: TextIO, bot_name: str, clock: Clock, environment: Mapping[str, str]) -> None:
        self._console = Console(
            file=stdout,
            theme=palette.theme(),
            highlight=False,
            markup=False,
            emoji=False,
            no_color=bool(environment.get("NO_COLOR")),
            _environ=environment,
        )
        self._name = one_line(bot_name)
        self._clock = clock
        self._live: Live | None = None
        self._ticker: asyncio.Task[None] | None = None

    def wait(self) -> None:
        """Show that an answer is being made, unless something is drawn in the next moment."""
        if self._live is None and self._ticker is None:
            self._ticker = asyncio.create_task(self._spin())

    def name(self) -> None:
        """Draw whose words follow."""
        self.draw(Text(self._name, style=f"bold {palette.BLUE}"))

    def panel(self, view: View) -> None:
        """Draw a view in place of what moves."""
        with self.at_once():
            self.still()
            self.draw(view_panel(view))
            self.draw("")

    def draw(self, renderable: RenderableType) -> None:
        """Draw something for good, above what moves."""
        self._console.print(renderable)

    def move(self, renderable: RenderableType) -> None:
        """Draw something that will change, in place of what it was before."""
        self._stop_spinning()
        if self._live is None:
            self._live = self._new_live(renderable)
            self._live.start()
        self._live.update(renderable, refresh=True)

    def still(self) -> None:
        """Take away what moves."""
        self._stop_spinning()
        if self._live:
            self._live.stop()
            self._live = None

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Write what is drawn meanwhile in one piece, so that no half drawn state is seen."""
        with self._console:
            yield

    def _new_live(self, renderable: RenderableType) -> Live:
        return Live(
            renderable,
            console=self._console,
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
            vertical_overflow="crop",
        )

    async def _spin(self) -> None:
        await self._clock.sleep(_PATIENCE_SECONDS)
        self._live = self._new_live(Spinner("dots", style=palette.BLUE))
        self._live.start()
        while True:
            self._live.refresh()
            await self._clock.sleep(_TICK_SECONDS)

    def _stop_spinning(self) -> None:
        if self._ticker:
            self._ticker.cancel()
            self._ticker = None


class GrowingAnswer:
    """One answer on the screen: finished blocks are drawn for good, the last one moves."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._named = False
        self._drawn = ""
        self._growing = ""

    def grow(self, text: str) -> None:
        """Show `text`, the whole answer so far."""
        done, self._growing = finished(self._rest(text))
        with self._screen.at_once():
            self._draw(done)
            self._screen.move(AnswerBlock(self._growing, cut=True))

    def end(self, text: str) -> None:
        """Show `text`, the whole answer, for good."""
        with self._screen.at_once():
            self._screen.still()
            self._draw(blocks(self._rest(text)))

    def stop(self) -> None:
        """Leave on the screen what was seen so far."""
        with self._screen.at_once():
            self._screen.still()
            if self._growing.strip():
                self._draw([self._growing])

    def _rest(self, text: str) -> str:
        """What isn't drawn for good yet; everything when the answer does not go on as it began."""
        shown = clean(text).lstrip("\n")
        if not shown.startswith(self._drawn):
            self._named, self._drawn = False, ""
        return shown[len(self._drawn) :]

    def _draw(self, parts: Sequence[str]) -> None:
        if not self._named:
            self._screen.name()
            self._named = True
        for part in parts:
            self._screen.draw(AnswerBlock(part))
            self._screen.draw("")
            self._drawn += part
