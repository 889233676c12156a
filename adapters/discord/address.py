"""Points discord.py at another address than Discord's own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route


@contextmanager
def api_address(base_url: str) -> Iterator[None]:
    """Let discord.py call `base_url` (ending in /api/v10) inside.

    The library has no setting for this. Both its HTTP client and the calls that answer interactions, which go
    around that client, build their URLs from this class attribute, so there is no narrower place to set it.
    One process can therefore speak to one address at a time, and it is set back on the way out.
    """
    api, gateway = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    Route.BASE = base_url
    try:
        yield
    finally:
        Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = api, gateway


async def find_gateway(client: discord.Client) -> None:
    """Use the gateway that the API names. By itself discord.py goes to the one that it has built in."""
    _, url, _ = await client.http.get_bot_gateway()
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(url)
