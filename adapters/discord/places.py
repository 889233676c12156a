"""Where messages are shown: a channel, or the answer to an interaction. Nobody is ever pinged by them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import discord
from discord import ui
from discord.utils import MISSING

from adapters.discord.problems import INVALID_BODY, NO_HISTORY
from adapters.discord.render import Button

_QUIET = discord.AllowedMentions.none()


@dataclass(frozen=True, slots=True)
class Sent:
    """A message that was sent. `text` is what it really says."""

    id: int
    text: str


class Place(Protocol):
    """Somewhere to show messages. Raises what discord.py raises."""

    async def send(self, index: int, text: str, buttons: Sequence[Button]) -> Sent:
        """Show a further message, part `index` of its answer."""
        ...

    async def edit(self, message: int, text: str, buttons: Sequence[Button]) -> None: ...

    async def delete(self, message: int) -> None: ...


class ChannelPlace:
    """A channel, a thread or direct messages.

    The first message refers to `reply_to`. `nonce` is unique to this answer: Discord makes one message of two
    requests with the same one, so a part whose sending seemed to fail can be sent again without harm.
    """

    def __init__(
        self, channel: discord.PartialMessageable, guild: int | None, reply_to: int, nonce: str
    ) -> None:
        self._channel = channel
        self._nonce = nonce
        self._reference = discord.MessageReference(
            message_id=reply_to, channel_id=channel.id, guild_id=guild, fail_if_not_exists=False
        )

    async def send(self, index: int, text: str, buttons: Sequence[Button]) -> Sent:
        """Send one, as a reply where Discord allows that."""
        if index == 0:
            try:
                return await self._send(index, text, buttons, self._reference)
            except discord.HTTPException as error:
                if error.code not in (NO_HISTORY, INVALID_BODY):
                    raise
        return await self._send(index, text, buttons, None)

    async def edit(self, message: int, text: str, buttons: Sequence[Button]) -> None:
        """Change one."""
        await self._channel.get_partial_message(message).edit(
            content=text, view=view_of(buttons), allowed_mentions=_QUIET
        )

    async def delete(self, message: int) -> None:
        """Take one away."""
        await self._channel.get_partial_message(message).delete()

    async def _send(
        self, index: int, text: str, buttons: Sequence[Button], reference: discord.MessageReference | None
    ) -> Sent:
        options: dict[str, Any] = {"nonce": f"{self._nonce}{index}", "allowed_mentions": _QUIET}
        if reference:
            options["reference"] = reference
        if view := view_of(buttons):
            options["view"] = view
        sent = await self._channel.send(text, **options)
        return Sent(sent.id, sent.content)


class InteractionPlace:
    """The answer to a deferred interaction, seen by one person only."""

    def __init__(self, interaction: discord.Interaction) -> None:
        self._interaction = interaction
        self._original: int | None = None

    async def send(self, index: int, text: str, buttons: Sequence[Button]) -> Sent:
        """Fill the deferred answer, then add to it."""
        if index == 0:
            shown = await self._interaction.edit_original_response(
                content=text, view=view_of(buttons), allowed_mentions=_QUIET
            )
            self._original = shown.id
            return Sent(shown.id, shown.content)
        added = await self._interaction.followup.send(
            text, ephemeral=True, view=view_of(buttons) or MISSING, allowed_mentions=_QUIET, wait=True
        )
        return Sent(added.id, added.content)

    async def edit(self, message: int, text: str, buttons: Sequence[Button]) -> None:
        """Change one."""
        view = view_of(buttons)
        if message == self._original:
            await self._interaction.edit_original_response(content=text, view=view, allowed_mentions=_QUIET)
        else:
            await self._interaction.followup.edit_message(
                message, content=text, view=view, allowed_mentions=_QUIET
            )

    async def delete(self, message: int) -> None:
        """Take one away."""
        await self._interaction.followup.delete_message(message)


def view_of(buttons: Sequence[Button]) -> ui.View | None:
    """Buttons as discord.py sends them. Stopped, so that it doesn't keep them: presses come as raw events."""
    if not buttons:
        return None
    view = ui.View(timeout=None)
    for button in buttons:
        style = discord.ButtonStyle.danger if button.danger else discord.ButtonStyle.secondary
        view.add_item(ui.Button(label=button.label, custom_id=button.custom_id, style=style))
    view.stop()
    return view
