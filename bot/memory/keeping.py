"""Keeps literals of folded messages that no note holds, as lines beside the notes.

The lines are built by code; the model is not asked. An order number, a date, an address and the like stays
to the letter in the line of its message until there is no more room: then the line that was longest unused
leaves (the log still has it). A literal that comes up again in a newly folded message refreshes its line.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot.memory.literals import Form, Literal, found, kept, protected
from bot.memory.notes import literal_line
from bot.memory.speech import Members
from bot.messages import Message
from bot.ports import TokenCounter
from bot.records import LiteralLine, Note

# Of a summary's tokens the lines may have this share, and of that a single message's line at most this one.
LINES_SHARE = 0.25
_ONE_LINE = 0.5
# An amount corrects a number and the other way round.
_ALIKE = {Form.AMOUNT: Form.NUMBER}


@dataclass(frozen=True, slots=True)
class Change:
    """What a run did: the notes before and after it, those of which the literals must be kept although they
    went, and the messages it folded. `corrects`: a changed note says what holds now."""

    before: Sequence[Note]
    after: Sequence[Note]
    minor: Sequence[Note]
    messages: Sequence[Message]
    corrects: bool = True


def lines_after(lines: Sequence[LiteralLine], change: Change) -> tuple[LiteralLine, ...]:
    """The lines after a run, before they are fitted into their room."""
    noted = [literal for note in change.after for literal in found(note.text)]
    gone = _corrected(change) if change.corrects else []
    book = _Book([_filtered(line, noted, gone) for line in lines])
    for note in change.minor:
        book.add(note.sources[-1], note.speaker, _left(protected(note.text), noted))
    for message in change.messages:
        if message.number:
            wanted = [item for item in protected(message.text) if not _is_gone(message.id, item, gone)]
            book.add(message.id, message.number, _left(wanted, noted))
    return book.lines()


def fitted(
    lines: Sequence[LiteralLine], room: int, members: Members, counter: TokenCounter
) -> tuple[LiteralLine, ...]:
    """The newest of `lines` that have at most `room` tokens together; a single one at most half of it."""
    left: list[LiteralLine] = []
    for whole in reversed(lines):
        line = _shortened(whole, int(room * _ONE_LINE), members, counter)
        cost = _cost(line, members, counter)
        if cost > room:
            break
        if line.literals:
            left.append(line)
            room -= cost
    return tuple(reversed(left))


class _Book:
    """Lines by message, in order of last use."""

    def __init__(self, lines: Iterable[LiteralLine]) -> None:
        self._lines = {line.message: line for line in lines if line.literals}
        self._read = {
            line.message: [item for text in line.literals for item in found(text)] for line in lines
        }

    def add(self, message: int, speaker: int, literals: Sequence[Literal]) -> None:
        """Refresh the lines that hold one of `literals`; the rest go into the message's own line."""
        new: list[Literal] = []
        for literal in literals:
            holder = next((name for name, items in self._read.items() if kept(literal, items)), None)
            if holder in self._lines:
                self._lines[holder] = self._lines.pop(holder)
            else:
                new.append(literal)
        if new:
            old = self._lines.pop(message, LiteralLine(message, speaker, ()))
            self._lines[message] = replace(old, literals=(*old.literals, *(item.written for item in new)))
            self._read.setdefault(message, []).extend(new)

    def lines(self) -> tuple[LiteralLine, ...]:
        return tuple(self._lines.values())


def _left(wanted: Iterable[Literal], noted: Sequence[Literal]) -> list[Literal]:
    return [literal for literal in wanted if not kept(literal, noted)]


def _filtered(line: LiteralLine, noted: Sequence[Literal], gone: Sequence[_Corrected]) -> LiteralLine:
    """The line without what a note holds now, and without what was corrected."""
    literals = tuple(
        text
        for text in line.literals
        if not all(kept(item, noted) or _is_gone(line.message, item, gone) for item in found(text))
    )
    return replace(line, literals=literals)


@dataclass(frozen=True, slots=True)
class _Corrected:
    """What a correction took back: literals of these forms in the earlier messages, and in the message that
    corrects them the old values that it repeats ("not 850 but 900")."""

    earlier: frozenset[int]
    forms: frozenset[Form]
    correcting: int
    old: Sequence[Literal]


def _corrected(change: Change) -> list[_Corrected]:
    """The corrections of a run: notes that a later message changed, with their earlier ones."""
    before = {note.id: note for note in change.before}
    texts = {message.id: message.text for message in change.messages}
    corrections: list[_Corrected] = []
    for note in change.after:
        revised = note.id in before and before[note.id] != note
        if len(note.sources) > 1 and (revised or (note.kind == "correction" and note.id not in before)):
            *earlier, last = note.sources
            forms = frozenset(_ALIKE.get(item.form, item.form) for item in found(note.text))
            said = [texts.get(message, "") for message in earlier]
            old = [item for text in (*said, before[note.id].text if revised else "") for item in found(text)]
            corrections.append(_Corrected(frozenset(earlier), forms, last, old))
    return corrections


def _is_gone(message: int, item: Literal, gone: Sequence[_Corrected]) -> bool:
    form = _ALIKE.get(item.form, item.form)
    return any(
        form in each.forms
        and (message in each.earlier or (message == each.correcting and kept(item, each.old)))
        for each in gone
    )


def _shortened(line: LiteralLine, room: int, members: Members, counter: TokenCounter) -> LiteralLine:
    while line.literals and _cost(line, members, counter) > room:
        line = replace(line, literals=line.literals[: len(line.literals) * 3 // 4])
    return line


def _cost(line: LiteralLine, members: Members, counter: TokenCounter) -> int:
    return counter.count(literal_line(line, members)) + 1
