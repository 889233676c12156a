"""Divides messages into turns: what a person said, with the answers to it."""

from __future__ import annotations

from collections.abc import Sequence

from bot.messages import Message

Turn = tuple[Message, ...]

# Where people write faster than they are answered, questions and answers interlock without end. Such a turn
# ends at a person's message all the same, or it could never be folded.
_LONGEST = 12


def turns(messages: Sequence[Message]) -> list[Turn]:
    """Consecutive turns that together are `messages`, in order.

    A turn begins at a person's message. It is not closed between a question and its answer, so lines that
    others wrote in between belong to the same turn (but see `_LONGEST`).
    """
    position = {message.id: index for index, message in enumerate(messages)}
    last_answer = dict.fromkeys(position, -1)
    for index, message in enumerate(messages):
        if message.answers in last_answer:
            last_answer[message.answers] = index
    found: list[list[Message]] = []
    closed_at = -1
    for index, message in enumerate(messages):
        if not found or (message.role == "user" and _ends(found[-1], index > closed_at)):
            found.append([])
        found[-1].append(message)
        closed_at = max(closed_at, last_answer[message.id])
    return [tuple(turn) for turn in found]


def _ends(turn: list[Message], answered: bool) -> bool:
    return answered or len(turn) >= _LONGEST
