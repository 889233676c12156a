"""The loopback Discord server's gateway against discord.py: sessions, breaks, replays, intents."""

from __future__ import annotations

import asyncio

import discord
import pytest
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from tests.servers.discord import DiscordServer
from tests.servers.discord.fixtures import discord_server
from tests.servers.discord.watching import Watcher, address, watching

__all__ = ["address", "discord_server"]

pytestmark = pytest.mark.usefixtures("address")


async def test_a_session_begins_with_the_bot_and_its_guilds(discord_server: DiscordServer) -> None:
    guild = discord_server.add_guild("Home")
    thread_owner = discord_server.add_user("ann")
    thread = discord_server.thread(discord_server.general(guild), "side", thread_owner)
    async with watching(discord_server, guild_ready_timeout=0.05) as client:
        await client.expect("ready")
        assert client.user is not None
        assert (client.user.id, client.user.name) == (discord_server.bot.id, "memora")
        (home,) = client.guilds
        assert (home.name, [channel.name for channel in home.text_channels]) == ("Home", ["general"])
        assert home.get_thread(thread.id) is not None
        assert home.self_role is not None
        assert home.me is not None
        later = discord_server.add_guild("Later")
        assert (await client.expect("guild_join")).id == later.id


async def test_heartbeats_are_acknowledged(discord_server: DiscordServer) -> None:
    discord_server.gateway.heartbeat_interval = 0.05
    async with watching(discord_server) as client:
        await discord_server.wait_for(lambda: discord_server.gateway.heartbeats >= 3)
        assert client.latency < 10


async def test_events_missed_in_a_break_come_once_when_the_session_is_resumed(
    discord_server: DiscordServer,
) -> None:
    general, ann = discord_server.general(discord_server.add_guild()), discord_server.add_user("ann")
    async with watching(discord_server) as client:
        discord_server.say(general, ann, "before")
        await client.expect("message")
        discord_server.gateway.cut()
        discord_server.say(general, ann, "meanwhile")
        await client.expect("resumed")
        discord_server.say(general, ann, "after")
        await client.expect("message", 3)
        assert [message.content for message in client.seen("message")] == ["before", "meanwhile", "after"]
        assert (discord_server.gateway.resumes, len(discord_server.gateway.identifies)) == (1, 1)


async def test_a_request_to_reconnect_is_followed(discord_server: DiscordServer) -> None:
    async with watching(discord_server) as client:
        discord_server.gateway.ask_reconnect()
        await client.expect("resumed")
        discord_server.gateway.invalidate(resumable=True)
        await client.expect("resumed", 2)
        assert len(discord_server.gateway.identifies) == 1


async def test_an_invalid_session_begins_anew_without_what_was_missed(discord_server: DiscordServer) -> None:
    general, ann = discord_server.general(discord_server.add_guild()), discord_server.add_user("ann")
    async with watching(discord_server, guild_ready_timeout=0.05) as client:
        await client.expect("ready")
        discord_server.gateway.invalidate()
        discord_server.say(general, ann, "nobody hears")
        await client.expect("ready", 2)
        discord_server.gateway.cut()
        discord_server.gateway.forget()
        await client.expect("ready", 3)
        discord_server.say(general, ann, "heard")
        assert (await client.expect("message")).content == "heard"
        assert len(discord_server.gateway.identifies) == 3


async def test_a_wrong_token_closes_the_connection_for_good(discord_server: DiscordServer) -> None:
    async with Watcher(discord_server) as client:
        await client.login(discord_server.token)
        client.http.token = "wrong"
        with pytest.raises(discord.ConnectionClosed) as closed:
            await client.connect()
        assert closed.value.code == 4004


async def test_content_is_withheld_from_those_who_did_not_ask_for_it(discord_server: DiscordServer) -> None:
    general, ann = discord_server.general(discord_server.add_guild()), discord_server.add_user("ann")
    intents = discord.Intents(guilds=True, messages=True)
    async with watching(discord_server, intents=intents) as client:
        discord_server.say(general, ann, "between us")
        discord_server.say(general, ann, "hello", mentions=[discord_server.bot])
        discord_server.say(discord_server.dm(ann), ann, "psst")
        await client.expect("message", 3)
        texts = [message.content for message in client.seen("message")]
        assert texts == ["", f"<@{discord_server.bot.id}> hello", "psst"]


async def test_privileged_intents_must_be_granted(monkeypatch: pytest.MonkeyPatch) -> None:
    async with DiscordServer(content_intent=False) as server:
        monkeypatch.setattr(Route, "BASE", server.api_base_url)
        monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(server.gateway_url))
        general, ann = server.general(server.add_guild()), server.add_user("ann")
        server.say(general, ann, "between us")
        server.say(general, ann, "hello", mentions=[server.bot])
        async with Watcher(server) as client:
            await client.login(server.token)
            channel = client.get_partial_messageable(general.id)
            assert [message.content async for message in channel.history()] == [
                f"{server.bot.mention} hello",
                "",
            ]
            assert client.application is not None
            assert not client.application.flags.gateway_message_content_limited
            with pytest.raises(discord.PrivilegedIntentsRequired):
                await client.connect()


async def test_nobody_gets_in_while_the_gateway_is_away(discord_server: DiscordServer) -> None:
    discord_server.gateway.offline = True
    async with Watcher(discord_server) as client:
        await client.login(discord_server.token)
        with pytest.raises(Exception, match="503"):
            await client.connect(reconnect=False)


async def test_waiting_ends_with_the_change_or_the_time(discord_server: DiscordServer) -> None:
    general, ann = discord_server.general(discord_server.add_guild()), discord_server.add_user("ann")
    waiting = asyncio.create_task(discord_server.wait_for(lambda: general.messages))
    await asyncio.sleep(0)
    discord_server.say(general, ann, "hello")
    assert [message.content for message in await waiting] == ["hello"]
    with pytest.raises(TimeoutError):
        await discord_server.wait_for(lambda: False, timeout=0.01)
