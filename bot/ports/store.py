"""What the core needs of a store of conversations.

"Who works on this conversation" is the store's to say (`claim`), so that several processes may share one
later. Every method raises `bot.errors.StoreError` and nothing else of its own.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal, Protocol

from bot.messages import (
    ConversationKey,
    ConversationMoved,
    IncomingMessage,
    Message,
    MessageEdited,
    MessagesDeleted,
)
from bot.ports.model import Usage
from bot.records import (
    CompactionState,
    Conversation,
    ConversationLine,
    Memory,
    RequestRecord,
    Summary,
    SummaryDraft,
    Totals,
)


@dataclass(frozen=True, slots=True)
class Appended:
    """What became of an incoming message. `new` is False when it was stored before.

    `open`: it is addressed to the bot and neither answered nor given up on.
    """

    conversation: Conversation
    message: Message
    new: bool
    open: bool


class ConversationStore(Protocol):
    """The log, which is the truth, and the summaries, which are a cache beside it."""

    # -- the log

    async def append(self, incoming: IncomingMessage) -> Appended:
        """Store a message once, however often it arrives; its conversation is created when missing."""
        ...

    async def edit(self, event: MessageEdited) -> bool:
        """Change a stored message's text. False when it isn't there or nothing changed."""
        ...

    async def delete(self, event: MessagesDeleted) -> int:
        """Erase the texts of stored messages for good; the number of messages that were live."""
        ...

    async def move(self, event: ConversationMoved) -> None:
        """Give the conversations of a chat their new key. Where the new key already has one, the old one's
        messages keep theirs (the platform's later conversation stays as it is)."""
        ...

    async def add_answer(
        self, conversation: Conversation, answers: int, speaker_name: str, text: str, record: RequestRecord
    ) -> Message | None:
        """Store an answer with the record of its request and close the turn, in one transaction.

        None, and nothing written, when the conversation was reset since `conversation` was read or when
        the message `answers` has an answer already.
        """
        ...

    async def attach_parts(self, message: int, platform_ids: Sequence[str]) -> None:
        """Note under which platform ids an answer is shown."""
        ...

    async def close_turn(self, message: int, outcome: Literal["failed", "too_large"]) -> None:
        """Give up on answering a message. "too_large" also keeps it out of every later context."""
        ...

    # -- reading

    async def find(self, key: ConversationKey) -> Conversation | None:
        """The conversation of that key as it is now."""
        ...

    async def memory(self, conversation: Conversation, upto: int | None = None) -> Memory:
        """What a request is built from. With `upto`, user messages after that id are left out."""
        ...

    async def unfolded(self, conversation: Conversation, limit: int) -> list[Message]:
        """The oldest live messages after the watermark, in order, at most `limit`."""
        ...

    async def open_turn(self, conversation: Conversation) -> int | None:
        """Id of the oldest message that still waits for its answer, or None."""
        ...

    async def history(
        self, conversation: Conversation, limit: int, offset: int = 0
    ) -> tuple[list[Message], int]:
        """A page of this epoch's live messages (newest page first, oldest first within), and their number."""
        ...

    async def versions(self, conversation: Conversation) -> list[Summary]:
        """All summaries of this epoch, oldest first, those undone too: the one in force is `memory`'s."""
        ...

    async def last_request(self, conversation: Conversation) -> RequestRecord | None: ...

    async def totals(self, conversation: Conversation) -> Totals: ...

    # -- compaction

    def claim(self, conversation: Conversation, work: str) -> AbstractAsyncContextManager[bool]:
        """Try to be the only one doing `work` on a conversation. Yields False at once when another is."""
        ...

    async def add_summary(self, conversation: Conversation, draft: SummaryDraft) -> Summary | None:
        """Store an accepted summary and with it the watermark, and clear failures, in one transaction.

        None, and nothing written, when the conversation was reset, or when its present summary isn't
        `draft.predecessor` any more. StoreError when the range doesn't follow the watermark.

        What rests on a message edited or erased since `draft.read_at` is kept without its words: notes are
        stale, literal lines are left out, and so are reasons that may quote it. New notes get higher numbers
        than they claim where those are taken already. With `draft.partial`, `last` is the last whole message
        folded: where there is none, the watermark before (0 before the first summary). A draft that says no
        `partial` ends the half-folding, so one that folds nothing repeats its predecessor's. It is read as
        None once the message was edited, erased, or found too large: then folding it starts over.
        """
        ...

    async def undo(self, conversation: Conversation) -> bool:
        """Go back to the predecessor of the present summary: what it folded waits again. Clears failures.

        False when there is no summary, or the conversation was reset. The version undone stays in
        `versions`; neither its number nor those of its notes are given again.
        """
        ...

    async def note_failure(self, conversation: Conversation, state: CompactionState) -> None:
        """Keep why folding failed and when it is tried again (no-op after a reset)."""
        ...

    async def add_cost(self, conversation: Conversation, model: str, usage: Usage) -> None:
        """Book tokens of a summary run that was refused."""
        ...

    async def compaction_state(self, conversation: Conversation) -> CompactionState: ...

    async def reset(self, conversation: Conversation) -> Conversation:
        """Open a new epoch. The old one's texts, summaries and figures' contents are erased for good."""
        ...

    async def idle(self, before: datetime, limit: int) -> list[Conversation]:
        """Conversations whose newest live message was sent before that time and was not there yet when a
        summary was last made (or `settle` last called), longest idle first, at most `limit`.

        So each idle period is offered until it has led to a summary, even an undone one. Runs that fold
        nothing have to call `settle`, or they stay at the front.
        """
        ...

    async def settle(self, conversation: Conversation, before: datetime) -> None:
        """Don't offer this idle period again. No-op when something was said at or after that time."""
        ...

    # -- retention

    async def expire(self, before: datetime) -> int:
        """Erase all messages sent before that time, in all conversations, as `delete` does; their number.

        In pieces, between which others write. After a crash the next call does what was left undone.
        """
        ...

    # -- platforms' own small state

    async def get_state(self, name: str) -> str | None:
        """A small value that an adapter kept, such as a hash of the commands it registered."""
        ...

    async def set_state(self, name: str, value: str) -> None: ...

    # -- operating

    async def conversations(self) -> list[ConversationLine]: ...

    def export(self, conversation: Conversation) -> AsyncIterator[Message]:
        """All live messages of this epoch, in order, in bounded memory."""
        ...

    async def backup(self, target: Path) -> None:
        """Copy the store into a new file while it is in use. StoreUnusable when the file exists."""
        ...

    async def check(self) -> None:
        """Return if the store can be written, otherwise raise the StoreError that says why."""
        ...
