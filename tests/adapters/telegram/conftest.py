"""Fixtures of the Telegram adapter's tests."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from adapters.telegram.adapter import TelegramAdapter
from tests.adapters.telegram.surroundings import FakeClock, FakeInbox, FakeState, adapter_for, receiving
from tests.adapters.telegram.talk import Talk
from tests.servers.telegram import TelegramServer
from tests.servers.telegram.fixtures import telegram_server

__all__ = ["telegram_server"]


@pytest.fixture(autouse=True)
def kept_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """The adapter chooses the SDK's way to name time spans; no test passes that on to another."""
    monkeypatch.setenv("PTB_TIMEDELTA", "1")


@pytest.fixture
def inbox() -> FakeInbox:
    return FakeInbox()


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def state() -> FakeState:
    return FakeState()


@pytest.fixture
async def adapter(
    telegram_server: TelegramServer, inbox: FakeInbox, clock: FakeClock, state: FakeState
) -> AsyncIterator[TelegramAdapter]:
    """An adapter that receives from the loopback server."""
    async with receiving(adapter_for(telegram_server, clock, state), inbox) as adapter:
        yield adapter


@pytest.fixture
def talk(
    telegram_server: TelegramServer, adapter: TelegramAdapter, inbox: FakeInbox, clock: FakeClock
) -> Talk:
    return Talk(telegram_server, inbox, clock)
