"""A loopback Telegram Bot API for tests: people write, press and read; the bot talks to it over HTTP."""

from tests.servers.telegram.faults import Fault, blocked, broken, flood, lost, refused, silent
from tests.servers.telegram.server import Call, TelegramServer
from tests.servers.telegram.world import Chat, Person, Post

__all__ = [
    "Call",
    "Chat",
    "Fault",
    "Person",
    "Post",
    "TelegramServer",
    "blocked",
    "broken",
    "flood",
    "lost",
    "refused",
    "silent",
]
