"""Costs by the price table."""

from __future__ import annotations

from decimal import Decimal

import pytest

from bot.llm.prices import PRICES, cost
from bot.ports import Usage


def test_a_cost_is_fresh_input_cached_input_and_output() -> None:
    usage = Usage(input=1_000_000, output=100_000, cached=400_000, reasoning=90_000)
    assert cost("gpt-5-mini", usage) == Decimal("0.15") + Decimal("0.01") + Decimal("0.2")


def test_a_snapshot_costs_what_its_model_does() -> None:
    usage = Usage(1000, 1000)
    assert cost("gpt-4.1-mini-2025-04-14", usage) == cost("gpt-4.1-mini", usage) != None  # noqa: E711


@pytest.mark.parametrize("model", ["llama3.2", "gpt-5-mini-turbo", "", "gpt-4o-audio-preview"])
def test_an_unlisted_model_has_no_cost(model: str) -> None:
    assert cost(model, Usage(1000, 1000)) is None


@pytest.mark.parametrize("model", PRICES)
def test_prices_are_in_their_usual_order(model: str) -> None:
    price = PRICES[model]
    assert 0 < price.cached < price.input < price.output
