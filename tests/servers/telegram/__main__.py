"""The loopback Telegram server as a process of its own, controlled over HTTP (see control.py)."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.servers.telegram.server import TOKEN, TelegramServer


def main(arguments: Sequence[str] | None = None) -> None:
    """Listen until SIGTERM or SIGINT; the first line of standard output is the base address."""
    parser = argparse.ArgumentParser(prog="python -m tests.servers.telegram", description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--token", default=TOKEN)
    parser.add_argument("--record", type=Path)
    asyncio.run(_serve(parser.parse_args(arguments)))


async def _serve(options: argparse.Namespace) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with TelegramServer(token=options.token, port=options.port, record=options.record) as server:
        sys.stdout.write(server.base_url + "\n")
        sys.stdout.flush()
        await stop.wait()


if __name__ == "__main__":
    main()
