"""The loopback Discord server against discord.py and Discord's description: messages and the HTTP API."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import aiohttp
import discord
import pytest

from tests.servers.discord import DiscordServer, Fault, checking, forbidden, limited
from tests.servers.discord.fixtures import discord_server
from tests.servers.discord.values import would_ping
from tests.servers.discord.watching import Watcher, address, watching

__all__ = ["address", "discord_server"]

pytestmark = pytest.mark.usefixtures("address")

MESSAGES = "/channels/{channel_id}/messages"


async def test_what_people_write_arrives_with_its_place_and_its_author(discord_server: DiscordServer) -> None:
    guild = discord_server.add_guild("Home")
    general, ann = discord_server.general(guild), discord_server.add_user("ann", "Ann")
    guild.nicknames[ann.id] = "Annie"
    async with watching(discord_server) as client:
        sent = discord_server.say(general, ann, "hello", mentions=[discord_server.bot])
        message: discord.Message = await client.expect("message")
        assert (message.id, message.content) == (sent.id, f"<@{discord_server.bot.id}> hello")
        assert message.author.display_name == "Annie"
        assert client.user in message.mentions
        assert message.guild is not None
        assert isinstance(message.channel, discord.TextChannel)
        private = discord_server.dm(ann)
        discord_server.say(private, ann, "psst")
        message = await client.expect("message", 2)
        assert (message.guild, message.channel.id, message.author.display_name) == (None, private.id, "Ann")


async def test_replies_threads_and_their_first_messages_point_at_what_they_are_about(
    discord_server: DiscordServer,
) -> None:
    guild = discord_server.add_guild()
    general, ann = discord_server.general(guild), discord_server.add_user("ann")
    async with watching(discord_server) as client:
        first = discord_server.say(general, ann, "a plan")
        discord_server.say(general, ann, "about it", reply_to=first)
        reply: discord.Message = await client.expect("message", 2)
        assert reply.type is discord.MessageType.reply
        assert reply.reference is not None
        assert isinstance(reply.reference.resolved, discord.Message)
        assert reply.reference.resolved.content == "a plan"
        thread = discord_server.thread(general, "details", ann, first)
        starter: discord.Message = await client.expect("message", 3)
        assert isinstance(starter.channel, discord.Thread)
        assert (starter.channel.id, starter.channel.name) == (thread.id, "details")
        assert starter.type is discord.MessageType.thread_starter_message
        assert starter.reference is not None
        assert isinstance(starter.reference.resolved, discord.Message)


async def test_edits_previews_and_deletions_arrive_as_raw_events(discord_server: DiscordServer) -> None:
    guild = discord_server.add_guild()
    general, ann = discord_server.general(guild), discord_server.add_user("ann")
    notes = [discord_server.say(general, ann, f"note {number}") for number in range(4)]
    async with watching(discord_server) as client:
        discord_server.unfurl(notes[0], {"title": "A page", "url": "https://example.org"})
        preview = await client.expect("raw_message_edit")
        assert preview.data["edited_timestamp"] is None
        discord_server.edit(notes[0], "note zero")
        edit = await client.expect("raw_message_edit", 2)
        assert edit.data["edited_timestamp"] is not None
        assert edit.message.content == "note zero"
        discord_server.delete(notes[1])
        assert (await client.expect("raw_message_delete")).message_id == notes[1].id
        discord_server.delete(*notes[2:])
        assert (await client.expect("raw_bulk_message_delete")).message_ids == {n.id for n in notes[2:]}
        assert [message.content for message in general.messages] == ["note zero"]


async def test_the_bot_writes_edits_and_deletes(discord_server: DiscordServer) -> None:
    guild = discord_server.add_guild()
    general, ann = discord_server.general(guild), discord_server.add_user("ann")
    asked = discord_server.say(general, ann, "a question")
    async with watching(discord_server) as client:
        channel = client.get_partial_messageable(general.id)
        await channel.typing()
        assert discord_server.world.typing == [general]
        reference = discord.MessageReference(message_id=asked.id, channel_id=general.id)
        quiet = discord.AllowedMentions.none()
        answer = await channel.send("an answer", reference=reference, allowed_mentions=quiet)
        (seen,) = discord_server.replies(general)
        assert (seen.content, seen.reply_to, seen.pings) == ("an answer", asked, False)
        await answer.edit(content="a better answer", allowed_mentions=quiet)
        assert seen.versions == ["an answer", "a better answer"]
        assert seen.edited_at is not None
        await answer.delete()
        assert discord_server.replies(general) == []
        history = [message.content async for message in channel.history(limit=10)]
        assert history == ["a question"]


async def test_one_nonce_makes_one_message(discord_server: DiscordServer) -> None:
    general = discord_server.general(discord_server.add_guild())
    async with watching(discord_server) as client:
        channel = client.get_partial_messageable(general.id)
        first = await channel.send("once", nonce="n1")
        again = await channel.send("twice", nonce="n1")
        other = await channel.send("another", nonce="n2")
        assert first.id == again.id != other.id
        assert [message.content for message in general.messages] == ["once", "another"]


async def test_messages_that_discord_refuses(discord_server: DiscordServer) -> None:
    guild = discord_server.add_guild()
    general, ann = discord_server.general(guild), discord_server.add_user("ann")
    theirs = discord_server.say(general, ann, "mine")
    async with watching(discord_server) as client:
        channel = client.get_partial_messageable(general.id)
        gone = discord.MessageReference(message_id=1, channel_id=general.id)
        with pytest.raises(discord.HTTPException, match="2000 or fewer") as refused:
            await channel.send("x" * 2001)
        assert refused.value.code == 50035
        with pytest.raises(discord.HTTPException) as refused:
            await channel.send("  \n ")
        assert refused.value.code == 50006
        with pytest.raises(discord.HTTPException, match="Unknown message"):
            await channel.send("hello", reference=gone)
        with pytest.raises(discord.Forbidden):
            await channel.get_partial_message(theirs.id).edit(content="yours")
        with pytest.raises(discord.NotFound):
            await client.get_partial_messageable(5).send("nobody")
        general.forbidden = 50001
        with pytest.raises(discord.Forbidden, match="Missing Access"):
            await channel.send("hello")
        assert discord_server.replies(general) == []


async def test_a_wrong_token_is_refused(discord_server: DiscordServer) -> None:
    async with Watcher(discord_server) as client:
        with pytest.raises(discord.LoginFailure):
            await client.login("wrong")


async def test_rate_limits_faults_and_lost_answers(discord_server: DiscordServer) -> None:
    general = discord_server.general(discord_server.add_guild())
    discord_server.limits.set("POST", MESSAGES, 2, 0.2)
    async with watching(discord_server) as client:
        channel = client.get_partial_messageable(general.id)
        for number in range(5):
            await channel.send(f"message {number}")
        assert [call.status for call in discord_server.made("POST", MESSAGES)] == [200] * 5
        discord_server.fail("POST", MESSAGES, refusal=limited(0.05))
        discord_server.fail("POST", MESSAGES, refusal=forbidden(50013))
        with pytest.raises(discord.Forbidden):
            await channel.send("after the limit")
        assert [call.status for call in discord_server.made("POST", MESSAGES)][-2:] == [429, 403]
        discord_server.fail("POST", MESSAGES, lose=True)
        with pytest.raises(aiohttp.ClientError):
            await channel.send("arrives, but nobody says so")
        assert discord_server.replies(general)[-1].content == "arrives, but nobody says so"


async def test_requests_over_a_limit_are_refused(discord_server: DiscordServer) -> None:
    general = discord_server.general(discord_server.add_guild())
    discord_server.limits.set("POST", MESSAGES, 1, 30.0)
    url = f"{discord_server.api_base_url}/channels/{general.id}/messages"
    headers = {"Authorization": f"Bot {discord_server.token}"}
    async with aiohttp.ClientSession(headers=headers) as session:
        async with session.post(url, json={"content": "one"}) as answer:
            assert answer.status == 200
            assert answer.headers["X-RateLimit-Remaining"] == "0"
        async with session.post(url, json={"content": "two"}) as answer:
            assert answer.status == 429
            assert 0 < (await answer.json())["retry_after"] <= 30


@pytest.mark.parametrize(
    ("content", "allowed", "reply", "pings"),
    [
        ("@everyone", None, False, True),
        ("@everyone", {"parse": []}, False, False),
        ("@here", {"parse": ["everyone"]}, False, True),
        ("<@5>", {"parse": []}, False, False),
        ("<@5>", {"parse": [], "users": ["5"]}, False, True),
        ("<@!5>", {"parse": ["users"]}, False, True),
        ("<@&7>", {"parse": ["users"]}, False, False),
        ("<@&7>", {"parse": [], "roles": [7]}, False, True),
        ("plain", None, True, True),
        ("plain", {"parse": []}, True, False),
        ("plain", {"parse": [], "replied_user": True}, True, True),
        ("plain", None, False, False),
    ],
)
def test_who_would_be_pinged(content: str, allowed: Any, reply: bool, pings: bool) -> None:
    assert would_ping(content, allowed, reply=reply) is pings


async def test_commands_are_registered_as_a_whole(discord_server: DiscordServer) -> None:
    async with watching(discord_server) as client:
        assert client.application_id == discord_server.bot.id
        command: dict[str, Any] = {"name": "help", "description": "Help", "type": 1}
        await client.http.bulk_upsert_global_commands(discord_server.bot.id, [command])
        (registered,) = await client.http.get_global_commands(discord_server.bot.id)
        assert (registered["name"], registered["description"]) == ("help", "Help")
        assert (await client.fetch_user(discord_server.bot.id)).name == "memora"
        shards, url, _ = await client.http.get_bot_gateway()
        assert (shards, url) == (1, discord_server.gateway_url)


async def test_requests_against_the_description_are_refused_and_noted() -> None:
    if not checking.available():
        pytest.skip("Discord's description isn't here")
    async with DiscordServer() as server:
        general = server.general(server.add_guild())
        headers = {"Authorization": f"Bot {server.token}"}
        async with aiohttp.ClientSession(headers=headers) as session:
            url = f"{server.api_base_url}/channels/{general.id}/messages"
            async with session.post(url, json={"content": 5}) as answer:
                assert answer.status == 400
            async with session.get(server.api_base_url + "/no/such/thing") as answer:
                assert answer.status == 404
        assert len(server.violations) == 2
        assert general.messages == []


async def test_the_servers_own_answers_follow_the_description(discord_server: DiscordServer) -> None:
    if not checking.available():
        pytest.skip("Discord's description isn't here")
    guild = discord_server.add_guild()
    general, ann = discord_server.general(guild), discord_server.add_user("ann")
    first = discord_server.say(
        general, ann, "@everyone look", stickers=[{"id": "5", "name": "wave", "format_type": 1}]
    )
    discord_server.say(general, ann, "yes", reply_to=first)
    command = {"name": "help", "description": "Help", "type": 1}
    routes = [
        ("GET", MESSAGES, f"/channels/{general.id}/messages", None),
        ("POST", MESSAGES, f"/channels/{general.id}/messages", {"content": "an answer"}),
        ("GET", "/gateway/bot", "/gateway/bot", None),
        ("GET", "/users/@me", "/users/@me", None),
        ("GET", "/channels/{channel_id}", f"/channels/{general.id}", None),
        ("POST", "/users/@me/channels", "/users/@me/channels", {"recipient_id": str(ann.id)}),
        ("GET", "/applications/@me", "/applications/@me", None),
        (
            "PUT",
            "/applications/{application_id}/commands",
            f"/applications/{discord_server.bot.id}/commands",
            [command],
        ),
    ]
    headers = {"Authorization": f"Bot {discord_server.token}"}
    async with aiohttp.ClientSession(headers=headers) as session:
        for method, template, path, body in routes:
            async with session.request(method, discord_server.api_base_url + path, json=body) as answer:
                assert answer.status == 200
                assert checking.answer_violations(method, template, await answer.json()) == [], template


async def test_requests_are_recorded_line_by_line(tmp_path: Path) -> None:
    record = tmp_path / "calls.jsonl"
    async with (
        DiscordServer(record=record) as server,
        aiohttp.ClientSession() as session,
        session.get(server.api_base_url + "/users/@me") as answer,
    ):
        assert answer.status == 401
    (line,) = [json.loads(text) for text in record.read_text(encoding="utf-8").splitlines()]
    assert (line["method"], line["template"], line["status"]) == ("GET", "/users/@me", 401)


def test_a_fault_concerns_its_route_so_often() -> None:
    fault = Fault("POST", MESSAGES, times=1)
    assert fault.concerns("POST", MESSAGES)
    assert not fault.concerns("GET", MESSAGES)
    assert Fault("", "").concerns("GET", "/gateway")
    assert not Fault("", "", times=0).concerns("GET", "/gateway")
