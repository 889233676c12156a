"""Updates as the loopback server words them, translated into the core's values."""

from __future__ import annotations

from typing import Any

import pytest
from telegram import Update

from adapters.telegram.addressing import Me
from adapters.telegram.translate import place_of, translate
from bot.messages import (
    Attachment,
    ChatKind,
    CommandCall,
    ConversationKey,
    ConversationMoved,
    Inbound,
    IncomingMessage,
    MessageEdited,
)
from tests.adapters.telegram.surroundings import NOW
from tests.servers.telegram import Chat, Person, TelegramServer


class Stage:
    """A server that nobody calls: people act, and what the bot would hear is translated."""

    def __init__(self) -> None:
        self.server = TelegramServer()
        self.ann = self.server.person("Ann", last_name="Lee", username="ann", language="en")
        self.bob = self.server.person("Bob")
        self.private = self.server.private(self.ann)
        self.group = self.server.supergroup("Club")
        self.me = Me(self.server.bot.id, self.server.bot.username, frozenset({"summary", "reset"}))
        self.at = f"@{self.me.username}"

    @property
    def updates(self) -> list[Update]:
        assert self.server.violations == []
        return [Update.de_json(update, None) for update in self.server.updates.pending]

    def heard(self) -> list[Inbound | None]:
        return [translate(update, self.me, NOW) for update in self.updates]

    def say(self, chat: Chat, person: Person, text: str = "", **fields: Any) -> IncomingMessage:
        self.server.say(chat, person, text, **fields)
        event = self.heard()[-1]
        assert isinstance(event, IncomingMessage)
        return event


@pytest.fixture
def stage() -> Stage:
    return Stage()


def test_a_private_message_is_addressed_and_named(stage: Stage) -> None:
    message = stage.say(stage.private, stage.ann, "hello")
    assert message.key == ConversationKey("telegram", str(stage.me.id), str(stage.ann.id))
    assert (message.speaker.id, message.speaker.name) == (str(stage.ann.id), "Ann Lee")
    assert (message.addressed, message.admin, message.chat_kind) == (True, True, ChatKind.PRIVATE)
    assert (message.text, message.language, message.command) == ("hello", "en", None)
    assert message.sent_at.tzinfo is not None


def test_group_talk_is_background(stage: Stage) -> None:
    message = stage.say(stage.group, stage.bob, "someone delete the repo")
    assert (message.addressed, message.admin, message.chat_kind) == (False, False, ChatKind.GROUP)
    assert message.chat_title == "Club"


@pytest.mark.parametrize("text", ["@{} ping", "🎉🎉 hi @{}", "@{}", "well, @{}!", "👨‍👩‍👧 @{} 好"])
def test_a_mention_addresses_the_bot_wherever_it_stands(stage: Stage, text: str) -> None:
    assert stage.say(stage.group, stage.bob, text.format(stage.me.username)).addressed
    assert stage.say(stage.group, stage.bob, text.format(stage.me.username.upper())).addressed
    assert not stage.say(stage.group, stage.bob, text.format("somebody_else")).addressed
    assert not stage.say(stage.group, stage.bob, text.format(stage.me.username + "2")).addressed


def test_a_mention_in_a_caption_or_by_account_counts_as_well(stage: Stage) -> None:
    photo = [{"file_id": "p", "file_unique_id": "p", "width": 9, "height": 9, "file_size": 99}]
    shown = stage.say(stage.group, stage.bob, f"😀 {stage.at} what is this?", photo=photo)
    assert shown.addressed
    assert shown.attachments == (Attachment("photo", size=99),)
    by_account = [{"type": "text_mention", "offset": 0, "length": 6, "user": stage.server.bot.user}]
    assert stage.say(stage.group, stage.bob, "Memora?", entities=by_account).addressed
    other = [{"type": "text_mention", "offset": 0, "length": 6, "user": stage.ann.user}]
    assert not stage.say(stage.group, stage.bob, "Memora?", entities=other).addressed


def test_a_mention_in_a_quote_or_in_forwarded_text_is_not_spoken(stage: Stage) -> None:
    length = len(f"{stage.at} ping")
    quote = [
        {"type": "blockquote", "offset": 0, "length": length},
        {"type": "mention", "offset": 0, "length": len(stage.at)},
    ]
    assert not stage.say(stage.group, stage.bob, f"{stage.at} ping\nlol", entities=quote).addressed
    origin = {"type": "user", "date": 1, "sender_user": stage.ann.user}
    forwarded = stage.say(stage.group, stage.bob, f"{stage.at} ping", forward_origin=origin)
    assert not forwarded.addressed
    assert forwarded.attachments == (Attachment("forward", "from Ann Lee"),)


def test_a_reply_to_the_bot_is_addressed_and_to_others_not(stage: Stage) -> None:
    own = stage.server.world.add(stage.group, stage.server.bot, {"text": "I said"})
    to_bot = stage.say(stage.group, stage.bob, "why?", reply_to=own)
    assert (to_bot.addressed, to_bot.reply_to) == (True, str(own.id))
    first = stage.server.say(stage.group, stage.ann, "hi")
    assert not stage.say(stage.group, stage.bob, "hi yourself", reply_to=first).addressed


def test_ordinary_replies_in_a_supergroup_stay_in_its_conversation(stage: Stage) -> None:
    first = stage.server.say(stage.group, stage.ann, "root")
    reply = stage.say(stage.group, stage.bob, "reply", reply_to=first)
    assert stage.updates[-1].message
    assert stage.updates[-1].message.message_thread_id == first.id
    assert reply.key.thread == ""
    place = place_of(stage.updates[-1])
    assert place
    assert place.thread is None


def test_topics_and_general_are_conversations_of_their_own(stage: Stage) -> None:
    forum = stage.server.supergroup("Forum", forum=True)
    topic = stage.server.topic(forum, "Trips", stage.server.bot)
    assert stage.heard() == [None]
    inside = stage.say(forum, stage.ann, "in Trips", thread=topic)
    general = stage.say(forum, stage.ann, "in General")
    assert (inside.key.thread, general.key.thread) == (str(topic), "")
    # In a topic that the bot opened, every message refers to the bot's first one.
    assert (inside.addressed, inside.reply_to) == (False, None)
    places = [place_of(update) for update in stage.updates[1:]]
    assert [place and place.thread for place in places] == [topic, None]


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("/summary", CommandCall("summary")),
        ("/Summary now please", CommandCall("summary", "now please")),
        ("/summary@MEMORA_test_bot 2", CommandCall("summary", "2")),
        ("/summary@other_bot", None),
        ("/weather", None),
        ("/weather@memora_test_bot", CommandCall("weather")),
        ("see /summary", None),
    ],
)
def test_commands_in_a_group_are_taken_when_they_are_this_bots(
    stage: Stage, text: str, command: CommandCall | None
) -> None:
    message = stage.say(stage.group, stage.bob, text)
    assert message.command == command
    assert message.addressed == (command is not None)


def test_in_private_every_command_is_this_bots_unless_it_names_another(stage: Stage) -> None:
    assert stage.say(stage.private, stage.ann, "/weather Oslo").command == CommandCall("weather", "Oslo")
    other = stage.say(stage.private, stage.ann, "/summary@other_bot")
    assert (other.command, other.addressed) == (None, False)


def test_a_command_for_another_bot_is_ignored_even_in_a_reply_to_this_one(stage: Stage) -> None:
    own = stage.server.world.add(stage.group, stage.server.bot, {"text": "I said"})
    assert not stage.say(stage.group, stage.bob, "/summary@other_bot", reply_to=own).addressed


def test_quoted_and_forwarded_commands_are_text(stage: Stage) -> None:
    mark = {"type": "bot_command", "offset": 0, "length": 6}
    for kind in ("blockquote", "expandable_blockquote", "code", "pre"):
        marks = [{"type": kind, "offset": 0, "length": 6}, mark]
        message = stage.say(stage.private, stage.ann, "/reset\nis what she wrote", entities=marks)
        assert (message.command, message.addressed) == (None, True)
    origin = {"type": "hidden_user", "date": 1, "sender_user_name": "Someone"}
    forwarded = stage.say(stage.private, stage.ann, "/reset", forward_origin=origin)
    assert (forwarded.command, forwarded.addressed) == (None, True)
    assert forwarded.attachments == (Attachment("forward", "from Someone"),)


def test_other_bots_trigger_nothing(stage: Stage) -> None:
    other = stage.server.person("Weather", username="weather_bot", bot=True)
    own = stage.server.world.add(stage.group, stage.server.bot, {"text": "I said"})
    for text, replied in ((f"{stage.at} rain", None), ("rain", own), ("/summary", None)):
        message = stage.say(stage.group, other, text, reply_to=replied)
        assert (message.addressed, message.command, message.speaker.is_bot) == (False, None, True)


def test_anonymous_admins_and_channels_speak_for_themselves(stage: Stage) -> None:
    anonymous = stage.server.person("Group", username="GroupAnonymousBot", bot=True)
    message = stage.say(stage.group, anonymous, "/reset", sender_chat=stage.group.info)
    assert (message.speaker.id, message.speaker.name) == (str(stage.group.id), "Club")
    assert (message.speaker.is_bot, message.admin) == (False, True)
    assert message.command == CommandCall("reset")


def test_people_of_one_name_stay_two(stage: Stage) -> None:
    twin = stage.server.person("Ann", last_name="Lee")
    first, second = (stage.say(stage.group, person, "hi").speaker for person in (stage.ann, twin))
    assert first.name == second.name
    assert first.id != second.id


def test_an_edit_is_never_a_message_or_a_command(stage: Stage) -> None:
    post = stage.server.say(stage.private, stage.ann, "helo")
    stage.server.edit(stage.private, post, "/reset")
    event = stage.heard()[-1]
    assert isinstance(event, MessageEdited)
    assert (event.message_id, event.text) == (str(post.id), "/reset")
    assert event.edited_at.timestamp() == post.message["edit_date"]
    document = {"file_id": "d", "file_unique_id": "d", "file_name": "a.pdf", "file_size": 7}
    file = stage.server.say(stage.private, stage.ann, "the plan", document=document)
    stage.server.edit(stage.private, file, "the new plan")
    event = stage.heard()[-1]
    assert isinstance(event, MessageEdited)
    assert (event.text, event.attachments) == ("the new plan", (Attachment("document", "a.pdf", size=7),))


def test_both_signs_of_a_move_mean_the_same(stage: Stage) -> None:
    family = stage.server.group("Family")
    new = stage.server.migrate(family, stage.ann)
    left, entered = stage.heard()
    assert left == entered
    assert isinstance(left, ConversationMoved)
    assert (left.old.chat, left.new.chat) == (str(family.id), str(new.id))


def test_a_pressed_button_is_a_command_with_an_id_of_its_own(stage: Stage) -> None:
    rows = [[{"text": "Older", "callback_data": "/history 2"}, {"text": "Odd", "callback_data": "?"}]]
    markup = {"reply_markup": {"inline_keyboard": rows}}
    post = stage.server.world.add(stage.group, stage.server.bot, {"text": "Page 1", **markup})
    query = stage.server.press(stage.group, post, "Older", stage.bob)
    event = stage.heard()[-1]
    assert isinstance(event, IncomingMessage)
    assert event.command == CommandCall("history", "2")
    assert event.message_id == f"button-{query}"
    assert (event.speaker.name, event.admin, event.sent_at) == ("Bob", False, NOW)
    stage.server.press(stage.group, post, "Odd", stage.bob)
    assert stage.heard()[-1] is None


def test_a_button_on_a_message_that_is_withheld_is_no_use(stage: Stage) -> None:
    withheld = {"chat": stage.group.info, "message_id": 5, "date": 0}
    query = {"id": "1", "from": stage.bob.user, "chat_instance": "1", "data": "/reset", "message": withheld}
    stage.server.inject("callback_query", query)
    assert stage.heard() == [None]
    assert [place_of(update) for update in stage.updates] == [None]


def test_service_messages_and_own_messages_are_nothing(stage: Stage) -> None:
    stage.server.say(stage.group, stage.ann, new_chat_members=[stage.bob.user])
    stage.server.say(stage.group, stage.server.bot, "my own words")
    assert stage.heard() == [None, None]


VOICE = {"file_id": "v", "file_unique_id": "v", "duration": 12, "file_size": 800}
STICKER = {"file_id": "s", "file_unique_id": "s", "type": "regular", "width": 1, "height": 1}
OPTIONS = [{"persistent_id": n, "text": t, "voter_count": 0} for n, t in (("1", "Rome"), ("2", "Oslo"))]
PLACE = {"location": {"longitude": 10.7, "latitude": 59.9}, "title": "Opera", "address": "Oslo"}


@pytest.mark.parametrize(
    ("fields", "placeholder"),
    [
        ({"voice": VOICE}, "[voice: 12 s]"),
        ({"sticker": STICKER | {"is_animated": False, "is_video": False, "emoji": "👍"}}, "[sticker: 👍]"),
        ({"dice": {"emoji": "🎲", "value": 4}}, "[dice: 🎲 4]"),
        ({"contact": {"phone_number": "+4712345678", "first_name": "Eve"}}, "[contact: Eve]"),
        ({"venue": PLACE, "location": PLACE["location"]}, "[venue: Opera, Oslo]"),
        ({"location": PLACE["location"]}, "[location]"),
        (
            {"quote": {"text": "a passage", "position": 0, "is_manual": True}, "text": "x"},
            "[quote: a passage]",
        ),
    ],
)
def test_attachments_are_placeholders(stage: Stage, fields: dict[str, Any], placeholder: str) -> None:
    message = stage.say(stage.private, stage.ann, **fields)
    assert [attachment.placeholder for attachment in message.attachments] == [placeholder]
    assert message.addressed
