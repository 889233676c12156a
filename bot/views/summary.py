"""The view of /summary: the notes, and which messages they rest on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from bot.messages import CommandCall
from bot.records import LiteralLine, Memory, Note, NoteKind, Summary
from bot.views.changes import changes
from bot.views.model import Action, Block, Fields, Item, Items, Paragraph, View
from bot.views.moments import moment
from bot.views.words import Words


def summary_view(
    memory: Memory, versions: Sequence[Summary], wanted: int | None, now: datetime, words: Words
) -> View:
    """The present summary, or version `wanted` of it with what it changed; its notes grouped by kind."""
    summary = memory.summary
    if wanted is not None:
        return _older(memory, versions, wanted, now, words)
    title = words("What I remember")
    waiting = len(memory.verbatim) + memory.older
    if summary is None:
        text = words("Nothing is summarised yet: all {n} messages are still read word for word.", n=waiting)
        return View("summary", title, (Paragraph(text),))
    blocks = [*_notes(summary, memory.members, words), Fields(_rows(summary, waiting, now, words))]
    return View("summary", title, tuple(blocks), _actions(summary, versions, words))


def _older(memory: Memory, versions: Sequence[Summary], wanted: int, now: datetime, words: Words) -> View:
    title = words("What I remembered")
    found = next((each for each in versions if each.version == wanted), None)
    if found is None:
        text = words("There is no version {n} of the summary.", n=wanted)
        return View("summary", title, (Paragraph(text),))
    before = next((each for each in versions if each.id == found.draft.predecessor), None)
    waiting = len(memory.verbatim) + memory.older
    blocks = [
        *changes(found, before, words),
        *_notes(found, memory.members, words),
        Fields(_rows(found, waiting, now, words)),
    ]
    return View("summary", title, tuple(blocks), _actions(found, versions, words))


def _notes(summary: Summary, members: Mapping[int, str], words: Words) -> list[Block]:
    blocks: list[Block] = [
        Items(tuple(_item(note, members, words) for note in notes), _heading(kind, words))
        for kind, notes in _grouped(summary)
    ]
    if summary.draft.literals:
        lines = tuple(_literal(line, members, words) for line in summary.draft.literals)
        blocks.append(Items(lines, words("Kept to the letter")))
    return blocks or [Paragraph(words("There are no notes."))]


def _literal(line: LiteralLine, members: Mapping[int, str], words: Words) -> Item:
    about = f"{members.get(line.speaker, '?')} · " if line.speaker else ""
    return Item(" · ".join(line.literals), f"{about}{words('from message')} #{line.message}")


def _actions(summary: Summary, versions: Sequence[Summary], words: Words) -> tuple[Action, ...]:
    """Buttons to the versions beside this one."""
    numbers = [each.version for each in versions]
    older = max((number for number in numbers if number < summary.version), default=None)
    newer = min((number for number in numbers if number > summary.version), default=None)
    found = []
    if older is not None:
        found.append(Action(words("‹ Older"), CommandCall("summary", str(older))))
    if newer is not None:
        found.append(Action(words("Newer ›"), CommandCall("summary", str(newer))))
    return tuple(found)


def _grouped(summary: Summary) -> list[tuple[NoteKind, list[Note]]]:
    groups = [(kind, [note for note in summary.notes if note.kind is kind]) for kind in NoteKind]
    return [(kind, notes) for kind, notes in groups if notes]


def _item(note: Note, members: Mapping[int, str], words: Words) -> Item:
    sources = ", ".join(f"#{source}" for source in note.sources[:5])
    more = len(note.sources) - 5
    if more > 0:
        sources += words(" and {n} more", n=more)
    about = f"{members.get(note.speaker, '?')} · " if note.speaker else ""
    return Item(note.text, f"{note.id} · {about}{words('from message')} {sources}")


def _heading(kind: NoteKind, words: Words) -> str:
    return {
        NoteKind.FACT: words("Facts"),
        NoteKind.PREFERENCE: words("Preferences"),
        NoteKind.GOAL: words("Goals"),
        NoteKind.DECISION: words("Decisions"),
        NoteKind.PROMISE: words("Promises"),
        NoteKind.CORRECTION: words("Corrections"),
        NoteKind.QUESTION: words("Open questions"),
        NoteKind.EVENT: words("Events"),
    }[kind]


def _rows(summary: Summary, waiting: int, now: datetime, words: Words) -> tuple[tuple[str, str], ...]:
    draft = summary.draft
    rows = [
        (
            words("Version"),
            words(
                "{n}, made {ago} by {model}",
                n=summary.version,
                ago=moment(summary.created_at, now, words),
                model=draft.model,
            ),
        ),
        (
            words("Covers"),
            words(
                "{n} messages, up to #{last}; {waiting} newer ones are read word for word",
                n=summary.covers,
                last=summary.watermark,
                waiting=waiting,
            ),
        ),
        (words("Size"), words("{n} tokens", n=f"{draft.tokens:,}")),
    ]
    if draft.refused:
        rows.append((words("Left out as unfounded"), str(len(draft.refused))))
    if summary.stale:
        rows.append(
            (
                words("Withdrawn"),
                words("{n} notes, since a message they rest on was changed", n=len(summary.stale)),
            )
        )
    return tuple(rows)
