"""A digest by extraction, for the one request in which older messages don't fit and no summary is ready."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from bot.memory.speech import person, quoted
from bot.messages import Message
from bot.ports import TokenCounter

_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]*")
_SENTENCE_LENGTH = 200


def digest(
    messages: Sequence[Message], members: Mapping[int, str], counter: TokenCounter, tokens: int
) -> str:
    """One dated, attributed line for each of the most telling messages, in order, within `tokens`.

    Sentences of people that hold numbers or names come first, then longer ones, then newer ones.
    """
    candidates = [(message, _telling(message.text)) for message in messages if message.role == "user"]
    ranked = sorted(candidates, key=lambda pair: (_weight(pair[1]), pair[0].id), reverse=True)
    chosen: dict[int, str] = {}
    left = tokens
    for message, sentence in ranked:
        line = f"- {message.sent_at:%Y-%m-%d} {person(message.number, members)}: {quoted(sentence)}"
        cost = counter.count(line) + 1
        if sentence and cost <= left:
            chosen[message.id] = line
            left -= cost
    return "\n".join(chosen[identity] for identity in sorted(chosen))


def _telling(text: str) -> str:
    sentences = [match.group().strip() for match in _SENTENCE.finditer(text)]
    return max(sentences, key=_weight, default="")[:_SENTENCE_LENGTH]


def _weight(sentence: str) -> tuple[int, int]:
    marks = len(re.findall(r"\d+|\b[A-Z]\w+|[@#]\w+", sentence))
    return min(marks, 5), min(len(sentence), 80)
