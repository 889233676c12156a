"""The offline model: real, if modest; deterministic; English and Chinese."""

from bot.llm.offline.model import OfflineModel

__all__ = ["OfflineModel"]
