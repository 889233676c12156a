"""What a store should hold after any number of operations, kept in the simplest way."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from bot.messages import Message
from bot.records import LiteralLine, Note, Partial


@dataclass(slots=True)
class Entry:
    """A message as it should be stored. `changes` counts edits and deletions."""

    id: int
    platform_ids: list[str]
    role: str
    text: str
    state: str
    sent_at: datetime
    live: bool = True
    erased: bool = False
    changes: int = 0


@dataclass(slots=True)
class Version:
    """A stored summary; `known` are the sources' changes when a note was written, and so for lines, for the
    half-folded message, and for all that reasons may quote."""

    id: int
    predecessor: int | None
    last: int
    notes: dict[Note, dict[int, int]]
    lines: dict[LiteralLine, dict[int, int]]
    partial: Partial | None
    half: dict[int, int]
    quotable: dict[int, int]


@dataclass(slots=True)
class Ledger:
    """One conversation. `ended` are the platform ids of earlier epochs, `given` the ids of all notes of this
    one; `settled` is the newest message that was there when a summary was last made."""

    epoch: int = 1
    entries: dict[int, Entry] = field(default_factory=dict)
    versions: list[Version] = field(default_factory=list)
    current: Version | None = None
    given: set[str] = field(default_factory=set)
    settled: int = 0
    ended: set[str] = field(default_factory=set)

    @property
    def watermark(self) -> int:
        return self.current.last if self.current else 0

    def live(self, after: int = 0) -> list[tuple[int, str]]:
        """Ids and texts of the live messages after an id."""
        return [(one.id, one.text) for one in self.entries.values() if one.live and one.id > after]

    def named(self, platform_id: str) -> Entry | None:
        """The message known by that id."""
        return next((one for one in self.entries.values() if platform_id in one.platform_ids), None)

    def open_turn(self) -> int | None:
        """The oldest message that waits for its answer."""
        return next((one.id for one in self.entries.values() if one.state == "open"), None)

    def changes(self, messages: Iterable[int]) -> dict[int, int]:
        """How often each message was changed up to now."""
        return {message: self.entries[message].changes for message in messages}

    def unchanged(self, known: dict[int, int]) -> bool:
        """Whether none of the messages was changed since."""
        return self.changes(known) == known

    def stale(self, version: Version) -> set[str]:
        """The notes whose sources changed since they were written."""
        return {note.id for note, known in version.notes.items() if not self.unchanged(known)}

    def lines(self, version: Version) -> tuple[LiteralLine, ...]:
        """The literal lines of messages that are as they were."""
        return tuple(line for line, known in version.lines.items() if self.unchanged(known))

    def partial(self, version: Version) -> Partial | None:
        """How far a message is folded that is as it was and may still be used."""
        if version.partial is None or not self.entries[version.partial.message].live:
            return None
        return version.partial if self.unchanged(version.half) else None

    def add(self, version: Version, read_at: datetime) -> None:
        """A summary is in force."""
        new = {note.id for note in version.notes}
        if self.current is not None:
            new -= {note.id for note in self.current.notes}
        assert not new & self.given
        self.given |= new
        read = [one.id for one in self.entries.values() if one.live and one.sent_at <= read_at]
        self.settled = max(self.settled, version.last, *read)
        self.versions.append(version)
        self.current = version

    def undo(self) -> None:
        """The one before is in force again."""
        assert self.current is not None
        before = self.current.predecessor
        self.current = next((version for version in self.versions if version.id == before), None)

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
        self.current = None
        self.given.clear()


def pairs(messages: list[Message] | tuple[Message, ...]) -> list[tuple[int, str]]:
    """Ids and texts, as `Ledger.live` gives them."""
    return [(message.id, message.text) for message in messages]
