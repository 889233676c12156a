"""Parts of an answer: small enough, balanced, and nothing lost, for any text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.discord.split import MAX_LENGTH, SMALLEST_LIMIT, balanced, split

PIECES = st.one_of(
    st.sampled_from(
        [
            "```",
            "```\n",
            "```c++\n",
            "  ```python title=x\n",
            "~~~\n",
            "~~~a`b\n",
            "````\n",
            "``` `x`\n",
            "\n",
            "\n\n",
            "word ",
            "A sentence. ",
            "句子。",
            "- item\n",
            "`" * 50,
            "`" * 120,
            " " * 300,
            "👩‍👩‍👧",
            "x" * 1990,
        ]
    ),
    st.text(max_size=60),
    st.integers(1, 3000).map(lambda number: "y" * number),
    st.integers(1, 300).map(lambda number: "code();\n" * number),
)
TEXTS = st.lists(PIECES, max_size=40).map("".join)


@settings(max_examples=300, deadline=None)
@given(TEXTS, st.sampled_from([SMALLEST_LIMIT, SMALLEST_LIMIT + 1, MAX_LENGTH]))
def test_any_text_is_split_without_loss_into_balanced_parts(text: str, limit: int) -> None:
    parts = split(text, limit)
    assert "".join(part.body for part in parts) == text
    for part in parts:
        assert part.body
        assert len(part.text) <= limit
        assert balanced(part.text)


@settings(max_examples=150, deadline=None)
@given(TEXTS, st.integers(0, 20_000))
def test_all_but_the_last_two_parts_stay_as_they_are_while_the_text_grows(text: str, length: int) -> None:
    """Else a streamed answer would edit its earlier messages again and again."""
    settled = split(text[:length])[:-2]
    assert settled == split(text)[: len(settled)]


@pytest.mark.parametrize("length", range(1970, 2010))
def test_a_fence_that_closes_near_the_limit(length: int) -> None:
    opening, closing = "```c++\n", "\n```"
    text = opening + "x" * (length - len(opening) - len(closing)) + closing + "\n\nAfter the code."
    parts = split(text)
    assert "".join(part.body for part in parts) == text
    assert all(len(part.text) <= MAX_LENGTH and balanced(part.text) for part in parts)
    code = [part.text for part in parts if "x" in part.text.replace("After", "")]
    assert all(part.startswith(opening) for part in code)


def test_a_fence_that_closes_at_character_1998_stays_whole() -> None:
    text = "```c++\n" + "x" * (1998 - 7 - 4) + "\n```"
    assert len(text) == 1998
    assert [part.text for part in split(text)] == [text]


@pytest.mark.parametrize("language", ["c++", "c#", "objective-c", "python", "F*", ""])
def test_the_language_goes_on_in_every_part(language: str) -> None:
    code = "".join(f"line {number};\n" for number in range(700))
    parts = split(f"Look:\n\n```{language}\n{code}```\nDone.")
    assert len(parts) > 3
    assert all(part.opening == f"```{language}\n" for part in parts[1:])
    assert all(part.closing == "```" for part in parts[:-1])
    assert parts[-1].text.endswith("```\nDone.")


def test_a_text_is_cut_where_a_reader_would_cut_it() -> None:
    paragraphs = [("word " * 80).strip() for _ in range(8)]
    parts = [part.body for part in split("\n\n".join(paragraphs))]
    assert parts[0] == "\n\n".join(paragraphs[:4]) + "\n\n"
    sentences = "This is a sentence of some length. " * 100
    assert all(part.body.endswith(". ") or part.body.endswith(".") for part in split(sentences))
    chinese = "这是一个句子。" * 500
    assert all(part.body.endswith("。") for part in split(chinese))


def test_a_code_block_is_not_left_empty_by_a_cut() -> None:
    text = "a" * 1900 + "\n```py\n" + "print()\n" * 40 + "```\n"
    first, second = split(text)
    assert first.body == "a" * 1900 + "\n"
    assert second.body.startswith("```py\n")
    exact = "```py\n" + "print(1)\n" * 221 + "```\n"
    assert all("print" in part.body for part in split("b\n" * 2 + exact))


def test_emoji_are_not_torn_apart() -> None:
    family = "👩‍👩‍👧"
    assert all(set(part.body.split(family)) == {""} for part in split(family * 900))


def test_nothing_and_white_space() -> None:
    assert split("") == []
    assert [part.body for part in split("  \n")] == ["  \n"]
    with pytest.raises(ValueError, match="400"):
        split("text", SMALLEST_LIMIT - 1)
