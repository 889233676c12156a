"""Receives events: stores messages, follows edits and deletions, and says what is left to do."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import structlog

from bot.chat.answering import Answerer
from bot.chat.compaction import Compactor
from bot.chat.lanes import Job
from bot.commands.model import Command, CommandContext, FoldReport
from bot.commands.registry import menu
from bot.config import Settings
from bot.errors import DeliveryError, MemoraError, StoreError
from bot.messages import (
    ChatKind,
    CommandCall,
    ConversationMoved,
    Inbound,
    IncomingMessage,
    Message,
    MessageEdited,
    MessagesDeleted,
)
from bot.ports import Appended, Clock, ConversationStore, Responder
from bot.records import Conversation
from bot.views.notices import erased, notice
from bot.views.problems import problem
from bot.views.words import Words, closest

log = structlog.get_logger(__name__)


class ChatService:
    """The core's front door; `receive` is what the lanes call. Also the Workshop that commands use."""

    def __init__(
        self,
        store: ConversationStore,
        answerer: Answerer,
        compactor: Compactor,
        clock: Clock,
        settings: Settings,
        commands: Mapping[str, Command],
    ) -> None:
        self._store = store
        self._answerer = answerer
        self._compactor = compactor
        self._clock = clock
        self._settings = settings
        self._commands = commands
        self._under_way: set[int] = set()

    async def receive(self, event: Inbound, responder: Responder) -> Job | None:
        """Bring the store up to date with an event; the job that answers it, if there is one."""
        match event:
            case IncomingMessage(command=CommandCall() as call):
                return Job(partial(self._command, event, call, responder), ordered=False)
            case IncomingMessage():
                return await self._message(event, responder)
            case MessageEdited():
                await self._store.edit(event)
            case MessagesDeleted():
                await self._store.delete(event)
            case ConversationMoved():
                await self._store.move(event)
        return None

    async def fold_now(self, conversation: Conversation) -> FoldReport:
        """For /compact."""
        return await self._compactor.fold_now(conversation)

    async def undo(self, conversation: Conversation) -> bool:
        """For /undo."""
        await self._compactor.abandon(conversation)
        return await self._store.undo(conversation)

    async def abandon(self, conversation: Conversation) -> None:
        """For /reset."""
        await self._answerer.abandon(conversation)
        await self._compactor.abandon(conversation)

    async def _message(self, incoming: IncomingMessage, responder: Responder) -> Job | None:
        try:
            appended = await self._store.append(incoming)
        except StoreError as error:
            log.error("a message was not stored", conversation=str(incoming.key), error=repr(error))
            if not incoming.addressed:
                return None
            failed = problem(error, self._words(incoming))
            return Job(partial(responder.show, failed), ordered=True)
        if not appended.open or appended.message.id in self._under_way:
            if appended.new:
                self._compactor.consider(appended.conversation)
            return None
        self._under_way.add(appended.message.id)
        return Job(partial(self._answer, appended, responder, self._words(incoming)), ordered=True)

    async def _answer(self, appended: Appended, responder: Responder, words: Words) -> None:
        message = appended.message
        try:
            conversation = await self._store.find(appended.conversation.key)
            if conversation is None or conversation.epoch != appended.conversation.epoch:
                await responder.show(erased(words))
                return
            await self._give_up_before(conversation, message)
            await self._answerer.answer(conversation, message, responder, words)
        except DeliveryError as error:
            log.warning("an answer can't be shown", message=message.id, error=repr(error))
            await self._store.close_turn(message.id, "failed")
        except StoreError as error:
            log.error("an answer failed on the store", message=message.id, error=repr(error))
            await responder.show(problem(error, words))
        except Exception as error:  # a fault in Memora itself: still, nobody waits for ever
            log.exception("an answer failed", message=message.id)
            await self._store.close_turn(message.id, "failed")
            await responder.show(problem(error, words))
        finally:
            self._under_way.discard(message.id)

    async def _give_up_before(self, conversation: Conversation, message: Message) -> None:
        """Close turns that a stop or a failing store left open: this one's turn has come, so theirs is over.

        What is open is never folded; without this the conversation would never be summarised again.
        """
        while (left := await self._store.open_turn(conversation)) is not None and left < message.id:
            log.warning("a message stays without its answer", message=left)
            await self._store.close_turn(left, "failed")

    async def _command(self, incoming: IncomingMessage, call: CommandCall, responder: Responder) -> None:
        words = self._words(incoming)
        command = self._commands.get(call.name.lower())
        if command is None:
            # In a group it may be meant for another bot.
            if incoming.chat_kind is ChatKind.PRIVATE:
                text = words("I don't know /{name}. /help lists what I can do.", name=call.name)
                await responder.show(notice("unknown", words("Unknown command"), text))
            return
        if command.admin_only and not incoming.admin:
            text = words("Only those who moderate this chat may do that.")
            await responder.show(notice("denied", words("Not allowed"), text))
            return
        context = CommandContext(
            incoming,
            call.argument.strip(),
            words,
            self._settings,
            self._store,
            self,
            self._clock,
            menu(),
        )
        try:
            view = await command.handler(context)
        except Exception as error:  # whatever it is: who gave a command is told
            unexpected = None if isinstance(error, MemoraError) else error
            log.error("a command failed", command=command.name, error=repr(error), exc_info=unexpected)
            view = problem(error, words)
        await responder.show(view)

    def _words(self, incoming: IncomingMessage) -> Words:
        """In private the person's own language, in a group the one that is set."""
        if incoming.chat_kind is ChatKind.PRIVATE and incoming.language:
            return Words(closest(incoming.language))
        return Words(self._settings.bot.language)
