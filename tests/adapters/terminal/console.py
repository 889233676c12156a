"""Stands in for what is around the terminal's adapter: time, the core's inbox, pipes and a terminal."""

from __future__ import annotations

import asyncio
import fcntl
import os
import pty
import re
import struct
import termios
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

from adapters.terminal.adapter import Mode, TerminalAdapter
from bot.messages import Inbound, IncomingMessage
from bot.ports import CommandInfo, ReplySink, Responder
from bot.views.model import Paragraph, View

COMMANDS = (
    CommandInfo("context", {"en": "what the model was sent", "zh-hans": "发给模型的内容"}),
    CommandInfo("compact", {"en": "fold now"}),
    CommandInfo("history", {"en": "what was said"}, argument="page"),
)

A_VIEW = View("hint", "A view", (Paragraph("of something"),))

_NEVER_SECONDS = 15

_ESCAPES = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07]*\x07|[@-_])")


class StillClock:
    """Time that stands; sleeping gives others a turn."""

    def now(self) -> datetime:
        return datetime(2026, 7, 1, 9, 30, tzinfo=UTC)

    def monotonic(self) -> float:
        return 0.0

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(0.01)


Answer = Callable[[IncomingMessage, ReplySink], Awaitable[None]]


async def echo(message: IncomingMessage, sink: ReplySink) -> None:
    """Says back what was said."""
    await sink.update(f"You said {message.text[:3]}")
    await sink.finish(f"You said {message.text}")


@dataclass
class ScriptedInbox:
    """Answers every message by `answer` and every command by a view; keeps what it was given."""

    answer: Answer = echo
    view: View = A_VIEW
    messages: list[IncomingMessage] = field(default_factory=list)
    finished: list[str] = field(default_factory=list)
    tasks: list[asyncio.Task[None]] = field(default_factory=list)

    def submit(self, event: Inbound, responder: Responder) -> Awaitable[None]:
        assert isinstance(event, IncomingMessage)
        self.messages.append(event)
        self.tasks.append(asyncio.create_task(self._handle(event, responder)))
        return self.tasks[-1]

    async def accepted(self) -> None:
        return

    @property
    def texts(self) -> list[str]:
        return [message.text for message in self.messages]

    async def _handle(self, message: IncomingMessage, responder: Responder) -> None:
        await responder.typing()
        if message.command:
            await responder.show(self.view)
        else:
            await self.answer(message, await responder.open_reply())
        self.finished.append(message.text)


async def no_wait() -> None:
    """Nothing runs beside the conversation."""


def adapter(
    mode: Mode,
    stdin: TextIO,
    stdout: TextIO,
    *,
    name: str = "you",
    group: bool = False,
    run_id: str = "r1",
    settle: Callable[[], Awaitable[None]] = no_wait,
    environment: dict[str, str] | None = None,
    greeting: str = "",
    history: Path | None = None,
) -> TerminalAdapter:
    """An adapter at the still clock's time."""
    return TerminalAdapter(
        name,
        "main",
        mode,
        stdin,
        stdout,
        StillClock(),
        settle,
        group,
        run_id=run_id,
        environment=environment or {},
        greeting=greeting,
        history=history,
    )


@contextmanager
def pipe() -> Iterator[tuple[TextIO, TextIO]]:
    """The two ends of a pipe, for reading and writing."""
    reading, writing = os.pipe()
    with open(reading, encoding="utf-8") as reader, open(writing, "w", encoding="utf-8") as writer:
        yield reader, writer


async def play(mode: Mode, given: bytes, folder: Path, inbox: ScriptedInbox, **options: object) -> str:
    """What the adapter writes for an input, from its beginning to its end."""
    source, target = folder / "in", folder / "out"
    source.write_bytes(given)
    with source.open(encoding="utf-8") as stdin, target.open("w", encoding="utf-8") as stdout:
        async with adapter(mode, stdin, stdout, **options) as terminal:  # type: ignore[arg-type]
            await terminal.run(inbox, COMMANDS)
    return target.read_text(encoding="utf-8")


class Typist:
    """A person at a terminal: sends keys, and sees what is written."""

    def __init__(self, width: int = 80, height: int = 24) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
        self.modes_before = termios.tcgetattr(slave)[3]
        self.stdin = open(slave, encoding="utf-8")  # noqa: SIM115 (closed by `close`)
        self.stdout = open(os.dup(slave), "w", encoding="utf-8")  # noqa: SIM115
        self.environment = {"TERM": "xterm-256color", "COLUMNS": str(width), "LINES": str(height)}
        self._written = ""
        self._more = asyncio.Event()
        asyncio.get_running_loop().add_reader(self._master, self._read)

    def type(self, keys: str) -> None:
        """Press keys; "\\r" is Enter."""
        os.write(self._master, keys.encode())

    async def sees(self, text: str) -> str:
        """Wait until `text` is written, and take away all up to it; colours don't count."""
        while (place := self._written.find(text)) < 0:
            self._more.clear()
            try:
                await asyncio.wait_for(self._more.wait(), _NEVER_SECONDS)
            except TimeoutError:
                raise AssertionError(f"{text!r} is not in {self._written!r}") from None
        seen = self._written[: place + len(text)]
        self._written = self._written[place + len(text) :]
        return seen

    async def keys_are_taken(self) -> None:
        """Wait until all keys pressed so far were read; nothing announces that, so it is asked again."""
        while any(fcntl.ioctl(self.stdin.fileno(), termios.FIONREAD, bytes(4))):  # noqa: ASYNC110 (no event tells)
            await asyncio.sleep(0.001)

    def modes(self) -> int:
        """The terminal's local modes, such as echo."""
        return int(termios.tcgetattr(self.stdin.fileno())[3])

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self._master)
        for file in (self.stdin, self.stdout):
            file.close()
        os.close(self._master)

    def _read(self) -> None:
        self._written = _ESCAPES.sub(
            "", self._written + os.read(self._master, 65536).decode(errors="replace")
        )
        self._more.set()
