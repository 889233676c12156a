"""How long a reply takes while a summary is being made, against one without any summary.

`python -m tests.benchmarks.reply_time [--turns 60] [--delay 60]` talks to the loopback provider, whose
summaries take `delay` seconds, by turns with a conversation that is never summarised. It prints the two
medians and their ratio.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import random
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from statistics import median

import structlog

from bot.app import Core, Surroundings, open_core
from bot.chat.lanes import Lanes
from bot.clock import SystemClock
from bot.config import LlmSettings, MemorySettings, Secrets, Settings, StorageSettings
from bot.memory import vocabulary
from tests.benchmarks.talk import lines
from tests.fakes.responder import RecordingResponder
from tests.fakes.store import said
from tests.servers.openai import Answer, OpenAIServer, Recorded, asks_for_memory, echo, fold


class Talk:
    """One conversation and the times of its replies, in seconds."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self.times: list[float] = []
        self._lanes = Lanes(core.service.receive, 1)
        self._lines = lines(None)

    async def turn(self) -> None:
        """Say a line and wait for the answer."""
        message = said(next(self._lines), str(len(self.times)))
        begun = time.perf_counter()
        await self._lanes.submit(message, RecordingResponder())
        self.times.append(time.perf_counter() - begun)


def _settings(folder: Path, name: str, base_url: str, trigger: int) -> Settings:
    # The window is so wide that both conversations send the same number of messages.
    memory = MemorySettings(input_budget=60_000, recent_turns=2, trigger_turns=trigger, topic_shift=False)
    return Settings(
        llm=LlmSettings(base_url=base_url), memory=memory, storage=StorageSettings(path=folder / f"{name}.db")
    )


async def measure(turns: int, delay: float) -> dict[str, float]:
    """Play two conversations turn by turn."""

    def answered(request: Recorded) -> Answer:
        return replace(fold(request), delay_first=delay) if asks_for_memory(request) else echo(request)

    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server = await stack.enter_async_context(OpenAIServer())
        server.answer_with(answered)
        talks = []
        # A window of two turns would fold at four turns beyond it; without a summary it is put off for ever.
        for name, recent in (("without", turns * 2), ("during", 2)):
            settings = _settings(folder, name, server.base_url, 2)
            settings = settings.model_copy(
                update={"memory": settings.memory.model_copy(update={"recent_turns": recent})}
            )
            around = Surroundings(SystemClock(), random.random)
            core = await stack.enter_async_context(open_core(settings, Secrets(), around, patience=0.0))
            talks.append(Talk(core))
        for _ in range(turns):
            for talk in random.sample(talks, len(talks)):
                await talk.turn()
        without, during = (median(talk.times[5:]) for talk in talks)
        return {
            "turns": turns,
            "summaries_under_way": len(server.summaries),
            "median_without_ms": round(without * 1000, 2),
            "median_during_ms": round(during * 1000, 2),
            "ratio": round(during / without, 3),
        }


def main() -> None:
    """Run by the command line."""
    parser = argparse.ArgumentParser(description="Time of a reply while a summary is being made.")
    parser.add_argument("--turns", type=int, default=60)
    parser.add_argument("--delay", type=float, default=60.0)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    vocabulary.prepare(os.environ, (Path(tempfile.gettempdir(), "memora-vocabulary"),))
    figures = asyncio.run(measure(options.turns, options.delay))
    sys.stdout.write("".join(f"{name:<20} {value}\n" for name, value in figures.items()))
    if options.json:
        options.json.write_text(json.dumps(figures), encoding="utf-8")


if __name__ == "__main__":
    main()
