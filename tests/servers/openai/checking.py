"""Checks requests to the loopback OpenAI server against the provider's published description."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from tests.servers.specs import description

BODIES = {
    "responses": "CreateResponse",
    "chat": "CreateChatCompletionRequest",
    "input_tokens": "TokenCountsBody",
}
_ANSWERS = (
    "Response",
    "ResponseStreamEvent",
    "CreateChatCompletionResponse",
    "CreateChatCompletionStreamResponse",
    "TokenCountsResource",
    "ListModelsResponse",
    "Model",
    "ErrorResponse",
)
_PREFIX = "#/components/schemas/"
_REASONING = ("gpt-5", "o1", "o3", "o4")


def violations(api: str, body: Mapping[str, Any]) -> list[str]:
    """What the provider would refuse in a request body; nothing where the description is missing."""
    found = schema_violations(BODIES[api], body)
    if (known := _known(BODIES[api])) is not None:
        found += [f"{name}: unknown parameter" for name in body if name not in known]
    model = str(body.get("model", ""))
    if "temperature" in body and model.startswith(_REASONING) and "-chat" not in model:
        found.append(f"temperature: {model} does not take it")
    found += _strict_violations(body)
    return found


def schema_violations(name: str, value: Any) -> list[str]:
    """How `value` breaks the described schema NAME, the most telling error only."""
    validator = _validator(name)
    error = best_match(validator.iter_errors(value)) if validator else None
    return [f"{error.json_path}: {error.message[:300]}"] if error else []


def available() -> bool:
    """Whether the description is there to check against."""
    return description("openai_openapi.yaml") is not None


def _strict_violations(body: Mapping[str, Any]) -> Iterator[str]:
    asked = (body.get("text") or {}).get("format") or (body.get("response_format") or {}).get("json_schema")
    if asked and asked.get("strict"):
        if asked["schema"].get("type") != "object":
            yield "schema: a strict schema has an object at its root"
        yield from _loose_objects(asked["schema"], "schema")


def _loose_objects(schema: Any, path: str) -> Iterator[str]:
    """A strict schema closes every object and requires all its properties (structured outputs' guide)."""
    if isinstance(schema, list):
        for index, entry in enumerate(schema):
            yield from _loose_objects(entry, f"{path}[{index}]")
    elif isinstance(schema, dict):
        if isinstance(properties := schema.get("properties"), dict):
            if schema.get("additionalProperties") is not False:
                yield f"{path}: additionalProperties must be false"
            if missing := set(properties) - set(schema.get("required", ())):
                yield f"{path}: not required: {', '.join(sorted(missing))}"
        for key, value in schema.items():
            yield from _loose_objects(value, f"{path}.{key}")


@cache
def _validator(name: str) -> Draft202012Validator | None:
    if not (schemas := _schemas()):
        return None
    return Draft202012Validator({"$ref": _PREFIX + name, "components": {"schemas": schemas}})


@cache
def _known(name: str) -> frozenset[str] | None:
    schemas = _schemas()
    return frozenset(_properties(schemas, schemas[name])) if schemas else None


def _properties(schemas: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[str]:
    if "$ref" in schema:
        schema = schemas[schema["$ref"].removeprefix(_PREFIX)]
    yield from schema.get("properties", {})
    for part in schema.get("allOf", ()):
        yield from _properties(schemas, part)


@cache
def _schemas() -> Mapping[str, Any]:
    """The schemas in use; read from 3 MB of YAML once per machine, then from a small JSON file."""
    if (path := description("openai_openapi.yaml")) is None:
        return {}
    key = hashlib.sha256(path.read_bytes() + Path(__file__).read_bytes()).hexdigest()[:16]
    kept = Path(tempfile.gettempdir()) / f"memora-openai-{os.getuid()}-{key}.json"
    if not kept.exists():
        part = kept.with_suffix(f".{os.getpid()}")
        part.write_text(json.dumps(_extract(path)), encoding="utf-8")
        part.replace(kept)
    loaded: Mapping[str, Any] = json.loads(kept.read_text(encoding="utf-8"))
    return loaded


def _extract(path: Path) -> dict[str, Any]:
    import yaml  # slow to load and needed once per machine

    everything = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)["components"]["schemas"]
    wanted, found = [*BODIES.values(), *_ANSWERS], {}
    while wanted:
        if (name := wanted.pop()) not in found:
            found[name] = _plain(everything[name])
            wanted += _references(found[name])
    return found


def _plain(schema: Any) -> Any:
    """A schema as plain JSON schema: `nullable` spelled out, overlapping `oneOf` loosened, prose left out."""
    if isinstance(schema, list):
        return [_plain(entry) for entry in schema]
    if not isinstance(schema, dict):
        return schema
    plain: dict[str, Any] = {}
    for key, value in schema.items():
        if key == "properties":
            plain[key] = {name: _plain(entry) for name, entry in value.items()}
        elif key not in ("description", "example", "examples", "default", "format", "discriminator"):
            plain["anyOf" if key == "oneOf" else key] = _plain(value)
    return {"anyOf": [plain, {"type": "null"}]} if plain.pop("nullable", False) else plain


def _references(schema: Any) -> Iterator[str]:
    if isinstance(schema, list):
        for entry in schema:
            yield from _references(entry)
    elif isinstance(schema, dict):
        if isinstance(reference := schema.get("$ref"), str):
            yield reference.removeprefix(_PREFIX)
        for value in schema.values():
            yield from _references(value)
