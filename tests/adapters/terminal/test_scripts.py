"""The terminal without a person: pipes and files."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from adapters.terminal.adapter import Mode
from bot.messages import ChatKind, IncomingMessage
from bot.ports import ReplySink
from tests.adapters.terminal import views
from tests.adapters.terminal.console import COMMANDS, ScriptedInbox, adapter, pipe, play


async def test_each_message_gets_its_reply_and_an_empty_line(tmp_path: Path) -> None:
    inbox = ScriptedInbox()
    written = await play(
        "plain", b"hello\n\n  \r\n/context\n//path\nlast without line break", tmp_path, inbox
    )
    assert inbox.texts == ["hello", "/context", "/path", "last without line break"]
    assert written == (
        "You said hello\n\nA view\nof something\n\nYou said /path\n\nYou said last without line break\n\n"
    )


async def test_json_has_an_event_a_line(tmp_path: Path) -> None:
    async def answer(message: IncomingMessage, sink: ReplySink) -> None:
        await sink.update("half an answer")
        if message.text == "fail":
            await sink.fail(views.ERROR)
        else:
            assert len(await sink.finish("whole 答案")) == 1

    inbox = ScriptedInbox(answer, views.CONTEXT)
    written = await play("json", b"hello\n/context\nfail\n", tmp_path, inbox)
    events = [json.loads(line) for line in written.splitlines()]
    assert [event["event"] for event in events] == ["reply", "view", "error"]
    assert [event["in_reply_to"] for event in events] == [message.message_id for message in inbox.messages]
    assert events[0]["text"] == "whole 答案"


@pytest.mark.parametrize(
    ("mode", "written"), [("json", '{"event": "compaction", "folded": 3}\n'), ("plain", "")]
)
async def test_reports_are_json_events_and_not_plain_ones(mode: Mode, written: str) -> None:
    with pipe() as (stdin, sender), pipe() as (reader, stdout):
        sender.close()
        async with adapter(mode, stdin, stdout) as terminal:
            terminal.report({"folded": 1})  # nobody listens before it runs
            await terminal.run(ScriptedInbox(), COMMANDS)
            terminal.report({"folded": 3})
        stdout.close()
        assert reader.read() == written


async def test_bytes_that_are_no_text_are_replaced(tmp_path: Path) -> None:
    inbox = ScriptedInbox()
    await play("plain", b"caf\xe9 \xff\xfe\n\x00\n", tmp_path, inbox)
    assert inbox.texts == ["caf\ufffd \ufffd\ufffd", "\ufffd"]


async def test_a_line_may_be_very_long(tmp_path: Path) -> None:
    inbox = ScriptedInbox()
    written = await play("plain", b"x" * 3_000_000 + b"\nshort\n", tmp_path, inbox)
    assert [len(text) for text in inbox.texts] == [3_000_000, 5]
    assert len(written) == 3_000_000 + len("You said \n\nYou said short\n\n")


async def test_the_next_line_waits_until_the_last_is_wholly_handled() -> None:
    begun, release, order = asyncio.Event(), asyncio.Event(), []

    async def answer(message: IncomingMessage, sink: ReplySink) -> None:
        order.append(f"begin {message.text}")
        begun.set()
        await release.wait()
        await sink.finish("done")
        order.append(f"end {message.text}")

    async def settle() -> None:
        order.append("settle")

    with pipe() as (stdin, sender), pipe() as (reader, stdout):
        sender.write("one\ntwo\n")
        sender.close()
        async with adapter("plain", stdin, stdout, settle=settle) as terminal:
            running = asyncio.create_task(terminal.run(ScriptedInbox(answer), COMMANDS))
            await begun.wait()
            assert order == ["begin one"]
            release.set()
            await running
        stdout.close()
        assert reader.read() == "done\n\ndone\n\n"
    assert order == ["begin one", "end one", "settle", "begin two", "end two", "settle"]


async def test_each_reply_is_out_before_the_next_line_is_there() -> None:
    with pipe() as (stdin, sender), pipe() as (reader, stdout):
        async with adapter("json", stdin, stdout) as terminal:
            running = asyncio.create_task(terminal.run(ScriptedInbox(), COMMANDS))
            for text in ("one", "two"):
                sender.write(f"{text}\n")
                sender.flush()
                assert json.loads(await asyncio.to_thread(reader.readline))["text"] == f"You said {text}"
            sender.close()
            await running


async def test_a_reader_who_leaves_ends_it_quietly() -> None:
    inbox = ScriptedInbox()
    with pipe() as (stdin, sender), pipe() as (reader, stdout):
        reader.close()
        sender.write("one\ntwo\nthree\n")
        sender.flush()
        async with adapter("plain", stdin, stdout) as terminal:
            await terminal.run(inbox, COMMANDS)
        stdout.write("")
    assert inbox.texts == ["one"]
    assert inbox.finished == ["one"]


async def test_it_can_be_cancelled_while_it_waits_for_a_line() -> None:
    settled = asyncio.Event()

    async def settle() -> None:
        settled.set()

    with pipe() as (stdin, sender), pipe() as (_, stdout):
        sender.write("one\n")
        sender.flush()
        async with adapter("plain", stdin, stdout, settle=settle) as terminal:
            running = asyncio.create_task(terminal.run(ScriptedInbox(), COMMANDS))
            await settled.wait()
            running.cancel()
            with pytest.raises(asyncio.CancelledError):
                await running


async def test_an_answer_goes_on_when_receiving_is_cancelled() -> None:
    begun, release = asyncio.Event(), asyncio.Event()

    async def answer(message: IncomingMessage, sink: ReplySink) -> None:
        begun.set()
        await release.wait()
        await sink.finish("whole")

    inbox = ScriptedInbox(answer)
    with pipe() as (stdin, sender), pipe() as (reader, stdout):
        sender.write("one\n")
        sender.flush()
        async with adapter("plain", stdin, stdout) as terminal:
            running = asyncio.create_task(terminal.run(inbox, COMMANDS))
            await begun.wait()
            running.cancel()
            with pytest.raises(asyncio.CancelledError):
                await running
            release.set()
            await asyncio.gather(*inbox.tasks)
        stdout.close()
        assert reader.read() == "whole\n\n"


async def test_ids_differ_within_a_run_and_between_runs_of_one_moment(tmp_path: Path) -> None:
    answers: list[str] = []

    async def answer(message: IncomingMessage, sink: ReplySink) -> None:
        answers.extend(await sink.finish("x"))

    inbox = ScriptedInbox(answer)
    for run_id in ("first", "second"):
        await play("plain", b"a\nb\n", tmp_path, inbox, run_id=run_id)
    ids = [*answers, *(message.message_id for message in inbox.messages)]
    assert len(ids) == len(set(ids)) == 8


async def test_a_named_speaker_talks_in_a_group(tmp_path: Path) -> None:
    inbox = ScriptedInbox()
    await play("plain", b"hi\n", tmp_path, inbox, name="Ann", group=True)
    await play("plain", b"hi\n", tmp_path, inbox)
    ann, you = inbox.messages
    assert (ann.chat_kind, ann.speaker.id, ann.speaker.name) == (ChatKind.GROUP, "ann", "Ann")
    assert (you.chat_kind, you.speaker.id) == (ChatKind.PRIVATE, "you")
    assert ann.addressed
    assert ann.key == you.key


async def test_check_names_the_terminal() -> None:
    with pipe() as (stdin, stdout):
        assert await adapter("plain", stdin, stdout).check() == "terminal"
