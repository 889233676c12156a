"""What Telegram demands of texts, entities and keyboards, and what it makes of them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tests.servers.telegram.faults import bad_request

MAX_TEXT = 4096
MAX_CAPTION = 1024

_COMMAND = re.compile(r"(?<![\w/<>])/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?(?![\w/<>])")
_MENTION = re.compile(r"(?<![\w@])@[A-Za-z0-9_]{3,32}(?!\w)")
_URL = re.compile(r"https?://[^\s<>]+")

Entities = list[dict[str, Any]]


def units(text: str) -> int:
    """Length in UTF-16 code units, by which Telegram counts."""
    return len(text.encode("utf-16-le")) // 2


def found_entities(text: str) -> Entities:
    """What every client marks by itself: commands, mentions and addresses."""
    marks = [("bot_command", _COMMAND), ("mention", _MENTION), ("url", _URL)]
    found = [
        {"type": kind, "offset": units(text[: match.start()]), "length": units(match[0])}
        for kind, pattern in marks
        for match in pattern.finditer(text)
    ]
    return sorted(found, key=lambda entity: entity["offset"])


def checked_text(
    text: str, entities: Sequence[Mapping[str, Any]] | None, limit: int = MAX_TEXT
) -> tuple[str, Entities]:
    """Text and entities as they are shown: white space at the ends goes, unless an entity begins there."""
    given = [dict(entity) for entity in entities or ()]
    for entity in given:
        _check_entity(text, entity)
    start = _trimmed_start(text, min((entity["offset"] for entity in given), default=len(text)))
    shown = text[start:].rstrip()
    if not shown.strip():
        raise bad_request("message text is empty")
    if units(shown) > limit:
        raise bad_request("message is too long")
    return shown, [clipped for entity in given if (clipped := _clipped(entity, start, units(shown)))]


def checked_keyboard(markup: Mapping[str, Any] | None) -> dict[str, Any]:
    """The field `reply_markup` of a message with this inline keyboard; empty for none."""
    rows = [list(row) for row in (markup or {}).get("inline_keyboard", ()) if row]
    for button in (button for row in rows for button in row):
        data = button.get("callback_data")
        if not button.get("text"):
            raise bad_request("inline keyboard button text must be non-empty")
        if data is not None and not 1 <= len(data.encode()) <= 64:
            raise bad_request("BUTTON_DATA_INVALID")
    return {"reply_markup": {"inline_keyboard": rows}} if rows else {}


def _check_entity(text: str, entity: Mapping[str, Any]) -> None:
    first, end = entity["offset"], entity["offset"] + entity["length"]
    if first < 0 or entity["length"] <= 0 or first >= units(text):
        raise bad_request(f"entity of length {entity['length']} can't begin at UTF-16 offset {first}")
    if end > units(text):
        raise bad_request(
            f"entity beginning at UTF-16 offset {first} ends after the end of the text at UTF-16 offset {end}"
        )
    encoded = text.encode("utf-16-le")
    for edge in (first, end):
        if edge < units(text) and 0xDC <= encoded[2 * edge + 1] <= 0xDF:
            raise bad_request(f"entity beginning at UTF-16 offset {first} cuts a symbol in two at {edge}")


def _trimmed_start(text: str, first_entity: int) -> int:
    start = 0
    while start < min(len(text), first_entity) and text[start].isspace():
        start += 1
    return start


def _clipped(entity: dict[str, Any], start: int, length: int) -> dict[str, Any] | None:
    first = max(entity["offset"] - start, 0)
    end = min(entity["offset"] + entity["length"] - start, length)
    return entity | {"offset": first, "length": end - first} if end > first else None


def refuse_markup(params: Mapping[str, Any]) -> None:
    """Telegram would parse it; here texts come with entities."""
    if "parse_mode" in params:
        raise bad_request("this server reads no markup: send entities instead of a parse_mode")
