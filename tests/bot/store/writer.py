"""Writes into a store until it is killed, and says on standard output what is stored for good."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from bot.store import SqliteStore
from tests.fakes.store import HandClock, draft, note, record, said


async def write(path: Path, start: int) -> None:
    """Messages from number `start` on, each with its answer; every tenth time the oldest are folded."""
    async with SqliteStore.open(path, HandClock()) as store:
        number = start
        while True:
            asked = await store.append(said(f"message {number}", str(number)))
            _tell(f"message {number}")
            answer = f"answer {number}"
            await store.add_answer(asked.conversation, asked.message.id, "Memora", answer, record())
            _tell(answer)
            if number % 10 == 0:
                await _fold(store, number)
            number += 1


async def _fold(store: SqliteStore, number: int) -> None:
    for line in await store.conversations():
        messages = await store.unfolded(line.conversation, 7)
        summary = (await store.memory(line.conversation)).summary
        made = draft(messages, note(number, messages[0]), predecessor=summary.id if summary else None)
        assert await store.add_summary(line.conversation, made)
        _tell(f"watermark {messages[-1].id}")


def _tell(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(write(Path(sys.argv[1]), int(sys.argv[2])))
