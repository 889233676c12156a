"""The Dockerfile and compose.yaml name what exists, and agree with each other and with the settings."""

from __future__ import annotations

import os
import re
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.cli.arguments import parse
from bot.config import SECRETS, Settings, load_settings
from bot.memory import vocabulary
from tests.project.dockerfile import Stage, stages
from tests.project.repository import ROOT, text

BUILD, FINAL = stages(text("Dockerfile"))
COMPOSE = yaml.safe_load(text("compose.yaml"))
SERVICE: dict[str, Any] = COMPOSE["services"]["memora"]


def _seconds(duration: str) -> int:
    return int(duration.removesuffix("s"))


def _options(command: str) -> dict[str, str]:
    return dict(re.findall(r"--([\w-]+)(?:[= ](?!-)(\S+))?", command))


def test_both_stages_have_one_python_that_the_project_supports() -> None:
    assert BUILD.base == FINAL.base, "a virtual environment works with the Python it was made with"
    version = re.fullmatch(r"python:(\d+)\.(\d+)-slim", FINAL.base)
    assert version
    assert (int(version[1]), int(version[2])) >= (3, 11)
    assert tomllib.loads(text("pyproject.toml"))["project"]["requires-python"] == ">=3.11"


@pytest.mark.parametrize("stage", [BUILD, FINAL], ids=["build", "final"])
def test_steps_are_plain(stage: Stage) -> None:
    known = {
        "RUN",
        "ENV",
        "WORKDIR",
        "COPY",
        "USER",
        "VOLUME",
        "STOPSIGNAL",
        "HEALTHCHECK",
        "ENTRYPOINT",
        "CMD",
    }
    assert {each.name for each in stage.instructions} <= known
    assert [each.argument for each in stage.all("RUN") if re.search(r"[\\|;&<>]", each.argument)] == []


def test_what_is_copied_exists_and_is_let_into_the_build() -> None:
    rules = [line for line in text(".dockerignore").splitlines() if line and not line.startswith("#")]
    admitted = {line.removeprefix("!") for line in rules if line.startswith("!")}
    assert rules[0] == "*", "everything is left out but what is named"
    copied = {source for each in BUILD.all("COPY") for source in each.words[:-1]}
    assert copied == admitted
    assert sorted(name for name in copied if not (ROOT / name).exists()) == []


def test_nothing_secret_is_let_into_the_build() -> None:
    admitted = [line for line in text(".dockerignore").splitlines() if line.startswith("!")]
    secret = ["secrets", "data", ".env", ".git", "config.toml"]
    assert [name for name in secret if any(fnmatch(name, rule.removeprefix("!")) for rule in admitted)] == []


def test_packages_come_by_the_hashed_lock_only() -> None:
    installs = [each.argument for each in BUILD.all("RUN") if "pip install" in each.argument]
    locked, own = installs
    assert {"require-hashes", "requirement", "only-binary"} <= _options(locked).keys()
    assert _options(locked)["requirement"] == "requirements.lock"
    assert {"no-deps", "no-build-isolation"} <= _options(own).keys()
    assert [each.argument for each in FINAL.all("RUN") if "pip" in each.argument] == []


def test_the_vocabulary_is_where_tiktoken_looks_for_it() -> None:
    baked = [each.words[-1] for each in BUILD.all("RUN") if "bot.memory.vocabulary" in each.argument]
    assert [FINAL.environment[vocabulary.VARIABLE]] == baked
    taken = [each.words for each in FINAL.all("COPY")]
    assert taken == [[f"--from={BUILD.name}", "/opt/memora", "/opt/memora"]]
    assert Path(baked[0]).is_relative_to("/opt/memora")
    assert BUILD.environment["PATH"] == FINAL.environment["PATH"] == "/opt/memora/bin:$PATH"


def test_it_runs_as_a_user_of_its_own_who_owns_the_data_alone() -> None:
    user, group = FINAL.last("USER").argument.split(":")
    made = next(each.argument for each in FINAL.all("RUN") if each.words[0] == "useradd")
    assert _options(made)["uid"] == user == group != "0"
    given = [each.words for each in FINAL.all("RUN") if each.words[0] == "chown"]
    assert given == [["chown", f"{user}:{group}", "/data"]]
    assert FINAL.last("VOLUME").words == ["/data"]
    after = FINAL.instructions[FINAL.instructions.index(FINAL.last("USER")) :]
    assert {each.name for each in after} & {"RUN", "COPY"} == set()


def test_only_the_volume_is_written() -> None:
    settings = load_settings(ROOT / "config.toml", _settings_of(FINAL))
    assert settings.storage.path.parent == Path("/data")
    assert FINAL.environment["PYTHONDONTWRITEBYTECODE"] == "1"


def _settings_of(stage: Stage) -> dict[str, str]:
    return {name: value for name, value in stage.environment.items() if name.startswith("MEMORA_")}


def test_its_commands_are_memoras() -> None:
    assert FINAL.last("ENTRYPOINT").words == ["memora"]
    assert "memora" in tomllib.loads(text("pyproject.toml"))["project"]["scripts"]
    assert parse(FINAL.last("CMD").words).command == "run"
    _, _, command = FINAL.last("HEALTHCHECK").argument.partition(" CMD ")
    check = parse(yaml.safe_load(command)[1:])
    assert (check.command, check.running) == ("check", True)
    assert FINAL.last("STOPSIGNAL").argument == "SIGTERM"


def test_compose_gives_each_secret_as_a_file() -> None:
    for name in SECRETS:
        assert SERVICE["environment"][f"{name}_FILE"] == f"/run/secrets/{name.lower()}"
        assert COMPOSE["secrets"][name.lower()] == {"file": f"./secrets/{name.lower()}"}
    assert (
        sorted(SERVICE["secrets"]) == sorted(COMPOSE["secrets"]) == sorted(name.lower() for name in SECRETS)
    )
    assert "/secrets/" in text(".gitignore").splitlines()


def test_compose_takes_every_liberty_away() -> None:
    assert SERVICE["read_only"] is True
    assert SERVICE["cap_drop"] == ["ALL"]
    assert SERVICE["security_opt"] == ["no-new-privileges:true"]
    assert SERVICE["tmpfs"].startswith("/tmp:")
    assert "ports" not in SERVICE


def test_compose_keeps_the_data_and_reads_the_settings() -> None:
    data, settings = SERVICE["volumes"]
    assert data == "memora:/data"
    assert "memora" in COMPOSE["volumes"]
    assert settings == f"./config.toml:{FINAL.last('WORKDIR').argument}/config.toml:ro"


def test_compose_waits_until_replies_and_summaries_have_ended() -> None:
    """Both may take the drain time, one after the other."""
    assert _seconds(SERVICE["stop_grace_period"]) > 2 * Settings().bot.drain_seconds


def test_continuous_integration_runs_all_checks() -> None:
    assert os.access(ROOT / ".ci/run", os.X_OK)
    assert "make test" in text(".ci/run")
    recipe = text("Makefile").partition("\ntest:")[2].partition("\n\n")[0]
    for check in ("ruff format --check", "ruff check", "mypy", "lint-imports", "pytest"):
        assert check in recipe
