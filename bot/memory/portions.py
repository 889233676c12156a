"""Cuts what is to be folded into pieces that the summariser can take, a single huge message included."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.memory.speech import quoted
from bot.memory.tokens import message_tokens
from bot.memory.turns import Turn
from bot.messages import Message
from bot.ports import TokenCounter
from bot.records import Partial

# A huge message is begun in the same piece as those before it where at least this share of the piece is free.
_BEGIN = 1 / 3
# No token has more characters on average, so what is looked at for one piece is bounded.
_CHARACTERS_A_TOKEN = 8
_END = re.compile(r"[.!?。！？…][\"'」』）)]*(?:\s+|(?=[^\x00-\x7f]))|\n")


@dataclass(frozen=True, slots=True)
class Portion:
    """One piece: its messages, and how far the last one is folded where that is a part of it only.

    A part keeps its message's id, so that notes cite the message.
    """

    messages: tuple[Message, ...]
    partial: Partial | None = None

    @property
    def whole(self) -> tuple[Message, ...]:
        """The messages that this piece folds to their ends."""
        return self.messages if self.partial is None else self.messages[:-1]


def portion(
    candidates: Sequence[Turn], limit: int, counter: TokenCounter, begun: Partial | None = None
) -> Portion:
    """The first turns that together have at most `limit` tokens, or else as much of the first one as fits.

    `begun` says how much of the first message was folded before. Only a turn that is larger than `limit` is
    divided, between its messages, or within one that is larger by itself: at the end of a line or sentence.
    """
    done = 0
    if (
        begun
        and candidates
        and candidates[0][0].id == begun.message
        and begun.done < len(candidates[0][0].text)
    ):
        done = begun.done
        first = candidates[0][0]
        rest = replace(first, text=first.text[done:])
        candidates = [(rest, *candidates[0][1:]), *candidates[1:]]
    taken: list[Message] = []
    left = limit
    for turn in candidates:
        left -= size(turn, counter)
        if left < 0:
            break
        taken.extend(turn)
    return Portion(tuple(taken)) if taken else _divided(candidates[0], limit, counter, done)


def size(messages: Sequence[Message], counter: TokenCounter) -> int:
    """Tokens of messages as they are quoted to the summariser."""
    return sum(message_tokens(counter, quoted(message.text)) for message in messages)


def _divided(turn: Turn, limit: int, counter: TokenCounter, done: int) -> Portion:
    taken: list[Message] = []
    left = limit
    for message in turn:
        cost = size([message], counter)
        if cost <= left:
            taken.append(message)
            left -= cost
        elif not taken or (cost > limit and left >= limit * _BEGIN):
            text = _beginning(message, left, counter)
            partial = Partial(message.id, (0 if taken else done) + len(text))
            return Portion((*taken, replace(message, text=text)), partial)
        else:
            break
    return Portion(tuple(taken))


def _beginning(message: Message, room: int, counter: TokenCounter) -> str:
    """The start of a message that fits into `room` tokens, at least one character."""
    text = message.text[: max(room, 1) * _CHARACTERS_A_TOKEN]
    tokens = room
    while tokens > 1:
        head = counter.cut(text, tokens)
        if size([replace(message, text=head)], counter) <= room:
            return _at_an_end(head) or text[:1]
        tokens = tokens * 3 // 4
    return text[:1]


def _at_an_end(head: str) -> str:
    """`head` up to its last line, sentence or word that ends in its second half."""
    half = len(head) // 2
    ends = [match.end() for match in _END.finditer(head, half)]
    space = head.rfind(" ", half) + 1
    return head[: ends[-1]] if ends else head[: space or len(head)]
