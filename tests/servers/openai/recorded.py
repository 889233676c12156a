"""A request as the loopback OpenAI server received it, read alike for both APIs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Api = Literal["responses", "chat", "input_tokens", "models"]


@dataclass(frozen=True, slots=True)
class Recorded:
    """One request. `at` is in seconds since the epoch; header names are in lower case."""

    path: str
    api: Api
    body: Mapping[str, Any]
    headers: Mapping[str, str]
    at: float

    @property
    def model(self) -> str:
        return str(self.body.get("model", ""))

    @property
    def streamed(self) -> bool:
        return bool(self.body.get("stream"))

    @property
    def instructions(self) -> str:
        """The persona or task: a field of its own, or in the chat API the first message."""
        if self.api == "chat":
            return _text(self.body["messages"][0].get("content"))
        return str(self.body.get("instructions") or "")

    @property
    def messages(self) -> list[tuple[str, str]]:
        """Role and text of every message after the instructions."""
        if self.api == "chat":
            return [(entry["role"], _text(entry.get("content"))) for entry in self.body["messages"][1:]]
        given = self.body.get("input") or []
        entries = [{"role": "user", "content": given}] if isinstance(given, str) else given
        return [(entry["role"], _text(entry.get("content"))) for entry in entries if "role" in entry]

    @property
    def current(self) -> str:
        """Text of the last message, the one that is to be answered ("" where there is none)."""
        return self.messages[-1][1] if self.messages else ""

    @property
    def text(self) -> str:
        """Everything that the model gets to read, a line feed between its parts."""
        return "\n".join([self.instructions, *(text for _, text in self.messages)])

    @property
    def schema(self) -> Mapping[str, Any]:
        """The object that asks for structured output: name, schema, strict; empty where none is asked."""
        if self.api == "chat":
            asked = self.body.get("response_format") or {}
            return dict(asked.get("json_schema") or {})
        asked = (self.body.get("text") or {}).get("format") or {}
        return dict(asked) if asked.get("type") == "json_schema" else {}

    @property
    def schema_name(self) -> str:
        return str(self.schema.get("name", ""))

    def to_json(self) -> dict[str, Any]:
        """All fields, the key in the headers blacked out."""
        headers = {k: v if k != "authorization" else "Bearer ..." for k, v in self.headers.items()}
        return {"path": self.path, "api": self.api, "at": self.at, "headers": headers, "body": self.body}


def from_json(values: Mapping[str, Any]) -> Recorded:
    """A request from one line of a record file."""
    return Recorded(**values)


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content)
    return str(content or "")
