"""Lines become messages and commands."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from adapters.terminal import translate
from bot.messages import ChatKind, CommandCall, ConversationKey, IncomingMessage

NOON = datetime(2026, 7, 1, 12, tzinfo=UTC)


def incoming(line: str, kind: ChatKind = ChatKind.PRIVATE) -> IncomingMessage | None:
    return translate.incoming(
        line,
        key=translate.conversation_key("family"),
        author=translate.speaker("Ann"),
        message_id="7",
        sent_at=NOON,
        chat_kind=kind,
    )


def test_a_line_is_a_message_to_the_bot() -> None:
    message = incoming("  I'm vegan. \n")
    assert message
    assert (message.text, message.addressed, message.command) == ("  I'm vegan.", True, None)
    assert (message.key, message.message_id) == (ConversationKey("terminal", "local", "family"), "7")
    assert (message.sent_at, message.chat_kind, message.admin) == (NOON, ChatKind.PRIVATE, True)


def test_a_group_is_named_by_its_conversation() -> None:
    message = incoming("hello", ChatKind.GROUP)
    assert message
    assert (message.chat_kind, message.chat_title) == (ChatKind.GROUP, "family")
    assert message.addressed


@pytest.mark.parametrize(
    ("line", "call"),
    [
        ("/context", CommandCall("context")),
        ("/History  2 ", CommandCall("history", "2")),
        ("/reset confirm 3", CommandCall("reset", "confirm 3")),
        ("/forget one\ntwo", CommandCall("forget", "one\ntwo")),
        ("/nonsense", CommandCall("nonsense")),
        ("/摘要", CommandCall("摘要")),
        ("/", None),
        ("/ by the way", None),
        ("and/or", None),
        ("//etc/hosts", None),
    ],
)
def test_a_slash_and_a_word_are_a_command(line: str, call: CommandCall | None) -> None:
    message = incoming(line)
    assert message
    assert message.command == call


def test_two_slashes_are_a_text_with_one() -> None:
    message = incoming("//etc/hosts")
    assert message
    assert message.text == "/etc/hosts"


@pytest.mark.parametrize("line", ["", "  ", "\t\n"])
def test_an_empty_line_is_no_message(line: str) -> None:
    assert incoming(line) is None


@pytest.mark.parametrize(
    ("name", "identity"),
    [
        ("you", "you"),
        ("Ann", "ann"),
        ("ANN ", "ann"),
        ("Ann-Marie O'Neil", "ann-marie-o-neil"),
        ("小明", "小明"),
    ],
)
def test_a_speaker_is_known_by_name(name: str, identity: str) -> None:
    assert translate.speaker(name).id == identity
    assert translate.speaker(name).name == name


def test_names_without_letters_are_told_apart() -> None:
    identities = {translate.speaker(name).id for name in ("!!", "??", "🙂")}
    assert len(identities) == 3
    assert translate.speaker("!!") == translate.speaker("!!")


def test_a_conversation_without_a_name_is_the_main_one() -> None:
    assert str(translate.conversation_key(" ")) == "terminal:local:main"


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (b"caf\xc3\xa9\r", "café"),
        (b"caf\xe9", "caf\ufffd"),
        (b"\xef\xbb\xbfhello", "hello"),
        (b"a\0b", "a\ufffdb"),
    ],
)
def test_bytes_become_text_whatever_they_are(line: bytes, text: str) -> None:
    assert translate.decode(line) == text


def test_a_command_is_written_as_it_is_typed() -> None:
    call = CommandCall("reset", "confirm 3")
    assert translate.command(translate.command_line(call)) == call
