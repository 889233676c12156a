"""Slash commands and buttons of the loopback Discord server against discord.py."""

from __future__ import annotations

import asyncio
from typing import Any

import aiohttp
import discord
import pytest

from tests.servers.discord import DiscordServer, checking
from tests.servers.discord.fixtures import discord_server
from tests.servers.discord.interaction import Interaction
from tests.servers.discord.values import Channel, User
from tests.servers.discord.watching import Watcher, address, watching

__all__ = ["address", "discord_server"]

pytestmark = pytest.mark.usefixtures("address")

COMMAND: dict[str, Any] = {
    "name": "history",
    "description": "Page through all messages",
    "type": 1,
    "options": [{"type": 3, "name": "page", "description": "page", "required": False}],
}
CALLBACK = "/interactions/{interaction_id}/{interaction_token}/callback"


@pytest.fixture
def place(discord_server: DiscordServer) -> tuple[Channel, User]:
    discord_server.world.commands = [{**COMMAND, "id": "7"}]
    return discord_server.general(discord_server.add_guild()), discord_server.add_user("ann")


async def begin(
    server: DiscordServer, client: Watcher, place: tuple[Channel, User]
) -> tuple[Interaction, discord.Interaction]:
    handle = server.slash(*place, "history", {"page": "2"})
    number = sum(one.kind == 2 for one in server.interactions.all)
    return handle, await client.expect("interaction", number)


async def test_a_command_arrives_with_its_options_and_its_user(
    discord_server: DiscordServer, place: tuple[Channel, User]
) -> None:
    channel, ann = place
    assert channel.guild is not None
    channel.guild.moderators.add(ann.id)
    async with watching(discord_server) as client:
        _, received = await begin(discord_server, client, place)
        assert received.type is discord.InteractionType.application_command
        assert received.data is not None
        assert dict(received.data)["options"] == [{"name": "page", "type": 3, "value": "2"}]
        assert (received.channel_id, received.user.display_name) == (channel.id, "Ann")
        assert received.permissions.manage_messages
        discord_server.slash(discord_server.dm(ann), ann, "history")
        private = await client.expect("interaction", 2)
        assert (private.guild_id, private.user.id) == (None, ann.id)


async def test_a_deferred_answer_stays_ephemeral_and_grows_by_follow_ups(
    discord_server: DiscordServer, place: tuple[Channel, User]
) -> None:
    async with watching(discord_server) as client:
        handle, received = await begin(discord_server, client, place)
        await received.response.defer(ephemeral=True, thinking=True)
        assert handle.thinking
        assert handle.answers == []
        await received.edit_original_response(content="part one")
        await received.followup.send("part two", ephemeral=True)
        await received.followup.send("for all")
        assert [message.content for message in handle.answers] == ["part one", "part two", "for all"]
        assert [message.ephemeral for message in handle.answers] == [True, True, False]
        assert [message.content for message in place[0].messages] == ["for all"]
        await received.delete_original_response()
        assert [message.content for message in handle.answers] == ["part two", "for all"]


async def test_the_first_follow_up_fills_a_deferred_answer(
    discord_server: DiscordServer, place: tuple[Channel, User]
) -> None:
    async with watching(discord_server) as client:
        handle, received = await begin(discord_server, client, place)
        await received.response.defer(ephemeral=True, thinking=True)
        await received.followup.send("here it is")
        assert [(message.content, message.ephemeral) for message in handle.answers] == [("here it is", True)]
        assert not handle.thinking


async def test_an_answer_may_come_at_once_and_only_once(
    discord_server: DiscordServer, place: tuple[Channel, User]
) -> None:
    async with watching(discord_server) as client:
        handle, received = await begin(discord_server, client, place)
        await received.response.send_message("at once", ephemeral=True)
        discord_server.interactions.repeat(handle)
        again: discord.Interaction = await client.expect("interaction", 2)
        with pytest.raises(discord.HTTPException) as refused:
            await again.response.send_message("twice")
        assert (refused.value.status, refused.value.code) == (400, 40060)
        assert [message.content for message in handle.answers] == ["at once"]


async def test_an_answer_that_comes_too_late_finds_nobody(
    discord_server: DiscordServer, place: tuple[Channel, User]
) -> None:
    discord_server.interactions.patience = 0.05
    release = asyncio.Event()
    discord_server.fail("POST", CALLBACK, hold=release)
    async with watching(discord_server) as client:
        handle, received = await begin(discord_server, client, place)
        late = asyncio.create_task(received.response.defer(ephemeral=True))
        begun = handle.begun
        loop = asyncio.get_running_loop()
        loop.call_at(begun + 0.06, release.set)
        with pytest.raises(discord.NotFound) as refused:
            await late
        assert refused.value.code == 10062
        assert handle.response is None
        with pytest.raises(discord.NotFound, match="Unknown Webhook"):
            await received.followup.send("anybody?")


async def test_a_button_changes_its_own_message_or_answers_anew(
    discord_server: DiscordServer, place: tuple[Channel, User]
) -> None:
    channel, ann = place
    async with watching(discord_server) as client:
        view = discord.ui.View(timeout=None)
        view.add_item(discord.ui.Button(label="Older", custom_id="older"))
        await client.get_partial_messageable(channel.id).send("page 1", view=view)
        (message,) = discord_server.replies(channel)
        assert message.buttons == [("Older", "older")]
        discord_server.press(message, "older", ann)
        received: discord.Interaction = await client.expect("interaction")
        await received.response.defer()
        await received.edit_original_response(content="page 2", view=None)
        assert (message.content, message.buttons) == ("page 2", [])
        await received.edit_original_response(view=view)
        handle = discord_server.press(message, "older", ann)
        received = await client.expect("interaction", 2)
        assert received.message is not None
        assert received.message.id == message.id
        await received.response.defer(ephemeral=True, thinking=True)
        await received.edit_original_response(content="only for you")
        assert [(m.content, m.ephemeral) for m in handle.answers] == [("only for you", True)]


async def test_callbacks_follow_the_description(
    discord_server: DiscordServer, place: tuple[Channel, User]
) -> None:
    if not checking.available():
        pytest.skip("Discord's description isn't here")
    handle = discord_server.slash(*place, "history")
    url = f"{discord_server.api_base_url}/interactions/{handle.id}/{handle.token}/callback?with_response=1"
    hook = f"{discord_server.api_base_url}/webhooks/{discord_server.bot.id}/{handle.token}"
    async with aiohttp.ClientSession() as session:
        async with session.post(url, json={"type": 4, "data": {"content": "hello", "flags": 64}}) as answer:
            assert answer.status == 200
            assert checking.answer_violations("POST", CALLBACK, await answer.json()) == []
        template = "/webhooks/{webhook_id}/{webhook_token}/messages/@original"
        async with session.get(f"{hook}/messages/@original") as answer:
            assert answer.status == 200
            assert checking.answer_violations("GET", template, await answer.json()) == []
