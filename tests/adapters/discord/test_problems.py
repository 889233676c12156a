"""Every error of discord.py has its one meaning here."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import aiohttp
import discord
import pytest

from adapters.discord.problems import delivery_error, is_mapped, reaching_discord
from bot.errors import ChatGone, DeliveryDelayed, DeliveryRefused


def kinds(root: type[Exception]) -> Iterator[type[Exception]]:
    yield root
    for kind in root.__subclasses__():
        yield from kinds(kind)


def answered(
    status: int, code: int = 0, kind: type[discord.HTTPException] = discord.HTTPException
) -> Exception:
    response = cast(Any, SimpleNamespace(status=status, reason="reason"))
    return kind(response, {"code": code, "message": "text"})


def test_no_error_class_is_unmapped() -> None:
    found = [kind for kind in kinds(discord.DiscordException) if kind.__module__.startswith("discord.")]
    assert len(found) > 20
    assert [kind.__name__ for kind in found if not is_mapped(kind)] == []


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (answered(403, 50013, discord.Forbidden), ChatGone),
        (answered(404, 10003, discord.NotFound), ChatGone),
        (answered(404, 10008, discord.NotFound), DeliveryRefused),
        (answered(400, 50035), DeliveryRefused),
        (answered(429), DeliveryDelayed),
        (answered(500, 0, discord.DiscordServerError), DeliveryDelayed),
        (discord.RateLimited(45.0), DeliveryDelayed),
        (discord.LoginFailure("wrong"), DeliveryRefused),
        (cast(Any, discord.GatewayNotFound)(), DeliveryDelayed),
        (aiohttp.ClientConnectionError("no route"), DeliveryDelayed),
        (TimeoutError(), DeliveryDelayed),
        (ConnectionResetError(), DeliveryDelayed),
    ],
)
def test_what_an_error_means(error: Exception, expected: type[Exception]) -> None:
    meant = delivery_error(error)
    assert type(meant) is expected
    assert str(meant)
    with pytest.raises(expected), reaching_discord():
        raise error


def test_a_limit_says_how_long_it_lasts() -> None:
    meant = delivery_error(discord.RateLimited(45.0))
    assert isinstance(meant, DeliveryDelayed)
    assert meant.retry_after == 45.0


def test_other_errors_pass_through() -> None:
    with pytest.raises(TypeError, match="KeyError"):
        delivery_error(KeyError("x"))
    with pytest.raises(KeyError), reaching_discord():
        raise KeyError("x")
