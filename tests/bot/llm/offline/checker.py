"""Judges the model's edits by the rules that a summary has to keep, and applies them."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.llm.offline import OfflineModel
from bot.ports import TokenCounter
from tests.bot.llm.offline.requests import PEOPLE, quoted, summing

KINDS = {"fact", "preference", "goal", "decision", "promise", "correction", "question", "event"}
REASONS = {"superseded", "resolved", "minor"}
_LITERAL = re.compile(r"https?://\S+[\w/]|[\w.+-]+@[\w-]+\.\w+|\d+(?:[.,:/-]\d+)*")
# What the wrapping of a message in a request costs.
_WRAPPING = 4


@dataclass(frozen=True, slots=True)
class Note:
    """An accepted note."""

    id: str
    kind: str
    about: int
    text: str

    @property
    def row(self) -> str:
        """As a summary request shows it."""
        return f"{self.id} {self.kind}{f' #{self.about}' if self.about else ''} {quoted(self.text)}"

    @property
    def line(self) -> str:
        """As an answering model is sent it."""
        about = f", #{self.about} {PEOPLE[self.about]}" if self.about else ""
        return f"- {self.id} {self.kind}{about}: {quoted(self.text)}"


@dataclass(slots=True)
class Memory:
    """Folds pieces of a conversation one after the other and refuses what may not stand."""

    model: OfflineModel
    counter: TokenCounter
    limit: int = 1200
    notes: list[Note] = field(default_factory=list)
    next_note: int = 1

    async def fold(self, messages: Sequence[tuple[int, str]], refused: str = "") -> list[dict[str, Any]]:
        """One summary request; its operations, all of them checked and applied."""
        present = [note.row for note in self.notes]
        before = self.size()
        request = summing(messages, present, limit=self.limit, refused=refused)
        completion = await self.model.complete(request)
        operations: list[dict[str, Any]] = json.loads(completion.text)["operations"]
        for operation in operations:
            self._apply(operation, messages)
        after = self.size()
        folded = sum(self.counter.count(quoted(text)) + _WRAPPING for _, text in messages)
        assert self.notes, "a summary has at least one note"
        assert after <= self.limit
        assert after < before + folded, "the notes are smaller than what they replace"
        return operations

    def size(self) -> int:
        """Tokens of all notes."""
        return self.counter.count("\n".join(note.line for note in self.notes)) if self.notes else 0

    @property
    def texts(self) -> list[str]:
        return [note.text for note in self.notes]

    def _apply(self, operation: dict[str, Any], messages: Sequence[tuple[int, str]]) -> None:
        known = {note.id: place for place, note in enumerate(self.notes)}
        sources = operation["sources"]
        assert all(1 <= source <= len(messages) for source in sources)
        if operation["op"] == "drop":
            assert operation["reason"] in REASONS
            del self.notes[known[operation["note"]]]
            return
        assert operation["op"] in {"add", "revise"}
        place = known[operation["note"]] if operation["op"] == "revise" else None
        old = self.notes[place].text if place is not None else ""
        self._check_claim(operation, messages, old)
        identity = f"n{self.next_note}" if place is None else self.notes[place].id
        note = Note(identity, operation["kind"], operation["about"], operation["text"])
        if place is None:
            self.notes.append(note)
            self.next_note += 1
        else:
            self.notes[place] = note

    def _check_claim(self, operation: dict[str, Any], messages: Sequence[tuple[int, str]], old: str) -> None:
        text, sources = operation["text"], operation["sources"]
        assert operation["kind"] in KINDS
        assert operation["about"] in {0, *(speaker for speaker, _ in messages)}
        assert sources, "a note rests on messages"
        assert " ".join(text.split()) == text != ""
        assert len(text) <= 300
        words = _plain("\n".join([old, *(messages[source - 1][1] for source in sources)]))
        for literal in _LITERAL.findall(_plain(text)):
            assert literal in words, f"{literal} is in no source of {text!r}"


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text)
