"""Notes as the file holds them, and which of them still rest on unchanged messages.

A note remembers `since`: the number of the last edit known when it was written. It is sound while each of
its sources is in the log, not erased, and not edited after that number.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.records import Conversation, Note, NoteKind
from bot.store.session import Session
from bot.store.texts import keep, wipe


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


async def unsound(
    session: Session, conversation: Conversation, notes: Sequence[KeptNote]
) -> frozenset[KeptNote]:
    """Those notes that rest on a message edited or erased since, or on none of this epoch."""
    wanted = sorted({source for kept in notes for source in kept.note.sources})
    rows = await session.all(
        "SELECT m.id, m.change FROM json_each(?) AS wanted JOIN messages AS m ON m.id = wanted.value "
        "WHERE m.conversation_id = ? AND m.epoch = ? AND m.erased_at IS NULL",
        *(json.dumps(wanted), conversation.id, conversation.epoch),
    )
    changes: dict[int, int] = {row["id"]: row["change"] for row in rows}
    return frozenset(
        kept
        for kept in notes
        if not all(source in changes and changes[source] <= kept.since for source in kept.note.sources)
    )


def blanked(notes: Iterable[KeptNote], fallen: frozenset[KeptNote]) -> list[KeptNote]:
    """The notes, without the texts of the fallen ones: those must not outlive what they rested on."""
    return [replace(kept, note=replace(kept.note, text="")) if kept in fallen else kept for kept in notes]


async def strike(session: Session, conversation: Conversation, messages: Iterable[int]) -> None:
    """Blank the notes of all versions that rest on any of these messages."""
    struck = set(messages)
    rows = await session.all(
        "SELECT s.id, s.notes_id, t.text AS notes FROM summaries AS s JOIN texts AS t ON t.id = s.notes_id "
        "WHERE s.conversation_id = ? AND s.epoch = ? AND s.last >= ?",
        *(conversation.id, conversation.epoch, min(struck, default=0)),
    )
    for row in rows:
        notes = loaded(row["notes"])
        fallen = frozenset(note for note in notes if struck.intersection(note.note.sources))
        if fallen:
            kept = await keep(session, dumped(blanked(notes, fallen)))
            await wipe(session, [row["notes_id"]])
            await session.run("UPDATE summaries SET notes_id = ? WHERE id = ?", kept, row["id"])
