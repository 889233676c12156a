"""Plays the summariser: reads the material of a summary request and answers with small, sound edits."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from tests.servers.openai.answers import Answer
from tests.servers.openai.recorded import Recorded

_LINE = re.compile(r"^(\d+) #(\d+) (\".*\")$")
_MOST_NOTES = 8


@dataclass(frozen=True, slots=True)
class Told:
    """A message as the summariser is shown it: its number within the request, its speaker, its text."""

    number: int
    speaker: int
    text: str


def told(request: Recorded) -> list[Told]:
    """The messages that a summary request asks to fold, in order. A corrective retry repeats them."""
    _, _, rows = request.messages[0][1].partition("\nMessages\n")
    found = [_LINE.match(row) for row in rows.splitlines()]
    return [Told(int(m[1]), int(m[2]), json.loads(m[3])) for m in found if m]


def fold(request: Recorded) -> Answer:
    """One new note on the first message with a number in it (else on the first one of a person); the
    oldest note is dropped when there are eight."""
    messages = [message for message in told(request) if message.speaker] or told(request)
    if not messages:
        return Answer('{"operations": []}')
    chosen = next((message for message in messages if re.search(r"\d", message.text)), messages[0])
    text = " ".join(chosen.text.split()[:12])[:80]
    note = {"op": "add", "kind": "fact", "about": chosen.speaker, "text": text, "sources": [chosen.number]}
    operations: list[dict[str, Any]] = [note]
    present = re.findall(r"^(n\d+) ", request.messages[0][1].partition("\nMessages\n")[0], re.MULTILINE)
    if len(present) >= _MOST_NOTES:
        operations.append({"op": "drop", "note": present[0], "reason": "minor", "sources": []})
    return Answer(json.dumps({"operations": operations}, ensure_ascii=False))
