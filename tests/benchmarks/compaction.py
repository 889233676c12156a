"""What a long conversation costs to summarise, and how well it keeps what it has noted.

`python -m tests.benchmarks.compaction --turns 1000 [--data locomo.json] [--json FILE]` plays a conversation
with the built-in offline model and prints:

summariser_ratio    tokens sent to the summariser ÷ tokens of the messages it folded
largest_request     tokens of the largest answer request; never above the budget
summary_share       tokens of the last summary ÷ tokens of what it covers
changed_bytes       bytes of notes that no operation touched, yet differ between versions
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
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import structlog

from bot.app import Core, Surroundings, open_core
from bot.chat.lanes import Lanes
from bot.clock import SystemClock
from bot.config import MemorySettings, Secrets, Settings, StorageSettings
from bot.memory import vocabulary
from bot.memory.tokens import TiktokenCounter, message_tokens
from bot.records import Conversation, RequestRecord, Summary
from tests.benchmarks.talk import lines
from tests.fakes.responder import RecordingResponder
from tests.fakes.store import KEY, said


@dataclass(frozen=True, slots=True)
class Figures:
    """The results, by the names that the module explains."""

    turns: int
    runs: int
    failures: int
    summariser_ratio: float
    largest_request: int
    budget: int
    summary_share: float
    changed_bytes: int


async def measure(turns: int, spoken: Iterator[str], budget: int) -> Figures:
    """Play `turns` turns of what is `spoken`, each followed by its summaries."""
    around = Surroundings(SystemClock(), random.random)
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            memory=MemorySettings(input_budget=budget), storage=StorageSettings(path=Path(folder, "talk.db"))
        )
        async with open_core(settings, Secrets(), around, patience=0.0) as core:
            lanes = Lanes(core.service.receive, 1)
            largest = 0
            for number in range(turns):
                await lanes.submit(said(next(spoken), str(number)), RecordingResponder())
                await core.compactor.join()
                largest = max(largest, (await _last_request(core)).counted)
            return await _figures(core, turns, largest, budget)


async def _conversation(core: Core) -> Conversation:
    found = await core.store.find(KEY)
    assert found is not None
    return found


async def _last_request(core: Core) -> RequestRecord:
    found = await core.store.last_request(await _conversation(core))
    assert found is not None
    return found


async def _figures(core: Core, turns: int, largest: int, budget: int) -> Figures:
    counter = TiktokenCounter("o200k_base")
    conversation = await _conversation(core)
    versions = await core.store.versions(conversation)
    totals = await core.store.totals(conversation)
    last = versions[-1]
    covered = 0
    async for message in core.store.export(conversation):
        if message.id <= last.watermark:
            covered += message_tokens(counter, message.text)
    return Figures(
        turns=turns,
        runs=len(versions),
        failures=(await core.store.compaction_state(conversation)).failures,
        summariser_ratio=round(totals.summary_input / covered, 3),
        largest_request=largest,
        budget=budget,
        summary_share=round(last.draft.tokens / covered, 3),
        changed_bytes=sum(map(_changed, versions, versions[1:])),
    )


def _changed(before: Summary, after: Summary) -> int:
    """Bytes that differ in notes which kept their id and their sources."""
    old = {note.id: note for note in before.draft.notes}
    kept = [note for note in after.draft.notes if note.id in old and note.sources == old[note.id].sources]
    return sum(len(note.text.encode()) for note in kept if note.text != old[note.id].text)


def main() -> None:
    """Run by the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--turns", type=int, default=1000)
    parser.add_argument("--budget", type=int, default=MemorySettings().input_budget)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    vocabulary.prepare(os.environ, (Path(tempfile.gettempdir(), "memora-vocabulary"),))
    figures = asyncio.run(measure(options.turns, lines(options.data), options.budget))
    values = {name: getattr(figures, name) for name in Figures.__slots__}
    sys.stdout.write("".join(f"{name:<18} {value}\n" for name, value in values.items()))
    if options.json:
        options.json.write_text(json.dumps(values), encoding="utf-8")


if __name__ == "__main__":
    main()
