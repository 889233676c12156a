"""The Chat Completions API: how a request is worded for it, and how its answers and chunks are read."""

from __future__ import annotations

from itertools import takewhile
from typing import Any, cast

from openai import AsyncOpenAI, AsyncStream
from openai.types import CompletionUsage
from openai.types.chat import ChatCompletion, ChatCompletionChunk

from bot.llm.dialect import Dialect
from bot.llm.partial import Partial, tokens
from bot.ports import Completion, Finish, ModelRequest, Usage

_FINISH = {
    "stop": Finish.STOP,
    "length": Finish.LENGTH,
    "content_filter": Finish.FILTER,
    "tool_calls": Finish.TOOL,
    "function_call": Finish.TOOL,
}


def arguments(request: ModelRequest, model: str, dialect: Dialect, streamed: bool) -> dict[str, Any]:
    """The parameters of the call. The instructions are its first message."""
    asked: dict[str, Any] = {"model": model, "messages": _messages(request, dialect), "stream": streamed}
    asked[dialect.limit] = request.max_output_tokens
    if streamed:
        asked["stream_options"] = {"include_usage": True}
    if request.temperature is not None:
        asked["temperature"] = request.temperature
    if request.schema is not None:
        named = {"name": request.schema_name, "strict": True, "schema": dict(request.schema)}
        asked["response_format"] = {"type": "json_schema", "json_schema": named}
    return asked


def _messages(request: ModelRequest, dialect: Dialect) -> list[dict[str, str]]:
    said = [
        {"role": dialect.developer if entry.role == "developer" else entry.role, "content": entry.text}
        for entry in request.messages
    ]
    if request.instructions:
        said.insert(0, {"role": dialect.developer, "content": request.instructions})
    return said if dialect.developer == "developer" else _one_system_message(said)


def _one_system_message(said: list[dict[str, str]]) -> list[dict[str, str]]:
    """Join the leading system messages: chat templates of many local models take one only, at the start."""
    leading = [entry["content"] for entry in takewhile(lambda entry: entry["role"] == "system", said)]
    if not leading:
        return said
    return [{"role": "system", "content": "\n\n".join(leading)}, *said[len(leading) :]]


async def whole(client: AsyncOpenAI, asked: dict[str, Any]) -> Completion:
    """Ask for the answer in one piece."""
    return completion(cast(ChatCompletion, await client.chat.completions.create(**asked)))


async def begin(client: AsyncOpenAI, asked: dict[str, Any]) -> AsyncStream[ChatCompletionChunk]:
    """Ask for the answer as chunks."""
    return cast(AsyncStream[ChatCompletionChunk], await client.chat.completions.create(**asked))


def take(chunk: ChatCompletionChunk, partial: Partial) -> str:
    """Note what `chunk` says of the answer; the text it carries."""
    partial.model = chunk.model or partial.model
    partial.usage = _usage(chunk.usage) or partial.usage
    text = ""
    for choice in chunk.choices[:1]:
        text = choice.delta.content or choice.delta.refusal or ""
        partial.refused = partial.refused or bool(choice.delta.refusal)
        if choice.finish_reason:
            partial.finish = _finish(choice.finish_reason, partial.refused)
    return text


def completion(completed: ChatCompletion) -> Completion:
    """A completion object as a completion of Memora's."""
    choice = completed.choices[0]
    finish = _finish(choice.finish_reason, bool(choice.message.refusal))
    text = choice.message.content or choice.message.refusal or ""
    return Completion(text, finish, completed.model, _usage(completed.usage))


def _finish(reason: str, refused: bool) -> Finish:
    # A reason that nobody knows is never taken for a complete answer.
    finish = _FINISH.get(reason, Finish.LENGTH)
    return Finish.REFUSAL if refused and finish is Finish.STOP else finish


def _usage(usage: CompletionUsage | None) -> Usage | None:
    if usage is None:
        return None
    return Usage(
        tokens(usage, "prompt_tokens"),
        tokens(usage, "completion_tokens"),
        tokens(usage.prompt_tokens_details, "cached_tokens"),
        tokens(usage.completion_tokens_details, "reasoning_tokens"),
    )
