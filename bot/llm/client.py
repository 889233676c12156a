"""The ChatModel over OpenAI's SDK: one seam for calls, retries, time limits and errors."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Awaitable, Callable
from contextvars import ContextVar
from typing import Any, Protocol, TypeVar

import httpx2
import structlog
from openai import (
    APIConnectionError,
    APIError,
    APIStatusError,
    AsyncOpenAI,
    AsyncStream,
    DefaultAsyncHttpxClient,
    NotFoundError,
)

from bot.errors import ModelBusy, ModelError, ModelFailed, ModelInterrupted, ModelRejected, ModelTimeout
from bot.llm import chat_completions, responses
from bot.llm.dialect import Dialect
from bot.llm.endpoint import Endpoint
from bot.llm.partial import Partial
from bot.llm.problems import RAISED, is_filter, retry_after, translate
from bot.ports import Completion, ModelRequest, TextDelta

T = TypeVar("T")

_CONNECT = 10.0
_log = structlog.get_logger(__name__)


class Wire(Protocol):
    """What `client` needs to know of an API; the modules `responses` and `chat_completions` are two."""

    def arguments(
        self, request: ModelRequest, model: str, dialect: Dialect, streamed: bool
    ) -> dict[str, Any]: ...

    async def whole(self, client: AsyncOpenAI, asked: dict[str, Any]) -> Completion: ...

    async def begin(self, client: AsyncOpenAI, asked: dict[str, Any]) -> AsyncStream[Any]: ...

    def take(self, event: Any, partial: Partial) -> str: ...


class OpenAIModel:
    """A ChatModel at OpenAI or at any server that speaks one of its APIs."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._wire: Wire = chat_completions
        if endpoint.api == "responses":
            self._wire = responses
        self._dialect = Dialect(endpoint.model, endpoint.base_url, endpoint.developer_role)
        self._client = AsyncOpenAI(
            api_key=endpoint.key,
            base_url=endpoint.base_url,
            timeout=httpx2.Timeout(endpoint.timeout, connect=min(_CONNECT, endpoint.timeout)),
            max_retries=endpoint.max_retries,
            http_client=DefaultAsyncHttpxClient(event_hooks={"response": [self._heed]}),
        )
        # When the call that runs in this task has to have begun its answer, by the loop's clock.
        self._deadline: ContextVar[float] = ContextVar("deadline", default=math.inf)

    @property
    def name(self) -> str:
        return self._endpoint.model

    async def stream(self, request: ModelRequest) -> AsyncIterator[TextDelta | Completion]:
        partial = Partial(self.name)
        stream = await self._ask(request, self._wire.begin, streamed=True)
        try:
            async with stream:
                async for event in stream:
                    if piece := self._wire.take(event, partial):
                        partial.pieces.append(piece)
                        yield TextDelta(piece)
        except RAISED as error:
            # Once the provider has said its end, only figures can have been lost.
            if partial.finish is None:
                raise self._broken(error, partial) from error
        yield partial.completion()

    async def complete(self, request: ModelRequest) -> Completion:
        return await self._ask(request, self._wire.whole, streamed=False)

    async def count_input(self, request: ModelRequest) -> int:
        asked = self._dialect.trim(responses.counted(request, self.name, self._dialect))
        counted = await self._call(self._client.responses.input_tokens.count(**asked))
        if not isinstance(tokens := getattr(counted, "input_tokens", None), int):
            raise ModelRejected("the provider counts no tokens")
        return tokens

    async def check(self) -> None:
        """Ask for the list of models, and for this one by name where the list does not hold it."""
        listed = await self._call(self._models())
        if self.name not in listed:
            try:
                await self._client.models.retrieve(self.name)
            except NotFoundError as error:
                # Servers without this address answer 404 as well, but not about the model.
                if error.code == "model_not_found":
                    raise self._translated(error) from error
            except RAISED as error:
                _log.debug("model can't be looked up", model=self.name, error=str(error))

    async def close(self) -> None:
        await self._client.close()

    async def _ask(
        self,
        request: ModelRequest,
        send: Callable[[AsyncOpenAI, dict[str, Any]], Awaitable[T]],
        streamed: bool,
    ) -> T:
        """Send a request; when the model refuses one of its parameters, again without it."""
        while True:
            asked = self._dialect.trim(self._wire.arguments(request, self.name, self._dialect, streamed))
            try:
                async with self._in_time():
                    return await send(self._client, asked)
            except TimeoutError as error:
                raise self._late() from error
            except RAISED as error:
                if (name := self._learned(error, asked)) is None:
                    raise self._translated(error) from error
                _log.info("the model refuses a parameter, going on without", model=self.name, parameter=name)

    def _learned(self, error: Exception, asked: dict[str, Any]) -> str | None:
        if isinstance(error, APIStatusError) and is_filter(error):
            return None
        return self._dialect.learn(error, asked)

    async def _models(self) -> set[str]:
        return {model.id async for model in self._client.models.list()}

    async def _call(self, call: Awaitable[T]) -> T:
        try:
            async with self._in_time():
                return await call
        except TimeoutError as error:
            raise self._late() from error
        except RAISED as error:
            raise self._translated(error) from error

    def _in_time(self) -> asyncio.Timeout:
        deadline = asyncio.get_running_loop().time() + self._endpoint.timeout
        self._deadline.set(deadline)
        return asyncio.timeout_at(deadline)

    async def _heed(self, response: httpx2.Response) -> None:
        """The SDK waits as long as a provider asks; here nobody is left waiting beyond the time limit."""
        if response.status_code in (429, 503):
            wanted = retry_after(response.headers) or 0.0
            if asyncio.get_running_loop().time() + wanted >= self._deadline.get():
                text = f"status {response.status_code}, to be asked again in {wanted:g} s"
                raise ModelBusy(text, wanted) if response.status_code == 429 else ModelFailed(text)

    def _late(self) -> ModelTimeout:
        return ModelTimeout(f"no answer within {self._endpoint.timeout:g} s")

    def _translated(self, error: Exception) -> ModelError:
        return translate(error, self._endpoint.key)

    def _broken(self, error: Exception, partial: Partial) -> ModelError:
        """The error for a stream that broke while it was read."""
        known = self._translated(error)
        reported = isinstance(error, APIError) and not isinstance(error, APIConnectionError)
        if reported or (isinstance(known, ModelTimeout) and not partial.pieces):
            return known
        return ModelInterrupted(f"the stream broke off: {known}", partial.text)
