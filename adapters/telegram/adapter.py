"""Telegram as a platform: receives by long polling, translates, and puts what it received into the inbox."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, repeat
from types import TracebackType
from typing import Self, TypeVar

import structlog
from telegram import ChatMemberUpdated, Update
from telegram.constants import ChatMemberStatus
from telegram.error import TelegramError

from adapters.telegram.addressing import Me
from adapters.telegram.calls import Calls
from adapters.telegram.chats import Chats
from adapters.telegram.connection import Connection
from adapters.telegram.errands import Errands
from adapters.telegram.errors import delivery_error
from adapters.telegram.menu import fingerprint, menus
from adapters.telegram.reply import TelegramResponder
from adapters.telegram.sender import Sender
from adapters.telegram.translate import PLATFORM, place_of, translate
from bot.clock import SystemClock
from bot.config import Secrets, Settings
from bot.errors import DeliveryDelayed, DeliveryError, SettingsError, StoreError
from bot.messages import Inbound, IncomingMessage
from bot.ports import Clock, CommandInfo, Inbox, StateStore

Result = TypeVar("Result")

# In seconds: how long Telegram holds a request for updates, and the pauses after failed ones.
_POLL = 30
_PAUSES = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
_WANTED = (Update.MESSAGE, Update.EDITED_MESSAGE, Update.CALLBACK_QUERY, Update.MY_CHAT_MEMBER)
_OUT = (ChatMemberStatus.BANNED, ChatMemberStatus.LEFT)

log = structlog.get_logger(__name__)


def build(settings: Settings, secrets: Secrets, state: StateStore) -> TelegramAdapter:
    """The adapter for these settings. SettingsError where the token is missing."""
    if secrets.telegram_bot_token is None:
        raise SettingsError("TELEGRAM_BOT_TOKEN", "is missing")
    token = secrets.telegram_bot_token.get_secret_value()
    connection = Connection(token, settings.telegram.api_base_url)
    return TelegramAdapter(connection, settings.bot.language, state, SystemClock())


class TelegramAdapter:
    """The Adapter port. It starts without Telegram being reachable and keeps trying."""

    platform = PLATFORM

    def __init__(
        self,
        connection: Connection,
        language: str,
        state: StateStore,
        clock: Clock,
        poll: int = _POLL,
    ) -> None:
        self._connection = connection
        self._language = language
        self._state = state
        self._clock = clock
        self._poll = poll
        self._chats = Chats()
        self._errands = Errands()

    async def __aenter__(self) -> Self:
        await self._connection.__aenter__()
        self._calls = Calls(self._connection.bot)
        self._sender = Sender(self._calls, self._chats, self._clock)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._errands.close()
        await self._connection.__aexit__(kind, error, trace)

    async def check(self) -> str:
        """The bot's username; DeliveryError when this token doesn't reach it."""
        try:
            return f"@{(await self._connection.bot.get_me()).username}"
        except TelegramError as error:
            raise delivery_error(error) from None

    async def run(self, inbox: Inbox, commands: Sequence[CommandInfo]) -> None:
        """Receive until cancelled. DeliveryError when Telegram refuses for good, as with a wrong token."""
        bot = self._connection.bot
        account = await self._persistently(bot.get_me)
        me = Me(account.id, account.username or "", frozenset(command.name for command in commands))
        await self._persistently(bot.delete_webhook)
        self._errands.start(self._announce(me, commands))
        guarded = frozenset(command.name for command in commands if command.admin_only)
        log.info("receiving from Telegram", bot=me.username)
        offset: int | None = None
        while True:
            updates = await self._persistently(partial(self._fetch, offset))
            for update in updates:
                await self._receive(update, me, guarded, inbox)
                offset = update.update_id + 1
            # The next request confirms these updates, so they have to be safe before it is made.
            await inbox.accepted()

    async def _fetch(self, offset: int | None) -> tuple[Update, ...]:
        return await self._connection.bot.get_updates(
            offset=offset, timeout=self._poll, allowed_updates=_WANTED
        )

    async def _receive(self, update: Update, me: Me, guarded: frozenset[str], inbox: Inbox) -> None:
        """Hand on one update. One that can't be handled is logged and passed over: others wait behind it."""
        try:
            if update.my_chat_member:
                self._note_membership(update.my_chat_member)
            if update.callback_query:
                self._errands.start(self._acknowledge(update.callback_query.id))
            place = place_of(update)
            event = translate(update, me, self._clock.now())
            if place is None or event is None:
                return
            self._chats[place.chat].gone = False
            event = await self._with_rights(event, guarded, place.chat)
            pressed = place.heard if update.callback_query else None
            responder = TelegramResponder(self._sender, self._chats, self._errands, place, pressed)
            inbox.submit(event, responder)
        except Exception:
            log.exception("an update could not be handled", update=update.update_id)

    async def _with_rights(self, event: Inbound, guarded: frozenset[str], chat: int) -> Inbound:
        """Ask whether a person is an admin, but only where a command depends on it."""
        if not isinstance(event, IncomingMessage) or event.admin or event.command is None:
            return event
        if event.command.name not in guarded:
            return event
        try:
            return replace(event, admin=await self._calls.is_admin(chat, int(event.speaker.id)))
        except TelegramError as error:
            log.warning("it can't be told who is an admin", chat=chat, error=repr(delivery_error(error)))
            return event

    def _note_membership(self, change: ChatMemberUpdated) -> None:
        self._chats[change.chat.id].gone = change.new_chat_member.status in _OUT

    async def _acknowledge(self, query: str) -> None:
        try:
            await self._calls.acknowledge(query)
        except TelegramError as error:
            log.debug("a button was not acknowledged", error=repr(delivery_error(error)))

    async def _announce(self, me: Me, commands: Sequence[CommandInfo]) -> None:
        """Set the command menus, unless they are as they were. The bot works without them, too."""
        wanted = menus(commands, self._language)
        name, present = f"telegram:{me.id}:menu", fingerprint(wanted)
        try:
            if await self._state.get_state(name) == present:
                return
            for menu in wanted:
                language = menu.language or None
                await self._persistently(
                    partial(self._connection.bot.set_my_commands, menu.commands, menu.scope, language)
                )
            await self._state.set_state(name, present)
        except DeliveryError as error:
            log.warning("the command menu was not set", error=repr(error))
        except StoreError as error:
            log.warning("the command menu may be set again", error=repr(error))

    async def _persistently(self, call: Callable[[], Awaitable[Result]]) -> Result:
        """Call until it works; DeliveryError when it never will."""
        for pause in chain(_PAUSES, repeat(_PAUSES[-1])):
            try:
                return await call()
            except TelegramError as error:
                failure = delivery_error(error)
            if not isinstance(failure, DeliveryDelayed):
                raise failure
            wait = pause if failure.retry_after is None else failure.retry_after
            log.warning("Telegram can't be reached", error=str(failure), again_in=wait)
            await self._clock.sleep(wait)
        raise AssertionError("the pauses never end")
