"""Values that travel between the platforms, the core and the store."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal
from urllib.parse import quote, unquote


@dataclass(frozen=True, slots=True, order=True)
class ConversationKey:
    """The wall around one memory: nothing crosses from one key to another.

    `account` is the bot's own id on the platform, `thread` a forum topic or thread ("" for none).
    """

    platform: str
    account: str
    chat: str
    thread: str = ""

    def __str__(self) -> str:
        """One line, stable and reversible: parts joined by colons, colons inside escaped."""
        parts = [self.platform, self.account, self.chat]
        if self.thread:
            parts.append(self.thread)
        return ":".join(quote(part, safe=" @.-_") for part in parts)

    @classmethod
    def parse(cls, text: str) -> ConversationKey:
        """Read what `str` wrote. Raises ValueError for anything else."""
        parts = [unquote(part) for part in text.split(":")]
        if len(parts) not in (3, 4) or not all(parts[:3]):
            raise ValueError(f"not a conversation: {text!r} (expected platform:account:chat[:thread])")
        return cls(*parts)


class ChatKind(StrEnum):
    """How many people there are to tell apart."""

    PRIVATE = "private"
    GROUP = "group"


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who wrote a message. `id` is the platform's stable id; `name` what people see, as they wrote it."""

    id: str
    name: str
    is_bot: bool = False


@dataclass(frozen=True, slots=True)
class Attachment:
    """Something that isn't text. Memory holds this description, never the content.

    `kind` is a plain word such as "photo", "voice", "document", "sticker", "poll", "embed", "forward".
    `size` is in bytes, None where unknown; `description` is a caption, title or alt text.
    """

    kind: str
    name: str = ""
    description: str = ""
    size: int | None = None

    @property
    def placeholder(self) -> str:
        """One bracketed line for context and history, such as "[photo: sunset.jpg, a beach]"."""
        details = ", ".join(part for part in (self.name, self.description) if part)
        return f"[{self.kind}: {details}]" if details else f"[{self.kind}]"


@dataclass(frozen=True, slots=True)
class CommandCall:
    """A command as a person gave it: its name without slash, and the rest of the line."""

    name: str
    argument: str = ""


@dataclass(frozen=True, slots=True)
class IncomingMessage:
    """A message that a person sent.

    `message_id` is the platform's, unique within the conversation; `sent_at` is aware (UTC).
    `addressed`: the bot is spoken to and has to answer; otherwise the message is background.
    `command` is set when the message is a command for this bot (then it is not part of the memory);
    pressed buttons and slash commands arrive this way too, with a `message_id` of their own.
    `admin`: the platform says that the speaker may moderate this chat (always so in private).
    `language` is the person's client language as the platform gives it ("" where unknown).
    """

    key: ConversationKey
    message_id: str
    speaker: Speaker
    text: str
    sent_at: datetime
    chat_kind: ChatKind = ChatKind.PRIVATE
    chat_title: str = ""
    addressed: bool = True
    command: CommandCall | None = None
    attachments: tuple[Attachment, ...] = ()
    reply_to: str | None = None
    admin: bool = False
    language: str = ""


@dataclass(frozen=True, slots=True)
class MessageEdited:
    """A person changed a message. Only memory follows; no answer is given."""

    key: ConversationKey
    message_id: str
    text: str
    edited_at: datetime
    attachments: tuple[Attachment, ...] | None = None  # None: unchanged


@dataclass(frozen=True, slots=True)
class MessagesDeleted:
    """Messages that are gone on the platform and have to go here."""

    key: ConversationKey
    message_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ConversationMoved:
    """The platform gave the chat a new id (a group became a supergroup); memory moves along.

    Topics of the chat move too: every conversation whose platform, account and chat equal those of `old`.
    """

    old: ConversationKey
    new: ConversationKey


Inbound = IncomingMessage | MessageEdited | MessagesDeleted | ConversationMoved

Role = Literal["user", "assistant"]


@dataclass(frozen=True, slots=True)
class Message:
    """A message as the log holds it.

    `id` orders the messages of a conversation and never changes; `number` tells the people of one
    conversation apart (1, 2, 3 by first appearance; 0 for the bot itself). `text` includes the
    placeholders of attachments. `answers` is the id of the message that an assistant message answers.
    """

    id: int
    role: Role
    speaker: Speaker
    number: int
    text: str
    sent_at: datetime
    platform_id: str = ""
    answers: int | None = None
    edited_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class PlatformLimits:
    """Differences between platforms, as data.

    `max_length` is per message part, counted in `unit`; `edit_interval` is the least time in seconds
    between two edits of a streamed answer.
    """

    max_length: int
    unit: Literal["characters", "utf16"]
    edit_interval: float
