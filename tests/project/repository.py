"""Where the project's files are, and which of them belong to it."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("bot", "adapters")


def text(name: str) -> str:
    """The text of a file, named from the repository's root."""
    return (ROOT / name).read_text(encoding="utf-8")


@cache
def files() -> tuple[Path, ...]:
    """Every file that is part of the project or would be with the next commit."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    names = sorted(name for name in listed.stdout.decode().split("\0") if name)
    return tuple(ROOT / name for name in names if (ROOT / name).is_file())


def modules(*packages: str) -> list[Path]:
    """The Python modules of packages, all of the project's without any."""
    roots = [ROOT / package for package in packages or (*PACKAGES, "tests")]
    return [file for file in files() if file.suffix == ".py" and any(root in file.parents for root in roots)]
