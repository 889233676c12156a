"""What people do on Discord arrives as the core's values."""

from __future__ import annotations

from typing import Any

import pytest

from bot.messages import (
    Attachment,
    ChatKind,
    ConversationKey,
    IncomingMessage,
    MessageEdited,
    MessagesDeleted,
    Speaker,
)
from tests.adapters.discord.conftest import Home
from tests.adapters.discord.surroundings import FakeInbox
from tests.servers.discord import DiscordServer

pytestmark = pytest.mark.usefixtures("running")


def key(server: DiscordServer, channel: int) -> ConversationKey:
    return ConversationKey("discord", str(server.bot.id), str(channel))


async def test_a_direct_message_is_addressed(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    private = discord_server.dm(home.ann)
    sent = discord_server.say(private, home.ann, "hello")
    message = await inbox.message()
    assert message == IncomingMessage(
        key=key(discord_server, private.id),
        message_id=str(sent.id),
        speaker=Speaker(str(home.ann.id), "Ann"),
        text="hello",
        sent_at=message.sent_at,
        chat_kind=ChatKind.PRIVATE,
        addressed=True,
        admin=True,
    )
    assert message.sent_at.tzinfo is not None


async def test_in_a_guild_only_who_speaks_to_the_bot_is_answered(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    discord_server.say(home.general, home.ann, "someone delete the repo")
    discord_server.say(home.general, home.bob, "ping", mentions=[discord_server.bot])
    background, addressed = await inbox.message(1), await inbox.message(2)
    assert (background.text, background.addressed) == ("someone delete the repo", False)
    assert (addressed.text, addressed.addressed) == ("ping", True)
    assert (background.speaker.name, addressed.speaker.name) == ("Ann", "Bob")
    assert addressed.chat_kind is ChatKind.GROUP
    assert addressed.chat_title == "Home › #general"
    assert addressed.key == key(discord_server, home.general.id)


@pytest.mark.parametrize("pings", [True, False])
async def test_a_reply_to_the_bot_is_addressed(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox, pings: bool
) -> None:
    said = discord_server.say(home.general, discord_server.bot, "What is your aim?")
    discord_server.say(home.general, home.ann, "850", reply_to=said, reply_pings=pings)
    message = await inbox.message()
    assert (message.text, message.addressed, message.reply_to) == ("850", True, str(said.id))


async def test_a_reply_to_somebody_else_is_background(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    said = discord_server.say(home.general, home.bob, "I love steak")
    discord_server.say(home.general, home.ann, "I don't", reply_to=said)
    message = await inbox.message(2)
    assert (message.addressed, message.reply_to) == (False, str(said.id))


async def test_the_role_of_the_bot_speaks_to_it_and_everyone_does_not(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    assert home.general.guild
    own = next(role for role in home.general.guild.roles if role.bot)
    other = home.general.guild.roles[1]
    discord_server.say(home.general, home.ann, f"{own.mention} hello")
    discord_server.say(home.general, home.ann, f"@everyone and {other.mention}, hello")
    to_role, to_all = await inbox.message(1), await inbox.message(2)
    assert (to_role.text, to_role.addressed) == ("hello", True)
    assert (to_all.text, to_all.addressed) == ("@everyone and @Moderators, hello", False)


async def test_mentions_are_readable_and_the_call_of_the_bot_is_left_out(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    bot, bob = discord_server.bot.mention, home.bob.mention
    told = {
        f"{bot}, is {bob} in <#{home.general.id}>?": "is @Bob in #general?",
        f"hello {bot}": "hello",
        f"is {bot} better than {bob}?": "is @Memora better than @Bob?",
        f"{bot}": "@Memora",
        f"{bot} <:wave:123> at <t:1700000000:R>": ":wave: at 2023-11-14 22:13 UTC",
        f"{bot} use </summary:55> <@99>": "use /summary <@99>",
    }
    for number, (raw, text) in enumerate(told.items(), start=1):
        discord_server.say(home.general, home.ann, raw)
        assert (await inbox.message(number)).text == text


async def test_people_are_told_apart_by_id_and_shown_by_the_name_of_the_place(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    assert home.general.guild
    other = discord_server.add_user("ann2", "Ann")
    home.general.guild.nicknames[home.ann.id] = "Annie"
    for person in (home.ann, other):
        discord_server.say(home.general, person, "hello")
    speakers = [(await inbox.message(number)).speaker for number in (1, 2)]
    assert speakers == [Speaker(str(home.ann.id), "Annie"), Speaker(str(other.id), "Ann")]


async def test_bots_and_webhooks_are_heard_but_not_answered(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    bot = discord_server.add_user("otherbot", "Other Bot", bot=True)
    discord_server.say(home.general, bot, "hi", mentions=[discord_server.bot])
    discord_server.say(home.general, home.ann, "news", mentions=[discord_server.bot], webhook_id=77)
    for number in (1, 2):
        message = await inbox.message(number)
        assert (message.addressed, message.speaker.is_bot) == (False, True)


async def test_a_thread_is_a_conversation_of_its_own_that_begins_with_its_message(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    first = discord_server.say(home.general, home.ann, "let us plan", mentions=[discord_server.bot])
    thread = discord_server.thread(home.general, "plans", home.bob, first)
    discord_server.say(thread, home.bob, "when?")
    starter, inside = await inbox.message(2), await inbox.message(3)
    assert starter.key == inside.key == key(discord_server, thread.id)
    assert (starter.text, starter.speaker.name, starter.addressed) == ("let us plan", "Ann", False)
    assert starter.message_id == str(first.id)
    assert inside.chat_title == "Home › #general › plans"


async def test_a_thread_whose_first_message_is_gone_begins_empty(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    first = discord_server.say(home.general, home.ann, "never mind")
    discord_server.delete(first)
    thread = discord_server.thread(home.general, "plans", home.bob, first)
    discord_server.say(thread, home.bob, "when?")
    await inbox.wait_for(4)
    assert inbox.texts == ["never mind", "when?"]


async def test_edits_and_deletions_of_uncached_messages_follow(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    private = discord_server.dm(home.ann)
    notes = [discord_server.say(private, home.ann, f"note {number}") for number in range(4)]
    await inbox.wait_for(4)
    discord_server.edit(notes[0], "note zero")
    discord_server.delete(notes[1])
    discord_server.delete(*notes[2:])
    edit, gone, many = (await inbox.wait_for(7))[4:]
    place = key(discord_server, private.id)
    assert isinstance(edit, MessageEdited)
    assert edit == MessageEdited(place, str(notes[0].id), "note zero", edit.edited_at, ())
    assert gone == MessagesDeleted(place, (str(notes[1].id),))
    assert many == MessagesDeleted(place, tuple(str(note.id) for note in notes[2:]))


async def test_what_changes_in_a_channel_changes_in_the_thread_begun_there(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    first = discord_server.say(home.general, home.ann, "a secret")
    thread = discord_server.thread(home.general, "side", home.ann, first)
    await inbox.wait_for(2)
    discord_server.edit(first, "no secret")
    discord_server.delete(first)
    events = (await inbox.wait_for(6))[2:]
    places = [key(discord_server, home.general.id), key(discord_server, thread.id)]
    assert [event.key for event in events if isinstance(event, MessageEdited)] == places
    assert [event.key for event in events if isinstance(event, MessagesDeleted)] == places


async def test_a_preview_of_a_link_changes_nothing(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    shared = discord_server.say(home.general, home.ann, "look at https://example.org/page")
    discord_server.unfurl(shared, {"title": "A page", "url": "https://example.org/page"})
    discord_server.say(home.general, home.ann, "well?")
    events = await inbox.wait_for(2)
    assert inbox.texts == ["look at https://example.org/page", "well?"]
    assert len(events) == 2


async def test_the_bots_own_messages_and_notices_are_not_taken_in(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    own = discord_server.say(home.general, discord_server.bot, "mine")
    discord_server.edit(own, "mine, too")
    discord_server.say(home.general, home.ann, "", kind=7)
    discord_server.say(home.general, home.ann, "end")
    await inbox.wait_for(1)
    assert inbox.texts == ["end"]


FILE: dict[str, Any] = {
    "id": "9",
    "filename": "sunset.jpg",
    "size": 2048,
    "url": "https://cdn.example/1",
    "proxy_url": "https://cdn.example/1",
    "content_type": "image/jpeg",
    "description": "a beach",
}
POLL: dict[str, Any] = {
    "question": {"text": "Lunch?"},
    "answers": [
        {"answer_id": 1, "poll_media": {"text": "soup"}},
        {"answer_id": 2, "poll_media": {"text": "rice"}},
    ],
    "expiry": "2030-01-01T00:00:00+00:00",
    "allow_multiselect": False,
    "layout_type": 1,
}
SNAPSHOT: dict[str, Any] = {
    "message": {
        "content": "from afar",
        "attachments": [FILE],
        "embeds": [],
        "timestamp": "2025-01-01T00:00:00+00:00",
        "edited_timestamp": None,
        "flags": 0,
        "mentions": [],
        "mention_roles": [],
        "type": 0,
        "components": [],
        "sticker_items": [],
    }
}


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"attachments": [FILE]}, Attachment("photo", "sunset.jpg", "a beach", 2048)),
        (
            {"attachments": [{**FILE, "content_type": "application/pdf", "description": None}]},
            Attachment("document", "sunset.jpg", "", 2048),
        ),
        (
            {
                "attachments": [
                    {**FILE, "duration_secs": 4.2, "waveform": "AAAA", "content_type": "audio/ogg"}
                ]
            },
            Attachment("voice", "", "4 s", 2048),
        ),
        ({"stickers": [{"id": "5", "name": "wave", "format_type": 1}]}, Attachment("sticker", "wave")),
        ({"poll": POLL}, Attachment("poll", "Lunch?", "soup / rice")),
        (
            {"embeds": [{"type": "rich", "title": "Build 7", "description": "failed", "fields": []}]},
            Attachment("embed", "Build 7", "failed"),
        ),
        (
            {"snapshots": [SNAPSHOT]},
            Attachment("forward", "", "from afar\n[photo: sunset.jpg, a beach]"),
        ),
    ],
    ids=["photo", "document", "voice", "sticker", "poll", "embed", "forward"],
)
async def test_what_is_no_text_has_a_placeholder(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox, more: dict[str, Any], expected: Attachment
) -> None:
    discord_server.say(discord_server.dm(home.ann), home.ann, "", **more)
    message = await inbox.message()
    assert (message.text, message.attachments) == ("", (expected,))


async def test_an_event_that_comes_twice_keeps_its_id(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    sent = discord_server.say(home.general, home.ann, "once")
    discord_server.repeat(sent)
    first, again = await inbox.message(1), await inbox.message(2)
    assert first == again
