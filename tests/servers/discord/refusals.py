"""Errors of the loopback Discord server, worded and numbered as Discord's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Refusal(Exception):
    """An answer other than success. `code` is Discord's own error code."""

    def __init__(
        self,
        status: int,
        code: int,
        message: str,
        *,
        more: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.body: dict[str, Any] = {"message": message, "code": code, **(more or {})}
        self.headers = dict(headers or {})


def unauthorized() -> Refusal:
    return Refusal(401, 0, "401: Unauthorized")


def unknown(what: str) -> Refusal:
    """404 for a thing that isn't there."""
    codes = {"Channel": 10003, "Message": 10008, "User": 10013, "Webhook": 10015, "Interaction": 10062}
    return Refusal(404, codes[what], f"Unknown {what}")


def no_route() -> Refusal:
    return Refusal(404, 0, "404: Not Found")


def forbidden(code: int) -> Refusal:
    """403 for what the bot may not do."""
    messages = {
        50001: "Missing Access",
        50005: "Cannot edit a message authored by another user",
        50007: "Cannot send messages to this user",
        50013: "Missing Permissions",
        160002: "Cannot reply without permission to read message history",
    }
    return Refusal(403, code, messages[code])


def acknowledged() -> Refusal:
    return Refusal(400, 40060, "Interaction has already been acknowledged.")


def empty_message() -> Refusal:
    return Refusal(400, 50006, "Cannot send an empty message")


def invalid(path: str, code: str, message: str) -> Refusal:
    """400 for a body that is wrong at `path` (dotted)."""
    errors: dict[str, Any] = {"_errors": [{"code": code, "message": message}]}
    for key in reversed(path.split(".")):
        errors = {key: errors}
    return Refusal(400, 50035, "Invalid Form Body", more={"errors": errors})


def limited(retry_after: float, *, everywhere: bool = False) -> Refusal:
    """429. `retry_after` is in seconds; `everywhere` marks the limit over all routes."""
    headers = {
        "Retry-After": str(max(1, round(retry_after))),
        "X-RateLimit-Remaining": "0",
        "X-RateLimit-Reset-After": f"{retry_after:.3f}",
        "X-RateLimit-Scope": "global" if everywhere else "user",
    }
    if everywhere:
        headers["X-RateLimit-Global"] = "true"
    more = {"retry_after": retry_after, "global": everywhere}
    return Refusal(429, 0, "You are being rate limited.", more=more, headers=headers)
