"""Starts `memora` as an operator does: a process with settings in its environment and nothing else."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# Long enough for a machine that has other work; nothing is measured with it.
PATIENCE = 60.0


@dataclass(frozen=True, slots=True)
class Ended:
    """What a finished process said."""

    code: int
    out: str
    err: str

    @property
    def events(self) -> list[dict[str, Any]]:
        """The JSON objects of `--json`."""
        return [json.loads(line) for line in self.out.splitlines()]

    def named(self, name: str) -> list[dict[str, Any]]:
        """The events of one name."""
        return [event for event in self.events if event["event"] == name]


def environment(folder: Path, settings: Mapping[str, str]) -> dict[str, str]:
    """A clean environment: the vocabulary's place, a store in `folder`, and `settings`."""
    kept = {name: os.environ[name] for name in ("PATH", "TIKTOKEN_CACHE_DIR") if name in os.environ}
    store = {"MEMORA_STORAGE__PATH": str(folder / "memora.db")}
    return {**kept, "PYTHONUTF8": "1", "HOME": str(folder), **store, **settings}


@asynccontextmanager
async def started(
    folder: Path, *arguments: str, **settings: str
) -> AsyncIterator[asyncio.subprocess.Process]:
    """A running process in `folder`; killed at the end if it still runs."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "bot", *arguments),
        cwd=folder,
        env={**environment(folder, settings), "PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGKILL)
        await process.communicate()


async def memora(folder: Path, *arguments: str, lines: list[str] | None = None, **settings: str) -> Ended:
    """Run a command to its end, with `lines` as standard input."""
    async with started(folder, *arguments, **settings) as process:
        told = "".join(f"{line}\n" for line in lines or []).encode()
        out, err = await asyncio.wait_for(process.communicate(told), PATIENCE)
        assert process.returncode is not None
        return Ended(process.returncode, out.decode(), err.decode())
