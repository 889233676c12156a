"""Waits for work that must not be left half done when its caller is cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


async def finish(work: Coroutine[Any, Any, T]) -> T:
    """Wait for `work` to its end whatever happens; a cancellation meanwhile is passed on afterwards.

    Cancelling a coroutine that waits for SQLite doesn't stop the statement, it only loses sight of it.
    """
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is None:
        return task.result()
    if not task.cancelled():
        task.exception()  # seen, so that nobody reports it as forgotten
    raise cancelled
