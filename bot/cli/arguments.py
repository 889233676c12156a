"""Reads the command line."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The parsed command line. Exits with status 2 and a usage line when it is wrong."""
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument(
        "-c",
        "--config",
        type=Path,
        metavar="FILE",
        default=argparse.SUPPRESS,
        help="settings file (config.toml in this folder, if there is one)",
    )
    parser = argparse.ArgumentParser(
        prog="memora",
        description="A bot for Telegram and Discord whose memory people can read, check and correct.",
        parents=[common],
    )
    parser.add_argument("--version", action="version", version=f"memora {version('memora')}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add(name: str, text: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=text, description=text, parents=[common])

    add("run", "run the bot on each platform whose token is set")
    chat = add("chat", "talk in this terminal; piped input is taken a message a line")
    chat.add_argument("--json", action="store_true", help="print one JSON object an event")
    chat.add_argument("--as", dest="speaker", metavar="NAME", help="who is speaking (makes it a group)")
    chat.add_argument("--conversation", metavar="NAME", default="default", help="which conversation")
    demo = add("demo", "play a scripted conversation and show how it is remembered")
    demo.add_argument("--fast", action="store_true", help="without pauses for reading")
    check = add("check", "check settings, tokens and the store")
    check.add_argument("--online", action="store_true", help="also reach the model and the platforms")
    check.add_argument("--running", action="store_true", help="also check that the bot is running now")
    add("conversations", "list all conversations")
    export = add("export", "print a conversation")
    export.add_argument("conversation", metavar="CONVERSATION", help="as `memora conversations` lists it")
    export.add_argument("--format", choices=("jsonl", "md"), default="jsonl")
    backup = add("backup", "copy the store into a new file while it is in use")
    backup.add_argument("file", type=Path, metavar="FILE")
    return parser.parse_args(arguments)
