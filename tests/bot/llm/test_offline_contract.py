"""The built-in model keeps the contract of a ChatModel."""

from __future__ import annotations

import pytest

from bot.llm.offline import OfflineModel
from bot.memory.tokens import TiktokenCounter
from tests.contracts.chat_model import ChatModelContract


@pytest.fixture
def model(counter: TiktokenCounter) -> OfflineModel:
    return OfflineModel(counter)


class TestContract(ChatModelContract):
    """Nothing beyond the contract."""
