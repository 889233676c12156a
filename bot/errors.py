"""The error tree: everything that Memora raises on purpose.

    MemoraError
    ├── SettingsError            a setting is missing, unknown or impossible
    ├── ContextTooLarge          persona + summary + current message exceed the budget
    ├── ModelError               the model gave no usable answer
    │   ├── ModelUnauthorized    401/403: the key is missing or wrong
    │   ├── ModelNotFound        404: no such model or address
    │   ├── ModelBusy            429: too many requests or quota used up
    │   ├── ModelTimeout         no answer within the time limit
    │   ├── ModelUnreachable     no connection to the address
    │   ├── ModelFailed          5xx or a malformed answer
    │   ├── ModelRejected        400/422: the request was refused as it is
    │   ├── ModelFiltered        the provider's content filter refused
    │   ├── ModelEmpty           the answer had no text
    │   └── ModelInterrupted     the stream broke off before its end
    ├── StoreError               the database could not do what was asked
    │   ├── StoreUnusable        the file can't be opened, or is another application's or a newer version's
    │   └── StoreFull            no space left, or the file is read-only
    └── DeliveryError            the platform did not take what was to be shown
        ├── ChatGone             the bot is blocked, removed, or may not write there
        ├── DeliveryDelayed      rate limit or network: the same call may succeed later
        └── DeliveryRefused      the call is wrong as it is

The text of an error is for the log; what a person reads is written in `bot.views.problems`.
"""

from __future__ import annotations

from collections.abc import Mapping


class MemoraError(Exception):
    """Root of the tree."""


class SettingsError(MemoraError):
    """A setting is missing, unknown or impossible. `path` is dotted, as in "memory.recent_turns"."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


class ContextTooLarge(MemoraError):
    """What must be sent does not fit. `parts` gives tokens by part name, `budget` is in tokens."""

    def __init__(self, parts: Mapping[str, int], budget: int) -> None:
        sizes = ", ".join(f"{name} {tokens}" for name, tokens in parts.items())
        super().__init__(f"the smallest possible request ({sizes}) exceeds the budget of {budget} tokens")
        self.parts = dict(parts)
        self.budget = budget


class ModelError(MemoraError):
    """The model gave no usable answer."""


class ModelUnauthorized(ModelError):
    """The key is missing, wrong or lacks a permission."""


class ModelNotFound(ModelError):
    """There is no such model, or the address is no model server."""


class ModelBusy(ModelError):
    """Too many requests, or the quota is used up. `retry_after` is in seconds, None where unknown."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class ModelTimeout(ModelError):
    """No answer came within the time limit."""


class ModelUnreachable(ModelError):
    """No connection to the model's address could be made."""


class ModelFailed(ModelError):
    """The provider failed, or answered in a way that can't be read."""


class ModelRejected(ModelError):
    """The provider refused the request as it is; sending it again would not help."""


class ModelFiltered(ModelError):
    """The provider's content filter refused the request or its answer."""


class ModelEmpty(ModelError):
    """The answer was complete and had no text."""


class ModelInterrupted(ModelError):
    """The stream broke off. `partial` is the text that had arrived; it is never stored as an answer."""

    def __init__(self, message: str, partial: str = "") -> None:
        super().__init__(message)
        self.partial = partial


class StoreError(MemoraError):
    """The database could not do what was asked."""


class StoreUnusable(StoreError):
    """The file can't be opened: missing folder, another application's file, or a newer version's."""


class StoreFull(StoreError):
    """Nothing can be written: the disk is full or the file is read-only."""


class DeliveryError(MemoraError):
    """The platform did not take what was to be shown."""


class ChatGone(DeliveryError):
    """The bot is blocked, removed, or may not write there; trying again is useless."""


class DeliveryDelayed(DeliveryError):
    """Rate limit or network; the same call may succeed after `retry_after` seconds (None: unknown)."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class DeliveryRefused(DeliveryError):
    """The platform says that the call is wrong as it is."""
