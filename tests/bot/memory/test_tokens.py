"""Counting as the model does, without ever reaching for the network."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.memory import vocabulary
from bot.memory.tokens import PER_MESSAGE, PER_REPLY, TiktokenCounter, encoding_for, request_tokens
from bot.ports import ModelMessage


@pytest.mark.parametrize(
    ("model", "encoding"),
    [
        ("gpt-5-mini", "o200k_base"),
        ("gpt-4o", "o200k_base"),
        ("gpt-4", "cl100k_base"),
        ("llama3.2:3b", "o200k_base"),
        ("text-davinci-003", "o200k_base"),
    ],
)
def test_every_model_has_a_vocabulary(model: str, encoding: str) -> None:
    assert encoding_for(model) == encoding


def test_special_tokens_count_as_plain_text(counter: TiktokenCounter) -> None:
    assert counter.count("<|endoftext|>") > 1


def test_emoji_and_kana_are_not_counted_by_a_third(counter: TiktokenCounter) -> None:
    assert counter.count("🙂" * 2000) >= 1000
    assert counter.count("あ" * 2000) >= 600


def test_a_request_counts_every_message_and_the_reply(counter: TiktokenCounter) -> None:
    messages = [ModelMessage("user", "hello"), ModelMessage("assistant", "hi")]
    expected = PER_REPLY + 3 * PER_MESSAGE + sum(counter.count(text) for text in ("be kind", "hello", "hi"))
    assert request_tokens(counter, "be kind", messages) == expected


@given(text=st.text(max_size=200), tokens=st.integers(min_value=0, max_value=50))
def test_cutting_keeps_a_start_of_the_text(counter: TiktokenCounter, text: str, tokens: int) -> None:
    start = counter.cut(text, tokens)
    assert text.startswith(start)
    assert start == text or counter.count(start) <= tokens + 1


def test_the_vocabulary_is_filled_once_and_found(tmp_path: Path) -> None:
    environment: dict[str, str] = {}
    unwritable = tmp_path / "file"
    unwritable.write_text("")
    vocabulary.prepare(environment, (unwritable / "below", tmp_path / "good"))
    assert environment == {vocabulary.VARIABLE: str(tmp_path / "good")}
    files = {file: file.stat().st_mtime_ns for file in (tmp_path / "good").iterdir()}
    assert len(files) == 2
    vocabulary.fill(tmp_path / "good")
    assert {file: file.stat().st_mtime_ns for file in (tmp_path / "good").iterdir()} == files


def test_an_operators_own_folder_is_left_alone(tmp_path: Path) -> None:
    environment = {vocabulary.VARIABLE: "/elsewhere"}
    vocabulary.prepare(environment, (tmp_path,))
    assert environment == {vocabulary.VARIABLE: "/elsewhere"}
    assert list(tmp_path.iterdir()) == []
