"""What one version of a summary changed in the one before it."""

from __future__ import annotations

from bot.records import Note, Summary
from bot.views.model import Block, Item, Items
from bot.views.words import Words


def changes(summary: Summary, before: Summary | None, words: Words) -> list[Block]:
    """Lists of the notes that were added, revised and dropped; nothing where nothing changed.

    Notes that are withheld since (a message they rest on was changed) are not shown.
    """
    old = {note.id: note for note in before.draft.notes} if before else {}
    new = {note.id: note for note in summary.draft.notes}
    hidden = summary.stale | (before.stale if before else frozenset())
    added = [note for note in new.values() if note.id not in old]
    revised = [note for note in new.values() if note.id in old and note != old[note.id]]
    gone = [note for note in old.values() if note.id not in new]
    reasons = dict(summary.draft.dropped)
    groups = (
        (words("Added in this version"), [_item(note) for note in added if note.id not in hidden]),
        (
            words("Revised in this version"),
            [_item(note, f"← {old[note.id].text}") for note in revised if note.id not in hidden],
        ),
        (
            words("Dropped in this version"),
            [_item(note, _why(reasons.get(note.id, ""), words)) for note in gone if note.id not in hidden],
        ),
    )
    return [Items(tuple(items), heading) for heading, items in groups if items]


def _item(note: Note, remark: str = "") -> Item:
    return Item(note.text, " · ".join(part for part in (note.id, remark) if part))


def _why(reason: str, words: Words) -> str:
    return {
        "superseded": words("superseded"),
        "resolved": words("resolved"),
        "minor": words("minor"),
        "merged": words("merged"),
    }.get(reason, reason)
