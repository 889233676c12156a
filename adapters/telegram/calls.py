"""Single calls of the Bot API as the adapter needs them; each is made once and may raise the SDK's errors."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import structlog
from telegram import Bot, InlineKeyboardMarkup, LinkPreviewOptions, MessageEntity, ReplyParameters
from telegram.constants import ChatAction, ChatMemberStatus
from telegram.error import BadRequest

from adapters.telegram.errors import says
from adapters.telegram.formatted import Formatted

Result = TypeVar("Result")

_LOST = ("message to edit not found", "message can't be edited", "message_id_invalid")

log = structlog.get_logger(__name__)


class MessageLost(Exception):
    """The message that was to be changed isn't there any more, or can't be changed."""


@dataclass(frozen=True, slots=True)
class Content:
    """What one message shows."""

    part: Formatted
    markup: InlineKeyboardMarkup | None = None


class Calls:
    """The calls of one bot. Where Telegram refuses the formatting, the text goes without it."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    async def send(self, chat: int, thread: int | None, reply_to: int | None, content: Content) -> int:
        """The id of the new message. What is replied to may be gone by now."""
        reply = ReplyParameters(reply_to, allow_sending_without_reply=True) if reply_to else None

        async def once(entities: Sequence[MessageEntity]) -> int:
            message = await self._bot.send_message(
                chat,
                content.part.text,
                entities=entities,
                reply_markup=content.markup,
                message_thread_id=thread,
                reply_parameters=reply,
                link_preview_options=LinkPreviewOptions(is_disabled=True),
            )
            return message.message_id

        return await _with_formatting_if_possible(once, content.part)

    async def edit(self, chat: int, number: int, content: Content) -> None:
        """Change a message; it may be as it should already. MessageLost when it can't be changed."""

        async def once(entities: Sequence[MessageEntity]) -> None:
            await self._bot.edit_message_text(
                content.part.text,
                chat,
                number,
                entities=entities,
                reply_markup=content.markup,
                link_preview_options=LinkPreviewOptions(is_disabled=True),
            )

        try:
            await _with_formatting_if_possible(once, content.part)
        except BadRequest as error:
            if says(error, *_LOST):
                raise MessageLost from None
            if not says(error, "message is not modified"):
                raise

    async def delete(self, chat: int, number: int) -> None:
        """Remove a message; one that can't be removed stays."""
        try:
            await self._bot.delete_message(chat, number)
        except BadRequest as error:
            log.debug("a message was not removed", reason=str(error))

    async def typing(self, chat: int, thread: int | None) -> None:
        """Show for some seconds that an answer is being made."""
        await self._bot.send_chat_action(chat, ChatAction.TYPING, thread)

    async def acknowledge(self, query: str) -> None:
        """Stop the clock on a pressed button; one pressed long ago has stopped by itself."""
        try:
            await self._bot.answer_callback_query(query)
        except BadRequest as error:
            log.debug("a button was not acknowledged", reason=str(error))

    async def is_admin(self, chat: int, person: int) -> bool:
        """Whether a person may moderate a chat."""
        member = await self._bot.get_chat_member(chat, person)
        return member.status in (ChatMemberStatus.OWNER, ChatMemberStatus.ADMINISTRATOR)


async def _with_formatting_if_possible(
    call: Callable[[Sequence[MessageEntity]], Awaitable[Result]], part: Formatted
) -> Result:
    try:
        return await call(part.entities)
    except BadRequest as error:
        if not part.marks or not says(error, "entit"):
            raise
        log.warning("formatting was refused", marks=len(part.marks), reason=str(error))
        return await call(())
