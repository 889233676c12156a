"""Maps the SDK's errors to Memora's, once; a test fails when an error class of the SDK is missing here."""

from __future__ import annotations

import datetime
import re

import httpx
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Conflict,
    EndPointNotFound,
    Forbidden,
    InvalidToken,
    NetworkError,
    PassportDecryptionError,
    RetryAfter,
    TelegramError,
    TimedOut,
)

from bot.errors import ChatGone, DeliveryDelayed, DeliveryError, DeliveryRefused

KINDS: dict[type[TelegramError], type[DeliveryError]] = {
    TelegramError: DeliveryDelayed,  # an answer that could not be read
    Forbidden: ChatGone,
    ChatMigrated: ChatGone,
    InvalidToken: DeliveryRefused,
    EndPointNotFound: DeliveryRefused,
    BadRequest: DeliveryRefused,
    PassportDecryptionError: DeliveryRefused,
    NetworkError: DeliveryDelayed,
    TimedOut: DeliveryDelayed,
    RetryAfter: DeliveryDelayed,
    Conflict: DeliveryDelayed,
}

# Refusals with status 400 that mean that nothing can be written there, not that the call is wrong.
_GONE = (
    "chat not found",
    "not enough rights",
    "have no rights",
    "need administrator rights",
    "chat_write_forbidden",
    "chat_send_plain_forbidden",
    "chat_restricted",
    "peer_id_invalid",
    "group chat was deactivated",
    "topic_closed",
    "topic_deleted",
    "message thread not found",
    "user is deactivated",
)
_TOKEN = re.compile(r"\d+:[A-Za-z0-9_-]{20,}")
_UNSENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol)


def delivery_error(error: TelegramError) -> DeliveryError:
    """Memora's error for one of the SDK's. Its text never holds the token."""
    kind = next(KINDS[base] for base in type(error).__mro__ if base in KINDS)
    if isinstance(error, BadRequest) and says(error, *_GONE):
        kind = ChatGone
    text = "the token was refused" if isinstance(error, InvalidToken) else _TOKEN.sub("…", str(error))
    if issubclass(kind, DeliveryDelayed):
        return kind(text, retry_after(error))
    return kind(text)


def retry_after(error: TelegramError) -> float | None:
    """Seconds that Telegram asks to wait, None where it doesn't say."""
    if not isinstance(error, RetryAfter):
        return None
    given = error.retry_after
    return given.total_seconds() if isinstance(given, datetime.timedelta) else float(given)


def says(error: TelegramError, *reasons: str) -> bool:
    """Whether the error gives one of these reasons. The SDK changes upper and lower case at will."""
    told = str(error).lower()
    return any(reason in told for reason in reasons)


def may_have_arrived(error: TelegramError) -> bool:
    """Whether a call that failed so may have been carried out all the same."""
    if isinstance(error, BadRequest) or not isinstance(error, NetworkError):
        return type(error) is TelegramError
    return not isinstance(error.__cause__, _UNSENT)
