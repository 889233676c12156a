"""The list of all commands."""

from __future__ import annotations

from collections.abc import Mapping

from bot.commands import changing, reading
from bot.commands.model import Command
from bot.ports import CommandInfo
from bot.views.words import LANGUAGES, Words

COMMANDS = (
    Command(
        "summary",
        reading.summary,
        lambda words: words("Show what I remember, and from which messages"),
        argument="version",
    ),
    Command("context", reading.context, lambda words: words("Show what was sent to the model, and its cost")),
    Command("history", reading.history, lambda words: words("Page through all messages"), argument="page"),
    Command("compact", changing.compact, lambda words: words("Fold older messages into the summary now")),
    Command(
        "undo",
        changing.undo,
        lambda words: words("Go back to the summary before the last one"),
        admin_only=True,
    ),
    Command(
        "reset",
        changing.reset,
        lambda words: words("Erase this conversation and start over"),
        admin_only=True,
    ),
    Command("help", reading.assist, lambda words: words("Show what I can do")),
    Command("start", reading.assist, lambda words: words("Say hello"), hidden=True),
)


def table() -> Mapping[str, Command]:
    """All commands by name."""
    return {command.name: command for command in COMMANDS}


def menu() -> tuple[CommandInfo, ...]:
    """What platforms show in their menus."""
    return tuple(
        CommandInfo(
            command.name,
            {language: command.description(Words(language)) for language in LANGUAGES},
            command.argument,
            command.admin_only,
        )
        for command in COMMANDS
        if not command.hidden
    )
