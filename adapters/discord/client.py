"""discord.py's client: what it is asked to receive, and whom it tells."""

from __future__ import annotations

from typing import Any

import discord
import structlog

from adapters.discord.reception import Reception

# In seconds. Longer rate limits are raised instead of waited for inside discord.py; it allows no less.
_LONGEST_LIMIT = 30.0

log = structlog.get_logger(__name__)


class Client(discord.Client):
    """Tells its reception of every event; keeps no messages and no members.

    `content` asks for what people write without speaking to the bot. A new session counts as ready when no
    further guild was named for `guilds_within` seconds.
    """

    def __init__(self, *, content: bool, guilds_within: float = 2.0) -> None:
        # discord.py would warn at every start that it can't speak.
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
        intents = discord.Intents(guilds=True, messages=True, message_content=content)
        super().__init__(
            intents=intents,
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            guild_ready_timeout=guilds_within,
            allowed_mentions=discord.AllowedMentions.none(),
            max_ratelimit_timeout=_LONGEST_LIMIT,
        )
        self.content = content
        self.reception: Reception | None = None

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Nothing is told after the end: a session that has just begun gets ready in a task of its own."""
        if not self.is_closed():
            super().dispatch(event, *args, **kwargs)

    async def on_connect(self) -> None:
        """A new session began; what was said since the last one ended isn't told by itself."""
        if self.reception:
            self.reception.hold()

    async def on_ready(self) -> None:
        """The new session knows its guilds. Comes with every session, so possibly often."""
        if self.reception:
            self.reception.catch_up()

    async def on_message(self, message: discord.Message) -> None:
        """Somebody wrote."""
        if self.reception:
            self.reception.message(message)

    async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        """A message was changed, or got a preview."""
        if self.reception:
            self.reception.edited(payload.message)

    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """A message was deleted."""
        if self.reception:
            self.reception.deleted(payload.channel_id, payload.guild_id, {payload.message_id})

    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Several messages were deleted at once."""
        if self.reception and payload.message_ids:
            self.reception.deleted(payload.channel_id, payload.guild_id, payload.message_ids)

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Somebody used a slash command or a button."""
        if self.reception:
            self.reception.interaction(interaction)

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        """One odd event must not end the receiving."""
        log.exception("an event could not be handled", kind=event_method)
