"""Which model the settings choose."""

from __future__ import annotations

import subprocess
import sys

import pytest
from pydantic import SecretStr

from bot.config import LlmSettings, Secrets, Settings, SummarySettings
from bot.llm.client import OpenAIModel
from bot.llm.endpoint import OPENAI
from bot.llm.factory import NO_KEY, build_model, endpoint, is_offline
from bot.memory.tokens import TiktokenCounter

KEY = Secrets(openai_api_key=SecretStr("key"))
NO = Secrets()
OLLAMA = "http://localhost:11434/v1"


@pytest.mark.parametrize(
    ("secrets", "base_url", "offline"),
    [(NO, "", True), (KEY, "", False), (NO, OLLAMA, False), (KEY, OLLAMA, False)],
)
def test_offline_is_without_key_and_address(secrets: Secrets, base_url: str, offline: bool) -> None:
    settings = Settings(llm=LlmSettings(base_url=base_url))
    assert is_offline(settings, secrets) is offline


async def test_a_model_is_built(counter: TiktokenCounter) -> None:
    model = build_model(Settings(), KEY, counter)
    assert isinstance(model, OpenAIModel)
    assert model.name == "gpt-5-mini"
    await model.close()


async def test_the_offline_model_needs_nothing(counter: TiktokenCounter) -> None:
    model = build_model(Settings(), NO, counter)
    assert not isinstance(model, OpenAIModel)
    await model.check()
    await model.close()


def test_answers_go_where_llm_says() -> None:
    llm = LlmSettings(
        api="chat", base_url=OLLAMA, model="llama3.2", timeout=9, max_retries=1, developer_role="system"
    )
    found = endpoint(Settings(llm=llm), NO, "answer")
    assert (found.api, found.base_url, found.model, found.key) == ("chat", OLLAMA, "llama3.2", NO_KEY)
    assert (found.timeout, found.max_retries, found.developer_role) == (9, 1, "system")


def test_summaries_go_where_answers_go_unless_told_otherwise() -> None:
    llm = LlmSettings(model="gpt-4.1")
    plain = endpoint(Settings(llm=llm), KEY, "summary")
    assert (plain.api, plain.base_url, plain.model, plain.key) == ("responses", OPENAI, "gpt-4.1", "key")
    summary = SummarySettings(model="qwen3", api="chat", base_url=OLLAMA, timeout=7)
    other = endpoint(Settings(llm=llm, summary=summary), NO, "summary")
    assert (other.api, other.base_url, other.model, other.timeout) == ("chat", OLLAMA, "qwen3", 7)
    assert not is_offline(Settings(summary=summary), NO, "summary")
    assert is_offline(Settings(summary=summary), NO)


def test_the_sdk_is_loaded_only_where_it_is_used() -> None:
    command = "import sys, bot.llm.factory; sys.exit('openai' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", command], check=False).returncode == 0
