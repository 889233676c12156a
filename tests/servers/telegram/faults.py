"""What can go wrong on the way to Telegram and back, as values a test hands to the loopback server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


class ApiError(Exception):
    """A refusal as Telegram words it."""

    def __init__(self, status: int, description: str, parameters: Mapping[str, Any] | None = None) -> None:
        super().__init__(f"{status} {description}")
        self.status = status
        self.description = description
        self.parameters = parameters


def bad_request(reason: str) -> ApiError:
    """400, in Telegram's usual form."""
    return ApiError(400, f"Bad Request: {reason}")


@dataclass(frozen=True, slots=True)
class Fault:
    """What happens to one call instead of its normal answer.

    `processed`: the call is carried out all the same, only its answer goes wrong. `drop` closes the
    connection without an answer, `hang` answers nothing until the caller gives up.
    """

    status: int = 500
    description: str = "Internal Server Error"
    parameters: Mapping[str, Any] | None = None
    processed: bool = False
    drop: bool = False
    hang: bool = False


def flood(seconds: int) -> Fault:
    """429: too many requests, to be tried again after so many seconds."""
    return Fault(429, f"Too Many Requests: retry after {seconds}", {"retry_after": seconds})


def blocked() -> Fault:
    """403: the person has blocked the bot."""
    return Fault(403, "Forbidden: bot was blocked by the user")


def refused(reason: str) -> Fault:
    """400 with a reason, such as "message is not modified"."""
    return Fault(400, f"Bad Request: {reason}")


def broken(status: int = 502, *, processed: bool = False) -> Fault:
    """A fault of Telegram's own."""
    return Fault(status, "Bad Gateway" if status == 502 else "Internal Server Error", processed=processed)


def lost(*, processed: bool = True) -> Fault:
    """The connection breaks before an answer comes."""
    return Fault(processed=processed, drop=True)


def silent(*, processed: bool = True) -> Fault:
    """No answer comes at all: the caller runs into its own timeout."""
    return Fault(processed=processed, hang=True)
