"""The command line's composition root: the only module that sees both the core and the adapters."""

from __future__ import annotations

import asyncio
import os
import random
import secrets as tokens
import signal
import sys
import tempfile
from argparse import Namespace
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

import structlog

from adapters import registry
from adapters.terminal.adapter import TerminalAdapter, mode_for
from adapters.terminal.demo import DemoAdapter, demo_settings
from bot.app import Surroundings, open_core, serve
from bot.cli import checking, exporting
from bot.cli.arguments import parse
from bot.cli.logs import configure
from bot.clock import SystemClock
from bot.config import Secrets, Settings, load_secrets, load_settings
from bot.errors import MemoraError, SettingsError
from bot.llm.factory import is_offline
from bot.memory import vocabulary
from bot.ports import Adapter, StateStore
from bot.store import SqliteStore

OFFLINE = "No OPENAI_API_KEY and no [llm] base_url: using the built-in offline model."
# A script's next line gives a summary under way this long; a person never waits.
_SETTLE_SECONDS = 1.0

log = structlog.get_logger("memora")


def main(arguments: list[str] | None = None) -> int:
    """Run a command; its exit code: 0 good, 1 it failed, 2 settings or usage are wrong."""
    options = parse(sys.argv[1:] if arguments is None else arguments)
    shared = Path(sys.prefix, "share", "memora", "vocabulary")
    vocabulary.prepare(os.environ, (shared, Path(tempfile.gettempdir(), "memora-vocabulary")))
    try:
        settings = load_settings(_settings_file(options), os.environ)
        secrets = load_secrets(os.environ)
        return asyncio.run(_COMMANDS[options.command](options, settings, secrets))
    except SettingsError as error:
        _say(f"memora: {error}")
        return 2
    except MemoraError as error:
        _say(f"memora: {error}")
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # whoever read the output has seen enough
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115  closed by the interpreter
        return 0


def _settings_file(options: Namespace) -> Path | None:
    if "config" in options:
        return Path(options.config)
    return Path("config.toml") if Path("config.toml").exists() else None


async def _run(options: Namespace, settings: Settings, secrets: Secrets) -> int:
    _configure(settings, secrets, settings.log.level)
    names = registry.enabled(settings, secrets)
    if not names:
        raise SettingsError(
            "TELEGRAM_BOT_TOKEN, DISCORD_BOT_TOKEN", "no platform is enabled and has a token; nothing to run"
        )
    if is_offline(settings, secrets):
        log.warning(OFFLINE)
    drain = settings.bot.drain_seconds
    stop = _stop_on(signal.SIGTERM, signal.SIGINT)
    async with open_core(settings, secrets, _surroundings(), patience=drain) as core:
        await core.store.check()
        pulse = asyncio.create_task(_pulse(checking.pulse_file(settings)))
        log.info("started", platforms=names, model=core.model.name)
        try:
            await serve(core, list(_factories(names, settings, secrets).values()), stop, drain)
        finally:
            pulse.cancel()
            await asyncio.gather(pulse, return_exceptions=True)
    log.info("stopped")
    return 0


async def _chat(options: Namespace, settings: Settings, secrets: Secrets) -> int:
    mode = mode_for(sys.stdin, sys.stdout, options.json)
    settings.storage.path.parent.mkdir(parents=True, exist_ok=True)
    beside = settings.storage.path.with_suffix
    _configure(settings, secrets, "warning", beside(".log") if mode == "interactive" else None)
    greeting = OFFLINE if is_offline(settings, secrets) else ""
    if greeting and mode != "interactive":
        _say(greeting)
    around = _surroundings()
    async with open_core(settings, secrets, around, patience=settings.summary.timeout) as core:
        adapter = TerminalAdapter(
            options.speaker or "you",
            options.conversation,
            mode,
            sys.stdin,
            sys.stdout,
            around.clock,
            partial(core.compactor.join, _SETTLE_SECONDS),
            options.speaker is not None,
            run_id=tokens.token_hex(4),
            environment=os.environ,
            bot_name=settings.bot.name,
            language=settings.bot.language,
            greeting=greeting,
        )
        around.listener = adapter.report
        stop = _stop_on(signal.SIGTERM)
        await serve(core, [lambda _: adapter], stop, settings.bot.drain_seconds)
        if not stop.is_set():
            await core.compactor.join(settings.summary.timeout)
    return 0


async def _demo(options: Namespace, settings: Settings, secrets: Secrets) -> int:
    """Always by the offline model and in a store of its own: it costs nothing and leaves nothing."""
    _configure(settings, secrets, "warning")
    around = _surroundings()
    with tempfile.TemporaryDirectory(prefix="memora-demo-") as folder:
        played = demo_settings(settings, Path(folder, "demo.db"))
        async with open_core(played, Secrets(), around, patience=10.0) as core:
            settle = core.compactor.join
            adapter = DemoAdapter(sys.stdout, around.clock, settle, os.environ, fast=options.fast)
            around.listener = adapter.report
            await serve(core, [lambda _: adapter], _stop_on(signal.SIGTERM), 5.0)
    return 0


async def _check(options: Namespace, settings: Settings, secrets: Secrets) -> int:
    _configure(settings, secrets, "error")
    lines = [(True, "settings: valid"), *checking.secrets_lines(settings, secrets)]
    async with open_core(settings, secrets, _surroundings(), patience=0.0) as core:
        lines.append(await checking.store_line(core, settings))
        if options.online:
            names = registry.enabled(settings, secrets)
            lines += await checking.online_lines(core, _factories(names, settings, secrets))
    if options.running:
        lines.append(checking.running_line(settings))
    for good, text in lines:
        sys.stdout.write(f"{'ok  ' if good else 'FAIL'}  {text}\n")
    return 0 if all(good for good, _ in lines) else 1


async def _conversations(options: Namespace, settings: Settings, secrets: Secrets) -> int:
    async with SqliteStore.open(settings.storage.path, SystemClock()) as store:
        await exporting.list_conversations(store, sys.stdout.write)
    return 0


async def _export(options: Namespace, settings: Settings, secrets: Secrets) -> int:
    async with SqliteStore.open(settings.storage.path, SystemClock()) as store:
        await exporting.export(store, options.conversation, options.format, sys.stdout.write)
    return 0


async def _backup(options: Namespace, settings: Settings, secrets: Secrets) -> int:
    async with SqliteStore.open(settings.storage.path, SystemClock()) as store:
        await store.backup(options.file)
    return 0


def _surroundings() -> Surroundings:
    return Surroundings(SystemClock(), random.random)


def _factories(
    names: list[str], settings: Settings, secrets: Secrets
) -> Mapping[str, Callable[[StateStore], Adapter]]:
    return {name: partial(registry.factory(name), settings, secrets) for name in names}


def _configure(settings: Settings, secrets: Secrets, level: str, file: Path | None = None) -> None:
    found = (secrets.openai_api_key, secrets.telegram_bot_token, secrets.discord_bot_token)
    masked = [secret.get_secret_value() for secret in found if secret]
    configure(level, settings.log.format, masked, file)


def _stop_on(*signals: signal.Signals) -> asyncio.Event:
    """An event that is set by the first of `signals`; a second one ends the process as usual."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()

    def stopped(number: signal.Signals) -> None:
        log.info("stopping", signal=number.name)
        stop.set()
        loop.remove_signal_handler(number)

    for number in signals:
        loop.add_signal_handler(number, stopped, number)
    return stop


async def _pulse(file: Path) -> None:
    """Give a sign of life now and then, for `memora check --running`."""
    while True:
        with suppress(OSError):
            await asyncio.to_thread(file.touch)
        await asyncio.sleep(checking.PULSE_SECONDS)


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


_COMMANDS = {
    "run": _run,
    "chat": _chat,
    "demo": _demo,
    "check": _check,
    "conversations": _conversations,
    "export": _export,
    "backup": _backup,
}


if __name__ == "__main__":
    sys.exit(main())
