"""Counting by the provider, where the settings ask for it: its figure is the one that must fit."""

from __future__ import annotations

import pytest

from bot.config import Settings
from bot.errors import ModelError, ModelNotFound
from bot.memory.tokens import TiktokenCounter, request_tokens
from bot.ports import ModelRequest
from tests.bot.chat.core import SENTENCE, Core, small
from tests.fakes.responder import words_of


@pytest.fixture
def settings() -> Settings:
    return small(input_budget=900, max_tokens=150, token_count="api", recent_turns=50, trigger_ratio=1)


class Provider:
    """Counts so many times what the local tokenizer does, or fails."""

    def __init__(self, counter: TiktokenCounter) -> None:
        self.counter = counter
        self.factor = 1.0
        self.error: ModelError | None = None

    async def count_input(self, request: ModelRequest) -> int:
        if self.error:
            raise self.error
        local = request_tokens(self.counter, request.instructions, request.messages)
        return round(local * self.factor)


@pytest.fixture
def provider(core: Core, counter: TiktokenCounter, monkeypatch: pytest.MonkeyPatch) -> Provider:
    made = Provider(counter)
    monkeypatch.setattr(core.model, "count_input", made.count_input)
    return made


async def test_the_provider_s_count_is_recorded_and_shown_as_such(core: Core, provider: Provider) -> None:
    provider.factor = 1.1
    await core.say("Hello")
    record = await core.store.last_request(await core.conversation())
    assert record
    assert record.counted_by == "api"
    assert record.counted == await provider.count_input(core.last)
    assert f"{record.counted:,} (by the provider)" in words_of(await core.command("/context"))


@pytest.mark.parametrize("factor", [1.3, 2.0, 3.0])
async def test_what_fits_by_local_count_alone_is_trimmed(
    core: Core, provider: Provider, factor: float
) -> None:
    for _ in range(12):
        await core.say(SENTENCE)
    provider.factor = factor
    responder = await core.say("And now?")
    assert responder.answer == "I read: And now?"
    assert await provider.count_input(core.last) <= 900
    record = await core.store.last_request(await core.conversation())
    assert record
    assert record.budget == 900
    assert record.left_out > 0
    assert record.sent > 1


async def test_a_message_too_large_by_the_provider_s_count_is_told_with_the_real_budget(
    core: Core, provider: Provider
) -> None:
    provider.factor = 3.0
    (view,) = (await core.say("enormous " * 300)).views
    assert "budget of 900 tokens" in words_of(view)
    assert core.model.requests == []


async def test_where_the_provider_can_t_count_the_local_count_is_in_force(
    core: Core, provider: Provider
) -> None:
    provider.error = ModelNotFound("404")
    await core.say("Hello")
    record = await core.store.last_request(await core.conversation())
    assert record
    assert record.counted_by == "local"
    assert record.counted == sum(part.tokens for part in record.parts)
