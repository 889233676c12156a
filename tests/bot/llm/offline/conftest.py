"""The model with a real tokenizer."""

from __future__ import annotations

import pytest

from bot.llm.offline import OfflineModel
from bot.memory.tokens import TiktokenCounter
from tests.bot.llm.offline.checker import Memory


@pytest.fixture
def model(counter: TiktokenCounter) -> OfflineModel:
    return OfflineModel(counter)


@pytest.fixture
def memory(model: OfflineModel, counter: TiktokenCounter) -> Memory:
    return Memory(model, counter)
