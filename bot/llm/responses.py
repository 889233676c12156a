"""The Responses API: how a request is worded for it, and how its answers and events are read."""

from __future__ import annotations

from typing import Any, cast

from openai import AsyncOpenAI, AsyncStream
from openai.types.responses import (
    Response,
    ResponseCompletedEvent,
    ResponseErrorEvent,
    ResponseFailedEvent,
    ResponseIncompleteEvent,
    ResponseRefusalDeltaEvent,
    ResponseStreamEvent,
    ResponseTextDeltaEvent,
)

from bot.errors import ModelFailed
from bot.llm.dialect import Dialect
from bot.llm.partial import Partial, tokens
from bot.llm.problems import reported
from bot.ports import Completion, Finish, ModelRequest, Usage

_INCOMPLETE = {"max_output_tokens": Finish.LENGTH, "content_filter": Finish.FILTER}


def arguments(request: ModelRequest, model: str, dialect: Dialect, streamed: bool) -> dict[str, Any]:
    """The parameters of the call. Nothing is to be kept by the provider (`store`)."""
    asked = counted(request, model, dialect)
    asked |= {"max_output_tokens": request.max_output_tokens, "store": False, "stream": streamed}
    if request.temperature is not None:
        asked["temperature"] = request.temperature
    return asked


def counted(request: ModelRequest, model: str, dialect: Dialect) -> dict[str, Any]:
    """The part of the parameters that makes up the input."""
    asked: dict[str, Any] = {"model": model}
    if request.instructions:
        asked["instructions"] = request.instructions
    asked["input"] = [
        {"role": dialect.developer if entry.role == "developer" else entry.role, "content": entry.text}
        for entry in request.messages
    ]
    if request.schema is not None:
        form = {"type": "json_schema", "name": request.schema_name, "strict": True}
        asked["text"] = {"format": {**form, "schema": dict(request.schema)}}
    return asked


async def whole(client: AsyncOpenAI, asked: dict[str, Any]) -> Completion:
    """Ask for the answer in one piece."""
    return completion(cast(Response, await client.responses.create(**asked)))


async def begin(client: AsyncOpenAI, asked: dict[str, Any]) -> AsyncStream[ResponseStreamEvent]:
    """Ask for the answer as events."""
    return cast(AsyncStream[ResponseStreamEvent], await client.responses.create(**asked))


def take(event: ResponseStreamEvent, partial: Partial) -> str:
    """Note what `event` says of the answer; the text it carries. Raises ModelError when it reports one."""
    if isinstance(event, ResponseTextDeltaEvent | ResponseRefusalDeltaEvent):
        return event.delta
    if isinstance(event, ResponseErrorEvent):
        raise reported(event.code or "", event.message)
    if isinstance(event, ResponseCompletedEvent | ResponseIncompleteEvent | ResponseFailedEvent):
        final = completion(event.response)
        partial.finish, partial.usage, partial.model = final.finish, final.usage, final.model
        # Some servers stream the end only.
        return "" if partial.pieces else final.text
    return ""


def completion(response: Response) -> Completion:
    """A response object as a completion. Raises ModelError when it reports a failure."""
    if response.status in ("failed", "cancelled"):
        error = response.error
        raise reported(error.code, error.message) if error else ModelFailed(f"the answer {response.status}")
    text, kinds = response.output_text, {item.type for item in response.output}
    refusal = _refusal(response)
    if response.status == "incomplete":
        reason = response.incomplete_details.reason if response.incomplete_details else None
        finish = _INCOMPLETE.get(reason or "", Finish.LENGTH)
    elif refusal:
        finish = Finish.REFUSAL
    else:
        finish = Finish.TOOL if any(kind.endswith("_call") for kind in kinds) and not text else Finish.STOP
    return Completion(text or refusal, finish, response.model, _usage(response))


def _refusal(response: Response) -> str:
    parts = [part for item in response.output if item.type == "message" for part in item.content]
    return "".join(part.refusal for part in parts if part.type == "refusal")


def _usage(response: Response) -> Usage | None:
    usage = response.usage
    if usage is None:
        return None
    return Usage(
        tokens(usage, "input_tokens"),
        tokens(usage, "output_tokens"),
        tokens(usage.input_tokens_details, "cached_tokens"),
        tokens(usage.output_tokens_details, "reasoning_tokens"),
    )
