"""OpenAIModel keeps the contract of a ChatModel, over the real wire, with either API."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.llm.client import OpenAIModel
from bot.llm.endpoint import Api, Endpoint
from tests.contracts.chat_model import Arrange, ChatModelContract, Outcome, TroubledChatModelContract
from tests.servers.openai import Answer, OpenAIServer
from tests.servers.openai.fixtures import openai_server

__all__ = ["openai_server"]

OUTCOMES: dict[Outcome, Answer] = {
    "length": Answer("It is called Mi", finish="length"),
    "refusal": Answer("I can't help with that.", refusal=True),
    "filtered": Answer("It is", finish="content_filter"),
    "tool": Answer(tool_call=True),
    "empty": Answer(empty=True),
    "blank": Answer(" \n"),
    "interrupted": Answer("It is called Miso.", chunk=3, die_after=7),
    "no usage": Answer("It is called Miso.", without_usage=True),
    "unauthorized": Answer(status=401),
    "not found": Answer(status=404),
    "busy": Answer(status=429),
    "failed": Answer(status=500),
    "rejected": Answer(status=400),
}


@pytest.fixture(params=["responses", "chat"])
def api(request: pytest.FixtureRequest) -> Api:
    chosen: Api = request.param
    return chosen


@pytest.fixture
async def model(openai_server: OpenAIServer, api: Api) -> AsyncIterator[OpenAIModel]:
    model = OpenAIModel(Endpoint("gpt-5-mini", "key", openai_server.base_url, api, max_retries=0))
    yield model
    await model.close()


class TestContract(ChatModelContract):
    """Nothing beyond the contract."""


class TestTroubledContract(TroubledChatModelContract):
    """Troubles are played by the server."""

    @pytest.fixture
    def arrange(self, openai_server: OpenAIServer) -> Arrange:
        return lambda outcome: openai_server.script(OUTCOMES[outcome])
