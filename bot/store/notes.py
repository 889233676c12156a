"""Notes as the file holds them, and which of them still rest on unchanged messages.

A note remembers `since`: the number of the last edit known when it was written. It is sound while each of
its sources is in the log, not erased, and not edited after that number.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from bot.records import Note, NoteKind
from bot.store.standing import Standing


@dataclass(frozen=True, slots=True)
class KeptNote:
    """A note with the number of the last edit it knows of."""

    note: Note
    since: int


def dumped(notes: Iterable[KeptNote]) -> str:
    """Notes as JSON."""
    return json.dumps([_fields(kept) for kept in notes], ensure_ascii=False, separators=(",", ":"))


def _fields(kept: KeptNote) -> dict[str, Any]:
    note = kept.note
    return {
        "id": note.id,
        "kind": note.kind.value,
        "text": note.text,
        "speaker": note.speaker,
        "sources": note.sources,
        "since": kept.since,
    }


def loaded(text: str) -> tuple[KeptNote, ...]:
    """What `dumped` wrote."""
    return tuple(_kept(fields) for fields in json.loads(text))


def _kept(fields: dict[str, Any]) -> KeptNote:
    sources = tuple(fields["sources"])
    kind = NoteKind(fields["kind"])
    return KeptNote(Note(fields["id"], kind, fields["text"], fields["speaker"], sources), fields["since"])


def sound(kept: KeptNote, standing: Mapping[int, Standing]) -> bool:
    """Whether each source is there as it was when the note was written."""
    return all(source in standing and standing[source].change <= kept.since for source in kept.note.sources)


def blanked(notes: Iterable[KeptNote], fallen: Container[KeptNote]) -> list[KeptNote]:
    """The notes, without the texts of the fallen ones: those must not outlive what they rested on."""
    return [replace(kept, note=replace(kept.note, text="")) if kept in fallen else kept for kept in notes]
