"""What the README promises is what the code does."""

from __future__ import annotations

import json
import re
import tomllib
from urllib.parse import parse_qs, urlsplit

import discord
import pytest

from bot.cli.arguments import parse
from bot.commands.registry import COMMANDS, menu
from bot.config import SECRETS, Settings
from tests.project.documents import anchors, blocks, links, table
from tests.project.repository import ROOT, text

README = text("README.md")


def _code(cell: str) -> str:
    found = re.fullmatch(r"`(.+)`", cell)
    assert found, f"{cell} is no code"
    return found[1]


def test_the_commands_are_those_of_the_registry() -> None:
    told = [(_code(name), meaning) for name, meaning in table(README, "Command")]
    real = [
        (f"/{info.name} {f'[{info.argument}]' if info.argument else ''}".strip(), info) for info in menu()
    ]
    assert [name for name, _ in told] == [name for name, _ in real]
    for (name, meaning), (_, info) in zip(told, real, strict=True):
        assert meaning.startswith(info.descriptions["en"]), name
        assert ("moderate" in meaning) == info.admin_only, name


def test_hidden_commands_are_known_to_work() -> None:
    hidden = {command.name for command in COMMANDS if command.hidden}
    assert hidden == {"start"}, "the README's setting up of Telegram begins with it"


def test_the_settings_are_those_of_the_code() -> None:
    told = {_code(name): (_code(default), meaning) for name, default, meaning in table(README, "Setting")}
    real = {
        f"{section}.{key}": value
        for section, values in Settings().model_dump(mode="json").items()
        for key, value in values.items()
    }
    assert list(told) == list(real)
    wrong = {name: default for name, (default, _) in told.items() if not _same(default, real[name])}
    assert wrong == {}
    assert [name for name, (_, meaning) in told.items() if not meaning] == []


def _same(told: str, real: object) -> bool:
    """A long text may be told by its beginning; what is not set is told as unset."""
    if told.endswith('…"'):
        return str(real).startswith(told[1:-2])
    return told == ("unset" if real is None else json.dumps(real))


def test_the_secrets_are_named() -> None:
    assert [name for name in SECRETS if f"`{name}`" not in README] == []


def _help(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """The paragraphs of a help text, each as one line but the lists."""
    with pytest.raises(SystemExit) as ended:
        parse([*arguments, "--help"])
    assert ended.value.code == 0
    return capsys.readouterr().out.split("\n\n")


def test_the_command_line_is_the_parsers(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    names = re.findall(r"^ {4}(\w+) ", _help(capsys)[2], re.MULTILINE)
    real = {}
    for name in names:
        usage, meaning, *_ = _help(capsys, name)
        real[" ".join(usage.removeprefix("usage: ").replace("[-h] [-c FILE]", "").split())] = meaning
    assert {_code(cell): meaning for cell, meaning in table(README, "Command line")} == real


def test_the_invitation_to_discord_asks_for_what_is_needed() -> None:
    (link,) = re.findall(r"`(https://discord\.com/oauth2/\S+)`", README)
    asked = parse_qs(urlsplit(link).query)
    needed = discord.Permissions(
        view_channel=True,
        send_messages=True,
        send_messages_in_threads=True,
        embed_links=True,
        attach_files=True,
        read_message_history=True,
    )
    assert asked["permissions"] == [str(needed.value)]
    assert asked["scope"] == ["bot applications.commands"]


def test_the_settings_for_other_servers_are_accepted() -> None:
    examples = blocks(README, "toml")
    assert examples
    for example in examples:
        settings = Settings.model_validate(tomllib.loads(example))
        assert (settings.llm.api, settings.llm.developer_role) == ("chat", "system")
    for _, address, _ in table(README, "Server"):
        Settings.model_validate({"llm": {"base_url": _code(address)}})


def test_the_targets_of_make_exist() -> None:
    targets = set(re.findall(r"^(\w[\w-]*):", text("Makefile"), re.MULTILINE))
    told = set(
        re.findall(r"\bmake (\w+)", "".join(blocks(README, "sh")) + " ".join(re.findall(r"`[^`]+`", README)))
    )
    assert {"chat", "test"} <= told <= targets


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_lead_somewhere(document: str) -> None:
    written = text(document)
    local = [link for link in links(written) if not urlsplit(link).scheme]
    broken = [
        link
        for link in local
        if not ((ROOT / link.partition("#")[0]).exists() if link[0] != "#" else link[1:] in anchors(written))
    ]
    assert broken == []


def test_the_picture_is_small_and_described() -> None:
    (picture,) = re.findall(r"!\[(.+)\]\((docs/\S+)\)", README)
    described, name = picture
    assert len(described) > 40
    assert (ROOT / name).stat().st_size < 150_000
    assert [str(file.relative_to(ROOT)) for file in (ROOT / "docs").iterdir()] == [name]


def test_the_newest_entry_of_the_changelog_is_this_version() -> None:
    version = tomllib.loads(text("pyproject.toml"))["project"]["version"]
    newest = re.findall(r"^## \[(.+?)\]", text("CHANGELOG.md"), re.MULTILINE)[0]
    assert newest in ("Unreleased", version)
