"""config.toml documents every setting with its default."""

from __future__ import annotations

import re
import tomllib
from itertools import pairwise

from bot.config import Settings, load_settings
from tests.project.repository import ROOT, text

WRITTEN = text("config.toml")


def test_it_changes_nothing() -> None:
    assert load_settings(ROOT / "config.toml", {}) == Settings()


def test_every_section_and_key_is_there_in_order() -> None:
    """What has no default is there, too, but commented out."""
    uncommented = re.sub(r"^# (?=\w+ = )", "", WRITTEN, flags=re.MULTILINE)
    told = {section: list(values) for section, values in tomllib.loads(uncommented).items()}
    assert told == {section: list(values) for section, values in Settings().model_dump().items()}
    assert list(told) == list(Settings.model_fields)


def test_every_key_is_explained() -> None:
    """A comment may stand for several keys that follow each other."""
    key = re.compile(r"(?:# )?(\w+) = ")
    lines = WRITTEN.splitlines()
    blank = [
        line
        for before, line in pairwise(lines)
        if key.match(line) and not (before.startswith("#") or key.match(before))
    ]
    assert blank == []
