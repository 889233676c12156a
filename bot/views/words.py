"""What Memora itself says, in a person's language: one catalogue file a language, English in the code."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

LANGUAGES = ("en", "zh-hant", "zh-hans")


class Words:
    """Translates one language's sentences; what a catalogue lacks stays English."""

    def __init__(self, language: str) -> None:
        self.language = language if language in LANGUAGES else "en"
        self._catalog = None if self.language == "en" else _catalog(self.language)

    def __call__(self, message: str, **values: Any) -> str:
        """The sentence `message` with `{name}` fields filled from `values`."""
        entry = self._catalog.get(message) if self._catalog else None
        translated = str(entry.string) if entry and entry.string else message
        return translated.format(**values) if values else translated


def closest(language: str) -> str:
    """The catalogue for a client's language tag such as "zh-TW" or "en_US"; "en" for all others."""
    tag = language.lower().replace("_", "-")
    if not tag.startswith("zh"):
        return "en"
    return "zh-hant" if any(mark in tag for mark in ("hant", "tw", "hk", "mo")) else "zh-hans"


@cache
def _catalog(language: str) -> Catalog:
    with files("bot.views").joinpath("locales", f"{language}.po").open("rb") as file:
        return read_po(file)
