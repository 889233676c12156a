"""Bodies and streamed chunks of the loopback server's Chat Completions API."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.servers.openai.answers import Answer, Tokens
from tests.servers.openai.recorded import Recorded


def body(request: Recorded, answer: Answer, tokens: Tokens, number: int) -> dict[str, Any]:
    """The whole completion object."""
    message: dict[str, Any] = {"role": "assistant", "content": answer.spoken, "refusal": None}
    if answer.refusal:
        message.update(content=None, refusal=answer.text)
    if answer.tool_call:
        message.update(content=None, tool_calls=[_call(number)])
    choice = {"index": 0, "message": message, "finish_reason": finish(answer), "logprobs": None}
    return {
        **_head(request, number, "chat.completion"),
        "choices": [choice],
        **({} if answer.without_usage else {"usage": usage(tokens)}),
    }


def usage(tokens: Tokens) -> dict[str, Any]:
    """Tokens in the words of this API."""
    return {
        "prompt_tokens": tokens.input,
        "completion_tokens": tokens.output,
        "total_tokens": tokens.input + tokens.output,
        "prompt_tokens_details": {"cached_tokens": tokens.cached, "audio_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": tokens.reasoning, "audio_tokens": 0},
    }


def finish(answer: Answer) -> str:
    """Why the model stopped, in the words of this API."""
    return "tool_calls" if answer.tool_call else answer.finish


def opening(request: Recorded, answer: Answer, number: int) -> Iterator[dict[str, Any]]:
    """Chunks before the first piece of text."""
    first: dict[str, Any] = {"role": "assistant", "content": ""}
    if answer.tool_call:
        first = {"role": "assistant", "content": None, "tool_calls": [{"index": 0, **_call(number)}]}
    yield _chunk(request, answer, number, first)


def delta(request: Recorded, answer: Answer, number: int, piece: str) -> dict[str, Any]:
    """The chunk that carries one piece of text."""
    return _chunk(request, answer, number, {"refusal" if answer.refusal else "content": piece})


def closing(request: Recorded, answer: Answer, tokens: Tokens, number: int) -> Iterator[dict[str, Any]]:
    """Chunks after the last piece of text; the one with the usage only where it was asked for."""
    yield _chunk(request, answer, number, {}, finish(answer))
    if _wants_usage(request) and not answer.without_usage:
        head = _head(request, number, "chat.completion.chunk")
        yield {**head, "choices": [], "usage": usage(tokens)}


def _chunk(
    request: Recorded, answer: Answer, number: int, delta: dict[str, Any], reason: str | None = None
) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": reason, "logprobs": None}
    chunk = {**_head(request, number, "chat.completion.chunk"), "choices": [choice]}
    if _wants_usage(request) and not answer.without_usage:
        chunk["usage"] = None
    return chunk


def _wants_usage(request: Recorded) -> bool:
    return bool((request.body.get("stream_options") or {}).get("include_usage"))


def _head(request: Recorded, number: int, kind: str) -> dict[str, Any]:
    return {
        "id": f"chatcmpl-{number}",
        "object": kind,
        "created": int(request.at),
        "model": request.model,
    }


def _call(number: int) -> dict[str, Any]:
    function = {"name": "look_up", "arguments": '{"what": "weather"}'}
    return {"id": f"call_{number}", "type": "function", "function": function}
