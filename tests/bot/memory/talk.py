"""Builds messages for tests of the memory."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from bot.messages import Message, Speaker

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
MEMBERS = {1: "Ann", 2: "Bob"}


def said(number: int, text: str, *, by: int = 1, after: timedelta = timedelta(0)) -> Message:
    """A person's message with this id."""
    speaker = Speaker(f"person-{by}", MEMBERS.get(by, "?"))
    return Message(number, "user", speaker, by, text, NOON + after, f"p{number}")


def answered(number: int, text: str, to: int) -> Message:
    """The bot's answer to a message."""
    return Message(number, "assistant", Speaker("bot", "Memora", is_bot=True), 0, text, NOON, answers=to)


def dialogue(turns: int, text: str = "Line {n} tells of a thing.", answer: str = "I see.") -> list[Message]:
    """Alternating messages with ids from 1."""
    found: list[Message] = []
    for turn in range(turns):
        found.append(said(2 * turn + 1, text.format(n=turn)))
        found.append(answered(2 * turn + 2, answer, 2 * turn + 1))
    return found
