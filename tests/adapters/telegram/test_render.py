"""Answers as Telegram shows them: all text, no raw markup, parts within the limit, marks within the parts."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adapters.telegram.formatted import Formatted, units
from adapters.telegram.render import answer_parts, formatted
from adapters.telegram.split import MAX_UNITS, split


def marked(text: Formatted) -> list[tuple[str, str]]:
    """Kind and text of every mark."""
    encoded = text.text.encode("utf-16-le")
    return [(mark.kind, encoded[2 * mark.offset : 2 * mark.end].decode("utf-16-le")) for mark in text.marks]


def letters(text: str) -> Counter[str]:
    return Counter(character for character in text if character.isalnum())


def test_markdown_becomes_marks() -> None:
    shown = formatted("# Title\n\nSome **bold**, *slanted* and `code`.\n\n```python\nx = 1\n```")
    assert shown.text == "Title\n\nSome bold, slanted and code.\n\nx = 1"
    assert set(marked(shown)) == {
        ("bold", "Title"),
        ("underline", "Title"),
        ("bold", "bold"),
        ("italic", "slanted"),
        ("code", "code"),
        ("pre", "x = 1"),
    }
    assert [mark.language for mark in shown.marks if mark.kind == "pre"] == ["python"]


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("a `List<int>` and List<int> again", "a List<int> and List<int> again"),
        ("<div>\nhello\n</div>\n\nbye", "<div>\nhello\n</div>\n\nbye"),
        ("one<br>two", "one\ntwo"),
        ("an **unbalanced mark", "an **unbalanced mark"),
        ("- a\n  - b\n    - c\n- d", "• a\n  • b\n    • c\n• d"),
        ("- [ ] open\n- [x] done", "⬜ open\n✅ done"),
        ("2*3*4, 2**3**4 and __init__.py", "2*3*4, 2**3**4 and __init__.py"),
        ("if a || b || c", "if a || b || c"),
        ("**注意：**请看**“重点”**吧", "注意：请看“重点”吧"),
        ("See:\n\n[1]: https://example.org/a", "See:\n\n[1]: https://example.org/a"),
        ("a note[^1]\n\n[^1]: the note", "a note[^1]\n\n[^1]: the note"),
        ("[docs](docs/index.md)", "docs (docs/index.md)"),
        ("[here](http://localhost:8080)", "here (http://localhost:8080)"),
        ('[a](https://example.org "told")', "a (https://example.org, told)"),
        ("![](https://example.org/a.png)", "https://example.org/a.png"),
        ("| a |\n|---|\n| [t](https://example.org) |", "t (https://example.org)"),
        ("| a |\n|---|\n| 1 | too many |", "too many"),
        (r"so \(x^2\) it is", "so x^2 it is"),
        (r"`\(x^2\)` in code", r"\(x^2\) in code"),
        ("it costs $5 or US$10", "it costs $5 or US$10"),
        ("a\x00b \ud800", "a\ufffdb \ufffd"),
    ],
)
def test_nothing_that_was_meant_as_text_is_lost(markdown: str, text: str) -> None:
    (part,) = answer_parts(markdown)
    assert text in part.text


def test_links_that_telegram_takes_are_links() -> None:
    shown = formatted("[here](https://example.org/a_b) and [there][1]\n\n[1]: https://example.org/c")
    assert shown.text == "here and there"
    assert [mark.url for mark in shown.marks] == ["https://example.org/a_b", "https://example.org/c"]


def test_a_long_answer_is_cut_between_paragraphs() -> None:
    paragraph = "Words of a paragraph, " * 40
    parts = answer_parts("\n\n".join([paragraph] * 8))
    assert [units(part.text) <= MAX_UNITS for part in parts] == [True, True]
    assert all(part.text.startswith("Words of") for part in parts)
    assert letters("".join(part.text for part in parts)) == letters(paragraph * 8)


def test_a_long_code_block_is_closed_and_opened_again() -> None:
    lines = [f"    line_{number} = '<b>{number}</b>'" for number in range(250)]
    parts = answer_parts("Look:\n\n```python\n" + "\n".join(lines) + "\n```\n\nThat's **it**.")
    assert len(parts) > 1
    blocks = [mark for part in parts for mark in part.marks if mark.kind == "pre"]
    assert [block.language for block in blocks] == ["python"] * len(parts)
    code = "\n".join(text for part in parts for kind, text in marked(part) if kind == "pre")
    assert code.split("\n") == lines
    assert parts[-1].text.endswith("That's it.")


def test_a_short_code_block_is_not_cut_in_two() -> None:
    parts = answer_parts("text " * 700 + "\n\n```\n" + "code\n" * 200 + "```")
    assert [kind for kind, _ in marked(parts[0])] == []
    assert marked(parts[1]) == [("pre", "\n".join(["code"] * 200))]


def test_emoji_are_counted_as_telegram_counts_and_never_cut() -> None:
    parts = answer_parts("😀" * 4090)
    assert [len(part.text) for part in parts] == [2048, 2042]
    family = "👨‍👩‍👧‍👦"
    parts = answer_parts(family * 1000)
    assert all(len(part.text) % len(family) == 0 for part in parts)
    assert "".join(part.text for part in parts) == family * 1000


def test_an_answer_of_marks_only_is_shown_as_it_is() -> None:
    assert answer_parts("<!---->") == [Formatted("<!---->")]
    assert answer_parts(" \n ") == []


PIECES = st.one_of(
    st.integers(200, 999).map(str),
    st.sampled_from(["word", "Wort", "词语", "注意：", "😀", "👩‍💻", "é", "x"]),
    st.sampled_from(["*", "**", "_", "__", "~~", "`", "``", "```\n", "```py\n", "||", "|", "$", "$$", "\\"]),
    st.sampled_from(["<", ">", "<b>", "</b>", "<!--", "-->", "<br>", "<div>\n", "&", "&amp;"]),
    st.sampled_from(["[", "]", "(", ")", "](", "![", "]: ", "[1]: ", "[^1]", "https://a.bc/d", '"t"']),
    st.sampled_from(
        ["\n", "\n\n", "\n- ", "\n1. ", "\n> ", "\n# ", "\n    ", "\n|---|\n", " ", "  \n", "\t"]
    ),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=40).map("".join), st.integers(8, 200))
@example("|a|b|\n|-|-|\n|[x](y)|<br>|", 20)
def test_every_letter_arrives_in_parts_that_telegram_takes(markdown: str, limit: int) -> None:
    if "\\" in markdown:
        markdown = markdown.replace("$", "")  # in a formula, commands become other signs
    parts = answer_parts(markdown, limit)
    for part in parts:
        assert 0 < units(part.text) <= limit
        assert part.text.strip()
        for mark in part.marks:
            assert 0 <= mark.offset < mark.end <= units(part.text)
        assert all(text for _, text in marked(part))
    shown = "".join(part.text + "".join(m.url + m.language for m in part.marks) for part in parts)
    # Lists are numbered anew, so "1" may become another number.
    wanted = letters(markdown.replace("<br>", "").replace("&amp;", "&").replace("1", ""))
    assert wanted - letters(shown) == Counter()


@settings(max_examples=200, deadline=None)
@given(st.text(), st.integers(2, 30))
def test_plain_text_is_split_without_loss(text: str, limit: int) -> None:
    text = text.encode("utf-8", "replace").decode()
    parts = split(Formatted(text), limit)
    assert all(0 < units(part.text) <= limit for part in parts)
    assert "".join("".join(part.text for part in parts).split()) == "".join(text.split())
