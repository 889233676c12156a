"""The rules of the house that no other tool checks: sizes, docstrings, names, locks."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.project.repository import ROOT, files, modules, text

LONGEST_MODULE = 250
LONGEST_FUNCTION = 50
LOCKS = ("requirements.lock", "requirements-dev.lock")
PICTURES = {".svg", ".png"}


def _name(file: Path) -> str:
    return str(file.relative_to(ROOT))


def _functions(file: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def test_every_module_says_in_one_sentence_what_it_owns() -> None:
    silent = []
    for file in modules():
        source = file.read_text(encoding="utf-8")
        if not source.strip() and file.name == "__init__.py" and ROOT / "tests" in file.parents:
            continue
        first = (ast.get_docstring(ast.parse(source)) or "").partition("\n\n")[0]
        if not re.search(r"[.:]$", first):
            silent.append(f"{_name(file)}: {first}")
    assert silent == []


def test_modules_are_small() -> None:
    sizes = {
        _name(file): len(file.read_text(encoding="utf-8").splitlines()) for file in modules("bot", "adapters")
    }
    assert {name: lines for name, lines in sizes.items() if lines > LONGEST_MODULE} == {}


def test_functions_are_small() -> None:
    long = [
        f"{_name(file)}:{each.lineno} {each.name}"
        for file in modules("bot", "adapters")
        for each in _functions(file)
        if (each.end_lineno or 0) - each.lineno + 1 > LONGEST_FUNCTION
    ]
    assert long == []


def test_no_module_is_a_drawer() -> None:
    assert [
        _name(file) for file in modules() if re.search(r"utils?|helpers?|managers?|misc", file.stem)
    ] == []


def test_every_test_folder_is_a_package() -> None:
    """Otherwise `import discord` would find tests/adapters/discord."""
    folders = {file.parent for file in modules("tests")}
    assert [_name(folder) for folder in folders if not (folder / "__init__.py").exists()] == []


@pytest.mark.parametrize("lock", LOCKS)
def test_every_locked_package_has_its_hashes(lock: str) -> None:
    requirements = re.split(
        r"^(?=\S)", re.sub(r"^ *#.*\n", "", text(lock), flags=re.MULTILINE), flags=re.MULTILINE
    )
    named = [each for each in requirements if each.strip()]
    assert len(named) > 20
    unsafe = [
        each
        for each in named
        if not re.match(r"[\w.\[\]-]+==\S+[^\n]*\\\n +--hash=sha256:[0-9a-f]{64}", each)
    ]
    assert unsafe == []


@pytest.mark.parametrize("lock", LOCKS)
def test_locks_name_no_index(lock: str) -> None:
    """Where packages come from is each machine's own affair."""
    assert re.findall(r".*(?:://|--(?:extra-)?index-url|--find-links|--trusted-host).*", text(lock)) == []


def test_both_locks_agree() -> None:
    pins = [dict(re.findall(r"^([\w.-]+)==(\S+)", text(lock), re.MULTILINE)) for lock in LOCKS]
    runtime, development = pins
    assert {name: pin for name, pin in runtime.items() if development.get(name) != pin} == {}


def test_no_file_names_a_path_of_one_machine() -> None:
    path = re.compile(r"(?<![\w.}$])/(?:work|root|home|Users)/[\w.]+")
    found = []
    for file in files():
        if file.suffix in PICTURES:
            continue
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
            if path.search(line):
                found.append(f"{_name(file)}:{number}: {line.strip()[:80]}")
    assert found == []
