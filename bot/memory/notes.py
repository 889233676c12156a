"""Notes: how they are written out for the model, and how edits change them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.memory.speech import person, quoted
from bot.ports import TokenCounter
from bot.records import LiteralLine, Note, NoteKind


@dataclass(frozen=True, slots=True)
class Add:
    """A new note. `sources` are ids of messages."""

    kind: NoteKind
    speaker: int
    text: str
    sources: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Revise:
    """A changed note; it keeps its id and its old sources beside the new ones."""

    note: str
    kind: NoteKind
    speaker: int
    text: str
    sources: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Drop:
    """A note that goes. `reason` is superseded, resolved or minor."""

    note: str
    reason: str


Edit = Add | Revise | Drop


def apply(notes: Sequence[Note], edits: Sequence[Edit], next_note: int) -> tuple[tuple[Note, ...], int]:
    """The notes after `edits`, and the number of the next new note. Untouched notes are the same objects."""
    kept = {note.id: note for note in notes}
    for edit in edits:
        if isinstance(edit, Add):
            kept[f"n{next_note}"] = Note(f"n{next_note}", edit.kind, edit.text, edit.speaker, edit.sources)
            next_note += 1
        elif edit.note in kept:
            if isinstance(edit, Drop):
                del kept[edit.note]
            else:
                old = kept[edit.note]
                sources = tuple(sorted({*old.sources, *edit.sources}))
                kept[edit.note] = replace(
                    old, kind=edit.kind, speaker=edit.speaker, text=edit.text, sources=sources
                )
    return tuple(kept.values()), next_note


def line(note: Note, members: Mapping[int, str]) -> str:
    """A note as the answering model reads it."""
    about = f", {person(note.speaker, members)}" if note.speaker else ""
    return f"- {note.id} {note.kind}{about}: {quoted(note.text)}"


def literal_line(literals: LiteralLine, members: Mapping[int, str]) -> str:
    """A literal line as the answering model reads it."""
    who = f"{person(literals.speaker, members)} " if literals.speaker else ""
    return f"- {who}said: {', '.join(quoted(literal) for literal in literals.literals)}"


def lines(notes: Sequence[Note], members: Mapping[int, str], literals: Sequence[LiteralLine] = ()) -> str:
    """All notes and then all literal lines, one a line."""
    return "\n".join(
        [*(line(note, members) for note in notes), *(literal_line(kept, members) for kept in literals)]
    )


def notes_tokens(
    notes: Sequence[Note],
    members: Mapping[int, str],
    counter: TokenCounter,
    literals: Sequence[LiteralLine] = (),
) -> int:
    """Size of the notes and the literal lines as they are sent, in tokens."""
    return counter.count(lines(notes, members, literals)) if notes or literals else 0
