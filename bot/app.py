"""Puts the core together and takes it apart again: store > model > adapters > lanes > receive loops.

Each is entered inside the one before it, so that on the way out receiving stops first, running replies
finish, and the store is closed last.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import structlog

from bot.chat.answering import Answerer
from bot.chat.caretaking import Caretaker
from bot.chat.compaction import Compactor
from bot.chat.folding import Folding
from bot.chat.lanes import Lanes
from bot.chat.service import ChatService
from bot.commands.registry import menu, table
from bot.config import Secrets, Settings
from bot.errors import DeliveryError, SettingsError
from bot.llm.factory import build_model
from bot.memory.prompts import instructions
from bot.memory.summariser import Summariser
from bot.memory.tokens import PER_REPLY, TiktokenCounter, encoding_for, message_tokens
from bot.ports import Adapter, ChatModel, Clock, ConversationStore, Inbox, StateStore, TokenCounter
from bot.store import SqliteStore

# Replies at a time over all conversations; the rest wait their turn.
_PARALLEL_REPLIES = 32

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class Surroundings:
    """What the core gets from outside: time, randomness, and who hears of compactions."""

    clock: Clock
    random: Callable[[], float]
    listener: Callable[[Mapping[str, Any]], None] = field(default=lambda event: None)


@dataclass(frozen=True, slots=True)
class Core:
    """The parts of a running core that the command line and adapters need."""

    store: SqliteStore
    model: ChatModel
    compactor: Compactor
    service: ChatService
    caretaker: Caretaker


def check_budget(settings: Settings, counter: TokenCounter, clock: Clock) -> None:
    """Raises SettingsError when persona and summary leave no room for a message in the budget."""
    told = instructions(settings.bot.instructions, clock.now(), group=True)
    persona = message_tokens(counter, told) + PER_REPLY
    budget = settings.memory.input_budget
    if persona >= budget:
        raise SettingsError(
            "memory.input_budget", f"{budget} tokens are fewer than the persona's {persona} tokens"
        )
    if persona + settings.summary.max_tokens >= budget:
        raise SettingsError(
            "summary.max_tokens",
            f"{settings.summary.max_tokens} tokens beside the persona's {persona} leave no room for messages "
            f"in memory.input_budget ({budget})",
        )


@asynccontextmanager
async def open_core(
    settings: Settings, secrets: Secrets, around: Surroundings, *, patience: float
) -> AsyncIterator[Core]:
    """Store, models and the work on them. On the way out summaries under way get `patience` seconds."""
    counter = TiktokenCounter(encoding_for(settings.llm.model))
    check_budget(settings, counter, around.clock)
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(SqliteStore.open(settings.storage.path, around.clock))
        model = build_model(settings, secrets, counter)
        stack.push_async_callback(model.close)
        summary_model = build_model(settings, secrets, counter, "summary")
        stack.push_async_callback(summary_model.close)
        compactor = _compactor(settings, store, summary_model, counter, around)
        stack.push_async_callback(compactor.close, patience)
        answerer = Answerer(store, model, counter, compactor, around.clock, settings)
        service = ChatService(store, answerer, compactor, around.clock, settings, table())
        caretaker = Caretaker(store, compactor, around.clock, settings.memory)
        yield Core(store, model, compactor, service, caretaker)


def _compactor(
    settings: Settings,
    store: ConversationStore,
    model: ChatModel,
    counter: TokenCounter,
    around: Surroundings,
) -> Compactor:
    summary = settings.summary
    summariser = Summariser(model, counter, settings.bot.name, summary.max_tokens, summary.temperature)
    folding = Folding(store, summariser, counter, around.clock, settings, around.random)

    def told(event: Mapping[str, Any]) -> None:
        around.listener(event)  # looked up at each event: the adapter that hears it is made after the core

    return Compactor(store, folding, around.clock, settings.memory.parallel_runs, told)


async def serve(
    core: Core, factories: Sequence[Callable[[StateStore], Adapter]], stop: asyncio.Event, drain: float
) -> None:
    """Receive on all platforms until `stop` is set or all of them have ended.

    Raises DeliveryError when no platform can work at all. Running replies get `drain` seconds at the end.
    """
    async with AsyncExitStack() as stack:
        adapters = [await stack.enter_async_context(factory(core.store)) for factory in factories]
        lanes = Lanes(core.service.receive, _PARALLEL_REPLIES)
        stack.push_async_callback(lanes.drain, drain)
        await stack.enter_async_context(_beside(core.caretaker.run()))
        await _receive(adapters, lanes, stop)


@asynccontextmanager
async def _beside(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Run something beside the block and stop it at the block's end."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _receive(adapters: Sequence[Adapter], inbox: Inbox, stop: asyncio.Event) -> None:
    stopped: asyncio.Task[Any] = asyncio.create_task(stop.wait())
    loops: dict[asyncio.Task[Any], str] = {
        asyncio.create_task(adapter.run(inbox, menu())): adapter.platform for adapter in adapters
    }
    failures: list[DeliveryError] = []
    running = set(loops)
    try:
        while running and not stopped.done():
            done, _ = await asyncio.wait({*running, stopped}, return_when=asyncio.FIRST_COMPLETED)
            for task in running & set(done):
                running.discard(task)
                try:
                    task.result()
                except DeliveryError as error:
                    log.error("a platform can't be used", platform=loops[task], error=str(error))
                    failures.append(error)
        if failures and len(failures) == len(loops):
            raise failures[0]
    finally:
        for task in (*running, stopped):
            task.cancel()
        await asyncio.gather(*running, stopped, return_exceptions=True)
