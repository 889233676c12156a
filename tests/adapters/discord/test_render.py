"""Answers and views as Discord shows them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.discord.markdown import for_discord
from adapters.discord.render import Press, answer_parts, buttons, custom_id, plain, press, view_parts
from bot.messages import CommandCall
from bot.views.model import Action, Fields, Gauge, Item, Items, Paragraph, Segment, View


@pytest.mark.parametrize(
    ("markdown", "shown"),
    [
        ("**bold** and `code` and List<int> and **open", "**bold** and `code` and List<int> and **open"),
        ("# One\n### Three\n#### Four\n###### Six ##", "# One\n### Three\n**Four**\n**Six**"),
        ("~~~python\nx = 1\n~~~", "```python\nx = 1\n```"),
        ("````md\n```py\n```\n````", "```md\n`\u200b`\u200b`py\n`\u200b`\u200b`\n```"),
        ("```\n#### no heading\n| a |\n|---|\n```", "```\n#### no heading\n| a |\n|---|\n```"),
        ("a | b\nc | d", "a | b\nc | d"),
        ("line\r\nend\r\n", "line\nend\n"),
        ("nul\0 and \ud800", "nul\ufffd and ?"),
        ("", ""),
    ],
)
def test_an_answer_is_written_as_discord_reads_it(markdown: str, shown: str) -> None:
    assert for_discord(markdown) == shown


def test_a_table_is_aligned_in_a_code_block() -> None:
    table = "Prices:\n| Item | **Price** |\n|:-----|------:|\n| 苹果 | `3` |\n| pear \\| plum |\nThat is all."
    assert for_discord(table).splitlines() == [
        "Prices:",
        "```",
        "Item        │ Price",
        "────────────┼──────",
        "苹果        │ 3",
        "pear | plum │",
        "```",
        "That is all.",
    ]


@given(st.text(st.sampled_from("ab |-`~#\n"), max_size=80))
def test_no_word_of_an_answer_is_lost(text: str) -> None:
    kept = [sign for sign in text if sign in "ab"]
    assert [sign for sign in for_discord(text) if sign in "ab"] == kept


def test_an_answer_of_white_space_has_no_parts() -> None:
    assert answer_parts(" \n ") == []
    assert answer_parts("one") == ["one"]


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("a*b_c ~x~ `y` |z| \\", "a\\*b\\_c \\~x\\~ \\`y\\` \\|z\\| \\\\"),
        ("1. one\n- two\n> three\n# four\n-# five", "1\\. one\n\\- two\n\\> three\n\\# four\n\\-# five"),
        ("[a](https://b.c)", "\\[a](https://b.c)"),
        ("see https://a_b.c/d_e", "see https://a_b.c/d_e"),
        ("<@5> <#6> <:x:7> a<b", "\\<@5> \\<#6> \\<:x:7> a<b"),
        ("#tag -5 2024.", "#tag -5 2024."),
    ],
)
def test_plain_text_is_shown_as_it_is(text: str, markdown: str) -> None:
    assert plain(text) == markdown


def test_a_view_is_drawn_with_all_its_blocks() -> None:
    view = View(
        "context",
        "Context of the\nlast answer",
        (
            Paragraph("Some *text*."),
            Gauge((Segment("persona", 1200), Segment("最近", 300)), 3000, "tokens"),
            Fields((("Model", "gpt_5"), ("Cost", "none"))),
            Items((Item("a note\nof two lines", "#12 · Ann"), Item("bare")), "Notes"),
        ),
        tone="warning",
    )
    (text,) = view_parts(view)
    assert text.startswith("⚠️ **Context of the last answer**\n\nSome \\*text\\*.\n\n```\n█")
    assert "persona  1,200\n" in text
    assert "最近       300\n" in text
    assert "1,500 / 3,000 tokens (50%)\n```" in text
    assert "**Model:** gpt\\_5\n**Cost:** none" in text
    assert text.endswith("**Notes**\n- a note\n  of two lines — *#12 · Ann*\n- bare")


def test_a_long_view_is_split_within_the_limit() -> None:
    view = View("history", "History", (Items(tuple(Item("x" * 300, "detail") for _ in range(20))),))
    parts = view_parts(view)
    assert len(parts) > 2
    assert all(len(part) <= 2000 for part in parts)


def test_buttons_carry_their_command_and_stay_within_discords_limits() -> None:
    call = CommandCall("history", "2" * 53)
    (button,) = buttons([Action("L" * 200, call, danger=True)], in_place=True)
    assert (len(button.label), button.danger) == (80, True)
    assert len(button.custom_id) <= 100
    assert press(button.custom_id) == Press(call, in_place=True)
    assert press(custom_id(CommandCall("reset", "confirm 3:4"), in_place=False)) == Press(
        CommandCall("reset", "confirm 3:4"), in_place=False
    )


@pytest.mark.parametrize(
    "carried", ["", "other:here:reset:", "memora:there:reset:", "memora:here::", "memora"]
)
def test_other_buttons_are_not_ours(carried: str) -> None:
    assert press(carried) is None
