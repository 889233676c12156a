"""Settings: what is accepted, and how a wrong one is named."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from bot.config import SECRETS, Settings, load_secrets, load_settings
from bot.errors import SettingsError

DOCUMENTED = Path(__file__).resolve().parents[2] / "config.toml"


def test_the_documented_file_holds_the_defaults() -> None:
    assert load_settings(DOCUMENTED, {}) == Settings()


def test_every_key_is_documented_with_a_line_of_its_own() -> None:
    text = DOCUMENTED.read_text(encoding="utf-8")
    for section, fields in Settings.model_fields.items():
        body = re.search(rf"^\[{section}\]\n(.*?)(?=^\[|\Z)", text, re.MULTILINE | re.DOTALL)
        assert body, section
        assert fields.default is not None
        for key in type(fields.default).model_fields:
            assert re.search(rf"^(?:# )?{key} = ", body.group(1), re.MULTILINE), f"{section}.{key}"


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("[memroy]\nrecent_turns = 3", "memroy"),
        ("[memory]\nrecent_turn = 3", "memory.recent_turn"),
        ("[memory]\nrecent_turns = 0", "memory.recent_turns"),
        ("[memory]\nrecent_turns = -2", "memory.recent_turns"),
        ("[memory]\nrecent_turns = 'many'", "memory.recent_turns"),
        ("[memory]\nrecent_turns = 2.5", "memory.recent_turns"),
        ("[memory]\ntrigger_ratio = 0", "memory.trigger_ratio"),
        ("[memory]\ntrigger_ratio = 1.01", "memory.trigger_ratio"),
        ("[memory]\ntrigger_ratio = nan", "memory.trigger_ratio"),
        ("[memory]\ntrigger_turns = 0", "memory.trigger_turns"),
        ("[memory]\ninput_budget = 10", "memory.input_budget"),
        ("[memory]\ntoken_count = 'guess'", "memory.token_count"),
        ("[memory]\nreply_wait = -1", "memory.reply_wait"),
        ("[memory]\nparallel_runs = 0", "memory.parallel_runs"),
        ("[llm]\napi = 'assistants'", "llm.api"),
        ("[llm]\nbase_url = 'not an address'", "llm.base_url"),
        ("[llm]\nbase_url = 'ftp://example.org'", "llm.base_url"),
        ("[llm]\nmodel = ''", "llm.model"),
        ("[llm]\nmax_output_tokens = 1", "llm.max_output_tokens"),
        ("[llm]\ntimeout = 0", "llm.timeout"),
        ("[llm]\nmax_retries = 99", "llm.max_retries"),
        ("[llm]\ntemperature = 3", "llm.temperature"),
        ("[llm]\ndeveloper_role = 'boss'", "llm.developer_role"),
        ("[summary]\nmax_tokens = 5", "summary.max_tokens"),
        ("[summary]\npiece_tokens = 5", "summary.piece_tokens"),
        ("[bot]\nname = ''", "bot.name"),
        ("[bot]\npersona = ''", "bot.persona"),
        ("[bot]\nlanguage = 'tlh'", "bot.language"),
        ("[bot]\ndrain_seconds = 1e9", "bot.drain_seconds"),
        ("[telegram]\nenabled = 'perhaps'", "telegram.enabled"),
        ("[telegram]\nmode = 'webhook'", "telegram.mode"),
        ("[discord]\napi_base_url = '//'", "discord.api_base_url"),
        ("[log]\nlevel = 'loud'", "log.level"),
        ("[access]\nopen = true", "access.open"),
        ("[limits]\nrate = 1", "limits.rate"),
        ("[web]\nport = 1", "web.port"),
        ("bot = 3", "bot"),
    ],
)
def test_a_wrong_setting_is_named(tmp_path: Path, text: str, path: str) -> None:
    file = tmp_path / "config.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError) as raised:
        load_settings(file, {})
    assert raised.value.path == path
    assert raised.value.reason


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    for content in (b"[bot\n", b"\xff\xfe"):
        file = tmp_path / "broken.toml"
        file.write_bytes(content)
        with pytest.raises(SettingsError, match=r"broken\.toml"):
            load_settings(file, {})
    with pytest.raises(SettingsError, match=r"missing\.toml"):
        load_settings(tmp_path / "missing.toml", {})


def test_the_environment_wins_over_the_file(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("[memory]\nrecent_turns = 3\ntrigger_turns = 5", encoding="utf-8")
    settings = load_settings(file, {"MEMORA_MEMORY__RECENT_TURNS": "4", "MEMORA_TELEGRAM__ENABLED": "no"})
    assert (settings.memory.recent_turns, settings.memory.trigger_turns) == (4, 5)
    assert settings.telegram.enabled is False


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("MEMORA_MEMORY__TYPO", "memory.typo"),
        ("MEMORA_NOWHERE__KEY", "nowhere"),
        ("MEMORA_MEMORY", "MEMORA_MEMORY"),
        ("MEMORA_MEMORY__", "MEMORA_MEMORY__"),
    ],
)
def test_an_unknown_variable_is_refused(name: str, path: str) -> None:
    with pytest.raises(SettingsError) as raised:
        load_settings(None, {name: "1"})
    assert raised.value.path == path


def test_addresses_lose_their_last_slash() -> None:
    assert load_settings(None, {"MEMORA_LLM__BASE_URL": "http://x/v1/"}).llm.base_url == "http://x/v1"


def test_the_persona_carries_the_name() -> None:
    settings = load_settings(
        None, {"MEMORA_BOT__NAME": "Fox", "MEMORA_BOT__PERSONA": "I am {name}, {braces}"}
    )
    assert settings.bot.instructions == "I am Fox, {braces}"


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_comes_from_a_variable_or_a_file(tmp_path: Path, name: str) -> None:
    field = name.lower()
    file = tmp_path / "secret"
    file.write_text("from-file\n", encoding="utf-8")

    def found(environment: dict[str, str]) -> str | None:
        secret = getattr(load_secrets(environment), field)
        return secret.get_secret_value() if secret else None

    assert found({name: " from-variable "}) == "from-variable"
    assert found({f"{name}_FILE": str(file)}) == "from-file"
    assert found({name: "", f"{name}_FILE": str(file)}) == "from-file"
    assert found({name: "  "}) is None
    file.write_text("\n", encoding="utf-8")
    assert found({f"{name}_FILE": str(file)}) is None
    with pytest.raises(SettingsError) as raised:
        found({f"{name}_FILE": str(tmp_path / "none")})
    assert raised.value.path == f"{name}_FILE"


def test_secrets_do_not_show_in_what_is_printed() -> None:
    secrets = load_secrets({"OPENAI_API_KEY": "sk-secret"})
    assert "sk-secret" not in f"{secrets!r} {secrets}"


def test_secrets_are_no_settings() -> None:
    keys = tomllib.loads(DOCUMENTED.read_text(encoding="utf-8"))
    assert not {name.lower() for name in SECRETS} & {key for table in keys.values() for key in table}
