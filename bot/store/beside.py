"""What a version keeps beside its notes, as the file holds it: literal lines, drops and refusals."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Set
from dataclasses import dataclass, replace

from bot.records import LiteralLine


@dataclass(frozen=True, slots=True)
class Beside:
    """`saw` are the messages that the run knew of by earlier notes and literal lines: the reasons of drops
    and refusals may quote those, and any message of the version's range."""

    literals: tuple[LiteralLine, ...] = ()
    dropped: tuple[tuple[str, str], ...] = ()
    refused: tuple[str, ...] = ()
    saw: tuple[int, ...] = ()


def dumped(beside: Beside) -> str:
    """As JSON."""
    fields = {
        "literals": [[line.message, line.speaker, line.literals] for line in beside.literals],
        "dropped": beside.dropped,
        "refused": beside.refused,
        "saw": beside.saw,
    }
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def loaded(text: str | None) -> Beside:
    """What `dumped` wrote; nothing for NULL."""
    if text is None:
        return Beside()
    fields = json.loads(text)
    return Beside(
        tuple(LiteralLine(message, speaker, tuple(words)) for message, speaker, words in fields["literals"]),
        tuple((note, reason) for note, reason in fields["dropped"]),
        tuple(fields["refused"]),
        tuple(fields["saw"]),
    )


def struck(beside: Beside, messages: Set[int], span: tuple[int, int]) -> Beside:
    """What may stay when these messages are erased; `span` is the version's range. Which notes were dropped
    stays known, for what reason doesn't."""
    first, last = span
    left = replace(beside, literals=tuple(on_none_of(beside.literals, messages)))
    if messages.isdisjoint(beside.saw) and not any(first <= message <= last for message in messages):
        return left
    return unquoted(left)


def unquoted(beside: Beside) -> Beside:
    """Without reasons."""
    return replace(beside, dropped=tuple((note, "") for note, _ in beside.dropped), refused=())


def on_none_of(lines: Iterable[LiteralLine], messages: Container[int]) -> list[LiteralLine]:
    """The lines of other messages."""
    return [line for line in lines if line.message not in messages]
