"""Fixtures around the loopback OpenAI server; tests/conftest.py or a test module imports them."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.servers.openai.server import OpenAIServer


@pytest.fixture
async def openai_server() -> AsyncIterator[OpenAIServer]:
    """A listening server. The test fails at its end when a request broke the provider's description."""
    async with OpenAIServer() as server:
        yield server
    assert server.violations == []
