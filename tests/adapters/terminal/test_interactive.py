"""The terminal with a person: a real pseudo-terminal, keys and what is seen."""

from __future__ import annotations

import asyncio
import stat
import termios
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from adapters.terminal.adapter import TerminalAdapter, mode_for
from bot.messages import IncomingMessage
from bot.ports import ReplySink
from tests.adapters.terminal import views
from tests.adapters.terminal.console import COMMANDS, ScriptedInbox, Typist, adapter, pipe

UP, CTRL_C, CTRL_D, ALT_ENTER = "\x1b[A", "\x03", "\x04", "\x1b\r"


@pytest.fixture
async def typist() -> AsyncIterator[Typist]:
    person = Typist()
    yield person
    person.close()


@asynccontextmanager
async def conversation(
    typist: Typist, inbox: ScriptedInbox, **options: object
) -> AsyncIterator[tuple[TerminalAdapter, asyncio.Task[None]]]:
    terminal = adapter(
        "interactive",
        typist.stdin,
        typist.stdout,
        environment=typist.environment,
        **options,  # type: ignore[arg-type]
    )
    async with terminal:
        running = asyncio.create_task(terminal.run(inbox, COMMANDS))
        await typist.sees("› ")
        try:
            yield terminal, running
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)


async def test_an_answer_is_seen_while_it_grows(typist: Typist) -> None:
    go_on = asyncio.Event()

    async def answer(message: IncomingMessage, sink: ReplySink) -> None:
        await sink.update("The first block\n\nThe next\none, in ha")
        await go_on.wait()
        await sink.finish("The first block\n\nThe next\none, in **half**")

    async with conversation(typist, ScriptedInbox(answer), greeting="Welcome [b]here"):
        typist.type("hello\r")
        seen = await typist.sees("one, in ha")
        assert "Memora" in seen
        assert "The first block" in seen
        go_on.set()
        seen = await typist.sees("you › ")
        assert "one, in half" in seen
        assert "The first block" not in seen


async def test_the_greeting_comes_first(typist: Typist) -> None:
    terminal = adapter(
        "interactive", typist.stdin, typist.stdout, environment=typist.environment, greeting="Welcome [b]here"
    )
    async with terminal:
        running = asyncio.create_task(terminal.run(ScriptedInbox(), COMMANDS))
        assert "Welcome [b]here" in await typist.sees("you › ")
        typist.type(CTRL_D)
        await running


async def test_arrow_up_brings_the_last_line_back(typist: Typist) -> None:
    inbox = ScriptedInbox()
    async with conversation(typist, inbox):
        for keys in ("one\r", "two\r", UP + UP + "!\r"):
            typist.type(keys)
            await typist.sees("You said")
            await typist.sees("› ")
    assert inbox.texts == ["one", "two", "one!"]


async def test_lines_are_kept_for_the_next_run_in_a_private_file(typist: Typist, tmp_path: Path) -> None:
    file, inbox = tmp_path / "typed", ScriptedInbox()
    file.touch(0o644)
    async with conversation(typist, inbox, history=file):
        typist.type("remember\r")
        await typist.sees("You said")
        await typist.sees("› ")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    async with conversation(typist, inbox, history=file):
        typist.type(UP)
        await typist.sees("remember")
        typist.type("\r")
        await typist.sees("You said")
    assert inbox.texts == ["remember", "remember"]


async def test_a_history_file_that_cannot_be_written_costs_nothing(typist: Typist, tmp_path: Path) -> None:
    inbox = ScriptedInbox()
    async with conversation(typist, inbox, history=tmp_path / "missing" / "typed"):
        for keys in ("one\r", UP + "\r"):
            typist.type(keys)
            await typist.sees("You said one")
            await typist.sees("› ")
    assert inbox.texts == ["one", "one"]


async def test_command_names_are_completed(typist: Typist) -> None:
    inbox = ScriptedInbox(view=views.CONTEXT)
    async with conversation(typist, inbox):
        typist.type("/con")
        await typist.sees("what the model was sent")
        typist.type("\t")
        await typist.sees("text")
        typist.type("\r")
        seen = await typist.sees("current")
        assert "3,470 / 8,000 tokens · 43%" in seen
        typist.type("/hi")
        assert "/history page" in await typist.sees("what was said")
    assert [message.command.name for message in inbox.messages if message.command] == ["context"]


async def test_pasted_lines_are_one_message(typist: Typist) -> None:
    inbox = ScriptedInbox()
    async with conversation(typist, inbox):
        typist.type("\x1b[200~one\ntwo\x1b[201~" + ALT_ENTER + "three\r")
        await typist.sees("You said")
    assert inbox.texts == ["one\ntwo\nthree"]


async def test_ctrl_c_stops_showing_an_answer_but_not_the_answer(typist: Typist) -> None:
    go_on = asyncio.Event()

    async def answer(message: IncomingMessage, sink: ReplySink) -> None:
        await sink.update(f"Half of {message.text}")
        if message.text == "one":
            await go_on.wait()
        await sink.finish(f"All of {message.text}")

    inbox = ScriptedInbox(answer)
    async with conversation(typist, inbox):
        typist.type("one\r")
        await typist.sees("Half of one")
        typist.type(CTRL_C)
        assert "Half of one" in await typist.sees("Ctrl-C")
        await typist.sees("› ")
        go_on.set()
        await asyncio.gather(*inbox.tasks)
        typist.type("two\r")
        assert "All of one" not in await typist.sees("All of two")
    assert inbox.finished == ["one", "two"]


async def test_keys_pressed_during_an_answer_wait_for_the_next_line(typist: Typist) -> None:
    go_on = asyncio.Event()

    async def answer(message: IncomingMessage, sink: ReplySink) -> None:
        await sink.update("Thinking")
        if message.text == "one":
            await go_on.wait()
        await sink.finish(f"Answer to {message.text}")

    async with conversation(typist, ScriptedInbox(answer)):
        typist.type("one\r")
        await typist.sees("Thinking")
        typist.type("two\r")
        await typist.keys_are_taken()
        go_on.set()
        assert "two" not in await typist.sees("Answer to one")
        await typist.sees("Answer to two")


async def test_ctrl_c_clears_a_line_and_ends_on_an_empty_one(typist: Typist) -> None:
    inbox = ScriptedInbox()
    async with conversation(typist, inbox) as (_, running):
        typist.type("not this" + CTRL_C + "but this\r")
        await typist.sees("You said but this")
        await typist.sees("› ")
        typist.type(CTRL_C)
        await running
    assert inbox.texts == ["but this"]


@pytest.mark.parametrize("end", ["keys", "cancel"])
async def test_the_terminal_is_left_as_it_was(typist: Typist, end: str) -> None:
    async with conversation(typist, ScriptedInbox()) as (_, running):
        assert not typist.modes() & termios.ECHO
        if end == "keys":
            typist.type(CTRL_D)
        else:
            running.cancel()
        await asyncio.wait([running])
    assert typist.modes() == typist.modes_before


async def test_errors_and_waiting_are_seen(typist: Typist) -> None:
    go_on = asyncio.Event()

    async def answer(message: IncomingMessage, sink: ReplySink) -> None:
        await go_on.wait()
        await sink.update("part of an ans")
        await sink.fail(views.ERROR)

    async with conversation(typist, ScriptedInbox(answer)):
        typist.type("hello\r")
        await typist.sees("⠋")
        go_on.set()
        await typist.sees("✗ The model can't be reached")
        await typist.sees("Try again later.")


async def test_reports_appear_above_the_line_that_is_typed(typist: Typist) -> None:
    inbox = ScriptedInbox()
    async with conversation(typist, inbox) as (terminal, _):
        typist.type("half a li")
        await typist.sees("half a li")
        terminal.report({"event": "compaction", "text": "12 messages folded"})
        await typist.sees("12 messages folded")
        await typist.sees("half a li")
        typist.type("ne\r")
        await typist.sees("You said half a line")
    assert inbox.texts == ["half a line"]


async def test_an_answer_higher_than_the_screen_is_whole_and_once(typist: Typist) -> None:
    code = "```\n" + "".join(f"line-{number}\n" for number in range(100)) + "```"

    async def answer(message: IncomingMessage, sink: ReplySink) -> None:
        await sink.update(code[:500])
        await sink.finish(code)

    async with conversation(typist, ScriptedInbox(answer)):
        typist.type("hello\r")
        growing = await typist.sees("line-61")
        assert "line-1\r" not in growing
        whole = await typist.sees("› ")
        assert [f"line-{number}\r" in whole for number in range(100)] == [True] * 100


async def test_no_escape_of_a_model_reaches_the_terminal(typist: Typist) -> None:
    async def answer(message: IncomingMessage, sink: ReplySink) -> None:
        await sink.finish("\x1b]0;owned\x07 &#27;[2J `\x1b[31m`")

    async with conversation(typist, ScriptedInbox(answer)):
        typist.type("hello\r")
        await typist.sees("␛]0;owned␇ \ufffd[2J ␛[31m")


async def test_a_person_is_where_input_and_output_are_terminals(typist: Typist) -> None:
    with pipe() as (reading, writing):
        assert mode_for(typist.stdin, typist.stdout, as_json=False) == "interactive"
        assert mode_for(typist.stdin, typist.stdout, as_json=True) == "json"
        assert mode_for(reading, typist.stdout, as_json=False) == "plain"
        assert mode_for(typist.stdin, writing, as_json=False) == "plain"
