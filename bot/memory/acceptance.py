"""Judges a summariser's answer: code, not the model, decides what becomes part of a summary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.memory.claims import Ground, faults
from bot.memory.exchange import Reading, read
from bot.memory.intent import declines
from bot.memory.keeping import LINES_SHARE, Change, fitted, lines_after
from bot.memory.notes import Drop, Edit, apply, notes_tokens
from bot.messages import Message
from bot.ports import Completion, Finish, TokenCounter
from bot.records import LiteralLine, Note


@dataclass(frozen=True, slots=True)
class Piece:
    """What one run folds: `messages` on top of `notes` and the literal lines beside them. `source_tokens` is
    the size of the messages; `version` the number of the summary before, 0 for none."""

    notes: tuple[Note, ...]
    next_note: int
    messages: tuple[Message, ...]
    members: Mapping[int, str]
    source_tokens: int
    literals: tuple[LiteralLine, ...] = ()
    version: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """`notes` is None when the run is refused; `reasons` also name single edits that were left out.

    `tokens` is the size of notes and `literals` together; `dropped` names the notes that went, with the
    reason; `too_long`: the notes had been accepted but for their size.
    """

    notes: tuple[Note, ...] | None
    next_note: int
    tokens: int
    reasons: tuple[str, ...]
    literals: tuple[LiteralLine, ...] = ()
    dropped: tuple[tuple[str, str], ...] = ()
    too_long: bool = False


UNFINISHED = {
    Finish.LENGTH: "the answer was cut off at its length limit",
    Finish.FILTER: "the answer was filtered",
    Finish.TOOL: "the answer was a tool call",
    Finish.REFUSAL: "the model declined",
}


# An answer that holds this share of all messages' letters, in whole messages of at least so many, is an echo.
_ECHO = 0.85
_COPY = 12


def judge(completion: Completion, piece: Piece, limit: int, counter: TokenCounter) -> Verdict:
    """Apply the answer's edits if the result may stand; `limit` is the most tokens of all notes.

    An edit that can't be used is left out alone when others stand. The whole is refused when the answer is
    unfinished or empty, when none of its edits stands, or when the notes would be too long.
    """
    if completion.finish in UNFINISHED:
        return _refusal(UNFINISHED[completion.finish])
    if not completion.text.strip():
        return _refusal("the answer was empty")
    reading = read(completion.text, piece.notes, piece.messages)
    if reading.plain and declines(completion.text):
        return _refusal("the answer is a refusal")
    if _echoes(reading, completion.text, piece.messages):
        return _refusal("the answer repeats the messages")
    found = faults(reading.edits, Ground(piece.notes, piece.messages))
    good = [edit for edit, fault in zip(reading.edits, found, strict=True) if not fault]
    reasons = (*reading.refused, *(fault for fault in found if fault))
    if reasons and not good:
        return _refusal(*reasons)
    return _applied(good, reasons, piece, limit, counter)


def _applied(
    good: Sequence[Edit], reasons: tuple[str, ...], piece: Piece, limit: int, counter: TokenCounter
) -> Verdict:
    notes, next_note = apply(piece.notes, good, piece.next_note)
    if not notes and not piece.notes:
        return _refusal("there would be no notes at all")
    tokens = notes_tokens(notes, piece.members, counter)
    before = notes_tokens(piece.notes, piece.members, counter, piece.literals)
    replaced = piece.source_tokens + before
    too_long = _too_long(tokens, limit, replaced)
    if too_long:
        return Verdict(None, 0, 0, (too_long, *reasons), too_long=tokens > limit)
    dropped = {edit.note: edit.reason for edit in good if isinstance(edit, Drop)}
    minor = [note for note in piece.notes if dropped.get(note.id) == "minor"]
    lines = lines_after(piece.literals, Change(piece.notes, notes, minor, piece.messages))
    room = min(int(limit * LINES_SHARE), limit - tokens, replaced - tokens - 1)
    lines = fitted(lines, room, piece.members, counter)
    return Verdict(
        notes,
        next_note,
        notes_tokens(notes, piece.members, counter, lines),
        reasons,
        lines,
        tuple(dropped.items()),
    )


def _refusal(*reasons: str) -> Verdict:
    return Verdict(None, 0, 0, reasons)


def _too_long(tokens: int, limit: int, replaced: int) -> str:
    if tokens > limit:
        return f"the notes would have {tokens} tokens, more than {limit}"
    if tokens >= replaced:
        return f"the notes would have {tokens} tokens and replace only {replaced}"
    return ""


def _echoes(reading: Reading, answer: str, messages: Sequence[Message]) -> bool:
    """Whether an answer holds nearly all of several messages word for word."""
    texts = [edit.text for edit in reading.edits if not isinstance(edit, Drop)]
    told = _bare(answer if reading.plain else "\n".join(texts))
    bare = [_bare(message.text) for message in messages]
    copied = [len(text) for text in bare if len(text) >= _COPY and text in told]
    return len(copied) > 1 and sum(copied) >= _ECHO * sum(map(len, bare))


def _bare(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def reasons_text(reasons: Sequence[str], length: int = 600) -> str:
    """Reasons as one line, for the corrective retry and the record."""
    return "; ".join(reasons)[:length]
