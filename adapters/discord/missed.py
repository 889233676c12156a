"""Fetches what was said while the bot had no connection."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import islice

import discord
import structlog

from adapters.discord.problems import REACHING, delivery_error

_OLDEST = timedelta(hours=24)
_MOST_CHANNELS = 50
_MOST_MESSAGES = 100

log = structlog.get_logger(__name__)


async def missed(
    client: discord.Client, since: int, private: Sequence[int], now: datetime
) -> list[discord.Message]:
    """Messages after the id `since`, oldest first: of the last day, the latest 100 of a channel at most.

    Only channels in which something happened are asked, and the direct messages `private`.
    """
    after = discord.Object(max(since, discord.utils.time_snowflake(now - _OLDEST)))
    found: list[discord.Message] = []
    for channel in islice(_channels(client, after.id, private), _MOST_CHANNELS):
        try:
            history = channel.history(limit=_MOST_MESSAGES, after=after, oldest_first=False)
            found += [message async for message in history]
        except REACHING as error:
            failure = repr(delivery_error(error))
            log.info("a channel can't be caught up with", channel=channel.id, error=failure)
    if found:
        log.info("fetched what was missed", messages=len(found))
    return sorted(found, key=lambda message: message.id)


def _channels(
    client: discord.Client, after: int, private: Sequence[int]
) -> Iterator[discord.TextChannel | discord.Thread | discord.PartialMessageable]:
    for guild in client.guilds:
        places: list[discord.TextChannel | discord.Thread] = [*guild.text_channels, *guild.threads]
        for channel in places:
            if channel.last_message_id and channel.last_message_id > after:
                yield channel
    for number in private:
        yield client.get_partial_messageable(number)
