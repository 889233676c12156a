"""Finds the published API descriptions that the loopback servers check requests against."""

from __future__ import annotations

from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]


def description(name: str) -> Path | None:
    """Path of the description file NAME, or None on a machine that does not have the folder."""
    path = _ROOT.parent / "shared" / "specs" / name
    return path if path.is_file() else None
