"""Checks requests to the loopback Discord server, and its own answers, against the published description."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from tests.servers.specs import description

_FILE = "discord_openapi.json"


def available() -> bool:
    """Whether the description is there to check against."""
    return description(_FILE) is not None


def request_violations(method: str, template: str, body: Any) -> list[str]:
    """What in a request's body breaks the description; a route it doesn't have is a violation, too."""
    if not available():
        return []
    operation = _operation(method, template)
    if operation is None:
        return ["not in the description"]
    content = operation.get("requestBody", {}).get("content", {})
    if "application/json" not in content:
        return [] if body is None else ["has a body where the description has none"]
    return _violations(method, template, "request", body)


def answer_violations(method: str, template: str, body: Any) -> list[str]:
    """How one of the server's own answers breaks the description."""
    return _violations(method, template, "answer", body) if available() else []


def _violations(method: str, template: str, side: str, body: Any) -> list[str]:
    error = best_match(_validator(method, template, side).iter_errors(body))
    return [f"{error.json_path}: {error.message[:300]}"] if error else []


@cache
def _validator(method: str, template: str, side: str) -> Draft202012Validator:
    operation = _operation(method, template)
    assert operation is not None
    where = operation["requestBody"] if side == "request" else operation["responses"]["200"]
    schema = where["content"]["application/json"]["schema"]
    return Draft202012Validator({**_plain(schema), "components": _description()["components"]})


def _operation(method: str, template: str) -> Mapping[str, Any] | None:
    found: Mapping[str, Any] | None = _description()["paths"].get(template, {}).get(method.lower())
    return found


@cache
def _description() -> dict[str, Any]:
    path = description(_FILE)
    assert path is not None
    read = json.loads(path.read_text(encoding="utf-8"))
    schemas = {name: _plain(schema) for name, schema in read["components"]["schemas"].items()}
    # discord.py writes ids as integers where the description has strings of digits; Discord takes both.
    schemas["SnowflakeType"]["type"] = ["string", "integer"]
    return {"paths": read["paths"], "components": {"schemas": schemas}}


def _plain(schema: Any) -> Any:
    """The schema with unions that may overlap: Discord's `oneOf` means "any of these"."""
    if isinstance(schema, list):
        return [_plain(entry) for entry in schema]
    if isinstance(schema, dict):
        return {"anyOf" if key == "oneOf" else key: _plain(value) for key, value in schema.items()}
    return schema
