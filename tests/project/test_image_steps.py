"""The Dockerfile's steps, carried out one by one in a clean folder, yield a bot that works.

They install the locked packages, so they need the package index as `make test` itself does.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.end_to_end.program import PATIENCE
from tests.project.dockerfile import Machine, stages
from tests.project.repository import ROOT, text
from tests.servers.telegram import TelegramServer

BUILD, FINAL = stages(text("Dockerfile"))
HEALTH = json.loads(FINAL.last("HEALTHCHECK").argument.partition(" CMD ")[2])
COMMAND = FINAL.last("ENTRYPOINT").words + FINAL.last("CMD").words

pytestmark = pytest.mark.timeout(900)


def _python() -> str:
    """The image's version of Python if this machine has it, else the one that runs the tests."""
    name = FINAL.base.removesuffix("-slim").replace(":", "")
    found = shutil.which(name)
    if found and subprocess.run([found, "-c", ""], capture_output=True, check=False).returncode == 0:
        return found
    return sys.executable


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    root = tmp_path_factory.mktemp("image")
    built = Machine(root, ROOT, _python())
    try:
        built.build(BUILD)
        built.build(FINAL)
    except subprocess.CalledProcessError as error:
        pytest.fail(f"{error.cmd}\n{error.stdout}\n{error.stderr}")
    yield built
    shutil.rmtree(root)


def _state(machine: Machine) -> dict[str, tuple[int, int]]:
    """Size and time of change of all files that are not data."""
    data = machine.place("/data")
    found = (path for path in machine.root.rglob("*") if data not in path.parents and path != data)
    return {str(path): (path.lstat().st_size, path.lstat().st_mtime_ns) for path in found}


def test_nothing_of_the_build_is_left(machine: Machine) -> None:
    assert not machine.place("/src").exists()
    assert not machine.place("/opt/memora/bin/pip").exists()
    assert machine.noted_calls()[-1] == "chown 10001:10001 /data"


def test_it_works_and_writes_nothing_but_data(machine: Machine) -> None:
    before = _state(machine)
    said = machine.run(["memora", "--version"]).stdout
    assert said.startswith("memora ")
    checked = machine.run(["memora", "check"]).stdout
    assert f"store {machine.place('/data/memora.db')}: writable" in checked
    talk = machine.run(["memora", "chat"], text="My locker is number 4711.\nWhich number is my locker?\n")
    assert "4711" in talk.stdout
    assert machine.place("/data/memora.db").exists()
    assert _state(machine) == before


async def test_its_command_its_health_check_and_its_stop_signal(machine: Machine) -> None:
    token = machine.root / "data" / "token"
    async with TelegramServer() as server:
        token.write_text(f"{server.token}\n")
        settings = {"MEMORA_TELEGRAM__API_BASE_URL": server.base_url, "TELEGRAM_BOT_TOKEN_FILE": str(token)}
        process = await asyncio.create_subprocess_exec(
            "sh",
            "-c",
            'exec "$@"',
            "sh",
            *COMMAND,
            cwd=machine.place(machine.folder),
            env={**machine.environment, **settings},
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            ann = server.person("Ann")
            chat = server.private(ann)
            server.say(chat, ann, "My locker is number 4711.")
            await server.wait_for(lambda: bool(chat.from_bot), PATIENCE)
            healthy = await asyncio.to_thread(machine.run, HEALTH, settings)
            assert "ok    bot: running" in healthy.stdout
            process.send_signal(getattr(signal, FINAL.last("STOPSIGNAL").argument))
            assert await asyncio.wait_for(process.wait(), PATIENCE) == 0
        finally:
            if process.returncode is None:
                process.kill()
            await process.communicate()


def test_the_health_check_fails_where_nothing_runs(machine: Machine, tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError) as failed:
        machine.run(HEALTH, {"MEMORA_STORAGE__PATH": str(tmp_path / "memora.db")})
    assert "FAIL  bot: not running" in failed.value.stdout
