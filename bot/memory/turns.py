"""Divides messages into turns: what a person said, with the answers to it."""

from __future__ import annotations

from collections.abc import Sequence

from bot.messages import Message

Turn = tuple[Message, ...]


def turns(messages: Sequence[Message]) -> list[Turn]:
    """Consecutive turns that together are `messages`, in order.

    A turn begins at a person's message. It is never closed between a question and its answer, so lines that
    others wrote in between belong to the same turn.
    """
    position = {message.id: index for index, message in enumerate(messages)}
    last_answer = dict.fromkeys(position, -1)
    for index, message in enumerate(messages):
        if message.answers in last_answer:
            last_answer[message.answers] = index
    found: list[list[Message]] = []
    closed_at = -1
    for index, message in enumerate(messages):
        if not found or (message.role == "user" and index > closed_at):
            found.append([])
        found[-1].append(message)
        closed_at = max(closed_at, last_answer[message.id])
    return [tuple(turn) for turn in found]
