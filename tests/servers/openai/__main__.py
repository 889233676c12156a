"""The loopback OpenAI server as a process of its own, for tests that kill what talks to it.

A script file is a JSON list of answers, or an object with the lists "answers", "summaries", "counts" and
"models".
"""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.servers.openai.answers import from_json
from tests.servers.openai.server import Kind, OpenAIServer


def main(arguments: Sequence[str] | None = None) -> None:
    """Listen until SIGTERM or SIGINT; the first line of standard output is the base address."""
    parser = argparse.ArgumentParser(prog="python -m tests.servers.openai", description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--script", type=Path)
    parser.add_argument("--record", type=Path)
    asyncio.run(_serve(parser.parse_args(arguments)))


async def _serve(options: argparse.Namespace) -> None:
    server = OpenAIServer(port=options.port, record=options.record)
    if options.script:
        _load(server, json.loads(options.script.read_text(encoding="utf-8")))
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with server:
        sys.stdout.write(server.base_url + "\n")
        sys.stdout.flush()
        await stop.wait()


def _load(server: OpenAIServer, script: list[dict[str, Any]] | dict[Kind, list[dict[str, Any]]]) -> None:
    if isinstance(script, list):
        server.script(*map(from_json, script))
        return
    for kind, answers in script.items():
        server.script(*map(from_json, answers), to=kind)


if __name__ == "__main__":
    main()
