"""What a bot says of itself at Telegram: command menus by scope and language, name and descriptions."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

from tests.servers.telegram.faults import bad_request

_COMMAND = re.compile(r"[a-z0-9_]{1,32}")
_LANGUAGE = re.compile(r"(?:[a-z]{2})?")
_TEXTS = {"Name": "name", "Description": "description", "ShortDescription": "short_description"}

Params = Mapping[str, Any]


class Profile:
    """Command menus, by (scope as JSON, language), and texts by (field, language)."""

    def __init__(self) -> None:
        self.menus: dict[tuple[str, str], list[dict[str, str]]] = {}
        self.texts: dict[tuple[str, str], str] = {}
        self.table: dict[str, Callable[[Params], Awaitable[Any]]] = {
            "setMyCommands": self._set_commands,
            "getMyCommands": self._get_commands,
            "deleteMyCommands": self._delete_commands,
        }
        for name, field in _TEXTS.items():
            self.table[f"setMy{name}"] = partial(self._set_text, field)
            self.table[f"getMy{name}"] = partial(self._get_text, field)

    def menu(self, scope: str = "default", language: str = "") -> dict[str, str]:
        """Command -> description, as a person in chats of this scope and with this language sees it."""
        wanted = [(scope, language), (scope, ""), ("default", language), ("default", "")]
        for kind, code in wanted:
            if found := self.menus.get((json.dumps({"type": kind}), code)):
                return {entry["command"]: entry["description"] for entry in found}
        return {}

    async def _set_commands(self, params: Params) -> bool:
        commands = params["commands"]
        if len(commands) > 100:
            raise bad_request("too many commands")
        for entry in commands:
            if not _COMMAND.fullmatch(entry["command"]):
                raise bad_request("BOT_COMMAND_INVALID")
            if not 1 <= len(entry["description"]) <= 256:
                raise bad_request("BOT_COMMAND_DESCRIPTION_INVALID")
        self.menus[_place(params)] = commands
        return True

    async def _get_commands(self, params: Params) -> list[dict[str, str]]:
        return self.menus.get(_place(params), [])

    async def _delete_commands(self, params: Params) -> bool:
        self.menus.pop(_place(params), None)
        return True

    async def _set_text(self, field: str, params: Params) -> bool:
        self.texts[field, params.get("language_code", "")] = params.get(field, "")
        return True

    async def _get_text(self, field: str, params: Params) -> dict[str, str]:
        return {field: self.texts.get((field, params.get("language_code", "")), "")}


def _place(params: Params) -> tuple[str, str]:
    language = params.get("language_code", "")
    if not _LANGUAGE.fullmatch(language):
        raise bad_request("invalid language code specified")
    return json.dumps(params.get("scope", {"type": "default"})), language
