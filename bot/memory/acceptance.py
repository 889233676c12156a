"""Judges a summariser's answer: code, not the model, decides what becomes part of a summary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.memory.exchange import read
from bot.memory.literals import missing
from bot.memory.notes import Drop, Edit, Revise, apply, notes_tokens
from bot.messages import Message
from bot.ports import Completion, Finish, TokenCounter
from bot.records import Note


@dataclass(frozen=True, slots=True)
class Piece:
    """What one run folds: `messages` on top of `notes`. `source_tokens` is the size of the messages."""

    notes: tuple[Note, ...]
    next_note: int
    messages: tuple[Message, ...]
    members: Mapping[int, str]
    source_tokens: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """`notes` is None when the run is refused; `reasons` also name single edits that were left out."""

    notes: tuple[Note, ...] | None
    next_note: int
    tokens: int
    reasons: tuple[str, ...]


_UNFINISHED = {
    Finish.LENGTH: "the answer was cut off at its length limit",
    Finish.FILTER: "the answer was filtered",
    Finish.TOOL: "the answer was a tool call",
    Finish.REFUSAL: "the model declined",
}


def judge(completion: Completion, piece: Piece, limit: int, counter: TokenCounter) -> Verdict:
    """Apply the answer's edits if the result may stand; `limit` is the most tokens of all notes.

    An edit that can't be used is left out alone when others stand. The whole is refused when the answer is
    unfinished or empty, when none of its edits stands, or when the notes would be too long.
    """
    if completion.finish in _UNFINISHED:
        return _refusal(_UNFINISHED[completion.finish])
    if not completion.text.strip():
        return _refusal("the answer was empty")
    reading = read(completion.text, piece.notes, piece.messages)
    known = {note.id: note for note in piece.notes}
    texts = {message.id: message for message in piece.messages}
    faults = [(edit, _fault(edit, known, texts)) for edit in reading.edits]
    good = [edit for edit, fault in faults if not fault]
    reasons = (*reading.refused, *(fault for _, fault in faults if fault))
    if reasons and not good:
        return _refusal(*reasons)
    notes, next_note = apply(piece.notes, good, piece.next_note)
    if not notes and not piece.notes:
        return _refusal("there would be no notes at all")
    tokens = notes_tokens(notes, piece.members, counter)
    too_long = _too_long(tokens, piece, limit, counter)
    return _refusal(too_long, *reasons) if too_long else Verdict(notes, next_note, tokens, reasons)


def _refusal(*reasons: str) -> Verdict:
    return Verdict(None, 0, 0, reasons)


def _fault(edit: Edit, known: Mapping[str, Note], messages: Mapping[int, Message]) -> str:
    if isinstance(edit, Drop):
        return ""
    sources = [messages[source] for source in edit.sources]
    words = "\n".join(source.text for source in sources)
    if isinstance(edit, Revise):
        words += "\n" + known[edit.note].text
    unknown = missing(edit.text, words, [source.sent_at for source in sources])
    if unknown:
        return f"the note {edit.text!r} says {', '.join(sorted(unknown))}, which its sources don't"
    return ""


def _too_long(tokens: int, piece: Piece, limit: int, counter: TokenCounter) -> str:
    if tokens > limit:
        return f"the notes would have {tokens} tokens, more than {limit}"
    replaced = piece.source_tokens + notes_tokens(piece.notes, piece.members, counter)
    if tokens >= replaced:
        return f"the notes would have {tokens} tokens and replace only {replaced}"
    return ""


def reasons_text(reasons: Sequence[str], length: int = 600) -> str:
    """Reasons as one line, for the corrective retry and the record."""
    return "; ".join(reasons)[:length]
