"""Streamed answers as people see them, whatever goes wrong on the way."""

from __future__ import annotations

import asyncio

import pytest

from bot.errors import ChatGone, DeliveryDelayed
from bot.views.model import Paragraph, View
from tests.adapters.telegram.surroundings import FakeClock, FakeInbox, FakeState, adapter_for, receiving
from tests.adapters.telegram.talk import Talk
from tests.servers.telegram import (
    Fault,
    TelegramServer,
    blocked,
    broken,
    flood,
    lost,
    refused,
    silent,
)

WRONG = View("error", "That didn't work", (Paragraph("The model is busy."),), tone="error")


async def test_an_answer_grows_in_one_message(talk: Talk) -> None:
    sink = await talk.reply()
    await sink.update("Rome is")
    await sink.update("Rome is the **capital")
    ids = await sink.finish("Rome is the **capital** of Italy.")
    (post,) = talk.chat.from_bot
    assert post.text == "Rome is the capital of Italy."
    assert post.marked("bold") == ["capital"]
    assert post.versions == ["Rome is", "Rome is the **capital"]
    assert ids == [str(post.id)]


async def test_a_reply_in_a_group_refers_to_the_question_and_stays_in_its_topic(talk: Talk) -> None:
    forum = talk.server.supergroup("Forum", forum=True)
    topic = talk.server.topic(forum, "Trips", talk.ann)
    for thread in (topic, None):
        responder = await talk.asks("question", forum, thread=thread)
        await responder.typing()
        await (await responder.open_reply()).finish("answer")
        assert forum.from_bot[-1].thread == thread
        assert forum.actions[-1] == ("typing", thread)
        assert forum.from_bot[-1].reply_to == forum.messages[-2].id
        assert responder.limits.edit_interval == 3.0


async def test_in_private_answers_refer_to_nothing(talk: Talk) -> None:
    responder = await talk.asks()
    await (await responder.open_reply()).finish("answer")
    assert talk.chat.from_bot[0].reply_to is None
    assert (responder.limits.max_length, responder.limits.unit) == (4096, "utf16")


async def test_a_question_that_was_deleted_is_answered_all_the_same(talk: Talk) -> None:
    club = talk.server.supergroup("Club")
    responder = await talk.asks("question", club)
    club.messages[0].deleted = True
    await (await responder.open_reply()).finish("answer")
    assert club.texts == ["answer"]


@pytest.mark.parametrize(
    "answer",
    [
        "word " * 1200,
        "```python\n" + "x = '<b>'  # comment\n" * 300 + "```\n\nand then",
        "😀" * 4090,
        "- a\n  - b\n    - c\n" * 3,
        "A `List<int>` or List<int>, and an unbalanced ** mark",
        "# Title\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> quoted\n\n1. one\n2. two",
    ],
    ids=["6,000 characters", "6,000 of code", "4,090 emoji", "nested lists", "generics", "table"],
)
async def test_all_of_an_answer_arrives(talk: Talk, answer: str) -> None:
    sink = await talk.reply()
    for end in range(500, len(answer), 1500):
        await sink.update(answer[:end])
    ids = await sink.finish(answer)
    posts = talk.chat.from_bot
    assert [str(post.id) for post in posts] == ids
    assert all(len(post.text.encode("utf-16-le")) // 2 <= 4096 for post in posts)

    def kept(text: str) -> str:
        return "".join(c for c in text.replace("python", "") if c.isalnum() or c in "😀<>'")

    shown = kept("".join(post.text for post in posts))
    assert shown == kept(answer.replace("> quoted", "quoted"))


async def test_a_shorter_answer_takes_back_messages_that_are_no_longer_needed(talk: Talk) -> None:
    sink = await talk.reply()
    await sink.update("word " * 1200)
    assert len(talk.chat.from_bot) == 2
    assert await sink.finish("Short.") == [str(talk.chat.from_bot[0].id)]
    assert talk.chat.texts == ["Short."]


async def test_a_failure_stands_in_place_of_the_answer(talk: Talk) -> None:
    sink = await talk.reply()
    await sink.update("Rome is " + "very " * 1000)
    await sink.fail(WRONG)
    assert talk.chat.texts == ["⛔ That didn't work\n\nThe model is busy."]
    quiet = await talk.reply()
    await quiet.fail(WRONG)
    assert len(talk.chat.from_bot) == 2


async def test_floods_are_waited_out(talk: Talk) -> None:
    sink = await talk.reply()
    talk.server.fail("sendMessage", flood(5))
    await sink.update("Rome")
    await sink.update("Rome is")  # Telegram wants silence: not even tried
    assert talk.chat.from_bot == []
    assert len(talk.server.called("sendMessage")) == 1
    talk.server.fail("sendMessage", flood(7))
    assert len(await sink.finish("Rome is the capital.")) == 1
    assert talk.chat.texts == ["Rome is the capital."]
    assert talk.clock.slept == [5.0, 7.0]


async def test_a_flood_on_an_edit_loses_nothing(talk: Talk) -> None:
    sink = await talk.reply()
    await sink.update("Rome")
    talk.server.fail("editMessageText", flood(3), broken(), refused("message is not modified"))
    await sink.finish("Rome is the capital.")
    assert talk.clock.slept == [3.0, 1.0]
    assert len(talk.server.called("editMessageText")) == 3


async def test_a_flood_that_outlasts_all_patience_is_reported(talk: Talk) -> None:
    sink = await talk.reply()
    talk.server.fail("sendMessage", flood(3600))
    with pytest.raises(DeliveryDelayed) as caught:
        await sink.finish("Rome")
    assert caught.value.retry_after == 3600


@pytest.mark.parametrize("fault", [lost(), broken(processed=True), lost(processed=False), broken(500)])
async def test_an_answer_whose_confirmation_gets_lost_is_neither_lost_nor_doubled(
    talk: Talk, fault: Fault
) -> None:
    sink = await talk.reply()
    talk.server.fail("sendMessage", fault)
    ids = await sink.finish("Rome is the capital.")
    assert talk.chat.texts == ["Rome is the capital."]
    assert ids == [str(talk.chat.from_bot[0].id)]


async def test_a_first_part_that_got_lost_while_streaming_is_found_again(talk: Talk) -> None:
    sink = await talk.reply()
    talk.server.fail("sendMessage", lost())
    await sink.update("Rome is")
    assert talk.chat.texts == ["Rome is"]  # there, but we don't know
    await sink.update("Rome is the capital")
    await sink.finish("Rome is the capital.")
    assert talk.chat.texts == ["Rome is the capital."]


async def test_several_lost_tries_leave_one_message_and_spare_all_others(talk: Talk) -> None:
    club = talk.server.supergroup("Club")
    first = await talk.asks("one", club)
    await (await first.open_reply()).finish("first answer")
    second = await talk.asks("two", club)
    talk.server.say(club, talk.ann, "and something else")
    talk.server.fail("sendMessage", lost(), broken(processed=True))
    await (await second.open_reply()).finish("second answer")
    assert club.texts == ["first answer", "second answer"]


async def test_an_answer_to_a_server_that_never_replies_is_not_doubled(
    telegram_server: TelegramServer, inbox: FakeInbox, clock: FakeClock, state: FakeState
) -> None:
    async with receiving(adapter_for(telegram_server, clock, state, timeout=0.3), inbox):
        talk = Talk(telegram_server, inbox, clock)
        sink = await talk.reply()
        telegram_server.fail("sendMessage", silent())
        await sink.finish("Rome")
        assert talk.chat.texts == ["Rome"]


async def test_an_update_that_is_broken_off_is_not_sent_twice(talk: Talk) -> None:
    sink = await talk.reply()
    update = asyncio.create_task(sink.update("Rome"))
    await talk.server.wait_for(lambda: talk.server.called("sendMessage"))
    update.cancel()
    await asyncio.gather(update, return_exceptions=True)
    await sink.finish("Rome is the capital.")
    assert talk.chat.texts == ["Rome is the capital."]


async def test_a_message_that_a_person_deleted_is_sent_anew(talk: Talk) -> None:
    sink = await talk.reply()
    await sink.update("Rome")
    talk.chat.from_bot[0].deleted = True
    await sink.finish("Rome is the capital.")
    assert talk.chat.texts == ["Rome is the capital."]


async def test_refused_formatting_leaves_the_text(talk: Talk) -> None:
    sink = await talk.reply()
    talk.server.fail("sendMessage", refused("can't parse entities: unsupported something"))
    await sink.finish("Rome is the **capital**.")
    (post,) = talk.chat.from_bot
    assert (post.text, post.entities) == ("Rome is the capital.", [])


async def test_a_blocked_bot_gives_up_at_once_and_comes_back_when_it_is_spoken_to(talk: Talk) -> None:
    responder = await talk.asks()
    sink = await responder.open_reply()
    talk.server.fail("sendMessage", blocked())
    with pytest.raises(ChatGone):
        await sink.finish("Rome")
    assert talk.clock.slept == []
    with pytest.raises(ChatGone):
        await sink.fail(WRONG)
    with pytest.raises(ChatGone):
        await responder.open_reply()
    with pytest.raises(ChatGone):
        await responder.typing()
    assert len(talk.server.called("sendMessage")) == 1
    assert talk.server.called("sendChatAction") == []
    await (await talk.reply()).finish("Here again")
    assert talk.chat.texts == ["Here again"]


async def test_a_bot_that_was_removed_knows_before_it_tries(talk: Talk) -> None:
    responder = await talk.asks()
    talk.server.block(talk.chat, talk.ann)
    other = talk.server.person("Bob")
    talk.server.say(talk.server.private(other), other, "what comes after it")
    await talk.inbox.wait_for(2)
    with pytest.raises(ChatGone):
        await responder.open_reply()
    assert talk.server.called("sendMessage") == []


async def test_an_answer_follows_its_group_into_the_supergroup(talk: Talk) -> None:
    family = talk.server.group("Family")
    responder = await talk.asks("question", family)
    sink = await responder.open_reply()
    await sink.update("Rome")
    new = talk.server.migrate(family, talk.ann)
    await sink.finish("Rome is the capital.")
    assert new.texts == ["Rome is the capital."]
