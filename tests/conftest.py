"""What all tests share."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from bot.memory import vocabulary


def pytest_configure() -> None:
    """Point tiktoken at the vocabulary that the packages bring: tests never download."""
    folders = (
        Path(sys.prefix, "share", "memora", "vocabulary"),
        Path(tempfile.gettempdir(), "memora-vocabulary"),
    )
    vocabulary.prepare(os.environ, folders)
