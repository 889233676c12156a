"""`memora check`: says line by line whether this installation can work."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from bot.app import Core
from bot.config import Secrets, Settings
from bot.errors import DeliveryError, ModelError, StoreError
from bot.ports import Adapter, StateStore

# `memora run` touches its sign of life every so many seconds; three missed ones mean that it hangs.
PULSE_SECONDS = 20.0
Factories = Mapping[str, Callable[[StateStore], Adapter]]


def pulse_file(settings: Settings) -> Path:
    """The file whose age says that a bot with these settings is running."""
    return settings.storage.path.with_name(settings.storage.path.name + ".alive")


def secrets_lines(settings: Settings, secrets: Secrets) -> list[tuple[bool, str]]:
    """Which secrets there are. A missing one is no fault: what needs it is left out."""
    offline = not secrets.openai_api_key and not settings.llm.base_url
    found = [
        ("OPENAI_API_KEY", secrets.openai_api_key, "using the offline model" if offline else "not needed"),
        ("TELEGRAM_BOT_TOKEN", secrets.telegram_bot_token, "Telegram stays off"),
        ("DISCORD_BOT_TOKEN", secrets.discord_bot_token, "Discord stays off"),
    ]
    return [
        (True, f"{name}: {'set' if value else f'not set, {otherwise}'}") for name, value, otherwise in found
    ]


async def store_line(core: Core, settings: Settings) -> tuple[bool, str]:
    """Whether the store can be written."""
    try:
        await core.store.check()
    except StoreError as error:
        return False, f"store {settings.storage.path}: {error}"
    return True, f"store {settings.storage.path}: writable"


async def online_lines(core: Core, factories: Factories) -> list[tuple[bool, str]]:
    """Whether the model and each enabled platform can be reached."""
    lines = [await _line(f"model {core.model.name}", core.model.check)]
    for name, factory in factories.items():
        async with factory(core.store) as adapter:
            lines.append(await _line(name, adapter.check))
    return lines


def running_line(settings: Settings) -> tuple[bool, str]:
    """Whether `memora run` gave a sign of life lately."""
    try:
        age = time.time() - pulse_file(settings).stat().st_mtime
    except OSError:
        return False, "bot: not running"
    alive = age < 3 * PULSE_SECONDS
    return alive, "bot: running" if alive else f"bot: no sign of life for {age:.0f} s"


async def _line(name: str, check: Callable[[], Awaitable[object]]) -> tuple[bool, str]:
    try:
        said = await check()
    except (ModelError, DeliveryError) as error:
        return False, f"{name}: {type(error).__name__}: {error}"
    return True, f"{name}: reachable{f' as {said}' if isinstance(said, str) else ''}"
