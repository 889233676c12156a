"""People, chats and messages of the loopback Telegram, as people see them."""

from __future__ import annotations

import itertools
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Person:
    """An account. "" stands for a field that the account hasn't set."""

    id: int
    first_name: str
    last_name: str = ""
    username: str = ""
    language_code: str = ""
    is_bot: bool = False

    @property
    def user(self) -> dict[str, Any]:
        """The account as the API's User."""
        optional = {
            "last_name": self.last_name,
            "username": self.username,
            "language_code": self.language_code,
        }
        set_ones = {name: value for name, value in optional.items() if value}
        return {"id": self.id, "is_bot": self.is_bot, "first_name": self.first_name, **set_ones}


@dataclass(slots=True)
class Post:
    """A message that stands, or stood, in a chat. `versions` are the texts it showed before its edits."""

    message: dict[str, Any]
    deleted: bool = False
    versions: list[str] = field(default_factory=list)
    file: bytes | None = None

    @property
    def id(self) -> int:
        return int(self.message["message_id"])

    @property
    def text(self) -> str:
        """Text, or the caption of a file."""
        return str(self.message.get("text", self.message.get("caption", "")))

    @property
    def entities(self) -> list[dict[str, Any]]:
        return list(self.message.get("entities", self.message.get("caption_entities", [])))

    @property
    def buttons(self) -> list[dict[str, Any]]:
        """All buttons of the inline keyboard, row by row."""
        rows = self.message.get("reply_markup", {}).get("inline_keyboard", [])
        return [button for row in rows for button in row]

    @property
    def from_bot(self) -> bool:
        return bool(self.message.get("from", {}).get("is_bot"))

    @property
    def reply_to(self) -> int | None:
        replied = self.message.get("reply_to_message")
        return replied["message_id"] if replied else None

    @property
    def thread(self) -> int | None:
        """The forum topic, None for everything else."""
        return self.message.get("message_thread_id") if self.message.get("is_topic_message") else None

    def marked(self, kind: str) -> list[str]:
        """The pieces of text under entities of one kind."""
        units = self.text.encode("utf-16-le")
        return [
            units[2 * found["offset"] : 2 * (found["offset"] + found["length"])].decode("utf-16-le")
            for found in self.entities
            if found["type"] == kind
        ]


@dataclass(slots=True)
class Chat:
    """A chat. `actions` are the bot's "typing" signs as (action, thread)."""

    id: int
    type: str
    title: str = ""
    person: Person | None = None
    is_forum: bool = False
    posts: dict[int, Post] = field(default_factory=dict)
    topics: dict[int, str] = field(default_factory=dict)
    admins: set[int] = field(default_factory=set)
    actions: list[tuple[str, int | None]] = field(default_factory=list)
    drafts: dict[int, str] = field(default_factory=dict)
    blocked: bool = False
    migrated_to: int | None = None

    @property
    def info(self) -> dict[str, Any]:
        """The chat as the API's Chat."""
        base: dict[str, Any] = {"id": self.id, "type": self.type}
        if self.person:
            base |= {"first_name": self.person.first_name}
            base |= {"username": self.person.username} if self.person.username else {}
        else:
            base |= {"title": self.title}
        return base | ({"is_forum": True} if self.is_forum else {})

    @property
    def messages(self) -> list[Post]:
        """What a person sees now, oldest first."""
        return [post for post in self.posts.values() if not post.deleted]

    @property
    def from_bot(self) -> list[Post]:
        """What a person sees of the bots now."""
        return [post for post in self.messages if post.from_bot]

    @property
    def texts(self) -> list[str]:
        """Texts of what a person sees of the bots now."""
        return [post.text for post in self.from_bot]


class World:
    """All chats and accounts. Supergroups count their messages themselves, the other chats share a count."""

    def __init__(self) -> None:
        self.people: dict[int, Person] = {}
        self.chats: dict[int, Chat] = {}
        self._ids = itertools.count(1001)
        self._shared_messages = itertools.count(1)
        self._own_messages: dict[int, itertools.count[int]] = {}

    def person(
        self, name: str, *, last_name: str = "", username: str = "", language: str = "", bot: bool = False
    ) -> Person:
        """A new account."""
        person = Person(next(self._ids), name, last_name, username, language, bot)
        self.people[person.id] = person
        return person

    def private(self, person: Person) -> Chat:
        """The person's chat with the bot: it bears the person's id."""
        return self.chats.setdefault(person.id, Chat(person.id, "private", person=person))

    def group(self, title: str) -> Chat:
        """A new basic group."""
        return self._add(Chat(-next(self._ids), "group", title))

    def supergroup(self, title: str, *, forum: bool = False) -> Chat:
        """A new supergroup."""
        chat = Chat(-1_000_000_000_000 - next(self._ids), "supergroup", title, is_forum=forum)
        self._own_messages[chat.id] = itertools.count(1)
        return self._add(chat)

    def topic(self, chat: Chat, name: str, creator: Person) -> int:
        """A new forum topic; its id is that of the message that tells of its creation."""
        created = {"forum_topic_created": {"name": name, "icon_color": 0x6FB9F0}}
        post = self.add(chat, creator, created)
        post.message |= {"message_thread_id": post.id, "is_topic_message": True}
        chat.topics[post.id] = name
        return post.id

    def add(self, chat: Chat, sender: Person, content: Mapping[str, Any], thread: int | None = None) -> Post:
        """Put a message into a chat. In a topic it refers to the topic's first message, as it does there."""
        numbers = self._own_messages.get(chat.id, self._shared_messages)
        head = {
            "message_id": next(numbers),
            "from": sender.user,
            "chat": chat.info,
            "date": int(time.time()),
        }
        if thread is not None:
            head |= {"message_thread_id": thread, "is_topic_message": True}
            head |= {"reply_to_message": _quoted(chat.posts[thread])}
        post = Post(head | dict(content))
        chat.posts[post.id] = post
        return post

    def refer(self, chat: Chat, replied: int) -> dict[str, Any]:
        """The fields of a reply. Outside topics, a supergroup's reply names the thread it belongs to too."""
        target = chat.posts[replied]
        fields: dict[str, Any] = {"reply_to_message": _quoted(target)}
        if chat.type == "supergroup" and target.thread is None:
            fields["message_thread_id"] = target.message.get("message_thread_id", replied)
        return fields

    def _add(self, chat: Chat) -> Chat:
        self.chats[chat.id] = chat
        return chat


def _quoted(post: Post) -> dict[str, Any]:
    return {name: value for name, value in post.message.items() if name != "reply_to_message"}
