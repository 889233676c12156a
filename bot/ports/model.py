"""What the core needs of a language model and its tokenizer."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal, Protocol


@dataclass(frozen=True, slots=True)
class ModelMessage:
    """One entry of a request. Background (summary, digest) has the role "developer"."""

    role: Literal["developer", "user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """Everything a model is asked, independent of the API that carries it.

    `instructions` is the persona or the summariser's task; `schema` a JSON schema (strict) that the answer
    should follow, named `schema_name`; `max_output_tokens` bounds the answer, reasoning included.
    """

    purpose: Literal["answer", "summary"]
    instructions: str
    messages: tuple[ModelMessage, ...]
    max_output_tokens: int
    temperature: float | None = None
    schema: Mapping[str, Any] | None = None
    schema_name: str = ""


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of a streamed answer."""

    text: str


class Finish(StrEnum):
    """Why the model stopped."""

    STOP = "stop"
    LENGTH = "length"
    FILTER = "filter"
    TOOL = "tool"
    REFUSAL = "refusal"


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider reported them; `cached` is part of `input`, `reasoning` part of `output`."""

    input: int
    output: int
    cached: int = 0
    reasoning: int = 0


@dataclass(frozen=True, slots=True)
class Completion:
    """A whole answer. `usage` is None where the provider does not report it."""

    text: str
    finish: Finish
    model: str
    usage: Usage | None = None


class ChatModel(Protocol):
    """A language model. Every method raises `bot.errors.ModelError` and nothing else of its own."""

    @property
    def name(self) -> str:
        """The model's name as the provider knows it."""
        ...

    def stream(self, request: ModelRequest) -> AsyncIterator[TextDelta | Completion]:
        """Deltas as they come, then exactly one Completion whose text is their concatenation.

        A stream that ends without the provider's own end raises ModelInterrupted; an answer without
        text raises ModelEmpty; a filtered one ModelFiltered. Finish LENGTH is returned, not raised.
        """
        ...

    async def complete(self, request: ModelRequest) -> Completion:
        """The whole answer at once. Whatever came is returned, text may be empty: the caller judges."""
        ...

    async def count_input(self, request: ModelRequest) -> int:
        """Input tokens by the provider's own counting. ModelRejected or ModelNotFound where it has none."""
        ...

    async def check(self) -> None:
        """Return if the model can be reached with this key; otherwise raise the ModelError that says why."""
        ...

    async def close(self) -> None:
        """Release connections. The model is not used afterwards."""
        ...


class TokenCounter(Protocol):
    """Counts text as the model's tokenizer does. Special tokens count as the plain text they are."""

    def count(self, text: str) -> int: ...

    def cut(self, text: str, tokens: int) -> str:
        """The longest start of `text` that has at most `tokens` tokens."""
        ...
