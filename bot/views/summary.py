"""The view of /summary: the notes, and which messages they rest on."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from bot.records import Memory, Note, NoteKind, Summary
from bot.views.model import Block, Fields, Item, Items, Paragraph, View
from bot.views.moments import moment
from bot.views.words import Words


def summary_view(memory: Memory, now: datetime, words: Words) -> View:
    """The present summary, its notes grouped by kind; without one it says what holds instead."""
    summary = memory.summary
    title = words("What I remember")
    waiting = len(memory.verbatim) + memory.older
    if summary is None:
        text = words("Nothing is summarised yet: all {n} messages are still read word for word.", n=waiting)
        return View("summary", title, (Paragraph(text),))
    blocks: list[Block] = [
        Items(tuple(_item(note, memory.members, words) for note in notes), _heading(kind, words))
        for kind, notes in _grouped(summary)
    ]
    if not blocks:
        blocks.append(Paragraph(words("There are no notes.")))
    blocks.append(Fields(_rows(summary, waiting, now, words)))
    return View("summary", title, tuple(blocks))


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
    if summary.stale:
        rows.append(
            (
                words("Withdrawn"),
                words("{n} notes, since a message they rest on was changed", n=len(summary.stale)),
            )
        )
    return tuple(rows)
