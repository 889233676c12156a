"""Writes events as JSON, one object a line, for programs. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from adapters.terminal.translate import command_line
from bot.messages import IncomingMessage
from bot.views.model import Block, Fields, Gauge, Items, Paragraph, View

# Python writes these as they are when asked for readable text, but they break lines, terminals or UTF-8.
_UNSAFE = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class JsonForm:
    """One JSON object an event: reply, view, error or compaction."""

    def reply(self, message: IncomingMessage, answer_id: str, text: str) -> str:
        """A whole answer, under the id it is stored with."""
        return line({"event": "reply", **_origin(message), "message_id": answer_id, "text": text})

    def view(self, message: IncomingMessage, view: View) -> str:
        """A card; one that speaks of an error is an error event."""
        if view.tone == "error":
            return self.failure(message, view)
        return line({"event": "view", **_origin(message), **view_fields(view)})

    def failure(self, message: IncomingMessage, view: View) -> str:
        """Why there is no answer: `message` as one text, and the card it came on."""
        event = {"event": "error", **_origin(message), "message": error_text(view), **view_fields(view)}
        return line(event)

    def report(self, event: Mapping[str, Any]) -> str:
        """What happened beside the conversation; an event without a name is a compaction."""
        return line({"event": "compaction", **event})


def line(event: Mapping[str, Any]) -> str:
    """An event as one line. What JSON has no type for is written as text."""
    text = json.dumps(event, ensure_ascii=False, default=str)
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n"


def view_fields(view: View) -> dict[str, Any]:
    """A view's content, with every block's type named."""
    return {
        "kind": view.kind,
        "tone": view.tone,
        "title": view.title,
        "blocks": [_block(block) for block in view.blocks],
        "actions": [
            {"label": action.label, "command": command_line(action.command), "danger": action.danger}
            for action in view.actions
        ],
    }


def error_text(view: View) -> str:
    """Title and paragraphs of an error as one text."""
    texts = [view.title, *(block.text for block in view.blocks if isinstance(block, Paragraph))]
    return "\n".join(text for text in texts if text)


def _origin(message: IncomingMessage) -> dict[str, str]:
    return {"conversation": str(message.key), "in_reply_to": message.message_id}


def _block(block: Block) -> dict[str, Any]:
    match block:
        case Paragraph(text):
            return {"type": "paragraph", "text": text}
        case Fields(rows):
            return {"type": "fields", "rows": [list(row) for row in rows]}
        case Gauge(segments, capacity, unit):
            parts = [{"label": segment.label, "amount": segment.amount} for segment in segments]
            whole = {"unit": unit, "capacity": capacity, "used": block.used}
            return {"type": "gauge", **whole, "segments": parts}
        case Items(items, heading):
            entries = [{"text": item.text, "detail": item.detail} for item in items]
            return {"type": "items", "heading": heading, "items": entries}
