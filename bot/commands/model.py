"""What a command is, and what it may use."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from bot.config import Settings
from bot.messages import IncomingMessage
from bot.ports import Clock, CommandInfo, ConversationStore
from bot.records import Conversation
from bot.views.model import View
from bot.views.words import Words


@dataclass(frozen=True, slots=True)
class FoldReport:
    """What /compact did. `before` and `after` are tokens of notes and verbatim messages together."""

    result: Literal["done", "nothing", "failed", "busy"]
    before: int = 0
    after: int = 0
    folded: int = 0
    error: str = ""


class Workshop(Protocol):
    """The running work of conversations, as far as commands touch it."""

    async def fold_now(self, conversation: Conversation) -> FoldReport:
        """Fold what can be folded and say what came of it."""
        ...

    async def undo(self, conversation: Conversation) -> bool:
        """Go back to the summary before; a run under way is stopped first. False where there is none."""
        ...

    async def abandon(self, conversation: Conversation) -> None:
        """Stop a reply and a summary under way; their results will not be kept."""
        ...


@dataclass(frozen=True, slots=True)
class CommandContext:
    """What a handler gets: the call, the person's language, and the parts of the core it may use."""

    incoming: IncomingMessage
    argument: str
    words: Words
    settings: Settings
    store: ConversationStore
    workshop: Workshop
    clock: Clock
    menu: Sequence[CommandInfo]


Handler = Callable[[CommandContext], Awaitable[View]]


@dataclass(frozen=True, slots=True)
class Command:
    """A command. `description` is one line in a language; hidden ones work but are in no menu."""

    name: str
    handler: Handler
    description: Callable[[Words], str]
    argument: str = ""
    admin_only: bool = False
    hidden: bool = False
