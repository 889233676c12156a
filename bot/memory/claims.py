"""Judges single edits of a summariser: who said it, in which language, and whether it states anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.memory.grounding import Said, missing
from bot.memory.intent import instructs, invents_a_request, states_a_question
from bot.memory.language import in_language, strange_language, strange_script
from bot.memory.notes import Add, Drop, Edit, Revise
from bot.messages import Message
from bot.records import Note, NoteKind

Claim = Add | Revise


@dataclass(frozen=True, slots=True)
class Ground:
    """What edits may rest on: the notes before, and the messages that are folded."""

    notes: Sequence[Note]
    messages: Sequence[Message]

    def old(self, claim: Claim) -> Note | None:
        """The note that a claim revises."""
        return next(
            (note for note in self.notes if isinstance(claim, Revise) and note.id == claim.note), None
        )

    def sources(self, claim: Claim) -> list[Message]:
        """The messages of this piece that a claim cites."""
        return [message for message in self.messages if message.id in claim.sources]

    def said(self, claim: Claim) -> list[Said]:
        """Everything that a claim may take its words from, with the time it was said where that is known."""
        told: list[Said] = [(message.text, message.sent_at) for message in self.sources(claim)]
        old = self.old(claim)
        return [*told, (old.text, None)] if old else told

    @property
    def everything(self) -> str:
        """What people and notes say, as the conversation's language goes."""
        people = (message.text for message in self.messages if message.number)
        return "\n".join([*people, *(note.text for note in self.notes)])


def faults(edits: Sequence[Edit], ground: Ground) -> list[str]:
    """Why each edit can't stand, "" where it can, in the order of `edits`."""
    claims = [edit for edit in edits if not isinstance(edit, Drop)]
    texts = [claim.text for claim in claims]
    language = strange_language(
        texts, "\n".join(words for claim in claims for words, _ in ground.said(claim))
    )
    return ["" if isinstance(edit, Drop) else _fault(edit, ground, language) for edit in edits]


def _fault(claim: Claim, ground: Ground, language: str) -> str:
    words = "\n".join(text for text, _ in ground.said(claim))
    unknown = missing(claim.text, ground.said(claim))
    if language and in_language(claim.text, language):
        problem = f"is in {language}, which its sources are not"
    elif unknown:
        problem = f"says {', '.join(sorted(unknown))}, which its sources don't"
    else:
        problem = (
            _attribution(claim, ground)
            or _intent(claim, ground)
            or strange_script(claim.text, words, ground.everything)
        )
    return f"the note {claim.text!r} {problem}" if problem else ""


def _attribution(claim: Claim, ground: Ground) -> str:
    """A claim about a person needs that person's own words; a note that is revised may stay theirs."""
    old = ground.old(claim)
    speakers = {message.number for message in ground.sources(claim)}
    if not claim.speaker or claim.speaker in speakers or (old and old.speaker == claim.speaker):
        return ""
    if speakers == {0}:
        return "is about a person and rests on the bot's own words only"
    return f"attributes a fact to the wrong speaker: none of its sources is by #{claim.speaker}"


def _intent(claim: Claim, ground: Ground) -> str:
    sources = ground.sources(claim)
    people = [message.text for message in sources if message.number]
    if instructs(claim.text):
        return "reads as an instruction; what somebody demands is noted as what they said"
    told_by_bot = len(people) < len(sources) and not claim.speaker
    if claim.kind is not NoteKind.QUESTION and not told_by_bot and states_a_question(claim.text, people):
        return "turns a question into a fact"
    old = ground.old(claim)
    own = [message.text for message in sources if message.number and claim.speaker in {0, message.number}]
    if invents_a_request(claim.text, [*own, old.text] if old else own):
        return "reports a request that its sources don't hold"
    return ""
