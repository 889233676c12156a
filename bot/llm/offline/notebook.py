"""The notes as they change while messages are folded: added, corrected, and settled questions taken out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from bot.llm.offline.corrections import Claim, corrected, marked, supersedes
from bot.llm.offline.kinds import (
    NOTABLE,
    courtesy,
    is_demand,
    is_question,
    is_request,
    is_unsure,
    kind_of,
    worth,
)
from bot.llm.offline.material import OldNote, Told
from bot.llm.offline.script import folded
from bot.llm.offline.sentences import LENGTH, clauses, collapsed, shortened, statements
from bot.llm.offline.terms import cues, figures, is_faithful, question_terms, statement_terms
from bot.llm.offline.wording import reworded, speech

# So much of a statement's terms in a note of the same person makes it a repetition.
_REPEATED = 0.85
# So much of a question's terms in a statement makes it the answer.
_SETTLED = 0.6

# A corrected note may be longer than others by so many characters.
_GROWTH = 60

_COMMITMENT = re.compile(r"\bi(?:'ll| will) remind\b|\bi promise\b|我会提醒|我(?:答应|保证)")
_DENIAL = re.compile(r"\b(?:not|no|never|none|without)\b|n't\b|[不没无别]")


@dataclass(slots=True)
class Entry:
    """A note, present or new. `note` is the id of a present one, "" for a new one.

    `sources` are the numbers of messages in this request that it rests on or was changed by; `whole`: it may
    not be shortened; `gone` is why it has to go, "" while it stays.
    """

    kind: str
    about: int
    text: str
    sources: list[int] = field(default_factory=list)
    note: str = ""
    changed: bool = False
    whole: bool = False
    gone: str = ""

    @property
    def worth(self) -> float:
        """How much it is worth keeping."""
        return worth(self.kind, self.text)


class Notebook:
    """Notes on their way from one summary to the next. `careful`: keep to people's sentences as they are."""

    def __init__(self, notes: tuple[OldNote, ...], *, careful: bool) -> None:
        self.entries = [Entry(note.kind, note.about, note.text, note=note.id) for note in notes]
        self._careful = careful
        self._asked: list[Entry] = []

    def read(self, message: Told) -> None:
        """Take in one message. Messages come in order."""
        if message.speaker:
            self._read_person(message)
        else:
            self._read_bot(message)

    def _read_person(self, message: Told) -> None:
        units = statements(message.text)
        for unit, is_marked in zip(units, marked(units), strict=True):
            if courtesy(unit):
                continue
            if is_question(unit):
                self._ask(unit, message)
                continue
            self._settle(unit, message.number)
            if is_demand(unit) and not is_request(unit):
                self._demand(unit, message)
                continue
            changes = self._correct(unit, message) if is_marked else self._supersede(unit, message)
            if not (changes or is_request(unit) or self._repeats(unit, message.speaker)):
                self._add(kind_of(unit), unit, message)

    def _read_bot(self, message: Told) -> None:
        for unit in statements(message.text):
            if not is_question(unit):
                self._settle(unit, message.number)
                if _COMMITMENT.search(folded(unit)) and not self._repeats(unit, 0):
                    self._add("promise", unit, message)
        if not is_unsure(message.text):
            for entry in self._asked:
                entry.gone = "resolved"
        self._asked.clear()

    def _ask(self, unit: str, message: Told) -> None:
        if question_terms(unit) and not self._repeats(unit, message.speaker):
            entry = self._add("question", unit, message)
            if entry:
                self._asked.append(entry)

    def _add(self, kind: str, unit: str, message: Told) -> Entry | None:
        text = shortened(unit)
        if not text or worth(kind, text) < NOTABLE:
            return None
        entry = Entry(kind, message.speaker, text, [message.number])
        self.entries.append(entry)
        return entry

    def _demand(self, unit: str, message: Told) -> None:
        """What somebody demands is noted as what they said: in a note it must not read as an instruction."""
        text = speech(unit)
        if text and not self._repeats(text, message.speaker):
            self.entries.append(Entry("preference", message.speaker, text, [message.number], whole=True))

    def _settle(self, unit: str, number: int) -> None:
        """Take out the questions that a statement answers."""
        terms = statement_terms(unit)
        for entry in self._standing():
            if entry.kind != "question":
                continue
            asked = question_terms(entry.text)
            content = {term for term in asked if not term.startswith("?")}
            enough = content and len(content & terms) >= _SETTLED * len(content)
            if enough and cues(asked) <= terms:
                entry.gone = "resolved"
                entry.sources.append(number)

    def _correct(self, unit: str, message: Told) -> bool:
        """Put the corrected fact in the place of what `unit` corrects, if there is such a thing."""
        places = self._places()
        target = corrected(
            Claim.of(unit, message.speaker), [Claim.of(clause, entry.about) for entry, clause in places]
        )
        if target is None:
            return False
        entry, clause = places[target]
        return self._replace(entry, clause, unit, message)

    def _supersede(self, unit: str, message: Told) -> bool:
        if not figures(unit):
            return False
        new = Claim.of(unit, message.speaker)
        for entry, clause in reversed(self._places()):
            if supersedes(new, Claim.of(clause, entry.about)):
                return self._replace(entry, clause, unit, message)
        return False

    def _places(self) -> list[tuple[Entry, str]]:
        """What can be corrected: the clauses of all notes that aren't questions, oldest first."""
        return [
            (entry, clause)
            for entry in self._standing()
            if entry.kind != "question"
            for clause in clauses(entry.text)
        ]

    def _replace(self, entry: Entry, clause: str, unit: str, message: Told) -> bool:
        """Correct `clause` of a note, or all of the note where the rest doesn't go with it any more."""
        text = unit if self._careful else reworded(clause, unit)
        inner = text if entry.text.endswith(clause) else text.rstrip(".。!！")
        whole = collapsed(entry.text.replace(clause, inner))
        for wording in (whole, collapsed(text), unit):
            fits = len(wording) <= LENGTH + _GROWTH and not is_demand(wording)
            if fits and is_faithful(wording, entry.text, unit):
                entry.text = wording
                entry.kind, entry.about, entry.changed = "correction", message.speaker, True
                entry.sources.append(message.number)
                return True
        return False

    def _repeats(self, unit: str, speaker: int) -> bool:
        terms = _said(unit)
        for entry in self._standing():
            if entry.about not in (speaker, 0) or _denies(entry.text) != _denies(unit):
                continue
            if (entry.kind == "question") != is_question(unit) or not figures(unit) <= figures(entry.text):
                continue
            known = _said(entry.text)
            if len(terms & known) >= _REPEATED * len(terms) if terms else entry.text == unit:
                return True
        return False

    def _standing(self) -> Iterator[Entry]:
        return (entry for entry in self.entries if not entry.gone)


def _said(text: str) -> set[str]:
    return {term for term in statement_terms(text) if not term.startswith(("?", "~"))}


def _denies(text: str) -> bool:
    return bool(_DENIAL.search(folded(text)))
