"""What the tests of models share."""

from __future__ import annotations

import pytest

from bot.memory.tokens import TiktokenCounter


@pytest.fixture(scope="session")
def counter() -> TiktokenCounter:
    return TiktokenCounter("o200k_base")
