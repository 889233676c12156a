"""Receiving over the wire: what reaches the inbox, when updates are confirmed, and what goes wrong."""

from __future__ import annotations

import asyncio
import logging

import pytest
import structlog
from pydantic import SecretStr

from adapters.telegram.adapter import TelegramAdapter, build
from bot.config import Secrets, Settings, TelegramSettings
from bot.errors import DeliveryDelayed, DeliveryRefused, SettingsError
from bot.messages import CommandCall, IncomingMessage
from bot.ports import Adapter
from tests.adapters.telegram.surroundings import (
    COMMANDS,
    FakeClock,
    FakeInbox,
    FakeState,
    adapter_for,
    receiving,
)
from tests.servers.telegram import TelegramServer, broken, flood, lost, refused
from tests.servers.telegram.server import TOKEN


async def test_messages_reach_the_inbox_in_order(
    telegram_server: TelegramServer, adapter: TelegramAdapter, inbox: FakeInbox
) -> None:
    ann = telegram_server.person("Ann")
    chat = telegram_server.private(ann)
    for number in range(5):
        telegram_server.say(chat, ann, f"message {number}")
    events = await inbox.wait_for(5)
    texts = [event.text for event in events if isinstance(event, IncomingMessage)]
    assert texts == [f"message {number}" for number in range(5)]


async def test_an_update_is_confirmed_only_when_it_is_safe(
    telegram_server: TelegramServer, inbox: FakeInbox, clock: FakeClock, state: FakeState
) -> None:
    ann = telegram_server.person("Ann")
    inbox.open_gate.clear()
    async with receiving(adapter_for(telegram_server, clock, state), inbox):
        telegram_server.say(telegram_server.private(ann), ann, "hello")
        await inbox.wait_for(1)
    # Stopped before the inbox had it safe: whoever comes next gets it again.
    assert len(telegram_server.updates.pending) == 1
    again = FakeInbox()
    async with receiving(adapter_for(telegram_server, clock, state), again):
        assert (await again.message()).text == "hello"
        await telegram_server.wait_for(lambda: not telegram_server.updates.pending)


async def test_nothing_is_taken_twice_when_an_answer_gets_lost(
    telegram_server: TelegramServer, inbox: FakeInbox, clock: FakeClock, state: FakeState
) -> None:
    ann = telegram_server.person("Ann")
    telegram_server.say(telegram_server.private(ann), ann, "hello")
    telegram_server.fail("getMe", broken(), lost())
    telegram_server.fail("getUpdates", broken(500), lost(), flood(9))
    async with receiving(adapter_for(telegram_server, clock, state), inbox):
        await inbox.wait_for(1)
        await telegram_server.wait_for(lambda: not telegram_server.updates.pending)
    assert len(inbox.events) == 1
    assert clock.slept == [1.0, 2.0, 1.0, 2.0, 9.0]


async def test_a_webhook_that_was_set_before_is_removed(
    telegram_server: TelegramServer, inbox: FakeInbox, clock: FakeClock, state: FakeState
) -> None:
    telegram_server.updates.webhook = "https://example.org/hook"
    ann = telegram_server.person("Ann")
    telegram_server.say(telegram_server.private(ann), ann, "hello")
    async with receiving(adapter_for(telegram_server, clock, state), inbox):
        assert (await inbox.message()).text == "hello"


async def test_an_update_that_cannot_be_read_is_passed_over(
    telegram_server: TelegramServer, adapter: TelegramAdapter, inbox: FakeInbox
) -> None:
    ann = telegram_server.person("Ann")
    telegram_server.inject("message", {"message_id": "odd", "chat": 7})
    telegram_server.inject("message", {"message_id": 1, "date": 5, "chat": {"id": 5, "type": "private"}})
    telegram_server.say(telegram_server.private(ann), ann, "hello")
    assert (await inbox.message()).text == "hello"
    await telegram_server.wait_for(lambda: not telegram_server.updates.pending)
    telegram_server.violations.clear()  # they are of those updates


async def test_the_menu_is_set_once(
    telegram_server: TelegramServer, inbox: FakeInbox, clock: FakeClock, state: FakeState
) -> None:
    for _ in range(2):
        async with receiving(adapter_for(telegram_server, clock, state), inbox):
            await state.kept.wait()
    assert len(telegram_server.called("setMyCommands")) == 9
    profile = telegram_server.profile
    assert "reset" in profile.menu("all_private_chats")
    assert "reset" not in profile.menu("all_group_chats")
    assert profile.menu("all_private_chats", "zh")["summary"] == "显示摘要"
    other = adapter_for(telegram_server, clock, state, language="zh-hant")
    async with receiving(other, inbox):
        await telegram_server.wait_for(
            lambda: profile.menu("all_private_chats", "zh")["summary"] == "顯示摘要"
        )


async def test_a_refused_menu_does_not_stop_the_bot(
    telegram_server: TelegramServer, inbox: FakeInbox, clock: FakeClock, state: FakeState
) -> None:
    telegram_server.fail("setMyCommands", refused("BOT_COMMANDS_TOO_MANY"))
    ann = telegram_server.person("Ann")
    async with receiving(adapter_for(telegram_server, clock, state), inbox):
        await telegram_server.wait_for(lambda: telegram_server.called("setMyCommands"))
        telegram_server.say(telegram_server.private(ann), ann, "hello")
        assert (await inbox.message()).text == "hello"
    assert state.values == {}


async def test_the_command_menu_may_only_be_used_by_admins_where_it_says_so(
    telegram_server: TelegramServer, adapter: TelegramAdapter, inbox: FakeInbox
) -> None:
    ann, bob = telegram_server.person("Ann"), telegram_server.person("Bob")
    club = telegram_server.supergroup("Club")
    club.admins.add(ann.id)
    telegram_server.say(club, ann, "/reset")
    telegram_server.say(club, bob, "/reset")
    telegram_server.say(club, bob, "/summary")
    events = await inbox.wait_for(3)
    rights = [event.admin for event in events if isinstance(event, IncomingMessage)]
    assert rights == [True, False, False]
    assert len(telegram_server.called("getChatMember")) == 2  # nobody asks where nothing depends on it


async def test_a_command_arrives_even_if_nobody_can_tell_who_is_an_admin(
    telegram_server: TelegramServer, adapter: TelegramAdapter, inbox: FakeInbox
) -> None:
    telegram_server.fail("getChatMember", refused("member list is inaccessible"))
    telegram_server.say(telegram_server.supergroup("Club"), telegram_server.person("Ann"), "/reset")
    message = await inbox.message()
    assert (message.command, message.admin) == (CommandCall("reset"), False)


async def test_a_pressed_button_is_acknowledged_even_if_it_means_nothing(
    telegram_server: TelegramServer, adapter: TelegramAdapter, inbox: FakeInbox
) -> None:
    ann = telegram_server.person("Ann")
    chat = telegram_server.private(ann)
    rows = [[{"text": "A", "callback_data": "/history 2"}, {"text": "B", "callback_data": "?"}]]
    fields = {"text": "Page 1", "reply_markup": {"inline_keyboard": rows}}
    post = telegram_server.world.add(chat, telegram_server.bot, fields)
    queries = {telegram_server.press(chat, post, label, ann) for label in ("A", "B")}
    await telegram_server.wait_for(lambda: set(telegram_server.answered) == queries)
    assert (await inbox.message()).command == CommandCall("history", "2")


async def test_a_wrong_token_ends_the_adapter(
    telegram_server: TelegramServer, inbox: FakeInbox, clock: FakeClock, state: FakeState
) -> None:
    for token in ("7000001:wrong", "nonsense"):
        async with adapter_for(telegram_server, clock, state, token=token) as adapter:
            with pytest.raises(DeliveryRefused) as caught:
                await adapter.run(inbox, COMMANDS)
            with pytest.raises(DeliveryRefused):
                await adapter.check()
        assert token not in str(caught.value)


async def test_check_names_the_bot_or_says_why_not(
    telegram_server: TelegramServer, clock: FakeClock, state: FakeState
) -> None:
    async with adapter_for(telegram_server, clock, state) as adapter:
        assert await adapter.check() == "@memora_test_bot"
        telegram_server.fail("getMe", broken())
        with pytest.raises(DeliveryDelayed):
            await adapter.check()


async def test_settings_build_an_adapter(telegram_server: TelegramServer, state: FakeState) -> None:
    settings = Settings(telegram=TelegramSettings(api_base_url=telegram_server.base_url))
    secrets = Secrets(telegram_bot_token=SecretStr(TOKEN))
    adapter: Adapter = build(settings, secrets, state)
    async with adapter:
        assert (adapter.platform, await adapter.check()) == ("telegram", "@memora_test_bot")
    with pytest.raises(SettingsError, match="TELEGRAM_BOT_TOKEN"):
        build(settings, Secrets(), state)


async def test_neither_the_token_nor_what_is_said_gets_into_the_log(
    telegram_server: TelegramServer,
    inbox: FakeInbox,
    clock: FakeClock,
    state: FakeState,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    ann = telegram_server.person("Ann")
    telegram_server.fail("getUpdates", broken(), lost())
    with structlog.testing.capture_logs() as lines:
        async with receiving(adapter_for(telegram_server, clock, state), inbox):
            telegram_server.say(telegram_server.private(ann), ann, "my secret plan")
            await inbox.wait_for(1)
            await inbox.responders[0].typing()
    told = caplog.text + repr(lines)
    assert "can't be reached" in told
    assert TOKEN not in told
    assert TOKEN.split(":")[1] not in told
    assert "secret plan" not in told


async def test_stopping_does_not_wait_for_the_long_poll(
    telegram_server: TelegramServer, inbox: FakeInbox, clock: FakeClock, state: FakeState
) -> None:
    async with asyncio.timeout(3):  # a poll takes five seconds
        async with receiving(adapter_for(telegram_server, clock, state), inbox):
            await telegram_server.wait_for(lambda: telegram_server.called("getUpdates"))
