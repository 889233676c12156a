"""Shrinks the notes when they near their limit: merges and drops on the notes alone, judged by code.

It is rare, since every note that is worded anew may lose something: only when the notes are crowded, and
then with every fourth version only; or when a piece was refused because its notes would be too long.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot.memory.acceptance import UNFINISHED, Piece, Verdict
from bot.memory.exchange import REASONS, operations, strict
from bot.memory.grounding import missing
from bot.memory.intent import instructs
from bot.memory.keeping import LINES_SHARE, Change, fitted, lines_after
from bot.memory.language import strange_language, strange_script
from bot.memory.literals import found, kept, protected
from bot.memory.notes import notes_tokens
from bot.ports import Completion, TokenCounter
from bot.records import LiteralLine, Note, NoteKind

SCHEMA_NAME = "memory_merges"
# The notes are crowded above this share of their limit; the model is asked for this one.
CROWDED = 0.8
TARGET = 0.6
# Notes must become so much smaller, or it isn't worth that they are worded anew.
_WORTH = 0.9
_EVERY = 4


def is_due(piece: Piece, limit: int, counter: TokenCounter) -> bool:
    """Whether the notes of `piece` should be consolidated before it is folded."""
    tokens = notes_tokens(piece.notes, piece.members, counter, piece.literals)
    return tokens > CROWDED * limit and piece.version % _EVERY == 0


def schema() -> dict[str, Any]:
    """The JSON schema of an answer, in the strict form."""
    text = {"type": "string"}
    merge = {
        "op": {"type": "string", "enum": ["merge"]},
        "notes": {"type": "array", "items": text},
        "kind": {"type": "string", "enum": [kind.value for kind in NoteKind]},
        "about": {"type": "integer"},
        "text": text,
    }
    reason = {"type": "string", "enum": list(REASONS)}
    drop = {"op": {"type": "string", "enum": ["drop"]}, "note": text, "reason": reason}
    items = {"anyOf": [strict(merge), strict(drop)]}
    return strict({"operations": {"type": "array", "items": items}})


def judge(completion: Completion, piece: Piece, limit: int, counter: TokenCounter) -> Verdict:
    """Apply the answer's merges and drops if the result may stand.

    A merged note has the id of its first note and the sources of all. What can't be used is left out alone.
    The whole is refused when the notes don't become worthwhile smaller, or when a protected literal of theirs
    would be in no note and no literal line.
    """
    asked = operations(completion.text)
    if completion.finish in UNFINISHED or asked is None:
        return _refusal(UNFINISHED.get(completion.finish, "the answer holds no operations"))
    notes = {note.id: note for note in piece.notes}
    gone: dict[str, str] = {}
    reasons: list[str] = []
    for place, operation in enumerate(asked, start=1):
        try:
            _apply(operation, notes, gone)
        except (KeyError, TypeError, ValueError, OverflowError, IndexError) as problem:
            reasons.append(f"operation {place}: {problem}")
    after = tuple(notes.values())
    before_tokens = notes_tokens(piece.notes, piece.members, counter)
    tokens = notes_tokens(after, piece.members, counter)
    if tokens > _WORTH * before_tokens or not after:
        return _refusal(
            f"{tokens} tokens of notes in the place of {before_tokens} are not worth it", *reasons
        )
    changed = [note for note in piece.notes if note not in after]
    lines = lines_after(piece.literals, Change(piece.notes, after, changed, (), corrects=False))
    lines = fitted(lines, min(int(limit * LINES_SHARE), limit - tokens), piece.members, counter)
    lost = _lost(changed, after, lines)
    if lost:
        return _refusal(f"{', '.join(lost)} would be lost", *reasons)
    tokens = notes_tokens(after, piece.members, counter, lines)
    return Verdict(after, piece.next_note, tokens, tuple(reasons), lines, tuple(gone.items()))


def _refusal(*reasons: str) -> Verdict:
    return Verdict(None, 0, 0, tuple(f"consolidation: {reason}" for reason in reasons))


def _apply(operation: Any, notes: dict[str, Note], gone: dict[str, str]) -> None:
    kind = operation["op"]
    if kind == "drop":
        if operation["reason"] not in REASONS:
            raise ValueError(f"unknown reason {operation['reason']!r}")
        del notes[operation["note"]]
        gone[operation["note"]] = operation["reason"]
        return
    names = operation["notes"] if kind == "merge" else [operation["note"]]
    chosen = [notes[name] for name in dict.fromkeys(names)]
    merged = _merged(operation, chosen)
    for note in chosen[1:]:
        del notes[note.id]
        gone[note.id] = "merged"
    notes[merged.id] = merged


def _merged(operation: Mapping[str, Any], chosen: Sequence[Note]) -> Note:
    text = " ".join(str(operation["text"]).split())
    about = int(operation["about"])
    speakers = {note.speaker for note in chosen}
    words = "\n".join(note.text for note in chosen)
    if not text:
        raise ValueError("its text is empty")
    if len(speakers - {0}) > 1 or about not in speakers:
        raise ValueError("it merges what different people said, or attributes it to the wrong speaker")
    unknown = missing(text, [(note.text, None) for note in chosen])
    if unknown:
        raise ValueError(f"{text!r} says {', '.join(sorted(unknown))}, which its notes don't")
    if instructs(text) and not any(instructs(note.text) for note in chosen):
        raise ValueError(f"{text!r} reads as an instruction")
    strange = strange_script(text, words, "") or strange_language([text], words)
    if strange:
        raise ValueError(f"{text!r} is in another language or script than its notes")
    sources = tuple(sorted({source for note in chosen for source in note.sources}))
    return replace(chosen[0], kind=NoteKind(operation["kind"]), speaker=about, text=text, sources=sources)


def _lost(changed: Sequence[Note], after: Sequence[Note], lines: Sequence[LiteralLine]) -> list[str]:
    texts = [*(note.text for note in after), *(text for line in lines for text in line.literals)]
    held = [literal for text in texts for literal in found(text)]
    wanted = [literal for note in changed for literal in protected(note.text)]
    return [literal.written for literal in wanted if not kept(literal, held)]
