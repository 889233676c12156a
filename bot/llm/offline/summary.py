"""Summarises by extraction: reads the messages, keeps what is worth it, answers with the edits as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from bot.llm.offline.fitting import Room, fit, room_for, size
from bot.llm.offline.kinds import is_demand
from bot.llm.offline.material import Material, Told, read_material
from bot.llm.offline.notebook import Entry, Notebook
from bot.llm.offline.script import is_chinese, script_of
from bot.llm.offline.sentences import collapsed, shortened, statements
from bot.llm.offline.terms import is_faithful
from bot.ports import ModelRequest, TokenCounter

_FIRST_LENGTHS = (200, 100, 60, 30, 15)

Operation = dict[str, Any]


def summarise(request: ModelRequest, counter: TokenCounter) -> str:
    """The JSON answer to a summary request. A corrective retry gets fewer and safer operations."""
    material = read_material(request)
    careful = bool(material.refused)
    notebook = Notebook(material.notes, careful=careful)
    for message in material.messages:
        notebook.read(message)
    room = room_for(material, counter, careful=careful)
    standing = [entry for entry in notebook.entries if not entry.gone and _is_sound(entry, material)]
    kept = fit(standing, room, material.names, counter)
    if not kept and material.messages:
        kept = [_first(material, room, counter)]
    answer = _written(notebook.entries, kept)
    while counter.count(answer) > request.max_output_tokens and any(not entry.note for entry in kept[1:]):
        kept.remove(min((entry for entry in kept if not entry.note), key=lambda entry: entry.worth))
        answer = _written(notebook.entries, kept)
    return answer


def _is_sound(entry: Entry, material: Material) -> bool:
    """Whether the sources hold every figure of the text, and it wasn't refused just before."""
    if entry.note and not entry.changed:
        return True
    told = {message.number: message.text for message in material.messages}
    sources = [collapsed(told[number]) for number in entry.sources]
    sources += [note.text for note in material.notes if note.id == entry.note]
    return is_faithful(entry.text, *sources) and entry.text not in material.refused


def _first(material: Material, room: Room, counter: TokenCounter) -> Entry:
    """The note that a summary begins with when nothing was notable: the longest sentence of a person."""
    people = [message for message in material.messages if message.speaker] or list(material.messages)
    if material.refused:
        return _neutral(people)
    units = [
        (unit, message) for message in people for unit in statements(message.text) if not is_demand(unit)
    ]
    for unit, message in sorted(units, key=lambda pair: -len(pair[0]))[:3]:
        for length in _FIRST_LENGTHS:
            for about in (message.speaker, 0):
                entry = Entry("event", about, shortened(unit, length), [message.number])
                fits = size([entry], material.names, counter) <= room.total
                if entry.text and fits and _is_sound(entry, material):
                    return entry
    return _neutral(people)


def _neutral(people: Sequence[Told]) -> Entry:
    """A note that says nothing and is refused nowhere, in the script of what was said."""
    words = "\n".join(message.text for message in people)
    if is_chinese(words):
        text = "对话" if script_of(words) == "zh-hans" else "對話"
    else:
        text = "Small talk" if re.search("[A-Za-z]", words) else "…"
    return Entry("event", 0, text, [people[0].number])


def _written(entries: Sequence[Entry], kept: Sequence[Entry]) -> str:
    staying = {id(entry) for entry in kept}
    operations = [
        *_drops(entries, staying),
        *(_edit("revise", entry) for entry in kept if entry.note and entry.changed),
        *(_edit("add", entry) for entry in kept if not entry.note),
    ]
    return json.dumps({"operations": operations}, ensure_ascii=False)


def _drops(entries: Sequence[Entry], staying: set[int]) -> Iterator[Operation]:
    for entry in entries:
        if entry.note and id(entry) not in staying:
            reason = entry.gone or ("superseded" if entry.changed else "minor")
            sources = sorted(set(entry.sources))
            yield {"op": "drop", "note": entry.note, "reason": reason, "sources": sources}


def _edit(operation: str, entry: Entry) -> Operation:
    return {
        "op": operation,
        **({"note": entry.note} if operation == "revise" else {}),
        "kind": entry.kind,
        "about": entry.about,
        "text": entry.text,
        "sources": sorted(set(entry.sources)),
    }
