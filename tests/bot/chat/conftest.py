"""A running core on a file of its own for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.config import Settings
from bot.memory.tokens import TiktokenCounter
from tests.bot.chat.core import Core, running, small
from tests.fakes.clock import StepClock


@pytest.fixture(scope="session")
def counter() -> TiktokenCounter:
    return TiktokenCounter("o200k_base")


@pytest.fixture
def clock() -> StepClock:
    return StepClock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memora.db"


@pytest.fixture
def settings() -> Settings:
    """Overridden where a test needs others."""
    return small()


@pytest.fixture
async def core(
    path: Path, counter: TiktokenCounter, settings: Settings, clock: StepClock
) -> AsyncIterator[Core]:
    async with running(path, counter, settings, clock) as opened:
        yield opened
