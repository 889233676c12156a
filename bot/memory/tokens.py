"""Counts tokens as the model will, with the chat format's own overhead."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import tiktoken
from tiktoken.model import encoding_name_for_model

from bot.memory.vocabulary import ENCODINGS
from bot.ports import ModelMessage, TokenCounter

# Each message is wrapped in three tokens and names its role in one; every reply is primed with three.
# Source: OpenAI Cookbook, "How to count tokens with tiktoken".
PER_MESSAGE = 4
PER_REPLY = 3


def encoding_for(model: str) -> str:
    """Name of the vocabulary of `model`; o200k_base for every model that tiktoken does not know."""
    try:
        name = encoding_name_for_model(model)
    except KeyError:
        return ENCODINGS[0]
    return name if name in ENCODINGS else ENCODINGS[0]


class TiktokenCounter:
    """TokenCounter by tiktoken. Texts that look like special tokens count as the plain text they are."""

    def __init__(self, encoding: str, remembered: int = 4096) -> None:
        self._encoding = tiktoken.get_encoding(encoding)
        # The same messages are counted turn after turn; remembering them keeps a turn's time flat.
        self._count = lru_cache(maxsize=remembered)(self._count_anew)

    def count(self, text: str) -> int:
        """Number of tokens of `text`."""
        return self._count(text)

    def cut(self, text: str, tokens: int) -> str:
        """The longest start of `text` of at most `tokens` tokens, ending at a whole character."""
        encoded = self._encoding.encode(text, disallowed_special=())
        if len(encoded) <= tokens:
            return text
        return self._encoding.decode(encoded[: max(tokens, 0)], errors="ignore")

    def _count_anew(self, text: str) -> int:
        return len(self._encoding.encode(text, disallowed_special=()))


def message_tokens(counter: TokenCounter, text: str) -> int:
    """Tokens of one message of a request, its wrapping included."""
    return PER_MESSAGE + counter.count(text)


def request_tokens(counter: TokenCounter, instructions: str, messages: Iterable[ModelMessage]) -> int:
    """Tokens of a whole request: instructions, messages and the priming of the reply."""
    told = message_tokens(counter, instructions) + PER_REPLY
    return told + sum(message_tokens(counter, message.text) for message in messages)
