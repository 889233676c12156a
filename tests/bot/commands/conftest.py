"""The same running core as for turns."""

from __future__ import annotations

from tests.bot.chat.conftest import clock, core, counter, path, settings

__all__ = ["clock", "core", "counter", "path", "settings"]
