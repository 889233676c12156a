"""Which platforms there are: name -> factory, imported only when the platform is used.

A Telegram-only installation thus never imports discord.py, and the other way round.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import cast

from bot.config import Secrets, Settings
from bot.ports import Adapter, StateStore

Factory = Callable[[Settings, Secrets, StateStore], Adapter]

_PLATFORMS = {"telegram": "adapters.telegram.adapter", "discord": "adapters.discord.adapter"}


def enabled(settings: Settings, secrets: Secrets) -> list[str]:
    """Names of the platforms that are switched on and have a token."""
    switches = {
        "telegram": settings.telegram.enabled and secrets.telegram_bot_token,
        "discord": settings.discord.enabled and secrets.discord_bot_token,
    }
    return [name for name, on in switches.items() if on]


def factory(name: str) -> Factory:
    """The `build` function of a platform's adapter module. KeyError for an unknown name."""
    return cast(Factory, import_module(_PLATFORMS[name]).build)
