"""The conversation with the summariser: the data it is given, and its answer read into edits."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from bot.memory.notes import Add, Drop, Edit, Revise
from bot.memory.speech import plain_name, quoted
from bot.messages import Message
from bot.records import Note, NoteKind

SCHEMA_NAME = "memory_edits"
REASONS = ("superseded", "resolved", "minor")
_FENCE = "```"


@dataclass(frozen=True, slots=True)
class Reading:
    """The summariser's answer, read: edits that are well-formed, and why others are not. `plain`: it was no
    JSON, so each line is taken for a note."""

    edits: tuple[Edit, ...]
    refused: tuple[str, ...]
    plain: bool = False


def material(
    notes: Sequence[Note], messages: Sequence[Message], members: Mapping[int, str], bot_name: str
) -> str:
    """People, notes and numbered messages as lines. Everything that people wrote is a JSON string."""
    told = {message.number for message in messages if message.number} | {
        n.speaker for n in notes if n.speaker
    }
    rows = ["People", f"#0 {quoted(plain_name(bot_name))} (the bot)"]
    rows += [f"#{number} {quoted(plain_name(members.get(number, '')))}" for number in sorted(told)]
    rows.append("Notes")
    rows += [f"{n.id} {n.kind}{f' #{n.speaker}' if n.speaker else ''} {quoted(n.text)}" for n in notes]
    rows.append("Messages")
    day: date | None = None
    for number, message in enumerate(messages, start=1):
        if message.sent_at.date() != day:
            day = message.sent_at.date()
            rows.append(f"{day:%Y-%m-%d %A}")
        rows.append(f"{number} #{message.number} {quoted(message.text)}")
    return "\n".join(rows)


def schema() -> dict[str, Any]:
    """The JSON schema of an answer, in the strict form (every property required, none else allowed)."""
    text = {"type": "string"}
    numbers = {"type": "array", "items": {"type": "integer"}}
    kind = {"type": "string", "enum": [kind.value for kind in NoteKind]}
    claim = {"kind": kind, "about": {"type": "integer"}, "text": text, "sources": numbers}
    reason = {"type": "string", "enum": list(REASONS)}
    return strict(
        {
            "operations": {
                "type": "array",
                "items": {
                    "anyOf": [
                        strict({"op": {"type": "string", "enum": ["add"]}, **claim}),
                        strict({"op": {"type": "string", "enum": ["revise"]}, "note": text, **claim}),
                        strict(
                            {
                                "op": {"type": "string", "enum": ["drop"]},
                                "note": text,
                                "reason": reason,
                                "sources": numbers,
                            }
                        ),
                    ]
                },
            }
        }
    )


def read(answer: str, notes: Sequence[Note], messages: Sequence[Message]) -> Reading:
    """Read an answer: JSON, JSON in a fence or among words, or else plain lines as notes on all messages."""
    found = operations(answer)
    if found is None:
        return _plain(answer, messages)
    known = {note.id: note for note in notes}
    edits: list[Edit] = []
    refused: list[str] = []
    for place, operation in enumerate(found, start=1):
        try:
            edits.append(_edit(operation, known, messages))
        except (KeyError, TypeError, ValueError, OverflowError) as problem:
            refused.append(f"operation {place}: {_reason(problem)}")
    return Reading(tuple(edits), tuple(refused))


def strict(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def operations(answer: str) -> list[Any] | None:
    """The list of operations in an answer: JSON, in a fence, or among words; None where there is none."""
    start = min((at for at in (answer.find("{"), answer.find("[")) if at >= 0), default=-1)
    if start < 0:
        return None
    try:
        value, _ = json.JSONDecoder().raw_decode(answer[start:])
    except (ValueError, RecursionError):
        return None
    found = value.get("operations") if isinstance(value, dict) else value
    return found if isinstance(found, list) else None


def _edit(operation: Any, known: Mapping[str, Note], messages: Sequence[Message]) -> Edit:
    if not isinstance(operation, dict):
        raise ValueError("no object")
    kind = operation.get("op")
    if kind not in ("add", "revise", "drop"):
        raise ValueError(f"unknown op {kind!r}")
    if kind != "add" and operation["note"] not in known:
        raise ValueError(f"there is no note {operation['note']!r}")
    sources = _sources(operation["sources"], messages)
    if kind == "drop":
        if operation["reason"] not in REASONS:
            raise ValueError(f"unknown reason {operation['reason']!r}")
        return Drop(operation["note"], operation["reason"])
    text = " ".join(str(operation["text"]).split())
    if not text:
        raise ValueError("its text is empty")
    if not sources:
        raise ValueError("it names no sources")
    people = {message.number for message in messages}
    if kind == "revise":  # the note may stay about the person it is about
        people.add(known[operation["note"]].speaker)
    claim = (NoteKind(operation["kind"]), _about(operation["about"], people), text, sources)
    return Add(*claim) if kind == "add" else Revise(operation["note"], *claim)


def _sources(numbers: Sequence[int], messages: Sequence[Message]) -> tuple[int, ...]:
    chosen = sorted({int(number) for number in numbers})
    if chosen and not (chosen[0] >= 1 and chosen[-1] <= len(messages)):
        raise ValueError(f"its sources {chosen} are not all among 1 to {len(messages)}")
    return tuple(messages[number - 1].id for number in chosen)


def _about(number: int, people: set[int]) -> int:
    if number and number not in people:
        raise ValueError(f"nobody among its messages is #{number}")
    return int(number)


def _plain(answer: str, messages: Sequence[Message]) -> Reading:
    """For models that can't keep to JSON: each line is a note that rests on the whole piece. A heading, which
    ends with a colon, is none."""
    rows = [re.sub(r"^\s*(?:[-*•]|\d+[.)])\s+", "", row).strip() for row in answer.splitlines()]
    everyone = {message.number for message in messages if message.number}
    about = everyone.pop() if len(everyone) == 1 else 0
    sources = tuple(message.id for message in messages)
    return Reading(
        tuple(
            Add(NoteKind.FACT, about, row, sources)
            for row in rows
            if row and not row.startswith(_FENCE) and not row.endswith((":", "："))
        ),
        (),
        plain=True,
    )


def _reason(problem: Exception) -> str:
    return f"{problem.args[0]!r} is missing" if isinstance(problem, KeyError) else str(problem)
