"""A real tokenizer for all tests of the memory."""

from __future__ import annotations

import pytest

from bot.memory.tokens import TiktokenCounter


@pytest.fixture(scope="session")
def counter() -> TiktokenCounter:
    return TiktokenCounter("o200k_base")
