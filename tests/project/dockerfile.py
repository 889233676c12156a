"""Reads a Dockerfile of plain instructions, and carries out its steps in a folder in place of the root."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction; `argument` is the rest of its line."""

    name: str
    argument: str

    @property
    def words(self) -> list[str]:
        """The argument's words: a JSON list's strings, or what blanks part."""
        return json.loads(self.argument) if self.argument.startswith("[") else self.argument.split()


@dataclass(frozen=True, slots=True)
class Stage:
    """What begins with FROM."""

    base: str
    name: str
    instructions: tuple[Instruction, ...]

    def all(self, name: str) -> list[Instruction]:
        """The instructions of one name."""
        return [each for each in self.instructions if each.name == name]

    def last(self, name: str) -> Instruction:
        """The instruction that counts where later ones replace earlier ones."""
        return self.all(name)[-1]

    @property
    def environment(self) -> dict[str, str]:
        """What ENV sets, with references to variables as they are written."""
        return dict(each.argument.split("=", 1) for each in self.all("ENV"))


def stages(text: str) -> list[Stage]:
    """The stages of a Dockerfile. Comments and empty lines are passed over; lines aren't continued."""
    found: list[Stage] = []
    for line in (line.strip() for line in text.splitlines()):
        if not line or line.startswith("#"):
            continue
        name, _, argument = line.partition(" ")
        if name == "FROM":
            base, _, stage = argument.partition(" AS ")
            found.append(Stage(base, stage, ()))
        else:
            last = found.pop()
            found.append(Stage(last.base, last.name, (*last.instructions, Instruction(name, argument))))
    return found


@dataclass(slots=True)
class Machine:
    """Carries out stages one after the other below `root`; `context` is what COPY copies from.

    All stages share the root, so what a later stage copies from an earlier one has to keep its path; the
    rest that the earlier one left is taken away. Accounts are not made: the commands in `noted` are only
    written down.
    """

    root: Path
    context: Path
    python: str
    noted: Sequence[str] = ("useradd", "chown")
    environment: dict[str, str] = field(default_factory=dict)
    folder: str = "/"

    def __post_init__(self) -> None:
        programs = self.place("/usr/local/bin")
        programs.mkdir(parents=True)
        scripts = {name: f'echo {name} "$@" >> {self.root}/noted' for name in self.noted}
        for name, line in {**scripts, "python": f'exec {self.python} "$@"'}.items():
            program = programs / name
            program.write_text(f"#!/bin/sh\n{line}\n")
            program.chmod(0o755)
        self._begin()

    def place(self, path: str) -> Path:
        """Where a path of the image is on this machine."""
        return self.root / path.lstrip("/")

    def noted_calls(self) -> list[str]:
        """The calls of commands that were only written down, with the image's paths."""
        return (self.root / "noted").read_text().replace(str(self.root), "").splitlines()

    def build(self, stage: Stage) -> None:
        """Carry out a stage. Raises CalledProcessError when a step fails."""
        self._begin()
        for step in stage.instructions:
            match step.name:
                case "RUN":
                    self.run(["sh", "-c", self._mapped(step.argument)])
                case "ENV":
                    name, value = step.argument.split("=", 1)
                    self.environment[name] = self._expanded(self._mapped(value))
                case "WORKDIR":
                    self.folder = step.argument
                    self.place(self.folder).mkdir(parents=True, exist_ok=True)
                case "COPY":
                    self._copy(step.words)

    def run(
        self, command: Sequence[str], extra: Mapping[str, str] | None = None, text: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """Run a command as the image would; its output is kept. Raises CalledProcessError when it fails."""
        return subprocess.run(
            command,
            cwd=self.place(self.folder),
            env={**self.environment, **(extra or {})},
            input=text,
            capture_output=True,
            text=True,
            check=True,
        )

    def _begin(self) -> None:
        """A stage's own environment: what the base image has, and how pip gets through on this machine."""
        passed = re.compile(r"PIP_|.*_proxy$|SSL_CERT_|REQUESTS_CA_", re.IGNORECASE)
        self.environment = {name: value for name, value in os.environ.items() if passed.match(name)}
        self.environment["PATH"] = f"{self.place('/usr/local/bin')}:/usr/bin:/bin"
        self.environment["HOME"] = str(self.place("/home"))
        self.place("/home").mkdir(exist_ok=True)
        self.folder = "/"

    def _copy(self, words: Sequence[str]) -> None:
        if words[0].startswith("--from="):
            _, source, target = words
            assert source == target, "what a stage takes over keeps its path"
            kept = self.place(target).relative_to(self.root).parts[0]
            for other in self.root.iterdir():
                if other.name not in (kept, "usr", "home", "data", "noted"):
                    shutil.rmtree(other)
            return
        *sources, target = words
        into = self.place(str(Path(self.folder, target)))
        for source in sources:
            origin = self.context / source
            if origin.is_dir():
                shutil.copytree(origin, into, ignore=shutil.ignore_patterns("__pycache__", ".hypothesis"))
            else:
                shutil.copy(origin, into)

    def _mapped(self, text: str) -> str:
        return re.sub(r"(?<![\w$.}/-])/(?=\w)", f"{self.root}/", text)

    def _expanded(self, text: str) -> str:
        return re.sub(r"\$(\w+)", lambda found: self.environment.get(found[1], ""), text)
