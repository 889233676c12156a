"""The whole core without adapters, put together as the application does it, with scripted models."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Awaitable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from time import monotonic_ns
from typing import Any

from bot.chat.answering import Answerer
from bot.chat.compaction import Compactor
from bot.chat.folding import Folding
from bot.chat.lanes import Lanes
from bot.chat.service import ChatService
from bot.commands.registry import table
from bot.config import Settings
from bot.memory.summariser import Summariser
from bot.messages import CommandCall, ConversationKey, IncomingMessage, Speaker
from bot.ports import ModelRequest, TokenCounter
from bot.records import Conversation, Memory, Summary
from bot.store import SqliteStore
from bot.views.model import View
from tests.fakes.clock import StepClock
from tests.fakes.model import ScriptedModel
from tests.fakes.responder import RecordingResponder
from tests.fakes.store import ANN, KEY, said

SENTENCE = "On this day we spoke at some length about the garden, its old trees and the long wall."


def small(**memory: Any) -> Settings:
    """Settings that fold early: the first time as soon as three turns lie beyond the newest two."""
    chosen = {"recent_turns": 2, "trigger_turns": 3, "input_budget": 4000, "reply_wait": 0.0, **memory}
    summary = {"max_tokens": chosen.pop("max_tokens", 300)}
    return Settings.model_validate({"memory": chosen, "summary": summary})


def operations(*edits: Mapping[str, Any]) -> str:
    """A summariser's answer."""
    return json.dumps({"operations": edits})


def add(text: str, *sources: int, about: int = 1) -> dict[str, Any]:
    """A new note on messages of the piece, by their numbers in it."""
    return {"op": "add", "kind": "fact", "about": about, "text": text, "sources": list(sources)}


def first_words(request: ModelRequest) -> str:
    """Fold a piece into one note, the first words of its first message; notes before the fourth go."""
    lines = request.messages[0].text.splitlines()
    rows = [re.match(r"(\d+) #(\d+) (\".*\")$", line) for line in lines[lines.index("Messages") :]]
    place, about, text = next(row.groups() for row in rows if row and row[2] != "0")
    old = [line.split()[0] for line in lines[lines.index("Notes") + 1 : lines.index("Messages")]]
    drops = [{"op": "drop", "note": name, "reason": "minor", "sources": []} for name in old[:-3]]
    note = add(" ".join(json.loads(text).split()[:4]), int(place), about=int(about))
    return operations(note, *drops)


@dataclass
class Core:
    """A running core, and short ways to talk to it. `heard` is what the listener of compactions got."""

    settings: Settings
    clock: StepClock
    store: SqliteStore
    model: ScriptedModel
    summaries: ScriptedModel
    compactor: Compactor
    service: ChatService
    lanes: Lanes
    heard: list[Mapping[str, Any]]
    _numbers: Any = field(default_factory=lambda: count(monotonic_ns()))  # another core's never come again

    def send(
        self, event: IncomingMessage, interval: float = 1.0
    ) -> tuple[RecordingResponder, Awaitable[None]]:
        """Submit an event: what it gets back, and the awaitable of its end."""
        responder = RecordingResponder(interval, next(self._numbers))
        return responder, self.lanes.submit(event, responder)

    async def say(self, text: str, message_id: str = "", **more: Any) -> RecordingResponder:
        """Say something and wait for the end of its turn; summaries may still be on their way."""
        responder, done = self.send(self.words(text, message_id, **more))
        await done
        return responder

    def words(self, text: str, message_id: str = "", **more: Any) -> IncomingMessage:
        """A message with a new id of its own unless it gets one."""
        return said(text, message_id or f"m{next(self._numbers)}", **more)

    def call(
        self, line: str, speaker: Speaker = ANN, key: ConversationKey = KEY, **more: Any
    ) -> IncomingMessage:
        """A command as an event."""
        name, _, argument = line.removeprefix("/").partition(" ")
        base = said(line, f"c{next(self._numbers)}", speaker, key)
        values = {slot: getattr(base, slot) for slot in base.__slots__}
        return IncomingMessage(**{**values, "command": CommandCall(name, argument), "admin": True, **more})

    async def command(self, line: str, **more: Any) -> View:
        """Give a command; the one view it shows."""
        responder, done = self.send(self.call(line, **more))
        await done
        (view,) = responder.views
        return view

    async def chat(self, turns: int, text: str = SENTENCE) -> None:
        """So many turns, one after another, each with its summaries if any."""
        for turn in range(turns):
            responder = await self.say(f"{chr(97 + turn % 26)}-line. {text}")
            assert responder.answer is not None
            await self.compactor.join()

    async def chat_until_asked(self) -> None:
        """Turns until the summariser is asked once more, and that run is over."""
        asked = len(self.summaries.requests)
        for _ in range(40):
            if len(self.summaries.requests) > asked:
                return
            await self.chat(1)
        raise AssertionError("the summariser is never asked")

    async def chat_until_folded(self) -> Summary:
        """The same, for a run that must succeed; its summary."""
        before = len(self.heard)
        await self.chat_until_asked()
        assert self.heard[before]["result"] == "done"
        summary = (await self.memory()).summary
        assert summary is not None
        return summary

    async def conversation(self, key: ConversationKey = KEY) -> Conversation:
        found = await self.store.find(key)
        assert found
        return found

    async def memory(self, key: ConversationKey = KEY) -> Memory:
        return await self.store.memory(await self.conversation(key))

    @property
    def last(self) -> ModelRequest:
        """The newest request for an answer."""
        return self.model.requests[-1]


@asynccontextmanager
async def running(
    path: Path,
    counter: TokenCounter,
    settings: Settings | None = None,
    clock: StepClock | None = None,
    models: tuple[ScriptedModel, ScriptedModel] | None = None,
) -> AsyncIterator[Core]:
    """Open the core on a file; leaving it stops everything at once, as a fast shutdown does.

    `models` answer and summarise.
    """
    settings, clock = settings or small(), clock or StepClock()
    model, summaries = models or (ScriptedModel("chatty"), ScriptedModel("brief", first_words))
    heard: list[Mapping[str, Any]] = []
    async with SqliteStore.open(path, clock) as store:
        summary = settings.summary
        summariser = Summariser(
            summaries, counter, settings.bot.name, summary.max_tokens, summary.temperature
        )
        folding = Folding(store, summariser, counter, clock, settings, lambda: 1.0)
        compactor = Compactor(store, folding, clock, settings.memory.parallel_runs, heard.append)
        answerer = Answerer(store, model, counter, compactor, clock, settings)
        service = ChatService(store, answerer, compactor, clock, settings, table())
        lanes = Lanes(service.receive, 8)
        core = Core(settings, clock, store, model, summaries, compactor, service, lanes, heard)
        try:
            yield core
        finally:
            await lanes.drain(0)
            await compactor.close(0)


def told(request: ModelRequest) -> str:
    """All that a request says, instructions included."""
    return "\n".join([request.instructions, *(message.text for message in request.messages)])
