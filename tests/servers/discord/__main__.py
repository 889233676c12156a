"""The loopback Discord server as a process of its own, for tests that kill what talks to it."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.servers.discord.control import ControlledServer


def main(arguments: Sequence[str] | None = None) -> None:
    """Listen until SIGTERM or SIGINT; the first line of standard output is the API's base address."""
    parser = argparse.ArgumentParser(prog="python -m tests.servers.discord", description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--record", type=Path, help="file that gets every request as a line of JSON")
    parser.add_argument("--token", default="loopback.discord.token", help="the only bot token that is let in")
    parser.add_argument("--no-content-intent", action="store_true", help="withhold the message content")
    asyncio.run(_serve(parser.parse_args(arguments)))


async def _serve(options: argparse.Namespace) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    server = ControlledServer(
        token=options.token,
        port=options.port,
        record=options.record,
        content_intent=not options.no_content_intent,
    )
    async with server:
        sys.stdout.write(server.api_base_url + "\n")
        sys.stdout.flush()
        await stop.wait()


if __name__ == "__main__":
    main()
