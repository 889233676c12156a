"""Settings: every key, its default and its bounds; read from a TOML file and the environment."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, HttpUrl, SecretStr, TypeAdapter, ValidationError
from pydantic.functional_validators import AfterValidator

from bot.errors import SettingsError

PREFIX = "MEMORA_"
SECRETS = ("OPENAI_API_KEY", "TELEGRAM_BOT_TOKEN", "DISCORD_BOT_TOKEN")


def _checked_url(text: str) -> str:
    """An http(s) address as it was written, without a slash at its end ("" stays: not set)."""
    if text:
        TypeAdapter(HttpUrl).validate_python(text)
    return text.rstrip("/")


def _polling(mode: str) -> str:
    if mode != "polling":
        raise ValueError("webhooks are not supported yet; use polling")
    return mode


Url = Annotated[str, AfterValidator(_checked_url)]
Api = Literal["responses", "chat"]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class BotSettings(_Section):
    """[bot]"""

    name: str = Field("Memora", min_length=1, max_length=64)
    persona: str = Field(
        "You are {name}, a friendly and precise assistant in a chat. Answer in the language of the message, "
        "briefly unless asked for more. If you don't know something, say so.",
        min_length=1,
    )
    language: Literal["en", "zh-hant", "zh-hans"] = "en"
    drain_seconds: float = Field(25.0, ge=0, le=600)

    @property
    def instructions(self) -> str:
        """The persona with the bot's name in it."""
        return self.persona.replace("{name}", self.name)


class LlmSettings(_Section):
    """[llm]"""

    api: Api = "responses"
    base_url: Url = ""
    model: str = Field("gpt-5-mini", min_length=1)
    max_output_tokens: int = Field(4096, ge=16)
    timeout: float = Field(120.0, gt=0)
    max_retries: int = Field(2, ge=0, le=10)
    temperature: float | None = Field(None, ge=0, le=2)
    developer_role: Literal["developer", "system"] = "developer"


class SummarySettings(_Section):
    """[summary]; empty model, api and base_url mean those of [llm]."""

    model: str = ""
    api: Api | Literal[""] = ""
    base_url: Url = ""
    max_tokens: int = Field(1200, ge=50)
    temperature: float | None = Field(0.1, ge=0, le=2)
    piece_tokens: int = Field(6000, ge=200)
    timeout: float = Field(120.0, gt=0)


class MemorySettings(_Section):
    """[memory]; budgets are in tokens."""

    input_budget: int = Field(8000, ge=200)
    recent_turns: int = Field(8, ge=1)
    trigger_ratio: float = Field(0.7, gt=0, le=1)
    trigger_turns: int = Field(10, ge=1)
    topic_shift: bool = True
    idle_minutes: float = Field(60.0, ge=0)
    retain_days: float = Field(0.0, ge=0)
    token_count: Literal["local", "api"] = "local"
    reply_wait: float = Field(10.0, ge=0, le=300)
    parallel_runs: int = Field(2, ge=1, le=64)


class StorageSettings(_Section):
    """[storage]"""

    path: Path = Path("data/memora.db")


class TelegramSettings(_Section):
    """[telegram]"""

    enabled: bool = True
    api_base_url: Url = "https://api.telegram.org"
    mode: Annotated[Literal["polling", "webhook"], AfterValidator(_polling)] = "polling"


class DiscordSettings(_Section):
    """[discord]"""

    enabled: bool = True
    api_base_url: Url = "https://discord.com/api/v10"


class LogSettings(_Section):
    """[log]"""

    level: Literal["debug", "info", "warning", "error"] = "info"
    format: Literal["console", "json"] = "console"


class AccessSettings(_Section):
    """[access]: reserved; no keys yet."""


class LimitsSettings(_Section):
    """[limits]: reserved; no keys yet."""


class WebSettings(_Section):
    """[web]: reserved; no keys yet."""


class Settings(_Section):
    """All settings. Every key may also come as an environment variable MEMORA_SECTION__KEY."""

    bot: BotSettings = BotSettings()
    llm: LlmSettings = LlmSettings()
    summary: SummarySettings = SummarySettings()
    memory: MemorySettings = MemorySettings()
    storage: StorageSettings = StorageSettings()
    telegram: TelegramSettings = TelegramSettings()
    discord: DiscordSettings = DiscordSettings()
    log: LogSettings = LogSettings()
    access: AccessSettings = AccessSettings()
    limits: LimitsSettings = LimitsSettings()
    web: WebSettings = WebSettings()


class Secrets(_Section):
    """Keys and tokens; they come from the environment only and are never written anywhere."""

    openai_api_key: SecretStr | None = None
    telegram_bot_token: SecretStr | None = None
    discord_bot_token: SecretStr | None = None


def load_settings(file: Path | None, environment: Mapping[str, str]) -> Settings:
    """Read `file` (None: defaults only) and lay the environment's MEMORA_SECTION__KEY over it.

    Raises SettingsError with the dotted path of the first key that is wrong.
    """
    values = _read(file) if file else {}
    for section, key, text in _from_environment(environment):
        table = values.setdefault(section, {})
        if isinstance(table, dict):
            table[key] = text
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        path = ".".join(str(part) for part in first["loc"])
        raise SettingsError(path, _reason(first["type"], first["msg"])) from None


def load_secrets(environment: Mapping[str, str]) -> Secrets:
    """Read each secret from NAME, or from the file that NAME_FILE names. Blank ones count as missing."""
    found: dict[str, SecretStr] = {}
    for name in SECRETS:
        text = environment.get(name, "") or _secret_file(name, environment.get(f"{name}_FILE", ""))
        if text.strip():
            found[name.lower()] = SecretStr(text.strip())
    return Secrets(**found)


def _secret_file(name: str, path: str) -> str:
    if not path:
        return ""
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{name}_FILE", f"can't read {path}: {error}") from None


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(str(file), f"can't be read: {error}") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(str(file), f"is no valid TOML: {error}") from None


def _from_environment(environment: Mapping[str, str]) -> list[tuple[str, str, str]]:
    found = []
    for name, text in sorted(environment.items()):
        if name.startswith(PREFIX):
            section, separator, key = name.removeprefix(PREFIX).lower().partition("__")
            if not (separator and key):
                raise SettingsError(name, f"unknown; settings are named {PREFIX}SECTION__KEY")
            found.append((section, key, text))
    return found


def _reason(kind: str, message: str) -> str:
    return "unknown setting" if kind == "extra_forbidden" else message
