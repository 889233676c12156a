"""What models cost: OpenAI's list prices as data, and the cost of a usage by them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from bot.ports import Usage

# When the list below was last compared with OpenAI's price page: standard processing, requests of up to
# 272,000 input tokens.
AS_OF = "2026-11-18"
_MILLION = Decimal(1_000_000)
_DATED = re.compile(r"-\d{4}-\d{2}-\d{2}$")


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens. Reasoning is billed as output."""

    input: Decimal
    cached: Decimal
    output: Decimal


def _price(given: str, cached: str, output: str) -> Price:
    return Price(Decimal(given), Decimal(cached), Decimal(output))


PRICES: Mapping[str, Price] = {
    "gpt-6.2-astra": _price("8", "0.40", "40"),
    "gpt-6.2-sol": _price("2", "0.10", "10"),
    "gpt-6.1-sol": _price("2", "0.10", "10"),
    "gpt-6.1-terra": _price("1", "0.05", "5"),
    "gpt-6-astra": _price("10", "1", "50"),
    "gpt-6-sol": _price("2", "0.20", "10"),
    "gpt-6-luna": _price("0.10", "0.01", "0.50"),
    "gpt-5.6": _price("5", "0.50", "30"),
    "gpt-5.6-sol": _price("5", "0.50", "30"),
    "gpt-5.6-terra": _price("2", "0.20", "12"),
    "gpt-5.6-luna": _price("0.20", "0.02", "1.20"),
    "gpt-5.5": _price("5", "0.50", "30"),
    "gpt-5.4": _price("2.50", "0.25", "15"),
    "gpt-5.4-mini": _price("0.75", "0.075", "4.50"),
    "gpt-5.4-nano": _price("0.20", "0.02", "1.25"),
    "gpt-5.2": _price("1.75", "0.175", "14"),
    "gpt-5.1": _price("1.25", "0.125", "10"),
    "gpt-5": _price("1.25", "0.125", "10"),
    "gpt-5-mini": _price("0.25", "0.025", "2"),
    "gpt-5-nano": _price("0.05", "0.005", "0.40"),
    "gpt-4.1": _price("2", "0.50", "8"),
    "gpt-4.1-mini": _price("0.40", "0.10", "1.60"),
    "gpt-4.1-nano": _price("0.10", "0.025", "0.40"),
    "gpt-4o": _price("2.50", "1.25", "10"),
    "gpt-4o-mini": _price("0.15", "0.075", "0.60"),
    "o4-mini": _price("1.10", "0.275", "4.40"),
    "o3": _price("2", "0.50", "8"),
    "o3-mini": _price("1.10", "0.55", "4.40"),
    "o1": _price("15", "7.50", "60"),
}


def cost(model: str, usage: Usage) -> Decimal | None:
    """US dollars for a usage; a dated snapshot costs what its model does. None for an unlisted model."""
    price = PRICES.get(model) or PRICES.get(_DATED.sub("", model))
    if price is None:
        return None
    fresh = usage.input - usage.cached
    return (fresh * price.input + usage.cached * price.cached + usage.output * price.output) / _MILLION
