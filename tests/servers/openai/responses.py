"""Bodies and streamed events of the loopback server's Responses API."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tests.servers.openai.answers import Answer, Tokens
from tests.servers.openai.recorded import Recorded

_INCOMPLETE = {"length": "max_output_tokens", "content_filter": "content_filter"}
Event = dict[str, Any]


def body(
    request: Recorded, answer: Answer, tokens: Tokens, number: int, status: str | None = None
) -> dict[str, Any]:
    """The whole response object. `status` "in_progress" or "failed" gives one without output."""
    reason = _INCOMPLETE.get(answer.finish)
    final = status is None
    return {
        "id": f"resp_{number}",
        "object": "response",
        "created_at": int(request.at),
        "status": status or ("incomplete" if reason else "completed"),
        "error": {"code": "server_error", "message": "", **(answer.breakdown or {})}
        if status == "failed"
        else None,
        "incomplete_details": {"reason": reason} if final and reason else None,
        "instructions": request.body.get("instructions"),
        "max_output_tokens": request.body.get("max_output_tokens"),
        "model": request.model,
        "output": output(answer, tokens, number) if final else [],
        "parallel_tool_calls": True,
        "metadata": {},
        "temperature": request.body.get("temperature", 1.0),
        "top_p": 1.0,
        "tool_choice": "auto",
        "tools": [],
        **({"usage": usage(tokens)} if final and not answer.without_usage else {}),
    }


def usage(tokens: Tokens) -> dict[str, Any]:
    """Tokens in the words of this API."""
    return {
        "input_tokens": tokens.input,
        "input_tokens_details": {"cached_tokens": tokens.cached, "cache_write_tokens": 0},
        "output_tokens": tokens.output,
        "output_tokens_details": {"reasoning_tokens": tokens.reasoning},
        "total_tokens": tokens.input + tokens.output,
    }


def output(answer: Answer, tokens: Tokens, number: int) -> list[dict[str, Any]]:
    """Output items: reasoning where tokens were spent on it, then a message or a tool call."""
    items: list[dict[str, Any]] = []
    if tokens.reasoning:
        items.append({"type": "reasoning", "id": f"rs_{number}", "summary": []})
    if answer.tool_call:
        items.append(_call(number))
    elif not answer.empty:
        status = "completed" if answer.finish == "stop" else "incomplete"
        items.append(_message(number, [_part(answer, answer.text)], status))
    return items


def opening(request: Recorded, answer: Answer, tokens: Tokens, number: int) -> Iterator[Event]:
    """Events before the first piece of text."""
    begun = body(request, answer, tokens, number, "in_progress")
    yield {"type": "response.created", "response": begun}
    yield {"type": "response.in_progress", "response": begun}
    items = output(answer, tokens, number)
    for index, item in enumerate(items):
        if item["type"] == "message":
            yield _item("added", index, _message(number, [], "in_progress"))
            yield _content("added", index, number, _part(answer, ""))
        elif item["type"] == "function_call":
            yield _item("added", index, {**item, "arguments": "", "status": "in_progress"})
            yield _arguments("delta", index, item, delta=item["arguments"])
            yield _arguments("done", index, item, arguments=item["arguments"], name=item["name"])
            yield _item("done", index, item)
        else:
            yield _item("added", index, item)
            yield _item("done", index, item)


def delta(answer: Answer, tokens: Tokens, number: int, piece: str) -> Event:
    """The event that carries one piece of text."""
    place = _place(tokens, number)
    if answer.refusal:
        return {"type": "response.refusal.delta", **place, "delta": piece}
    return {"type": "response.output_text.delta", **place, "delta": piece, "logprobs": []}


def closing(request: Recorded, answer: Answer, tokens: Tokens, number: int) -> Iterator[Event]:
    """Events after the last piece of text."""
    final = body(request, answer, tokens, number)
    if not (answer.tool_call or answer.empty):
        place = _place(tokens, number)
        if answer.refusal:
            yield {"type": "response.refusal.done", **place, "refusal": answer.text}
        else:
            yield {"type": "response.output_text.done", **place, "text": answer.text, "logprobs": []}
        yield _content("done", place["output_index"], number, _part(answer, answer.text))
        yield _item("done", place["output_index"], final["output"][-1])
    yield {"type": f"response.{final['status']}", "response": final}


def breakdown(request: Recorded, answer: Answer, tokens: Tokens, number: int) -> Iterator[Event]:
    """The event that ends a stream which the provider could not finish."""
    yield {"type": "response.failed", "response": body(request, answer, tokens, number, "failed")}


def numbered(event: Mapping[str, Any], number: int) -> Mapping[str, Any]:
    """An event with its place in the stream."""
    return {**event, "sequence_number": number}


def _place(tokens: Tokens, number: int) -> dict[str, Any]:
    return {"item_id": f"msg_{number}", "output_index": 1 if tokens.reasoning else 0, "content_index": 0}


def _item(what: str, index: int, item: Mapping[str, Any]) -> Event:
    return {"type": f"response.output_item.{what}", "output_index": index, "item": item}


def _content(what: str, index: int, number: int, part: Mapping[str, Any]) -> Event:
    return {
        "type": f"response.content_part.{what}",
        "item_id": f"msg_{number}",
        "output_index": index,
        "content_index": 0,
        "part": part,
    }


def _arguments(what: str, index: int, item: Mapping[str, Any], **fields: str) -> Event:
    kind = f"response.function_call_arguments.{what}"
    return {"type": kind, "item_id": item["id"], "output_index": index, **fields}


def _message(number: int, content: list[dict[str, Any]], status: str) -> dict[str, Any]:
    message = {"id": f"msg_{number}", "type": "message", "role": "assistant"}
    return {**message, "status": status, "content": content}


def _part(answer: Answer, text: str) -> dict[str, Any]:
    if answer.refusal:
        return {"type": "refusal", "refusal": text}
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def _call(number: int) -> dict[str, Any]:
    call = {"type": "function_call", "id": f"fc_{number}", "call_id": f"call_{number}"}
    return {**call, "name": "look_up", "arguments": '{"what": "weather"}', "status": "completed"}
