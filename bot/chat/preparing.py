"""Prepares one request: a context window within the budget, and the record of what it holds."""

from __future__ import annotations

from dataclasses import dataclass, replace

import structlog

from bot.chat.compaction import Compactor
from bot.config import Settings
from bot.errors import ContextTooLarge, ModelError
from bot.memory.window import ContextWindow, Frame, build_window, trimmed_window
from bot.messages import Message
from bot.ports import ChatModel, Clock, ConversationStore, TokenCounter
from bot.records import Conversation, Memory, RequestRecord

# The provider's count may differ from the local one; a request over the budget is trimmed at most so often.
_TRIMS = 3

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A request ready to be sent, and its record as far as it is known before the answer."""

    window: ContextWindow
    record: RequestRecord


class Preparer:
    """Makes the request for a message; may wait a while for a summary where the budget is full."""

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
        self._counter = counter
        self._compactor = compactor
        self._clock = clock
        self._settings = settings

    async def prepare(self, conversation: Conversation, message: Message) -> Prepared:
        """The request for `message`. Raises ContextTooLarge when no request for it can fit."""
        window, counted = await self._window(conversation, self._frame(conversation), message)
        return Prepared(window, await self._record(conversation, window, counted))

    def _frame(self, conversation: Conversation) -> Frame:
        llm = self._settings.llm
        return Frame(
            self._settings.bot.instructions,
            conversation.kind,
            self._settings.memory.input_budget,
            llm.max_output_tokens,
            llm.temperature,
        )

    async def _window(
        self, conversation: Conversation, frame: Frame, message: Message
    ) -> tuple[ContextWindow, int | None]:
        memory = await self._store.memory(conversation, message.id)
        now = self._clock.now()
        window = build_window(frame, memory, message, now, self._counter)
        counted = await self._counted(window)
        if self._size(window, counted) > frame.budget or window.left_out:
            await self._compactor.make_room(conversation, self._settings.memory.reply_wait)
            memory = await self._store.memory(conversation, message.id)
            window, counted = await self._fitting(frame, memory, message)
        return window, counted

    async def _fitting(
        self, frame: Frame, memory: Memory, message: Message
    ) -> tuple[ContextWindow, int | None]:
        """A window within the budget by whichever counting is in force, trimmed for this request only."""
        tight, now = frame, self._clock.now()
        for _ in range(_TRIMS):
            try:
                window = trimmed_window(tight, memory, message, now, self._counter)
            except ContextTooLarge as error:
                raise ContextTooLarge(error.parts, frame.budget) from None
            counted = await self._counted(window)
            size = self._size(window, counted)
            if size <= frame.budget:
                break
            # In proportion: a provider may count a multiple of what is counted here.
            tight = replace(tight, budget=window.tokens * frame.budget // size)
        return replace(window, frame=frame), counted

    def _size(self, window: ContextWindow, counted: int | None) -> int:
        return window.tokens if counted is None else counted

    async def _counted(self, window: ContextWindow) -> int | None:
        """The provider's own count where the settings ask for it; None where it can't be had."""
        if self._settings.memory.token_count == "local":
            return None
        try:
            return await self._model.count_input(window.request())
        except ModelError as error:
            log.warning("the provider didn't count; counted locally", error=repr(error))
            return None

    async def _record(
        self, conversation: Conversation, window: ContextWindow, counted: int | None
    ) -> RequestRecord:
        last = await self._store.last_request(conversation)
        summary = window.memory.summary
        covered = summary.covers if summary else 0
        newly = max(covered - (last.summarised if last else 0), 0)
        return window.record(self._model.name, self._clock.now(), newly, counted)
