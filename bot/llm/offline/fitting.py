"""Fits notes into their room: what is worth least goes first, additions are shortened before that."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.llm.offline.material import Material
from bot.llm.offline.notebook import Entry
from bot.llm.offline.sentences import shortened
from bot.llm.offline.terms import figures
from bot.ports import TokenCounter

# A message costs this many tokens beside its text; a line ends with a line break.
PER_MESSAGE = 3
_LINE_END = 1
# Additions may have this share of the folded messages' tokens; those of little worth only the smaller one.
_SHARE = 0.9
_MINOR_SHARE = 0.5
_MINOR = 3.5
_LENGTHS = (100, 60)


@dataclass(frozen=True, slots=True)
class Room:
    """Tokens: `total` for all notes, `added` for new ones, `minor` for new ones of little worth."""

    total: int
    added: int
    minor: int


def room_for(material: Material, counter: TokenCounter, *, careful: bool) -> Room:
    """The room that the notes of `material` have; `careful` keeps well below what is allowed."""
    folded = sum(counter.count(_quoted(message.text)) + PER_MESSAGE for message in material.messages)
    before = [Entry(note.kind, note.about, note.text, note=note.id) for note in material.notes]
    most = min(material.limit, size(before, material.names, counter) + folded - 1)
    factor = 0.6 if careful else 1.0
    added, minor = int(folded * _SHARE * factor), int(folded * _MINOR_SHARE * factor)
    return Room(int(most * (0.9 if careful else 1.0)), added, minor)


def fit(entries: Sequence[Entry], room: Room, names: Mapping[int, str], counter: TokenCounter) -> list[Entry]:
    """The entries that may stay, in their order; new ones may come out shorter, present ones never change.

    Of two that are worth the same the older stays, so that early facts survive long conversations; but of
    minor ones, such as events, the newer.
    """
    ranked = sorted(enumerate(entries), key=_rank)
    kept: list[tuple[int, Entry]] = []
    used = added = 0
    for index, entry in ranked:
        share = room.minor if entry.worth < _MINOR else room.added
        left = room.total - used if entry.note else min(room.total - used, share - added)
        cost = _fitted(entry, left, names, counter)
        if cost is not None:
            kept.append((index, entry))
            used += cost
            added += 0 if entry.note else cost
    while kept and size([entry for _, entry in sorted(kept, key=_place)], names, counter) > room.total:
        kept.pop()
    return [entry for _, entry in sorted(kept, key=_place)]


def size(entries: Sequence[Entry], names: Mapping[int, str], counter: TokenCounter) -> int:
    """Tokens of notes as an answering model will be sent them."""
    return counter.count("\n".join(line(entry, names) for entry in entries)) if entries else 0


def line(entry: Entry, names: Mapping[int, str]) -> str:
    """A note as an answering model is sent it; a new one's id is taken to be a long one."""
    about = f", #{entry.about} {names.get(entry.about, '')}" if entry.about else ""
    return f"- {entry.note or 'n9999'} {entry.kind}{about}: {_quoted(entry.text)}"


def _fitted(entry: Entry, left: int, names: Mapping[int, str], counter: TokenCounter) -> int | None:
    """The tokens of `entry`, shortened if it must be and may be; None when it doesn't fit."""
    cost = counter.count(line(entry, names)) + _LINE_END
    if cost <= left:
        return cost
    if entry.note or entry.changed or entry.whole:
        return None
    whole = entry.text
    for length in _LENGTHS:
        entry.text = shortened(whole, length)
        cost = counter.count(line(entry, names)) + _LINE_END
        if entry.text and cost <= left and bool(figures(entry.text)) == bool(figures(whole)):
            return cost
    entry.text = whole
    return None


def _rank(pair: tuple[int, Entry]) -> tuple[float, int]:
    place, entry = pair
    return -entry.worth, place if entry.worth >= _MINOR else -place


def _place(pair: tuple[int, Entry]) -> int:
    return pair[0]


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
