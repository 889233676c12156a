"""A loopback Discord server for tests: HTTP API, gateway, and what people do and see."""

from tests.servers.discord.faults import Fault
from tests.servers.discord.interaction import Interaction
from tests.servers.discord.refusals import Refusal, forbidden, limited
from tests.servers.discord.server import Call, DiscordServer
from tests.servers.discord.values import Channel, Guild, Message, User

__all__ = [
    "Call",
    "Channel",
    "DiscordServer",
    "Fault",
    "Guild",
    "Interaction",
    "Message",
    "Refusal",
    "User",
    "forbidden",
    "limited",
]
