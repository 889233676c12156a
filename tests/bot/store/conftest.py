"""A real file for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store import SqliteStore
from tests.fakes.store import HandClock


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memora.db"


@pytest.fixture
async def store(path: Path, clock: HandClock) -> AsyncIterator[SqliteStore]:
    async with SqliteStore.open(path, clock) as opened:
        yield opened
