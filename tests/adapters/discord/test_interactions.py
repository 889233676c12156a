"""Slash commands and buttons: acknowledged at once, answered to one person, ended whatever happens."""

from __future__ import annotations

import asyncio

import pytest
import structlog

from adapters.discord.render import view_parts
from bot.messages import ChatKind, CommandCall, IncomingMessage
from bot.ports import Responder
from bot.views.model import Action, Item, Items, Paragraph, View
from bot.views.problems import problem
from bot.views.words import Words
from tests.adapters.discord.conftest import Home
from tests.adapters.discord.surroundings import FakeInbox
from tests.servers.discord import DiscordServer, Interaction, Refusal

pytestmark = pytest.mark.usefixtures("running")

CALLBACK = "/interactions/{interaction_id}/{interaction_token}/callback"
OLDER = Action("‹ Older", CommandCall("history", "2"))


def page(number: int, size: int = 1) -> View:
    items = tuple(Item(f"line {number}.{index} " + "x" * 80) for index in range(size))
    return View("history", f"Page {number}", (Items(items),), (OLDER,))


async def answered(server: DiscordServer, handle: Interaction, parts: int = 1) -> list[str]:
    messages = await server.wait_for(lambda: handle.answers if len(handle.answers) >= parts else [])
    return [message.content for message in messages]


async def test_a_command_arrives_with_its_argument_and_its_user(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    home.ann.locale = "zh-TW"
    handle = discord_server.slash(home.general, home.ann, "history", {"page": "3"})
    message = await inbox.message()
    assert message == IncomingMessage(
        key=message.key,
        message_id=str(handle.id),
        speaker=message.speaker,
        text="/history 3",
        sent_at=message.sent_at,
        chat_kind=ChatKind.GROUP,
        chat_title="Home › #general",
        command=CommandCall("history", "3"),
        language="zh-TW",
    )
    assert (message.key.chat, message.speaker.name) == (str(home.general.id), "Ann")


async def test_who_may_moderate_is_told(discord_server: DiscordServer, home: Home, inbox: FakeInbox) -> None:
    assert home.general.guild
    home.general.guild.moderators.add(home.bob.id)
    discord_server.slash(home.general, home.ann, "reset")
    discord_server.slash(home.general, home.bob, "reset")
    discord_server.slash(discord_server.dm(home.ann), home.ann, "reset")
    await inbox.wait_for(3)
    rights = {
        (event.speaker.name, event.chat_kind): event.admin
        for event in inbox.events
        if isinstance(event, IncomingMessage)
    }
    assert rights == {
        ("Ann", ChatKind.GROUP): False,
        ("Bob", ChatKind.GROUP): True,
        ("Ann", ChatKind.PRIVATE): True,
    }


async def test_a_slow_answer_is_deferred_in_time_and_seen_by_one_person(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    release = asyncio.Event()

    async def slow(message: IncomingMessage, responder: Responder) -> None:
        await release.wait()
        await responder.show(View("context", "Context", (Paragraph("all of it"),)))

    inbox.handler = slow
    handle = discord_server.slash(home.general, home.ann, "summary")
    await discord_server.wait_for(lambda: handle.thinking)
    assert handle.answers == []
    release.set()
    assert await answered(discord_server, handle) == ["**Context**\n\nall of it"]
    assert all(message.ephemeral for message in handle.answers)
    assert home.general.messages == []


async def test_every_part_of_a_long_answer_is_seen_by_one_person(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    async def long(message: IncomingMessage, responder: Responder) -> None:
        await responder.show(page(1, size=60))

    inbox.handler = long
    handle = discord_server.slash(home.general, home.ann, "history")
    await answered(discord_server, handle, parts=3)
    assert all(message.ephemeral and len(message.raw) <= 2000 for message in handle.answers)
    assert [bool(message.buttons) for message in handle.answers] == [False, False, True]
    assert home.general.messages == []
    text = "\n".join(message.raw for message in handle.answers)
    assert [f"line 1.{index} " in text for index in range(60)] == [True] * 60


@pytest.mark.parametrize("language", ["en", "zh-hant"])
async def test_a_command_that_ends_without_an_answer_says_so_in_the_persons_language(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox, language: str
) -> None:
    home.ann.locale = {"en": "en-GB", "zh-hant": "zh-TW"}[language]
    handle = discord_server.slash(home.general, home.ann, "summary")
    said = problem(RuntimeError("nothing was shown"), Words(language))
    assert await answered(discord_server, handle) == view_parts(said)
    assert (handle.thinking, handle.answers[0].ephemeral) == (False, True)


async def test_a_streamed_answer_to_a_command_is_seen_by_one_person(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    async def streamed(message: IncomingMessage, responder: Responder) -> None:
        sink = await responder.open_reply()
        await sink.update("Some")
        ids = await sink.finish("Some answer. " * 300)
        assert len(ids) == 2
        again = await responder.open_reply()
        await again.fail(View("error", "No", ()))

    inbox.handler = streamed
    handle = discord_server.slash(home.general, home.ann, "summary")
    await discord_server.wait_for(lambda: [m.content for m in handle.answers] == ["**No**"])
    assert all(message.ephemeral for message in handle.answers)
    assert home.general.messages == []


async def test_a_command_that_could_not_be_acknowledged_is_not_carried_out(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    discord_server.interactions.patience = -1.0
    handle = discord_server.slash(home.general, home.ann, "reset")
    await discord_server.wait_for(lambda: discord_server.made("POST", CALLBACK))
    discord_server.interactions.patience = 3.0
    discord_server.slash(home.general, home.ann, "help")
    assert (await inbox.message()).text == "/help"
    assert (handle.response, len(inbox.events)) == (None, 1)


async def test_a_repeated_interaction_is_carried_out_once(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    handle = discord_server.slash(home.general, home.ann, "reset")
    await inbox.wait_for(1)
    discord_server.interactions.repeat(handle)
    await discord_server.wait_for(lambda: len(discord_server.made("POST", CALLBACK)) == 2)
    discord_server.slash(home.general, home.ann, "help")
    await inbox.wait_for(2)
    assert inbox.texts == ["/reset", "/help"]


async def test_a_button_of_a_short_view_turns_its_page_in_place(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    async def paging(message: IncomingMessage, responder: Responder) -> None:
        assert message.command
        await responder.show(page(int(message.command.argument or 1)))

    inbox.handler = paging
    handle = discord_server.slash(home.general, home.ann, "history")
    await answered(discord_server, handle)
    (message,) = handle.answers
    ((label, custom_id),) = message.buttons
    assert (label, len(custom_id) <= 100) == ("‹ Older", True)
    pressed = discord_server.press(message, custom_id, home.ann)
    await discord_server.wait_for(lambda: message.content.startswith("**Page 2**"))
    assert pressed.shown == []
    assert (await inbox.message(2)).command == CommandCall("history", "2")
    assert inbox.events[1] != inbox.events[0]


async def test_a_button_of_a_long_view_is_answered_anew(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    async def paging(message: IncomingMessage, responder: Responder) -> None:
        assert message.command
        await responder.show(page(int(message.command.argument or 1), size=30))

    inbox.handler = paging
    handle = discord_server.slash(home.general, home.ann, "history")
    await answered(discord_server, handle, parts=2)
    last = handle.answers[-1]
    pressed = discord_server.press(last, last.buttons[0][1], home.ann)
    await answered(discord_server, pressed, parts=2)
    assert all(message.ephemeral for message in pressed.answers)
    assert "Page 1" in handle.answers[0].content
    assert "Page 2" in pressed.answers[0].content


async def test_a_view_that_outgrows_its_message_goes_on_below_it(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    async def growing(message: IncomingMessage, responder: Responder) -> None:
        assert message.command
        await responder.show(page(2, size=30) if message.command.argument else page(1))

    inbox.handler = growing
    handle = discord_server.slash(home.general, home.ann, "history")
    await answered(discord_server, handle)
    (message,) = handle.answers
    pressed = discord_server.press(message, message.buttons[0][1], home.ann)
    await answered(discord_server, pressed, parts=1)
    assert message.content.startswith("**Page 2**")
    assert [below.ephemeral for below in pressed.answers] == [True]
    assert (message.buttons, bool(pressed.answers[-1].buttons)) == ([], True)


async def test_a_button_for_all_is_answered_to_one(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    async def show(message: IncomingMessage, responder: Responder) -> None:
        await responder.show(page(1))

    inbox.handler = show
    discord_server.say(home.general, home.ann, "history?", mentions=[discord_server.bot])
    (public,) = await discord_server.wait_for(lambda: discord_server.replies(home.general))
    pressed = discord_server.press(public, public.buttons[0][1], home.bob)
    await answered(discord_server, pressed)
    assert [message.ephemeral for message in pressed.answers] == [True]
    assert public.versions == [public.content]
    assert (await inbox.message(2)).speaker.name == "Bob"


async def test_buttons_that_are_not_ours_are_left_alone(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    row = {"type": 1, "components": [{"type": 2, "style": 2, "label": "?", "custom_id": "other:1"}]}
    foreign = discord_server.say(home.general, home.bob, "a vote", components=[row])
    await inbox.wait_for(1)
    pressed = discord_server.press(foreign, "other:1", home.ann)
    discord_server.slash(home.general, home.ann, "help")
    await inbox.wait_for(2)
    assert (inbox.texts, pressed.response) == (["a vote", "/help"], None)


async def test_an_answer_that_fails_is_logged_and_others_go_on(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    async def touchy(message: IncomingMessage, responder: Responder) -> None:
        if message.text == "/reset":
            raise ValueError("too touchy")

    inbox.handler = touchy
    with structlog.testing.capture_logs() as logs:
        original = "/webhooks/{webhook_id}/{webhook_token}/messages/@original"
        discord_server.fail("PATCH", original, refusal=Refusal(404, 10008, "Unknown Message"))
        discord_server.slash(home.general, home.ann, "summary")
        await discord_server.wait_for(lambda: discord_server.made("PATCH", original))
        discord_server.slash(home.general, home.ann, "reset")
        await answered(discord_server, discord_server.slash(home.general, home.ann, "help"))
    assert [(entry["log_level"], entry["event"]) for entry in logs] == [
        ("warning", "an interaction can't be answered"),
        ("error", "an interaction could not be handled"),
    ]
