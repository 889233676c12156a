"""Describes the bot's commands as Discord's slash commands. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from bot.ports import CommandInfo

_LOCALES = {"zh-hant": "zh-TW", "zh-hans": "zh-CN"}
_LONGEST = 100
_CHAT_INPUT, _TEXT_OPTION = 1, 3
_IN_GUILDS, _IN_DMS = 0, 1


def slash_commands(commands: Sequence[CommandInfo]) -> list[dict[str, Any]]:
    """What Discord is to register: every command, usable in guilds and in direct messages."""
    return [_command(command) for command in commands]


def fingerprint(registered: Sequence[dict[str, Any]]) -> str:
    """A short text that changes whenever what is registered does."""
    return hashlib.sha256(json.dumps(registered, sort_keys=True).encode()).hexdigest()[:32]


def _command(command: CommandInfo) -> dict[str, Any]:
    described: dict[str, Any] = {
        "name": command.name,
        "type": _CHAT_INPUT,
        "description": command.descriptions["en"][:_LONGEST],
        "description_localizations": {
            locale: command.descriptions[language][:_LONGEST]
            for language, locale in _LOCALES.items()
            if language in command.descriptions
        },
        "contexts": [_IN_GUILDS, _IN_DMS],
        "integration_types": [0],
    }
    if command.argument:
        described["options"] = [
            {
                "type": _TEXT_OPTION,
                "name": command.argument,
                "description": command.argument,
                "required": False,
            }
        ]
    return described
