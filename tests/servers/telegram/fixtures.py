"""Fixtures around the loopback Telegram server; tests/conftest.py or a test module imports them."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.servers.telegram.server import TelegramServer


@pytest.fixture
async def telegram_server() -> AsyncIterator[TelegramServer]:
    """A listening server. The test fails at its end when a call broke the published description."""
    async with TelegramServer() as server:
        yield server
    assert server.violations == []
