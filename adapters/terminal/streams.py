"""Owns the bare standard streams of a script: lines in without blocking the event loop, text out."""

from __future__ import annotations

import asyncio
import os
import select
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Self, TextIO

_CHUNK = 65536


class LineReader:
    """Reads lines of a file descriptor, each one only when it is asked for.

    In a thread, because asyncio can't read regular files; by select with a wake-up pipe, because a
    thread blocked in a read could not be ended and would hold up the end of the process.
    """

    def __init__(self, stdin: TextIO) -> None:
        self._fd = stdin.fileno()
        self._pending = bytearray()
        self._ended = False

    async def __aenter__(self) -> Self:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="standard input")
        self._woken, self._wake = os.pipe()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._wake)  # the other end becomes readable, which ends a waiting thread
        self._thread.shutdown()
        os.close(self._woken)

    async def line(self) -> bytes | None:
        """The next line without its end, None after the last; a last line needs no line break."""
        searched = 0
        while not self._ended:
            end = self._pending.find(b"\n", searched)
            if end >= 0:
                return self._take(end)
            searched = len(self._pending)
            await asyncio.get_running_loop().run_in_executor(self._thread, self._fill)
        return self._take(len(self._pending)) if self._pending else None

    def _take(self, end: int) -> bytes:
        line = bytes(self._pending[:end])
        del self._pending[: end + 1]
        return line

    def _fill(self) -> None:
        """Wait for input and take what there is; nothing means that it ended, or that this reader closes."""
        ready, _, _ = select.select([self._fd, self._woken], [], [])
        chunk = b"" if self._woken in ready else os.read(self._fd, _CHUNK)
        self._pending += chunk
        self._ended = not chunk


class Output:
    """Writes whole pieces of text, at once. A reader who left (`| head`) is no error: `closed` says so."""

    def __init__(self, stdout: TextIO, encoding: str = "utf-8") -> None:
        stdout.flush()
        self._fd = stdout.fileno()
        self._encoding = encoding
        self.closed = False

    def write(self, text: str) -> None:
        """Write `text`, or nothing when nobody reads any more."""
        left = memoryview(text.encode(self._encoding, errors="replace"))
        while left and not self.closed:
            try:
                left = left[os.write(self._fd, left) :]
            except BlockingIOError:
                select.select([], [self._fd], [])
            except BrokenPipeError:
                self.closed = True
