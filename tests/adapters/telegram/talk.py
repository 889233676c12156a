"""A person who talks with the running adapter: says things, presses buttons, and waits for what comes."""

from __future__ import annotations

from typing import Any

from bot.ports import ReplySink, Responder
from tests.adapters.telegram.surroundings import FakeClock, FakeInbox
from tests.servers.telegram import Chat, Person, Post, TelegramServer


class Talk:
    """Ann talks with the bot in private; the adapter runs."""

    def __init__(self, server: TelegramServer, inbox: FakeInbox, clock: FakeClock) -> None:
        self.server = server
        self.inbox = inbox
        self.clock = clock
        self.ann: Person = server.person("Ann")
        self.chat: Chat = server.private(self.ann)

    async def asks(self, text: str = "hello", chat: Chat | None = None, **fields: Any) -> Responder:
        """She says something; the way back to her."""
        number = len(self.inbox.events) + 1
        self.server.say(chat or self.chat, self.ann, text, **fields)
        await self.inbox.wait_for(number)
        return self.inbox.responders[-1]

    async def presses(self, post: Post, label: str) -> Responder:
        """She presses a button."""
        number = len(self.inbox.events) + 1
        self.server.press(self.chat, post, label, self.ann)
        await self.inbox.wait_for(number)
        return self.inbox.responders[-1]

    async def reply(self) -> ReplySink:
        """The answer to something she says."""
        return await (await self.asks()).open_reply()
