"""Every error of the SDK has its place in Memora's error tree, and none carries the token."""

from __future__ import annotations

import inspect

import pytest
import telegram.error
from telegram.error import BadRequest, Forbidden, InvalidToken, NetworkError, RetryAfter, TelegramError

from adapters.telegram.errors import KINDS, delivery_error
from bot.errors import ChatGone, DeliveryDelayed, DeliveryRefused

CLASSES = [
    kind for _, kind in inspect.getmembers(telegram.error, inspect.isclass) if issubclass(kind, TelegramError)
]


@pytest.mark.parametrize("kind", CLASSES)
def test_every_error_class_is_mapped(kind: type[TelegramError]) -> None:
    assert kind in KINDS


def test_a_wait_is_passed_on() -> None:
    failure = delivery_error(RetryAfter(17))
    assert isinstance(failure, DeliveryDelayed)
    assert failure.retry_after == 17


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (Forbidden("bot was blocked by the user"), ChatGone),
        (BadRequest("Chat not found"), ChatGone),
        (BadRequest("Not enough rights to send text messages to the chat"), ChatGone),
        (BadRequest("Topic_closed"), ChatGone),
        (BadRequest("Message is too long"), DeliveryRefused),
        (NetworkError("Bad Gateway"), DeliveryDelayed),
    ],
)
def test_what_a_failure_means(error: TelegramError, kind: type[Exception]) -> None:
    assert type(delivery_error(error)) is kind


def test_the_token_stays_out_of_errors() -> None:
    token = "7000001:AAloopbackTelegramServerOfTheTests_x"
    for error in (
        InvalidToken(f"The token `{token}` was rejected"),
        NetworkError(f"no route to /bot{token}/"),
    ):
        assert token not in str(delivery_error(error))
        assert "AAloopback" not in str(delivery_error(error))
