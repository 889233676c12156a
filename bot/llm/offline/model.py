"""The built-in model: answers by quoting, summarises by extraction, needs no key and no network."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

from bot.errors import ModelEmpty
from bot.llm.offline.answering import answer
from bot.llm.offline.summary import summarise
from bot.ports import Completion, Finish, ModelRequest, TextDelta, TokenCounter, Usage

_NAME = "offline"
# The chat format's overhead: tokens around each message, and before the reply.
_PER_MESSAGE = 3
_PER_REPLY = 3
_PIECE = re.compile(r"[\u3000-\u9fff\uff00-\uffef]{1,2}|[^\s\u3000-\u9fff\uff00-\uffef]+\s*|\s+")


class OfflineModel:
    """A deterministic ChatModel. `pace` is the pause before each piece of a streamed answer, in seconds."""

    def __init__(
        self,
        counter: TokenCounter,
        pace: float = 0.0,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._counter = counter
        self._pace = pace
        self._sleep = sleep

    @property
    def name(self) -> str:
        """Always "offline"."""
        return _NAME

    async def stream(self, request: ModelRequest) -> AsyncIterator[TextDelta | Completion]:
        """The answer word by word (Chinese by two characters), then the whole of it."""
        completion = await self.complete(request)
        if not completion.text:
            raise ModelEmpty("the answer's length limit leaves no room for a word")
        for piece in _pieces(completion.text):
            if self._pace > 0:
                await self._sleep(self._pace)
            yield TextDelta(piece)
        yield completion

    async def complete(self, request: ModelRequest) -> Completion:
        """The whole answer; cut, with finish LENGTH, where it exceeds the request's limit."""
        whole = summarise(request, self._counter) if request.purpose == "summary" else answer(request)
        text, finish = whole, Finish.STOP
        if self._counter.count(whole) > request.max_output_tokens:
            text, finish = self._counter.cut(whole, request.max_output_tokens), Finish.LENGTH
        usage = Usage(await self.count_input(request), self._counter.count(text))
        return Completion(text, finish, _NAME, usage)

    async def count_input(self, request: ModelRequest) -> int:
        """Tokens of instructions and messages with the chat format's overhead."""
        texts = (request.instructions, *(message.text for message in request.messages))
        return sum(self._counter.count(text) + _PER_MESSAGE for text in texts) + _PER_REPLY

    async def check(self) -> None:
        """It can always be reached."""

    async def close(self) -> None:
        """It holds nothing."""


def _pieces(text: str) -> Iterator[str]:
    return (match.group() for match in _PIECE.finditer(text))
