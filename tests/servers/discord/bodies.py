"""What Discord checks in a message's body beyond its published description."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.servers.discord import refusals

MAX_CONTENT = 2000


def checked_content(body: Mapping[str, Any]) -> str:
    """The text of a message, refused when it is too long or when nothing would be shown."""
    raw = str(body.get("content") or "")
    if len(raw) > MAX_CONTENT:
        raise refusals.invalid(
            "content", "BASE_TYPE_MAX_LENGTH", f"Must be {MAX_CONTENT} or fewer in length."
        )
    if not raw.strip() and not body.get("embeds") and not body.get("attachments"):
        raise refusals.empty_message()
    return raw


def checked_components(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rows of buttons, refused when two of them can't be told apart."""
    rows: list[dict[str, Any]] = list(body.get("components") or ())
    ids = [
        button["custom_id"] for row in rows for button in row.get("components", ()) if "custom_id" in button
    ]
    if len(ids) != len(set(ids)):
        raise refusals.invalid("components", "COMPONENT_CUSTOM_ID_DUPLICATED", "Custom id is duplicated")
    return rows
