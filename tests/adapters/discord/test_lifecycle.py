"""The adapter comes up, stays up and goes down with Discord as it is: limits, breaks, restarts."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable

import pytest
import structlog
from discord.http import Route

from adapters.discord.adapter import DiscordAdapter, build
from bot.config import Secrets, Settings
from bot.errors import DeliveryDelayed, DeliveryRefused, SettingsError, StoreFull
from bot.messages import Inbound, IncomingMessage
from bot.ports import Responder
from tests.adapters.discord.conftest import Home
from tests.adapters.discord.surroundings import (
    COMMANDS,
    FakeInbox,
    FakeState,
    FastClock,
    adapter_for,
    receiving,
)
from tests.servers.discord import DiscordServer, Refusal

REGISTER = ("PUT", "/applications/{application_id}/commands")
ME = ("GET", "/users/@me")


async def test_commands_are_registered_once_whatever_happens(
    discord_server: DiscordServer, inbox: FakeInbox, state: FakeState
) -> None:
    async with receiving(adapter_for(discord_server, state), inbox, discord_server):
        discord_server.gateway.repeat_ready()
        discord_server.gateway.cut()
        await discord_server.wait_for(lambda: discord_server.gateway.resumes)
    async with receiving(adapter_for(discord_server, state), inbox, discord_server):
        pass
    assert len(discord_server.made(*REGISTER)) == 1
    named = {command["name"]: command for command in discord_server.world.commands}
    assert list(named) == ["summary", "history", "reset", "help"]
    assert named["summary"]["description_localizations"] == {"zh-TW": "顯示摘要", "zh-CN": "显示摘要"}
    assert [option["name"] for option in named["history"]["options"]] == ["page"]


async def test_other_commands_are_registered_anew(
    discord_server: DiscordServer, inbox: FakeInbox, state: FakeState
) -> None:
    for commands in (COMMANDS, COMMANDS[:2]):
        async with adapter_for(discord_server, state) as adapter:
            running = asyncio.create_task(adapter.run(inbox, commands))
            await discord_server.connected()
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
    assert len(discord_server.made(*REGISTER)) == 2
    assert [command["name"] for command in discord_server.world.commands] == ["summary", "history"]


async def test_the_bot_works_where_commands_cannot_be_registered(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox, state: FakeState
) -> None:
    discord_server.fail(*REGISTER, refusal=Refusal(400, 50035, "Invalid Form Body"))
    async with receiving(adapter_for(discord_server, state), inbox, discord_server):
        discord_server.say(discord_server.dm(home.ann), home.ann, "hello")
        assert (await inbox.message()).text == "hello"
    assert state.values.keys() == {f"discord:{discord_server.bot.id}:seen"}


async def test_a_wrong_token_ends_the_adapter(discord_server: DiscordServer, inbox: FakeInbox) -> None:
    with pytest.raises(DeliveryRefused):
        async with adapter_for(discord_server, FakeState(), token="a.wrong.token") as adapter:
            await adapter.run(inbox, COMMANDS)


async def test_a_gateway_that_refuses_the_bot_ends_the_adapter(inbox: FakeInbox) -> None:
    async with DiscordServer() as server:
        server.gateway.closes_with = 4012
        with pytest.raises(DeliveryRefused, match="4012"):
            async with adapter_for(server, FakeState()) as adapter:
                await adapter.run(inbox, COMMANDS)


async def test_discord_is_waited_for_at_the_start(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox, state: FakeState
) -> None:
    clock = FastClock()
    discord_server.fail(*ME, refusal=Refusal(503, 0, "unavailable"))
    discord_server.fail("GET", "/gateway/bot", refusal=Refusal(503, 0, "unavailable"))
    discord_server.gateway.offline = True
    async with adapter_for(discord_server, state, clock=clock) as adapter:
        running = asyncio.create_task(adapter.run(inbox, COMMANDS))
        await discord_server.wait_for(lambda: discord_server.gateway.turned_away)
        discord_server.gateway.offline = False
        await discord_server.connected()
        discord_server.say(discord_server.dm(home.ann), home.ann, "hello")
        assert (await inbox.message()).text == "hello"
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    assert clock.slept[:2] == [1.0, 2.0]


async def test_without_the_content_intent_it_hears_those_who_speak_to_it(
    inbox: FakeInbox, state: FakeState
) -> None:
    async with DiscordServer(content_intent=False) as server:
        state.values[f"discord:{server.bot.id}:seen"] = json.dumps({"mark": server.world.ids.new()})
        general, ann = server.general(server.add_guild()), server.add_user("ann")
        with structlog.testing.capture_logs() as logs:
            async with receiving(adapter_for(server, state), inbox, server):
                background = server.say(general, ann, "between us")
                server.edit(background, "still between us")
                server.say(general, ann, "hello", mentions=[server.bot])
                server.say(server.dm(ann), ann, "psst")
                await inbox.wait_for(2)
        assert inbox.texts == ["hello", "psst"]
        assert len(inbox.events) == 2
        (warning,) = [entry["event"] for entry in logs if entry["log_level"] == "warning"]
        assert "message content intent is off" in warning
        assert server.violations == []


async def test_a_break_loses_nothing_and_repeats_nothing(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox, running: asyncio.Task[None]
) -> None:
    discord_server.say(home.general, home.ann, "before")
    await inbox.wait_for(1)
    discord_server.gateway.cut()
    discord_server.say(home.general, home.ann, "meanwhile")
    await discord_server.wait_for(lambda: discord_server.gateway.resumes)
    discord_server.say(home.general, home.ann, "after")
    await inbox.wait_for(3)
    assert inbox.texts == ["before", "meanwhile", "after"]


async def test_a_second_ready_makes_no_second_of_anything(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox, running: asyncio.Task[None]
) -> None:
    discord_server.say(home.general, home.ann, "one")
    await inbox.wait_for(1)
    discord_server.gateway.repeat_ready()
    discord_server.gateway.repeat_ready()
    discord_server.say(home.general, home.ann, "two")
    await inbox.wait_for(2)
    assert inbox.texts == ["one", "two"]
    assert (len(discord_server.gateway.identifies), len(discord_server.made(*REGISTER))) == (1, 1)


async def test_what_was_said_while_it_was_away_is_fetched_in_order(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox, state: FakeState
) -> None:
    private = discord_server.dm(home.ann)
    async with receiving(adapter_for(discord_server, state), inbox, discord_server):
        discord_server.say(home.general, home.ann, "one")
        await state.marked(discord_server.say(private, home.ann, "two"))
    discord_server.say(home.general, home.ann, "three", mentions=[discord_server.bot])
    discord_server.say(private, home.ann, "four")
    later = FakeInbox()
    async with receiving(adapter_for(discord_server, state), later, discord_server):
        discord_server.say(home.general, home.bob, "five")
        await later.wait_for(3)
    assert later.texts == ["three", "four", "five"]
    first = later.events[0]
    assert isinstance(first, IncomingMessage)
    assert (first.addressed, first.chat_title) == (True, "Home › #general")


async def test_a_run_that_was_killed_early_is_caught_up_with(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox, state: FakeState
) -> None:
    async with receiving(adapter_for(discord_server, state), inbox, discord_server):
        kept = dict(state.values)
    discord_server.say(home.general, home.ann, "hello?", mentions=[discord_server.bot])
    later, left = FakeInbox(), FakeState()
    left.values = kept
    async with receiving(adapter_for(discord_server, left), later, discord_server):
        assert (await later.message()).text == "hello?"


async def test_what_was_not_handled_to_its_end_is_fetched_again(
    discord_server: DiscordServer, home: Home, state: FakeState
) -> None:
    never = asyncio.Event()

    async def stuck(message: IncomingMessage, responder: Responder) -> None:
        if message.text == "stuck":
            await never.wait()

    inbox = FakeInbox(stuck)
    async with receiving(adapter_for(discord_server, state), inbox, discord_server):
        await state.marked(discord_server.say(home.general, home.ann, "done"))
        for text in ("stuck", "done, too"):
            discord_server.say(home.general, home.ann, text)
        await inbox.wait_for(3)
    later = FakeInbox()
    async with receiving(adapter_for(discord_server, state), later, discord_server):
        await later.wait_for(2)
    assert later.texts == ["stuck", "done, too"]
    never.set()


async def test_a_channel_that_cannot_be_read_does_not_keep_the_others_waiting(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox, state: FakeState
) -> None:
    assert home.general.guild
    closed = discord_server.add_channel(home.general.guild, "closed")
    async with receiving(adapter_for(discord_server, state), inbox, discord_server):
        await state.marked(discord_server.say(home.general, home.ann, "one"))
    discord_server.say(closed, home.ann, "unseen")
    discord_server.say(home.general, home.ann, "two")
    closed.forbidden = 50001
    later = FakeInbox()
    async with receiving(adapter_for(discord_server, state), later, discord_server):
        await later.wait_for(1)
    assert later.texts == ["two"]


async def test_answers_under_way_can_be_finished_after_receiving_ended(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox, state: FakeState
) -> None:
    async with adapter_for(discord_server, state) as adapter:
        running = asyncio.create_task(adapter.run(inbox, COMMANDS))
        await discord_server.connected()
        discord_server.say(home.general, home.ann, "a question", mentions=[discord_server.bot])
        await inbox.wait_for(1)
        sink = await inbox.responders[0].open_reply()
        await sink.update("Some")
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await discord_server.wait_for(lambda: not discord_server.gateway.connected)
        discord_server.say(home.general, home.ann, "unheard")
        await sink.finish("Some answer.")
    assert [message.content for message in discord_server.replies(home.general)] == ["Some answer."]
    assert len(inbox.events) == 1


async def test_a_command_under_way_is_answered_at_the_end(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox, state: FakeState
) -> None:
    async with receiving(adapter_for(discord_server, state), inbox, discord_server):
        handle = discord_server.slash(home.general, home.ann, "summary")
        await inbox.wait_for(1)
    assert len(handle.answers) == 1


async def test_an_odd_event_does_not_end_the_receiving(
    discord_server: DiscordServer, home: Home, state: FakeState
) -> None:
    class Touchy(FakeInbox):
        def submit(self, event: Inbound, responder: Responder) -> Awaitable[None]:
            if isinstance(event, IncomingMessage) and event.text == "odd":
                raise ValueError("too odd")
            return super().submit(event, responder)

    inbox = Touchy()
    with structlog.testing.capture_logs() as logs:
        async with receiving(adapter_for(discord_server, state), inbox, discord_server):
            discord_server.say(home.general, home.ann, "odd")
            discord_server.say(home.general, home.ann, "even")
            assert (await inbox.message()).text == "even"
    assert [entry["kind"] for entry in logs if entry["log_level"] == "error"] == ["on_message"]


async def test_a_store_that_fails_does_not_stop_it(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    class Full(FakeState):
        async def get_state(self, name: str) -> str | None:
            raise StoreFull("no space")

        async def set_state(self, name: str, value: str) -> None:
            raise StoreFull("no space")

    async with receiving(adapter_for(discord_server, Full()), inbox, discord_server):
        discord_server.say(home.general, home.ann, "hello")
        assert (await inbox.message()).text == "hello"


async def test_the_check_names_the_bot_and_what_it_lacks(discord_server: DiscordServer) -> None:
    adapter = adapter_for(discord_server, FakeState())
    assert await adapter.check() == "memora#0001"
    async with DiscordServer(content_intent=False) as server:
        assert "message content intent is off" in await adapter_for(server, FakeState()).check()
    with pytest.raises(DeliveryRefused):
        await adapter_for(discord_server, FakeState(), token="a.wrong.token").check()
    with pytest.raises(DeliveryDelayed):
        await DiscordAdapter("a.b.c", "http://127.0.0.1:9/api/v10", FakeState(), FastClock()).check()


async def test_the_address_is_set_back(discord_server: DiscordServer) -> None:
    async with adapter_for(discord_server, FakeState()):
        assert discord_server.api_base_url == Route.BASE
    assert Route.BASE == "https://discord.com/api/v10"


async def test_the_token_and_what_people_write_are_in_no_log(
    discord_server: DiscordServer,
    home: Home,
    inbox: FakeInbox,
    state: FakeState,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO")
    with structlog.testing.capture_logs() as logs:
        async with receiving(adapter_for(discord_server, state), inbox, discord_server):
            discord_server.say(home.general, home.ann, "a private thing", mentions=[discord_server.bot])
            await inbox.wait_for(1)
            await inbox.responders[0].typing()
        with pytest.raises(DeliveryRefused):
            await adapter_for(discord_server, state, token="another.secret.token").check()
    text = caplog.text + json.dumps(logs)
    assert "receiving from Discord" in text
    for secret in (discord_server.token, "another.secret.token", "a private thing"):
        assert secret not in text


def test_it_is_built_from_settings() -> None:
    settings = Settings()
    with pytest.raises(SettingsError, match="DISCORD_BOT_TOKEN"):
        build(settings, Secrets(), FakeState())
    assert build(settings, Secrets(discord_bot_token="a.b.c"), FakeState()).platform == "discord"
