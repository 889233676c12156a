"""Owns what is drawn on an interactive terminal: waiting, growing answers, panels and remarks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TextIO

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.live import Live
from rich.padding import Padding
from rich.segment import Segment
from rich.spinner import Spinner
from rich.text import Text

from adapters.terminal import palette
from adapters.terminal.clean import one_line
from adapters.terminal.markdown import AnswerMarkdown, finished
from adapters.terminal.render import notice, view_panel
from bot.views.model import View


class LastLines:
    """The end of something that may be higher than the screen."""

    def __init__(self, renderable: RenderableType) -> None:
        self._renderable = renderable

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        lines = console.render_lines(self._renderable, options.update(height=None), pad=False)
        room = max(console.height - 3, 1)
        for number, line in enumerate(lines[-room:]):
            if number:
                yield Segment.line()
            yield from line


class Screen:
    """Draws on a terminal. One thing moves at a time: a spinner, or the end of a growing answer."""

    def __init__(self, stdout: TextIO, bot_name: str, environment: Mapping[str, str]) -> None:
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
        self._live: Live | None = None
        self._shown = ""

    def wait(self) -> None:
        """Show that an answer is being made, until something else is drawn."""
        if self._live is None:
            self._move(Spinner("dots", style=palette.BLUE))

    def grow(self, text: str) -> None:
        """Show `text`, the whole answer so far. Its finished blocks are drawn for good, its end moves."""
        rest = self._rest(text)
        done = finished(rest)
        if done:
            self._print_part(rest[:done])
            self._shown += rest[:done]
        self._move(LastLines(_inset(AnswerMarkdown(rest[done:]))))

    def end(self, text: str) -> None:
        """Show the whole answer `text` for good."""
        self.still()
        rest = self._rest(text)
        if rest.strip():
            self._print_part(rest)
        self._shown = ""
        self._console.print()

    def panel(self, view: View) -> None:
        """Draw a view."""
        self.still()
        self._shown = ""
        self._console.print(view_panel(view))
        self._console.print()

    def remark(self, text: str) -> None:
        """Draw a line beside the conversation."""
        self._console.print(notice(text))

    def still(self) -> None:
        """Take away what moves."""
        if self._live:
            self._live.stop()
            self._live = None

    def _rest(self, text: str) -> str:
        """What of `text` isn't drawn for good yet; all of it when it does not go on as it began."""
        if not text.startswith(self._shown):
            self._shown = ""
        return text[len(self._shown) :]

    def _print_part(self, markdown: str) -> None:
        if self._shown:
            self._console.print()
        else:
            self._console.print(Text(self._name, style=f"bold {palette.BLUE}"))
        self._console.print(_inset(AnswerMarkdown(markdown.strip("\n"))))

    def _move(self, renderable: RenderableType) -> None:
        if self._live is None:
            self._live = Live(
                console=self._console,
                transient=True,
                refresh_per_second=10,
                redirect_stdout=False,
                redirect_stderr=False,
                vertical_overflow="crop",
            )
            self._live.start()
        self._live.update(renderable, refresh=True)


def _inset(renderable: RenderableType) -> RenderableType:
    return Padding(renderable, (0, 0, 0, 2))
