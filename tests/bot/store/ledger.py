"""What a store should hold after any number of operations, kept in the simplest way."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.messages import Message
from bot.records import Note


@dataclass(slots=True)
class Entry:
    """A message as it should be stored. `changes` counts edits and deletions."""

    id: int
    platform_ids: list[str]
    role: str
    text: str
    state: str
    live: bool = True
    erased: bool = False
    changes: int = 0


@dataclass(slots=True)
class Version:
    """A stored summary; `known` are the sources' changes when a note was written."""

    id: int
    last: int
    notes: dict[Note, dict[int, int]]


@dataclass(slots=True)
class Ledger:
    """One conversation. `ended` are the platform ids of earlier epochs."""

    epoch: int = 1
    entries: dict[int, Entry] = field(default_factory=dict)
    versions: list[Version] = field(default_factory=list)
    ended: set[str] = field(default_factory=set)

    @property
    def watermark(self) -> int:
        return self.versions[-1].last if self.versions else 0

    def live(self, after: int = 0) -> list[tuple[int, str]]:
        """Ids and texts of the live messages after an id."""
        return [(one.id, one.text) for one in self.entries.values() if one.live and one.id > after]

    def named(self, platform_id: str) -> Entry | None:
        """The message known by that id."""
        return next((one for one in self.entries.values() if platform_id in one.platform_ids), None)

    def open_turn(self) -> int | None:
        """The oldest message that waits for its answer."""
        return next((one.id for one in self.entries.values() if one.state == "open"), None)

    def changes(self, note: Note) -> dict[int, int]:
        """How often each source of a note was changed up to now."""
        return {source: self.entries[source].changes for source in note.sources}

    def stale(self, version: Version) -> set[str]:
        """The notes whose sources changed since they were written."""
        return {note.id for note, known in version.notes.items() if self.changes(note) != known}

    def erase(self, entry: Entry) -> None:
        """A message is gone; only that it was there is known."""
        entry.text, entry.live, entry.erased, entry.changes = "", False, True, entry.changes + 1
        if entry.state == "open":
            entry.state = "failed"

    def reset(self) -> None:
        """All is gone; only which messages were there is known."""
        self.ended |= {known for one in self.entries.values() for known in one.platform_ids}
        self.epoch += 1
        self.entries.clear()
        self.versions.clear()


def pairs(messages: list[Message] | tuple[Message, ...]) -> list[tuple[int, str]]:
    """Ids and texts, as `Ledger.live` gives them."""
    return [(message.id, message.text) for message in messages]
