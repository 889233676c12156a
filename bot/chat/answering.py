"""Answers one message: context window, model, reply, and the record of all three."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace

import structlog

from bot.chat.compaction import Compactor
from bot.chat.preparing import Prepared, Preparer
from bot.chat.streaming import deliver
from bot.config import Settings
from bot.errors import (
    ContextTooLarge,
    DeliveryError,
    ModelEmpty,
    ModelError,
    ModelFiltered,
    ModelRejected,
    StoreError,
)
from bot.memory.window import ContextWindow
from bot.messages import Message
from bot.ports import (
    ChatModel,
    Clock,
    Completion,
    ConversationStore,
    Finish,
    ReplySink,
    Responder,
    TokenCounter,
)
from bot.records import Conversation, RequestRecord
from bot.views.notices import erased
from bot.views.problems import problem
from bot.views.words import Words

log = structlog.get_logger(__name__)


class Answerer:
    """Answers messages of any conversation; the caller sees to it that one conversation has one at a time."""

    def __init__(
        self,
        store: ConversationStore,
        model: ChatModel,
        counter: TokenCounter,
        compactor: Compactor,
        clock: Clock,
        settings: Settings,
    ) -> None:
        self._store = store
        self._model = model
        self._preparer = Preparer(store, model, counter, compactor, clock, settings)
        self._compactor = compactor
        self._clock = clock
        self._bot_name = settings.bot.name
        # By conversation and epoch: a reset must not stop an answer of the epoch that it opens.
        self._deliveries: dict[tuple[int, int], asyncio.Task[Completion]] = {}

    async def answer(
        self, conversation: Conversation, message: Message, responder: Responder, words: Words
    ) -> None:
        """Answer `message`, or say why not. Raises StoreError and DeliveryError; the model's are told."""
        try:
            prepared = await self._preparer.prepare(conversation, message)
        except ContextTooLarge as error:
            await self._store.close_turn(message.id, "too_large")
            await responder.show(problem(error, words))
            return
        await self._reply(conversation, message, prepared, responder, words)
        self._compactor.consider(conversation)

    async def abandon(self, conversation: Conversation) -> None:
        """Stop an answer under way because its conversation is erased; the person is told so."""
        delivery = self._deliveries.pop((conversation.id, conversation.epoch), None)
        if delivery:
            delivery.cancel()
            await asyncio.wait({delivery})

    async def _reply(
        self,
        conversation: Conversation,
        message: Message,
        prepared: Prepared,
        responder: Responder,
        words: Words,
    ) -> None:
        sink = await responder.open_reply()
        try:
            stored = await self._made(conversation, message, prepared, sink, responder, words)
        except _Abandoned:
            stored = None
        except Exception as error:
            await self._failed(message, error)
            await sink.fail(problem(error, words))
            return
        if stored is None:
            await sink.fail(erased(words))
            return
        await self._finish(stored, sink)

    async def _made(
        self,
        conversation: Conversation,
        message: Message,
        prepared: Prepared,
        sink: ReplySink,
        responder: Responder,
        words: Words,
    ) -> Message | None:
        """The answer, stored; None when the conversation was erased meanwhile."""
        started = self._clock.monotonic()
        completion = _usable(await self._deliver(conversation, prepared.window, sink, responder))
        record = _completed(prepared.record, completion, self._clock.monotonic() - started)
        text = _text(completion, words)
        return await self._store.add_answer(conversation, message.id, self._bot_name, text, record)

    async def _failed(self, message: Message, error: Exception) -> None:
        """Log why there is no answer, and leave the turn open only where the store can't close it now."""
        if isinstance(error, ModelError):
            log.warning("no answer", message=message.id, error=repr(error))
        else:
            log.error("no answer", message=message.id, exc_info=error)
        with suppress(StoreError):
            await self._store.close_turn(message.id, "failed")

    async def _deliver(
        self, conversation: Conversation, window: ContextWindow, sink: ReplySink, responder: Responder
    ) -> Completion:
        present = await self._store.find(conversation.key)
        if present is None or present.epoch != conversation.epoch:
            raise _Abandoned  # erased while the window was made, which may have waited for a summary
        stream = self._model.stream(window.request())
        delivery = asyncio.create_task(deliver(stream, sink, responder, self._clock))
        slot = (conversation.id, conversation.epoch)
        self._deliveries[slot] = delivery
        try:
            return await delivery
        except asyncio.CancelledError:
            if self._deliveries.get(slot) is delivery:
                raise  # the whole answer is cancelled, not this conversation erased
            raise _Abandoned from None
        finally:
            if self._deliveries.get(slot) is delivery:
                del self._deliveries[slot]

    async def _finish(self, stored: Message, sink: ReplySink) -> None:
        try:
            parts = await sink.finish(stored.text)
            await self._store.attach_parts(stored.id, parts)
        except (DeliveryError, StoreError) as error:  # it is stored: nothing of it is to be said again
            log.warning("where an answer is shown isn't known", message=stored.id, error=repr(error))
            return
        log.info("answered", message=stored.id, parts=len(parts), length=len(stored.text))


class _Abandoned(Exception):
    """The conversation was erased while its answer was on its way."""


def _usable(completion: Completion) -> Completion:
    if completion.finish is Finish.FILTER:
        raise ModelFiltered("the answer was filtered")
    if completion.finish is Finish.REFUSAL and not completion.text.strip():
        raise ModelRejected("the model declined")
    if not completion.text.strip():
        raise ModelEmpty("the answer had no text")
    return completion


def _text(completion: Completion, words: Words) -> str:
    """The answer as it is shown and stored; one that reached its length limit says so."""
    if completion.finish is Finish.LENGTH:
        return f"{completion.text}…\n\n_{words('(The answer reached its length limit here.)')}_"
    return completion.text


def _completed(record: RequestRecord, completion: Completion, duration: float) -> RequestRecord:
    usage = completion.usage
    return replace(
        record,
        model=completion.model or record.model,
        input=usage.input if usage else None,
        output=usage.output if usage else None,
        cached=usage.cached if usage else None,
        duration=duration,
    )
