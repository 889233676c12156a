"""Command menus by scope and language."""

from __future__ import annotations

from dataclasses import replace

from adapters.telegram.menu import fingerprint, menus
from tests.adapters.telegram.surroundings import COMMANDS


def described(language: str, code: str, scope: str) -> dict[str, str]:
    (menu,) = (m for m in menus(COMMANDS, language) if m.language == code and m.scope.type == scope)
    return {command.command: command.description for command in menu.commands}


def test_commands_for_admins_are_shown_to_admins_and_in_private() -> None:
    assert "reset" not in described("en", "", "default")
    assert "reset" in described("en", "", "all_private_chats")
    assert "reset" in described("en", "", "all_chat_administrators")


def test_descriptions_come_in_the_persons_language_or_else_the_bots() -> None:
    assert described("en", "", "default")["summary"] == "Show what I remember"
    assert described("en", "zh", "default")["summary"] == "显示摘要"
    assert described("zh-hant", "zh", "default")["summary"] == "顯示摘要"
    assert described("zh-hant", "", "default")["summary"] == "顯示摘要"
    assert described("zh-hant", "en", "default")["summary"] == "Show what I remember"
    assert described("zh-hant", "zh", "default")["help"] == "Show what I can do"


def test_a_changed_description_changes_the_fingerprint() -> None:
    changed = (replace(COMMANDS[0], descriptions={"en": "Other"}), *COMMANDS[1:])
    assert fingerprint(menus(COMMANDS, "en")) == fingerprint(menus(COMMANDS, "en"))
    assert fingerprint(menus(COMMANDS, "en")) != fingerprint(menus(changed, "en"))
