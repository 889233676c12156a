"""What a model behind an address refuses: known by its name, or learned from its refusals."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from openai import APIStatusError, BadRequestError, UnprocessableEntityError

from bot.llm.endpoint import Role

LIMITS = ("max_completion_tokens", "max_tokens")

# Reasoning models fix their own temperature and know `max_completion_tokens` only; their "-chat" variants
# behave like the models before them.
_REASONING = re.compile(r"^(gpt-([5-9]|\d{2})|o\d)(?!.*-chat)")
# What may be left out of a request without changing what is asked, and how errors name it in prose.
_OPTIONAL: Mapping[str, str] = {
    "temperature": r"temperature",
    "text": r"text\.format|json_schema",
    "response_format": r"response_format|json_schema",
    "max_output_tokens": r"max_output_tokens",
    "max_completion_tokens": r"max_completion_tokens",
    "max_tokens": r"max_tokens",
    "stream_options": r"stream_options|include_usage",
    "store": r"store",
}
_REFUSING = re.compile(
    r"(un|not |n't )support|unknown|unrecogni[sz]ed|unexpected|invalid|extra (inputs|fields)|"
    r"not (permitted|allowed)",
    re.IGNORECASE,
)
_DEVELOPER = re.compile(r"\bdeveloper\b|\brole", re.IGNORECASE)


class Dialect:
    """The wording that one model takes. Learns for as long as the process lives."""

    def __init__(self, model: str, base_url: str, developer_role: Role) -> None:
        self._refused: set[str] = set()
        self._developer: Role = developer_role
        reasoning = bool(_REASONING.match(model.rsplit("/", 1)[-1].lower()))
        if reasoning:
            self._refused.add("temperature")
        # Everybody's servers know `max_tokens`; OpenAI's own and its reasoning models want the newer name.
        modern = reasoning or (urlsplit(base_url).hostname or "").endswith("openai.com")
        self._limits = LIMITS if modern else LIMITS[::-1]

    @property
    def developer(self) -> Role:
        """The role that background and instructions are sent with."""
        return self._developer

    @property
    def limit(self) -> str:
        """What the chat API calls the most tokens of an answer."""
        return next((name for name in self._limits if name not in self._refused), self._limits[0])

    def trim(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments without those that this model refuses."""
        return {name: value for name, value in arguments.items() if name not in self._refused}

    def learn(self, error: Exception, arguments: Mapping[str, Any]) -> str | None:
        """The name of what `error` refuses, if the request can do without it; remembered from now on."""
        if not isinstance(error, BadRequestError | UnprocessableEntityError):
            return None
        name = _named(error, arguments)
        if name is not None:
            self._refused.add(name)
        elif self._developer == "developer" and _refuses_role(error):
            self._developer = "system"
            name = "developer"
        return name


def _named(error: APIStatusError, arguments: Mapping[str, Any]) -> str | None:
    sent = [name for name in _OPTIONAL if name in arguments]
    if error.param:
        root = re.split(r"[.\[]", error.param)[0]
        return root if root in sent else None
    prose = str(error)
    if not _REFUSING.search(prose):
        return None
    return next((name for name in sent if re.search(rf"(?<!\w)({_OPTIONAL[name]})\b", prose)), None)


def _refuses_role(error: APIStatusError) -> bool:
    prose = str(error)
    return "developer" in prose and bool(_DEVELOPER.search(error.param or prose))
