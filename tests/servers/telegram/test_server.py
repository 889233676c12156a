"""The loopback Telegram server against python-telegram-bot and the published description."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest
import telegram
from telegram import BotCommand, BotCommandScopeAllPrivateChats, InlineKeyboardButton, InlineKeyboardMarkup
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Conflict,
    Forbidden,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TimedOut,
)
from telegram.request import HTTPXRequest

from tests.servers.telegram import TelegramServer, blocked, broken, checking, flood, lost, refused, silent
from tests.servers.telegram.fixtures import telegram_server

__all__ = ["telegram_server"]


@pytest.fixture(autouse=True)
def modern_time_spans(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without this, python-telegram-bot warns whenever it is told to wait."""
    monkeypatch.setenv("PTB_TIMEDELTA", "1")


@pytest.fixture
async def bot(telegram_server: TelegramServer) -> AsyncIterator[telegram.Bot]:
    async with connected(telegram_server) as bot:
        yield bot


def connected(server: TelegramServer, token: str | None = None, read_timeout: float = 5.0) -> telegram.Bot:
    request = HTTPXRequest(read_timeout=read_timeout)
    return telegram.Bot(token or server.token, base_url=f"{server.base_url}/bot", request=request)


@pytest.mark.skipif(not checking.available(), reason="the published description is not on this machine")
def test_the_description_is_at_hand() -> None:
    assert checking.known("sendMessage")
    assert not checking.known("sendNothing")


async def test_updates_wait_until_an_offset_confirms_them(
    telegram_server: TelegramServer, bot: telegram.Bot
) -> None:
    ann = telegram_server.person("Ann")
    chat = telegram_server.private(ann)
    for text in ("one", "two", "three"):
        telegram_server.say(chat, ann, text)
    first = await bot.get_updates(limit=2)
    again = await bot.get_updates(limit=2)
    assert [update.message and update.message.text for update in first] == ["one", "two"]
    assert again == first
    rest = await bot.get_updates(offset=first[-1].update_id + 1)
    assert [update.message and update.message.text for update in rest] == ["three"]
    assert await bot.get_updates(offset=rest[-1].update_id + 1) == ()


async def test_long_polling_waits_for_what_is_said(
    telegram_server: TelegramServer, bot: telegram.Bot
) -> None:
    ann = telegram_server.person("Ann")
    polling = asyncio.create_task(bot.get_updates(timeout=30))
    await telegram_server.wait_for(lambda: telegram_server.called("getUpdates"))
    telegram_server.say(telegram_server.private(ann), ann, "hello")
    (update,) = await polling
    assert update.message
    assert update.message.from_user
    assert update.message.from_user.first_name == "Ann"


async def test_kinds_that_are_not_allowed_never_arrive(
    telegram_server: TelegramServer, bot: telegram.Bot
) -> None:
    ann = telegram_server.person("Ann")
    chat = telegram_server.private(ann)
    await bot.get_updates(allowed_updates=["edited_message"])
    telegram_server.edit(chat, telegram_server.say(chat, ann, "tehy"), "they")
    (update,) = await bot.get_updates()
    assert update.edited_message
    assert update.edited_message.text == "they"


async def test_a_second_reader_and_a_webhook_are_conflicts(
    telegram_server: TelegramServer, bot: telegram.Bot
) -> None:
    async with connected(telegram_server) as other:
        polling = asyncio.create_task(other.get_updates(timeout=30))
        await telegram_server.wait_for(lambda: telegram_server.called("getUpdates"))
        await bot.get_updates()
        with pytest.raises(Conflict):
            await polling
    await bot.set_webhook("https://example.org/hook")
    with pytest.raises(Conflict):
        await bot.get_updates()
    await bot.delete_webhook()
    assert (await bot.get_webhook_info()).url == ""
    assert await bot.get_updates() == ()


async def test_what_the_bot_sends_edits_and_deletes_is_seen(
    telegram_server: TelegramServer, bot: telegram.Bot
) -> None:
    chat = telegram_server.private(telegram_server.person("Ann"))
    bold = telegram.MessageEntity("bold", 0, 5)
    sent = await bot.send_message(chat.id, "Hello  ", entities=[bold])
    assert chat.texts == ["Hello"]
    assert chat.from_bot[0].marked("bold") == ["Hello"]
    await bot.edit_message_text("Bye", chat.id, sent.message_id)
    assert (chat.texts, chat.from_bot[0].versions) == (["Bye"], ["Hello"])
    with pytest.raises(BadRequest, match="not modified"):
        await bot.edit_message_text("Bye", chat.id, sent.message_id)
    await bot.delete_message(chat.id, sent.message_id)
    assert chat.messages == []
    with pytest.raises(BadRequest, match="to edit not found"):
        await bot.edit_message_text("Still?", chat.id, sent.message_id)


async def test_files_arrive_with_their_captions(telegram_server: TelegramServer, bot: telegram.Bot) -> None:
    chat = telegram_server.private(telegram_server.person("Ann"))
    await bot.send_document(chat.id, b"some bytes", filename="notes.txt", caption="Notes")
    await bot.send_photo(chat.id, b"\x89PNG")
    assert [post.file for post in chat.from_bot] == [b"some bytes", b"\x89PNG"]
    assert chat.from_bot[0].message["document"]["file_name"] == "notes.txt"
    assert chat.texts[0] == "Notes"


@pytest.mark.parametrize(
    ("text", "entity", "reason"),
    [
        ("", None, "text is empty"),
        ("x" * 4097, None, "too long"),
        ("😀" * 2049, None, "too long"),
        ("short", ("bold", 3, 9), "ends after the end"),
        ("short", ("bold", 9, 1), "can't begin"),
        ("😀😀", ("bold", 1, 2), "cuts a symbol"),
    ],
)
async def test_texts_and_entities_are_held_to_their_limits(
    telegram_server: TelegramServer,
    bot: telegram.Bot,
    text: str,
    entity: tuple[str, int, int] | None,
    reason: str,
) -> None:
    chat = telegram_server.private(telegram_server.person("Ann"))
    entities = [telegram.MessageEntity(*entity)] if entity else None
    with pytest.raises(BadRequest, match=reason):
        await bot.send_message(chat.id, text, entities=entities)


async def test_the_longest_text_is_taken(telegram_server: TelegramServer, bot: telegram.Bot) -> None:
    chat = telegram_server.private(telegram_server.person("Ann"))
    await bot.send_message(chat.id, "😀" * 2048)
    assert chat.texts == ["😀" * 2048]


async def test_a_pressed_button_can_be_answered_once(
    telegram_server: TelegramServer, bot: telegram.Bot
) -> None:
    ann = telegram_server.person("Ann")
    chat = telegram_server.private(ann)
    keyboard = InlineKeyboardMarkup([[InlineKeyboardButton("Older", callback_data="/history 2")]])
    await bot.send_message(chat.id, "Page 1", reply_markup=keyboard)
    query = telegram_server.press(chat, chat.from_bot[0], "Older", ann)
    (update,) = await bot.get_updates()
    assert update.callback_query
    assert update.callback_query.data == "/history 2"
    await bot.answer_callback_query(query, "There")
    assert telegram_server.answered == {query: "There"}
    with pytest.raises(BadRequest, match=r"(?i)too old"):
        await bot.answer_callback_query(query)
    long = InlineKeyboardMarkup([[InlineKeyboardButton("Older", callback_data="x" * 65)]])
    with pytest.raises(BadRequest, match=r"(?i)button_data_invalid"):
        await bot.send_message(chat.id, "Page", reply_markup=long)


async def test_replies_name_a_thread_and_only_topics_are_topics(
    telegram_server: TelegramServer, bot: telegram.Bot
) -> None:
    ann = telegram_server.person("Ann")
    club = telegram_server.supergroup("Club", forum=True)
    topic = telegram_server.topic(club, "Trips", ann)
    root = telegram_server.say(club, ann, "in General")
    telegram_server.say(club, ann, "a reply", reply_to=root)
    telegram_server.say(club, ann, "in Trips", thread=topic)
    messages = [update.message for update in await bot.get_updates() if update.message]
    threads = [(message.message_thread_id, message.is_topic_message) for message in messages]
    assert threads == [(topic, True), (None, None), (root.id, None), (topic, True)]
    await bot.send_message(club.id, "there", message_thread_id=topic)
    assert club.from_bot[0].thread == topic
    with pytest.raises(BadRequest, match="thread not found"):
        await bot.send_message(club.id, "where?", message_thread_id=99)


async def test_a_group_that_became_a_supergroup_sends_the_bot_on(
    telegram_server: TelegramServer, bot: telegram.Bot
) -> None:
    ann = telegram_server.person("Ann")
    family = telegram_server.group("Family")
    new = telegram_server.migrate(family, ann)
    updates = await bot.get_updates()
    assert [update.message and update.message.migrate_to_chat_id for update in updates] == [new.id, None]
    with pytest.raises(ChatMigrated) as caught:
        await bot.send_message(family.id, "hello")
    assert caught.value.new_chat_id == new.id


async def test_members_and_menus_can_be_asked_for(telegram_server: TelegramServer, bot: telegram.Bot) -> None:
    ann, bob = telegram_server.person("Ann"), telegram_server.person("Bob")
    club = telegram_server.supergroup("Club")
    club.admins.add(ann.id)
    assert (await bot.get_chat_member(club.id, ann.id)).status == "administrator"
    assert (await bot.get_chat_member(club.id, bob.id)).status == "member"
    assert [member.user.id for member in await bot.get_chat_administrators(club.id)] == [ann.id]
    assert (await bot.get_chat(club.id)).title == "Club"
    await bot.set_my_commands([BotCommand("help", "Help")])
    await bot.set_my_commands([BotCommand("help", "Help!")], BotCommandScopeAllPrivateChats(), "zh")
    assert telegram_server.profile.menu("all_private_chats", "zh") == {"help": "Help!"}
    assert telegram_server.profile.menu("all_group_chats", "zh") == {"help": "Help"}
    assert [command.description for command in await bot.get_my_commands()] == ["Help"]
    await bot.set_my_name("Memory")
    assert (await bot.get_my_name()).name == "Memory"


async def test_faults_come_in_order_and_pass(telegram_server: TelegramServer) -> None:
    ann = telegram_server.person("Ann")
    chat = telegram_server.private(ann)
    faults = (flood(7), blocked(), refused("message is not modified"), broken(), lost(), silent())
    telegram_server.fail("sendMessage", *faults)
    async with connected(telegram_server, read_timeout=0.2) as bot:
        seen: list[telegram.error.TelegramError] = []
        for expected in (RetryAfter, Forbidden, BadRequest, NetworkError, NetworkError, TimedOut):
            with pytest.raises(expected) as caught:
                await bot.send_message(chat.id, f"try {len(seen)}")
            seen.append(caught.value)
        assert "0:00:07" in str(seen[0])
        assert chat.texts == ["try 4", "try 5"]  # lost and silent: carried out all the same
        await bot.send_message(chat.id, "at last")
    assert chat.texts[-1] == "at last"


async def test_a_blocked_bot_hears_of_it_and_can_do_nothing(
    telegram_server: TelegramServer, bot: telegram.Bot
) -> None:
    ann = telegram_server.person("Ann")
    chat = telegram_server.private(ann)
    telegram_server.block(chat, ann)
    (update,) = await bot.get_updates()
    assert update.my_chat_member
    assert update.my_chat_member.new_chat_member.status == "kicked"
    with pytest.raises(Forbidden):
        await bot.send_message(chat.id, "hello?")


@pytest.mark.parametrize("token", ["7000001:wrong", "nonsense"])
async def test_a_wrong_token_is_refused(telegram_server: TelegramServer, token: str) -> None:
    with pytest.raises(InvalidToken):
        async with connected(telegram_server, token):
            pass


async def test_unknown_methods_and_bad_parameters_are_refused(telegram_server: TelegramServer) -> None:
    address = f"{telegram_server.base_url}/bot{telegram_server.token}"
    async with aiohttp.ClientSession() as session:
        async with session.post(f"{address}/sendNothing") as answer:
            assert answer.status == 404
        if not checking.available():
            pytest.skip("the published description is not on this machine")
        for wrong in ({"chat_id": 1}, {"chat_id": 1, "text": "a", "tone": "b"}, {"chat_id": [], "text": "a"}):
            async with session.post(f"{address}/sendMessage", json=wrong) as answer:
                assert answer.status == 400
    assert len(telegram_server.violations) == 3
    telegram_server.violations.clear()


async def test_a_process_of_its_own_is_controlled_over_http(tmp_path: Path) -> None:
    command = (sys.executable, "-m", "tests.servers.telegram", "--record", str(tmp_path / "calls"))
    root = Path(__file__).parents[3]
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE, cwd=root)
    try:
        assert process.stdout
        base = (await process.stdout.readline()).decode().strip()
        async with aiohttp.ClientSession() as session:
            await talk_over_control(session, base)
    finally:
        process.send_signal(signal.SIGTERM)
        assert await process.wait() == 0
    methods = [json.loads(line)["method"] for line in (tmp_path / "calls").read_text().splitlines()]
    assert methods == ["getMe", "getUpdates", "sendMessage"]


async def talk_over_control(session: aiohttp.ClientSession, base: str) -> None:
    async def act(action: str, **given: object) -> int:
        async with session.post(f"{base}/control/{action}", json=given) as answer:
            assert answer.status == 200
            return int(await answer.json())

    ann = await act("person", name="Ann")
    chat = await act("private", person=ann)
    await act("say", chat=chat, person=ann, text="hello")
    from tests.servers.telegram.server import TOKEN

    async with telegram.Bot(TOKEN, base_url=f"{base}/bot") as bot:
        (update,) = await bot.get_updates()
        assert update.message
        await bot.send_message(update.message.chat_id, "hello to you")
    async with session.get(f"{base}/control/chat/{chat}", params={"contains": "to you"}) as answer:
        seen = await answer.json()
    assert [message["text"] for message in seen["messages"]] == ["hello", "hello to you"]
    async with session.get(f"{base}/control/violations") as answer:
        assert await answer.json() == []
