"""The command menu that Telegram shows: who sees which commands, in which language. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from telegram import (
    BotCommand,
    BotCommandScope,
    BotCommandScopeAllChatAdministrators,
    BotCommandScopeAllPrivateChats,
    BotCommandScopeDefault,
)

from bot.ports import CommandInfo
from bot.views.words import closest


@dataclass(frozen=True, slots=True)
class Menu:
    """The commands of one scope; `language` is a code of two letters, "" for all others."""

    scope: BotCommandScope
    language: str
    commands: tuple[BotCommand, ...]


def menus(commands: Sequence[CommandInfo], language: str) -> list[Menu]:
    """All menus. Commands for admins are shown to admins and in private; `language` is the bot's own."""
    everyone = [command for command in commands if not command.admin_only]
    scopes: list[tuple[BotCommandScope, Sequence[CommandInfo]]] = [
        (BotCommandScopeDefault(), everyone),
        (BotCommandScopeAllPrivateChats(), commands),
        (BotCommandScopeAllChatAdministrators(), commands),
    ]
    return [
        Menu(scope, code, tuple(_described(command, spoken) for command in shown))
        for scope, shown in scopes
        for code, spoken in _languages(commands, language).items()
    ]


def fingerprint(found: Sequence[Menu]) -> str:
    """The same text for the same menus, another one for others."""
    content = [
        [menu.scope.to_dict(), menu.language, [command.to_dict() for command in menu.commands]]
        for menu in found
    ]
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _languages(commands: Sequence[CommandInfo], own: str) -> dict[str, str]:
    """Telegram's codes -> the language that is spoken there: of two kinds of Chinese, the bot's own."""
    codes = sorted({language[:2] for command in commands for language in command.descriptions})
    return {"": own} | {code: own if own.startswith(code) else closest(code) for code in codes}


def _described(command: CommandInfo, language: str) -> BotCommand:
    description = command.descriptions.get(language, command.descriptions["en"])
    return BotCommand(command.name, description[: BotCommand.MAX_DESCRIPTION])
