"""A process that is killed while it writes loses nothing that it said was stored."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from bot.store import SqliteStore
from tests.fakes.store import KEY, HandClock

ROOT = Path(__file__).parents[3]


def run_and_kill(path: Path, start: int, lines: int) -> list[str]:
    """What the writer said was stored: at least `lines` lines, and what it said until the signal came."""
    command = [sys.executable, "-m", "tests.bot.store.writer", str(path), str(start)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(lines)]
        process.kill()
        said.extend(process.stdout)
    return [line.removesuffix("\n") for line in said if line.endswith("\n")]


async def test_everything_acknowledged_survives_kill_after_kill(path: Path, clock: HandClock) -> None:
    acknowledged: list[str] = []
    for start, lines in ((1, 1), (10_000, 60), (20_000, 123)):
        acknowledged += run_and_kill(path, start, lines)
        texts, watermark = await _stored(path, clock)
        assert len(texts) == len(set(texts))
        assert {line for line in acknowledged if not line.startswith("watermark")} <= set(texts)
        assert watermark >= max(
            (int(line.split()[1]) for line in acknowledged if line.startswith("watermark")), default=0
        )
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


async def _stored(path: Path, clock: HandClock) -> tuple[list[str], int]:
    async with SqliteStore.open(path, clock) as store:
        conversation = await store.find(KEY)
        assert conversation is not None
        memory = await store.memory(conversation)
        texts = [message.text async for message in store.export(conversation)]
        covers, watermark = (memory.summary.covers, memory.summary.watermark) if memory.summary else (0, 0)
        assert covers + len(memory.verbatim) == memory.stored == len(texts)
        return texts, watermark
