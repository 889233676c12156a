"""Owns the input line of an interactive terminal: editing, history, completion and the interrupt key."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from prompt_toolkit import PromptSession
from prompt_toolkit.application import run_in_terminal
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.input import create_input
from prompt_toolkit.input.typeahead import store_typeahead
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import create_output
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.styles import Style

from adapters.terminal import palette
from adapters.terminal.clean import one_line
from bot.ports import CommandInfo


class PrivateHistory(FileHistory):
    """A history file that only its owner can read. One that can't be written costs no conversation."""

    def store_string(self, string: str) -> None:
        """Append an entry."""
        try:
            os.close(os.open(self.filename, os.O_CREAT | os.O_WRONLY, 0o600))
            os.chmod(self.filename, 0o600)
            super().store_string(string)
        except OSError:
            return

    def load_history_strings(self) -> Iterable[str]:
        """Entries, newest first."""
        try:
            return list(super().load_history_strings())
        except OSError:
            return []


class CommandCompleter(Completer):
    """Completes the name of a command, with its line of description beside it."""

    def __init__(self, commands: Sequence[CommandInfo], language: str) -> None:
        self._commands = commands
        self._language = language

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        """Names that begin with what is typed between slash and cursor."""
        typed = document.text_before_cursor
        if not typed.startswith("/") or " " in typed:
            return
        for command in self._commands:
            if command.name.startswith(typed[1:].lower()):
                lines = command.descriptions
                text = lines.get(self._language) or lines["en"]
                yield Completion(
                    f"/{command.name}",
                    start_position=-len(typed),
                    display=f"/{command.name} {command.argument}".rstrip(),
                    display_meta=text,
                )


class Prompt:
    """Reads what a person types. While it is entered, keys never become signals."""

    def __init__(
        self,
        stdin: TextIO,
        stdout: TextIO,
        name: str,
        completer: Completer,
        history: Path | None,
    ) -> None:
        self._input = create_input(stdin)
        output = create_output(stdout)
        if isinstance(output, Vt100_Output):
            output.enable_cpr = False  # its answer could arrive amid a growing answer and be shown as text
        stored: History = PrivateHistory(str(history)) if history else InMemoryHistory()
        self._session: PromptSession[str] = PromptSession(
            message=FormattedText([("class:name", one_line(name)), ("class:mark", " › ")]),
            input=self._input,
            output=output,
            history=stored,
            completer=completer,
            complete_while_typing=True,
            key_bindings=_keys(),
            style=_style(),
            reserve_space_for_menu=6,
            prompt_continuation=lambda width, number, soft: "· ".rjust(width),
        )

    async def line(self) -> str | None:
        """What was typed up to Enter; None when the person ends the conversation."""
        try:
            return await self._session.prompt_async(handle_sigint=False)
        except EOFError:
            return None

    async def above(self, draw: Callable[[], None]) -> None:
        """Draw above the input line, which is put back afterwards."""
        if self._session.app.is_running:
            await run_in_terminal(draw)
        else:
            draw()

    @contextmanager
    def raw(self) -> Iterator[None]:
        """Keep the terminal from turning Ctrl-C into a signal, and from echoing keys into what is drawn."""
        with self._input.raw_mode():
            yield

    async def interrupted(self, work: asyncio.Future[None]) -> bool:
        """Wait for `work`, at most until Ctrl-C. True when that came first; the work itself goes on.

        Other keys are kept for the next input line.
        """
        stopped = asyncio.Event()

        def read() -> None:
            keys = self._input.read_keys()
            if any(press.key is Keys.ControlC for press in keys) or self._input.closed:
                stopped.set()
            store_typeahead(self._input, [press for press in keys if press.key is not Keys.ControlC])

        stop = asyncio.create_task(stopped.wait())
        either: set[asyncio.Future[Any]] = {work, stop}
        with self._input.attach(read):
            try:
                await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            finally:
                stop.cancel()
        return not work.done()


def _keys() -> KeyBindings:
    keys = KeyBindings()

    @keys.add("c-c")
    def _(event: KeyPressEvent) -> None:
        """Clear the line; on an empty one, end."""
        if event.current_buffer.text:
            event.current_buffer.reset()
        else:
            event.app.exit(exception=EOFError)

    @keys.add("escape", "enter")
    def _(event: KeyPressEvent) -> None:
        """Alt-Enter begins another line of the same message."""
        event.current_buffer.insert_text("\n")

    return keys


def _style() -> Style:
    return Style.from_dict(
        {
            "name": f"bold {palette.TEAL}",
            "mark": palette.MUTED,
            "completion-menu": "noinherit",
            "completion-menu.completion": f"bg:default {palette.BLUE}",
            "completion-menu.completion.current": "bold reverse",
            "completion-menu.meta.completion": f"bg:default {palette.MUTED}",
            "completion-menu.meta.completion.current": f"bg:default {palette.MUTED}",
            "scrollbar.background": "bg:default",
            "scrollbar.button": f"bg:{palette.MUTED}",
        }
    )
