"""What the loopback OpenAI server is told to answer."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Literal

Finish = Literal["stop", "length", "content_filter"]


@dataclass(frozen=True, slots=True)
class Tokens:
    """Usage to report instead of the counted one; `cached` is part of `input`, `reasoning` of `output`."""

    input: int
    output: int
    cached: int = 0
    reasoning: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """One scripted answer.

    `chunk` is the number of characters per streamed delta, delays are in seconds. With `hold` the answer
    stops after `pause_after` characters (0: before the status line) until the event is set; with `hang` it
    stops there until the client goes away or the server closes. With `die_after` the stream is cut after so
    many characters: the connection is torn down, or with `die_cleanly` closed as if all had been said.
    `breakdown` is an error object that the stream reports after `pause_after` characters, status 200.
    A `status` other than 200 answers with `error` (or a fitting default) and `headers`.
    `without_usage` plays a server that does not report tokens, `garbage` (a text and its content type) one
    that answers something else altogether.
    """

    text: str = ""
    finish: Finish = "stop"
    chunk: int = 12
    delay_first: float = 0.0
    delay_between: float = 0.0
    status: int = 200
    error: Mapping[str, Any] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    pause_after: int = 0
    hold: asyncio.Event | None = None
    hang: bool = False
    die_after: int | None = None
    die_cleanly: bool = False
    breakdown: Mapping[str, Any] | None = None
    empty: bool = False
    tool_call: bool = False
    refusal: bool = False
    usage: Tokens | None = None
    without_usage: bool = False
    garbage: tuple[str, str] | None = None

    @property
    def spoken(self) -> str:
        """The text that reaches the client: nothing for an empty answer or a tool call."""
        return "" if self.empty or self.tool_call else self.text

    @property
    def pieces(self) -> list[str]:
        """The text in streamed deltas, cut also where the answer pauses, breaks down or dies."""
        text = self.spoken
        stops = {n for n in (self.pause_after, self.die_after) if n}
        edges = sorted({*range(0, len(text), self.chunk), *(n for n in stops if n < len(text)), len(text)})
        return [text[start:end] for start, end in pairwise(edges)]


def from_json(values: Mapping[str, Any]) -> Answer:
    """An answer from a script file: the fields of `Answer` by name, `usage` as an object, without `hold`."""
    fields = dict(values)
    if fields.get("usage") is not None:
        fields["usage"] = Tokens(**fields["usage"])
    if fields.get("garbage") is not None:
        fields["garbage"] = tuple(fields["garbage"])
    return Answer(**fields)


_CODES: Mapping[int, tuple[str, str, str]] = {
    400: ("invalid_request_error", "invalid_request", "The request is not valid."),
    401: ("invalid_request_error", "invalid_api_key", "Incorrect API key provided."),
    403: ("invalid_request_error", "forbidden", "This key may not use this model."),
    404: ("invalid_request_error", "model_not_found", "The model does not exist."),
    409: ("invalid_request_error", "conflict", "The resource was changed by another request."),
    422: ("invalid_request_error", "unprocessable", "The request can't be processed."),
    429: ("requests", "rate_limit_exceeded", "Rate limit reached."),
    500: ("server_error", "server_error", "The server had an error while processing the request."),
    503: ("server_error", "overloaded", "The engine is currently overloaded."),
}


def error_body(answer: Answer) -> dict[str, Any]:
    """The error object of an answer whose status isn't 200, as the provider words it."""
    kind, code, message = _CODES.get(answer.status, ("server_error", "server_error", "Something failed."))
    return {"error": {"message": message, "type": kind, "param": None, "code": code, **(answer.error or {})}}


def content_policy() -> Answer:
    """The 400 that a prompt against the provider's policy gets."""
    message = "Your prompt was flagged as potentially violating our usage policy."
    return Answer(status=400, error={"message": message, "code": "invalid_prompt"})


def unsupported(parameter: str) -> Answer:
    """The 400 that a parameter gets which this model does not know."""
    message = f"Unsupported parameter: '{parameter}' is not supported with this model."
    error = {"message": message, "param": parameter, "code": "unsupported_parameter"}
    return Answer(status=400, error=error)
