"""The package that is built holds all that the program reads at run time, and nothing else."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

from tests.project.repository import PACKAGES, ROOT, files


def test_the_wheel_holds_every_file_of_the_program(tmp_path: Path) -> None:
    built = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        about = {
            name.partition("/")[2]: archive.read(name).decode() for name in names if ".dist-info/" in name
        }
    packed = {name for name in names if ".dist-info/" not in name}
    owned = {str(file.relative_to(ROOT)) for file in files()}
    assert packed == {name for name in owned if name.partition("/")[0] in PACKAGES}
    assert {Path(name).suffix for name in packed} == {".py", ".po", ".sql"}
    assert "memora = bot.__main__:main" in about["entry_points.txt"]
    assert "Memora contributors" in about["licenses/LICENSE"]
    assert "License-Expression: MIT" in about["METADATA"]
