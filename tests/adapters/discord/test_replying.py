"""Answers on Discord: streamed, split, quiet, and whole whatever goes wrong on the way."""

from __future__ import annotations

import asyncio

import pytest

from bot.errors import ChatGone, DeliveryDelayed, DeliveryError
from bot.messages import CommandCall, IncomingMessage
from bot.ports import ReplySink, Responder
from bot.views.model import Action, Paragraph, View
from tests.adapters.discord.conftest import Home
from tests.adapters.discord.surroundings import FakeInbox
from tests.servers.discord import DiscordServer, Refusal, forbidden, limited
from tests.servers.discord.values import Message

pytestmark = pytest.mark.usefixtures("running")

MESSAGES = "/channels/{channel_id}/messages"
MESSAGE = "/channels/{channel_id}/messages/{message_id}"
PROBLEM = View("error", "That didn't work", (Paragraph("Please try again."),), tone="error")


async def asked(
    server: DiscordServer, home: Home, inbox: FakeInbox, text: str = "a question"
) -> tuple[Message, Responder]:
    """A question to the bot in the channel, and the way back."""
    number = len(inbox.events) + 1
    sent = server.say(home.general, home.ann, text, mentions=[server.bot])
    await inbox.wait_for(number)
    return sent, inbox.responders[number - 1]


async def opened(server: DiscordServer, home: Home, inbox: FakeInbox) -> ReplySink:
    _, responder = await asked(server, home, inbox)
    return await responder.open_reply()


def shown(server: DiscordServer, home: Home) -> list[str]:
    return [message.content for message in server.replies(home.general)]


async def test_an_answer_grows_by_edits_of_one_reply(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    question, responder = await asked(discord_server, home, inbox)
    await responder.typing()
    assert discord_server.world.typing == [home.general]
    sink = await responder.open_reply()
    assert shown(discord_server, home) == []
    for text in ("The", "The aim", "The aim", "The aim is 850"):
        await sink.update(text)
    ids = await sink.finish("The aim is 850.")
    (reply,) = discord_server.replies(home.general)
    assert reply.versions == ["The", "The aim", "The aim is 850", "The aim is 850."]
    assert reply.reply_to is question
    assert ids == [str(reply.id)]


async def test_an_answer_without_updates_is_sent_once(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    sink = await opened(discord_server, home, inbox)
    await sink.update("   \n")
    await sink.finish("At once.")
    (reply,) = discord_server.replies(home.general)
    assert reply.versions == ["At once."]


async def test_a_long_answer_comes_in_parts_that_lose_nothing(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    sink = await opened(discord_server, home, inbox)
    code = "".join(f"std::vector<int> v{number};\n" for number in range(200))
    answer = f"Here it is:\n\n```c++\n{code}```\n\nThat is all."
    for end in range(500, len(answer), 700):
        await sink.update(answer[:end])
    ids = await sink.finish(answer)
    parts = discord_server.replies(home.general)
    assert ids == [str(part.id) for part in parts]
    assert len(parts) >= 3
    assert all(len(part.raw) <= 2000 for part in parts)
    assert all(part.raw.count("```") % 2 == 0 for part in parts)
    assert all("```c++\n" in part.raw for part in parts[:-1])
    lines = [line for part in parts for line in part.raw.splitlines() if line.strip() and "```" not in line]
    assert lines == [line for line in answer.splitlines() if line.strip() and "```" not in line]
    assert parts[0].reply_to is not None
    assert [part.reply_to for part in parts[1:]] == [None] * (len(parts) - 1)


async def test_one_delta_of_many_characters_is_split_while_it_streams(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    sink = await opened(discord_server, home, inbox)
    text = "word " * 1000
    await sink.update(text)
    before = shown(discord_server, home)
    await sink.finish(text)
    assert before == shown(discord_server, home)
    assert " ".join(before).split() == text.split()


@pytest.mark.parametrize("pause", [0, 1, 2])
async def test_nobody_is_ever_pinged(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox, pause: int
) -> None:
    assert home.general.guild
    role = home.general.guild.roles[1]
    loud = f"@everyone @here {role.mention} {home.ann.mention} {home.bob.mention} "
    sink = await opened(discord_server, home, inbox)
    for number in range(pause):
        await sink.update(loud * (number + 1))
    await sink.finish(loud * 60)
    _, responder = await asked(discord_server, home, inbox)
    await responder.show(View("notice", loud, (Paragraph(loud),)))
    replies = discord_server.replies(home.general)
    assert len(replies) >= 3
    assert not any(reply.pings for reply in replies)
    calls = [call for call in discord_server.calls if call.template in (MESSAGES, MESSAGE) and call.body]
    assert all(call.body["allowed_mentions"] == {"parse": []} for call in calls)


async def test_a_failed_answer_is_replaced_by_the_reason(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    sink = await opened(discord_server, home, inbox)
    await sink.update("half an answer " * 200)
    assert len(discord_server.replies(home.general)) == 2
    await sink.fail(PROBLEM)
    assert shown(discord_server, home) == ["⛔ **That didn't work**\n\nPlease try again."]


async def test_a_view_is_shown_as_a_reply_with_its_buttons(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    question, responder = await asked(discord_server, home, inbox)
    actions = (
        Action("Erase", CommandCall("reset", "confirm 1"), danger=True),
        Action("Keep", CommandCall("reset", "no")),
    )
    await responder.show(View("reset", "Start over?", (Paragraph("All of it."),), actions))
    (reply,) = discord_server.replies(home.general)
    assert reply.reply_to is question
    assert reply.buttons == [("Erase", "memora:here:reset:confirm 1"), ("Keep", "memora:here:reset:no")]


async def test_an_answer_to_a_message_that_is_gone_comes_as_a_message(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    question, responder = await asked(discord_server, home, inbox)
    discord_server.delete(question)
    await (await responder.open_reply()).finish("An answer.")
    (reply,) = discord_server.replies(home.general)
    assert (reply.content, reply.reply_to) == ("An answer.", None)


async def test_an_answer_where_the_past_is_hidden_comes_as_a_message(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    home.general.history_hidden = True
    sink = await opened(discord_server, home, inbox)
    await sink.finish("An answer.")
    (reply,) = discord_server.replies(home.general)
    assert (reply.content, reply.reply_to) == ("An answer.", None)


async def test_a_limit_delays_an_answer_and_loses_none_of_it(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    sink = await opened(discord_server, home, inbox)
    discord_server.fail("POST", MESSAGES, refusal=limited(0.05))
    await sink.update("Some")
    discord_server.fail("PATCH", MESSAGE, refusal=limited(0.05))
    await sink.finish("Some answer.")
    assert shown(discord_server, home) == ["Some answer."]


async def test_a_long_limit_skips_an_update_and_is_waited_for_at_the_end(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    sink = await opened(discord_server, home, inbox)
    discord_server.fail("POST", MESSAGES, refusal=limited(45.0), times=2)
    with pytest.raises(DeliveryDelayed) as delayed:
        await sink.update("Some")
    assert delayed.value.retry_after == 45.0
    await sink.finish("Some answer.")
    assert shown(discord_server, home) == ["Some answer."]


async def test_a_message_whose_answer_was_lost_is_not_sent_twice(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    sink = await opened(discord_server, home, inbox)
    discord_server.fail("POST", MESSAGES, lose=True)
    with pytest.raises(DeliveryDelayed):
        await sink.update("Some")
    assert shown(discord_server, home) == ["Some"]
    discord_server.fail("POST", MESSAGES, lose=True)
    discord_server.fail("PATCH", MESSAGE, lose=True)
    await sink.finish("Some answer.")
    assert shown(discord_server, home) == ["Some answer."]


async def test_an_update_on_its_way_never_overtakes_the_end(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    sink = await opened(discord_server, home, inbox)
    await sink.update("First")
    release = asyncio.Event()
    held = discord_server.fail("PATCH", MESSAGE, hold=release)
    slow = asyncio.create_task(sink.update("First and second"))
    await discord_server.wait_for(lambda: held.times == 0)
    slow.cancel()
    ending = asyncio.create_task(sink.finish("First and second and last."))
    await asyncio.sleep(0)
    await sink.update("skipped, since one is on its way")
    assert not ending.done()
    release.set()
    await ending
    (reply,) = discord_server.replies(home.general)
    assert reply.versions == ["First", "First and second", "First and second and last."]
    assert shown(discord_server, home) == ["First and second and last."]


async def test_where_the_bot_may_not_write_the_answer_is_given_up(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    sink = await opened(discord_server, home, inbox)
    home.general.forbidden = 50001
    with pytest.raises(ChatGone):
        await sink.finish("An answer.")


async def test_failures_of_discord_itself_are_delivery_errors(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    _, responder = await asked(discord_server, home, inbox)
    discord_server.fail("POST", "/channels/{channel_id}/typing", refusal=forbidden(50013))
    with pytest.raises(DeliveryError):
        await responder.typing()
    discord_server.fail("POST", MESSAGES, refusal=Refusal(503, 0, "unavailable"))
    await (await responder.open_reply()).finish("An answer.")
    assert shown(discord_server, home) == ["An answer."]


async def test_answers_of_one_channel_and_of_others_keep_apart(
    discord_server: DiscordServer, home: Home, inbox: FakeInbox
) -> None:
    async def echo(message: IncomingMessage, responder: Responder) -> None:
        sink = await responder.open_reply()
        await sink.update("…")
        await sink.finish(f"You said {message.text}")

    inbox.handler = echo
    private = discord_server.dm(home.bob)
    for number in range(3):
        discord_server.say(home.general, home.ann, f"{number}", mentions=[discord_server.bot])
        discord_server.say(private, home.bob, f"p{number}")

    def all_there() -> bool:
        found = [
            message for channel in (home.general, private) for message in discord_server.replies(channel)
        ]
        return sum(message.content.startswith("You said") for message in found) == 6

    await discord_server.wait_for(all_there)
    for channel, prefix in ((home.general, ""), (private, "p")):
        texts = {message.content for message in discord_server.replies(channel)}
        assert texts == {f"You said {prefix}{number}" for number in range(3)}
