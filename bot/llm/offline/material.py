"""Reads a summary request: people, present notes and numbered messages, as any model would read its lines."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from bot.ports import ModelRequest

# The most tokens of all notes where the instructions name no limit.
_LIMIT = 1200

_PERSON = re.compile(r'#(\d+) (".*")( \(the bot\))?')
_NOTE = re.compile(r'(n\d+) (\w+)(?: #(\d+))? (".*")')
_MESSAGE = re.compile(r'(\d+) #(\d+) (".*")')
_MOST = re.compile(r"at most (\d[\d,]*) tokens")


@dataclass(frozen=True, slots=True)
class OldNote:
    """A present note. `about` is a person's number, 0 for nobody in particular."""

    id: str
    kind: str
    about: int
    text: str


@dataclass(frozen=True, slots=True)
class Told:
    """A message to fold. `speaker` is 0 for the bot."""

    number: int
    speaker: int
    text: str


@dataclass(frozen=True, slots=True)
class Material:
    """A summary request, read. `refused` holds the reasons of a corrective retry, "" at first."""

    names: dict[int, str] = field(default_factory=dict)
    notes: tuple[OldNote, ...] = ()
    messages: tuple[Told, ...] = ()
    limit: int = _LIMIT
    refused: str = ""


def read_material(request: ModelRequest) -> Material:
    """The parts of a summary request. Lines that look like nothing known are passed over."""
    names: dict[int, str] = {}
    notes: list[OldNote] = []
    messages: list[Told] = []
    section = ""
    for row in request.messages[0].text.split("\n") if request.messages else []:
        if row in ("People", "Notes", "Messages"):
            section = row
        elif section == "People" and (found := _PERSON.fullmatch(row)):
            names[int(found[1])] = _text(found[2])
        elif section == "Notes" and (found := _NOTE.fullmatch(row)):
            notes.append(OldNote(found[1], found[2], int(found[3] or 0), _text(found[4])))
        elif section == "Messages" and (found := _MESSAGE.fullmatch(row)):
            messages.append(Told(int(found[1]), int(found[2]), _text(found[3])))
    limit = _MOST.search(request.instructions)
    most = int(limit[1].replace(",", "")) if limit else _LIMIT
    refused = request.messages[-1].text if len(request.messages) > 1 else ""
    return Material(names, tuple(notes), tuple(messages), most, refused)


def _text(quoted: str) -> str:
    try:
        return str(json.loads(quoted))
    except ValueError:
        return ""
