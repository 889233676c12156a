"""Work that must not be left half done is waited for."""

from __future__ import annotations

import asyncio

import pytest

from bot.store.waiting import finish


async def test_finish_gives_result_and_error() -> None:
    async def result() -> int:
        await asyncio.sleep(0)
        return 7

    async def error() -> int:
        raise ValueError("reason")

    assert await finish(result()) == 7
    with pytest.raises(ValueError, match="reason"):
        await finish(error())


async def test_finish_is_not_cut_short_by_cancellations() -> None:
    gate = asyncio.Event()
    done: list[str] = []

    async def work() -> None:
        await gate.wait()
        done.append("work")
        raise ValueError

    task = asyncio.create_task(finish(work()))
    for _ in range(3):
        await asyncio.sleep(0)
        task.cancel()
    await asyncio.sleep(0)
    assert not task.done()
    gate.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert done == ["work"]
