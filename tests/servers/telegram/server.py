"""The loopback Telegram server: people act through its methods, the bot through HTTP."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self, TypeVar

from aiohttp import web

from tests.servers.telegram import checking, content
from tests.servers.telegram.faults import Fault
from tests.servers.telegram.methods import Methods
from tests.servers.telegram.profile import Profile
from tests.servers.telegram.updates import UpdateQueue
from tests.servers.telegram.wire import Wire
from tests.servers.telegram.world import Chat, Person, Post, World

Found = TypeVar("Found")

TOKEN = "7000001:AAloopbackTelegramServerOfTheTests_x"


class Call(NamedTuple):
    """A call of the bot, whatever became of it."""

    method: str
    params: Mapping[str, Any]


class TelegramServer:
    """Listens on loopback while entered. `record` names a file that gets every call as a line of JSON."""

    def __init__(
        self,
        *,
        token: str = TOKEN,
        username: str = "memora_test_bot",
        name: str = "Memora",
        port: int = 0,
        record: Path | None = None,
    ) -> None:
        self.token = token
        self.world = World()
        self.bot = Person(int(token.split(":", maxsplit=1)[0]), name, username=username, is_bot=True)
        self.world.people[self.bot.id] = self.bot
        self.updates = UpdateQueue()
        self.calls: list[Call] = []
        self.violations: list[str] = []
        self._methods = Methods(self.world, self.updates, self.bot)
        self._wire = Wire(self, self._methods)
        self._faults: list[tuple[str, Fault]] = []
        self._record = record
        self._port = port
        self._changed = asyncio.Event()
        self._queries = itertools.count(1)
        self._runner: web.AppRunner | None = None

    # -- people and their chats

    def person(self, name: str, **fields: Any) -> Person:
        """A new account; fields: last_name, username, language, bot."""
        return self.world.person(name, **fields)

    def private(self, person: Person) -> Chat:
        """The person's chat with the bot."""
        return self.world.private(person)

    def group(self, title: str) -> Chat:
        """A new basic group."""
        return self.world.group(title)

    def supergroup(self, title: str, *, forum: bool = False) -> Chat:
        """A new supergroup, with topics if it is a forum."""
        return self.world.supergroup(title, forum=forum)

    def topic(self, chat: Chat, name: str, creator: Person) -> int:
        """A new topic of a forum; the number to give as `thread`."""
        number = self.world.topic(chat, name, creator)
        self._tell("message", chat.posts[number].message)
        return number

    def chat(self, number: int) -> Chat:
        """The chat with this id."""
        return self.world.chats[number]

    # -- what people do

    def say(
        self,
        chat: Chat,
        sender: Person,
        text: str = "",
        *,
        entities: Sequence[Mapping[str, Any]] | None = None,
        reply_to: Post | int | None = None,
        thread: int | None = None,
        **fields: Any,
    ) -> Post:
        """A message. Commands, mentions and addresses are marked as clients do, unless `entities` are given.

        With a file among the fields (photo=..., document=...), the text is its caption.
        """
        files = {"photo", "document", "video", "audio", "voice", "animation"} & set(fields)
        label, marks = ("caption", "caption_entities") if files else ("text", "entities")
        found = content.found_entities(text) if entities is None else list(entities)
        body: dict[str, Any] = {label: text} if text else {}
        body |= {marks: found} if found else {}
        if reply_to is not None:
            body |= self.world.refer(chat, reply_to.id if isinstance(reply_to, Post) else reply_to)
        post = self.world.add(chat, sender, {**body, **fields}, thread)
        self._tell("message", post.message)
        return post

    def edit(self, chat: Chat, post: Post | int, text: str | None = None) -> Post:
        """A person changes a message; without a text, only something else about it changes."""
        found = post if isinstance(post, Post) else chat.posts[post]
        if text is not None:
            caption = "caption" in found.message
            label, marks = ("caption", "caption_entities") if caption else ("text", "entities")
            found.versions.append(found.text)
            found.message |= {label: text, marks: content.found_entities(text)}
        found.message |= {"edit_date": found.message["date"] + 1}
        self._tell("edited_message", found.message)
        return found

    def press(self, chat: Chat, post: Post | int, label: str, person: Person) -> str:
        """Press the button that has this label; the id of the callback query."""
        found = post if isinstance(post, Post) else chat.posts[post]
        data = next(button["callback_data"] for button in found.buttons if button["text"] == label)
        query = str(next(self._queries))
        self._methods.editing.open_queries.add(query)
        head = {"id": query, "from": person.user, "chat_instance": "1", "data": data}
        self._tell("callback_query", head | {"message": found.message})
        return query

    def migrate(self, chat: Chat, person: Person) -> Chat:
        """Make a supergroup of a group; both chats tell of it."""
        new = self.world.supergroup(chat.title)
        chat.migrated_to = new.id
        left = self.world.add(chat, person, {"migrate_to_chat_id": new.id})
        entered = self.world.add(new, person, {"migrate_from_chat_id": chat.id})
        self._tell("message", left.message)
        self._tell("message", entered.message)
        return new

    def block(self, chat: Chat, person: Person, *, blocked: bool = True) -> None:
        """Block the bot or throw it out; or let it in again."""
        chat.blocked = blocked
        out = "kicked" if blocked else "member"
        old: dict[str, Any] = {"user": self.bot.user, "status": "member" if blocked else "kicked"}
        new: dict[str, Any] = {"user": self.bot.user, "status": out}
        (new if blocked else old)["until_date"] = 0
        head = {"chat": chat.info, "from": person.user, "date": 1_750_000_000}
        self._tell("my_chat_member", head | {"old_chat_member": old, "new_chat_member": new})

    def inject(self, kind: str, update: Mapping[str, Any]) -> None:
        """An update of any kind, as it is."""
        self.updates.add(kind, update)
        self.changed()

    # -- what goes wrong

    def fail(self, method: str, *faults: Fault, times: int = 1) -> None:
        """Let the next calls of a method go wrong, in this order."""
        self._faults += [(method, fault) for _ in range(times) for fault in faults]

    def next_fault(self, method: str) -> Fault | None:
        """Take the fault that is due for this method."""
        for index, (name, fault) in enumerate(self._faults):
            if name == method:
                del self._faults[index]
                return fault
        return None

    # -- what can be seen

    @property
    def profile(self) -> Profile:
        """The bot's command menus, name and descriptions."""
        return self._methods.profile

    @property
    def answered(self) -> Mapping[str, str]:
        """Pressed buttons that were answered: id of the query -> text."""
        return self._methods.editing.answered

    def called(self, method: str) -> list[Mapping[str, Any]]:
        """Parameters of all calls of a method."""
        return [call.params for call in self.calls if call.method == method]

    async def wait_for(self, predicate: Callable[[], Found], timeout: float = 10.0) -> Found:
        """Wait until the predicate holds and return what it gave. TimeoutError after so many seconds."""
        async with asyncio.timeout(timeout):
            while not (found := predicate()):
                await self._changed.wait()
        return found

    def changed(self) -> None:
        """Wake those who wait for something to see."""
        self._changed.set()
        self._changed = asyncio.Event()

    def took(self, method: str, params: Mapping[str, Any]) -> None:
        """Note a call that arrived."""
        self.calls.append(Call(method, params))
        if self._record:
            with self._record.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps({"method": method, "params": params}, default=str) + "\n")
        self.changed()

    # -- listening

    @property
    def base_url(self) -> str:
        """What stands before "/bot<token>/": the setting telegram.api_base_url."""
        return f"http://127.0.0.1:{self._port}"

    async def __aenter__(self) -> Self:
        self._runner = web.AppRunner(
            self._wire.application(), handler_cancellation=True, shutdown_timeout=1.0, access_log=None
        )
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self._port).start()
        self._port = self._runner.addresses[0][1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._wire.closing.set()
        if self._runner:
            await self._runner.cleanup()

    def _tell(self, kind: str, content_of: Mapping[str, Any]) -> None:
        self.violations += checking.violations_of("Update", {"update_id": 1, kind: dict(content_of)})
        self.inject(kind, content_of)
