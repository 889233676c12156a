"""/summary, /context, /history and /help as a person sees them."""

from __future__ import annotations

import pytest

from bot.commands.registry import COMMANDS, menu
from bot.messages import ChatKind
from bot.views.model import Fields, Gauge, Items, View
from tests.bot.chat.core import Core, add, operations
from tests.fakes.model import Reply
from tests.fakes.responder import words_of

LANGUAGES = {"en", "zh-hant", "zh-hans"}


def _items(view: View) -> list[str]:
    return [item.text for block in view.blocks if isinstance(block, Items) for item in block.items]


def _rows(view: View) -> dict[str, str]:
    return dict(row for block in view.blocks if isinstance(block, Fields) for row in block.rows)


async def test_summary_of_a_chat_that_never_was(core: Core) -> None:
    view = await core.command("/summary")
    assert "all 0 messages" in words_of(view)
    assert await core.store.find(core.call("/summary").key) is None  # asking creates nothing


async def test_summary_before_there_is_one_says_what_holds(core: Core) -> None:
    await core.say("Hello")
    assert "all 2 messages are still read word for word" in words_of(await core.command("/summary"))


async def test_summary_shows_each_note_with_its_sources_and_what_is_covered(core: Core) -> None:
    preference = {**add("Ann prefers tea", 1, 3), "kind": "preference"}
    core.summaries.script(operations(add("There is a garden", 1), preference))
    await core.chat(5)
    view = await core.command("/summary")
    assert [block.heading for block in view.blocks if isinstance(block, Items)] == ["Facts", "Preferences"]
    assert _items(view) == ["There is a garden", "Ann prefers tea"]
    first = (await core.store.history(await core.conversation(), 100))[0][0]
    assert f"Ann · from message #{first.id}" in words_of(view)
    assert _rows(view)["Covers"].startswith("6 messages")
    assert _rows(view)["Version"] == "1, made just now by brief"


async def test_context_before_the_first_answer(core: Core) -> None:
    view = await core.command("/context")
    assert "Nothing was sent to the model yet" in words_of(view)
    assert not any(isinstance(block, Gauge) for block in view.blocks)


async def test_context_is_drawn_from_the_request_that_was_sent(core: Core) -> None:
    await core.chat(7)
    view = await core.command("/context")
    record = await core.store.last_request(await core.conversation())
    assert record
    gauge = view.blocks[0]
    assert isinstance(gauge, Gauge)
    assert [segment.label for segment in gauge.segments] == ["persona", "summary", "recent", "current"]
    assert gauge.capacity == record.budget
    assert gauge.used == record.counted
    rows = _rows(view)
    assert rows["Counted before sending"] == f"{record.counted:,} (by tiktoken)"
    assert record.input is not None
    assert rows["Reported by the provider"] == f"{record.input:,} ({record.input - record.counted:+,})"
    assert rows["Model"] == "chatty"
    assert (
        rows["Messages"] == f"{len(core.last.messages) - 1} sent of 13 stored; 6 summarised, 0 of them newly"
    )


async def test_context_counts_what_was_newly_summarised_once(core: Core) -> None:
    await core.chat(6)
    assert "6 summarised, 6 of them newly" in _rows(await core.command("/context"))["Messages"]
    await core.chat(1)
    assert "6 summarised, 0 of them newly" in _rows(await core.command("/context"))["Messages"]


async def test_context_keeps_answers_and_summaries_apart(core: Core) -> None:
    await core.chat(5)
    rows = _rows(await core.command("/context"))
    totals = await core.store.totals(await core.conversation())
    assert rows["Answers so far"] == f"5: {totals.answer_input:,} tokens in, {totals.answer_output:,} out"
    assert rows["Summaries so far"] == f"1: {totals.summary_input:,} tokens in, {totals.summary_output:,} out"
    assert rows["Whole conversation"] == f"{totals.all:,} tokens"


async def test_context_says_when_the_provider_reports_nothing(core: Core) -> None:
    core.model.script(Reply("Yes.", without_usage=True))
    await core.say("Well?")
    assert _rows(await core.command("/context"))["Reported by the provider"] == "nothing"


async def test_context_of_a_short_talk_is_no_warning(core: Core) -> None:
    await core.say("Hello")
    assert (await core.command("/context")).tone == "plain"


async def test_history_pages_from_the_newest_and_marks_what_is_summarised(core: Core) -> None:
    await core.chat(8)
    newest = await core.command("/history")
    assert "Page 1 of 2, 16 messages" in words_of(newest)
    assert len(_items(newest)) == 10
    assert [action.command.argument for action in newest.actions] == ["2"]
    assert "summarised" not in words_of(newest)
    oldest = await core.command("/history 2")
    assert len(_items(oldest)) == 6
    assert [action.command.argument for action in oldest.actions] == ["1"]
    assert words_of(oldest).count("summarised") == 6
    log, _ = await core.store.history(await core.conversation(), 100)
    assert [*_items(oldest), *_items(newest)] == [message.text for message in log]


@pytest.mark.parametrize("page", ["99", "999999999999999999999999"])
async def test_history_beyond_its_end_says_so(core: Core, page: str) -> None:
    await core.say("Hello")
    view = await core.command(f"/history {page}")
    assert "no messages on this page" in words_of(view)
    assert view.actions == ()


@pytest.mark.parametrize("page", ["0", "-3", "abc", "²", "1.5"])
async def test_history_without_a_proper_number_is_its_newest_page(core: Core, page: str) -> None:
    await core.say("Hello")
    assert _items(await core.command(f"/history {page}")) == ["Hello", "I read: Hello"]


async def test_history_of_nothing(core: Core) -> None:
    assert "no messages on this page" in words_of(await core.command("/history"))


async def test_history_shortens_a_long_message(core: Core) -> None:
    core.model.script("Yes.")
    await core.say("x" * 1000)
    assert _items(await core.command("/history"))[0] == "x" * 300 + "…"


async def test_help_names_every_command_of_the_menu(core: Core) -> None:
    shown = await core.command("/help")
    usages = [item.split()[0] for item in _items(shown)]
    assert usages == [f"/{info.name}" for info in menu()]
    assert "I am Memora" in words_of(shown)
    assert words_of(await core.command("/start")) == words_of(shown)


async def test_help_comes_in_the_person_s_language(core: Core) -> None:
    english = words_of(await core.command("/help"))
    chinese = words_of(await core.command("/help", language="zh-TW"))
    assert chinese != english
    assert any("一" <= letter <= "鿿" for letter in chinese)
    in_group = await core.command("/help", language="zh-TW", chat_kind=ChatKind.GROUP)
    assert words_of(in_group) == english


def test_every_command_is_described_in_every_language() -> None:
    for info in menu():
        assert set(info.descriptions) == LANGUAGES
        assert all(info.descriptions.values())
        assert len({*info.descriptions.values()}) > 1


def test_hidden_commands_are_in_no_menu() -> None:
    hidden = {command.name for command in COMMANDS if command.hidden}
    assert hidden == {"start"}
    assert not hidden & {info.name for info in menu()}
