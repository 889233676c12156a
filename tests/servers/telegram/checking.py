"""Reads the parameters of calls, and checks them against the published description where it is at hand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any

from tests.servers.specs import description

FILE = "telegram_bot_api.json"

# Without the description, texts that could be read as numbers stay texts.
_TEXTS = frozenset(
    {"text", "caption", "name", "description", "short_description", "callback_query_id", "url"}
)


class Mismatch(Exception):
    """A value that isn't what the description asks for."""


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that came with a call."""

    name: str
    content: bytes


Raw = Mapping[str, str | Upload | Any]


def available() -> bool:
    """Whether the description is there to check against."""
    return bool(_methods())


def known(method: str) -> bool:
    """Whether the API has this method; without the description, every method counts as known."""
    return not available() or method in _methods()


def read(method: str, raw: Raw) -> tuple[dict[str, Any], list[str]]:
    """The parameters as the values they stand for, and how they break the description."""
    if not available():
        return {name: _guess(name, value) for name, value in raw.items()}, []
    fields = _fields(_methods()[method])
    params: dict[str, Any] = {}
    violations = []
    for name, value in raw.items():
        if name not in fields:
            if not isinstance(value, Upload):  # files may come beside, under a name of their own
                violations.append(f"{method}: unknown parameter {name}")
            continue
        try:
            params[name] = _value(value, fields[name]["types"], name)
        except Mismatch as error:
            violations.append(f"{method}: {error}")
    missing = [name for name, field in fields.items() if field["required"] and name not in raw]
    violations += [f"{method}: required parameter {name} is missing" for name in missing]
    return params, violations


def violations_of(kind: str, value: Any) -> list[str]:
    """How an object that is sent to the bot breaks the description of the type `kind`."""
    try:
        if available():
            _value(value, [kind], kind)
    except Mismatch as error:
        return [str(error)]
    return []


def result_types(method: str) -> list[str]:
    """The types that the description promises as the method's result."""
    return list(_methods()[method]["returns"])


def _value(value: Any, types: list[str], path: str) -> Any:
    problems = []
    for kind in types:
        try:
            return _typed(value, kind, path)
        except Mismatch as error:
            problems.append(str(error))
    raise Mismatch("; ".join(problems))


def _typed(value: Any, kind: str, path: str) -> Any:
    if kind == "InputFile":
        if isinstance(value, Upload):
            return value
        raise Mismatch(f"{path}: not a file")
    if kind in ("String", "Integer", "Float", "Boolean"):
        return _scalar(value, kind, path)
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            raise Mismatch(f"{path}: no JSON of {kind}") from None
    if kind.startswith("Array of "):
        if not isinstance(value, list):
            raise Mismatch(f"{path}: not a list")
        inner = kind.removeprefix("Array of ")
        return [_value(entry, [inner], f"{path}[{index}]") for index, entry in enumerate(value)]
    return _object(value, kind, path)


def _scalar(value: Any, kind: str, path: str) -> Any:
    with suppress(TypeError, ValueError):
        if (found := _scalar_or_none(value, kind)) is not None:
            return found
    raise Mismatch(f"{path}: {value!r:.80} is no {kind}")


def _scalar_or_none(value: Any, kind: str) -> Any:
    """Numbers and truth values may be written as text, as they are in forms."""
    if kind == "String":
        return value if isinstance(value, str) else None
    if kind == "Boolean":
        return {"true": True, "false": False}.get(str(value).lower())
    if isinstance(value, bool):
        return None
    return int(value) if kind == "Integer" and float(value) == int(value) else float(value)


def _object(value: Any, kind: str, path: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Mismatch(f"{path}: not an object ({kind})")
    described = _types()[kind]
    if subtypes := described.get("subtypes"):
        return dict(_value(value, _likely(value, subtypes), path))
    fields = _fields(described)
    if not fields:
        return dict(value)
    for name in value:
        if name not in fields:
            raise Mismatch(f"{path}: {kind} has no field {name}")
    for name, field in fields.items():
        if field["required"] and name not in value:
            raise Mismatch(f"{path}: {kind} lacks {name}")
    return {name: _value(entry, fields[name]["types"], f"{path}.{name}") for name, entry in value.items()}


def _likely(value: Mapping[str, Any], subtypes: list[str]) -> list[str]:
    """The subtypes that have all the fields of a value; all of them when none has."""
    fitting = [name for name in subtypes if set(value) <= set(_fields(_types()[name]))]
    return fitting or subtypes


def _guess(name: str, value: Any) -> Any:
    if not isinstance(value, str) or name in _TEXTS:
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value


def _fields(described: Mapping[str, Any]) -> dict[str, Any]:
    return {field["name"]: field for field in described.get("fields", ())}


def _methods() -> dict[str, Any]:
    return _described()["methods"]


def _types() -> dict[str, Any]:
    return _described()["types"]


@cache
def _described() -> dict[str, dict[str, Any]]:
    path = description(FILE)
    if path is None:
        return {"methods": {}, "types": {}}
    described = json.loads(path.read_text(encoding="utf-8"))
    return {"methods": described["methods"], "types": described["types"]}
