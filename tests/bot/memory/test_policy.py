"""When a conversation is folded, and which of its messages."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.config import MemorySettings
from bot.memory import policy
from bot.memory.policy import Load, Reason
from bot.memory.tokens import TiktokenCounter
from bot.messages import Message
from tests.bot.memory.talk import answered, dialogue, said

SETTINGS = MemorySettings()


def _load(
    messages: list[Message], tokens: int = 100, open_from: int | None = None, has_summary: bool = False
) -> Load:
    return Load(messages, open_from, tokens, has_summary)


@pytest.mark.parametrize(
    ("count", "tokens", "reason"),
    [(8, 9000, None), (9, 100, None), (9, 5700, "tokens"), (17, 100, None), (18, 100, "turns")],
)
def test_turns_or_tokens_beyond_the_window_make_it_due(
    count: int, tokens: int, reason: Reason | None, counter: TiktokenCounter
) -> None:
    assert policy.due(_load(dialogue(count), tokens), SETTINGS, counter) == reason


def test_a_small_window_folds_sooner(counter: TiktokenCounter) -> None:
    small = MemorySettings(recent_turns=3)
    assert policy.due(_load(dialogue(7)), small, counter) is None
    assert policy.due(_load(dialogue(8)), small, counter) == "turns"


def test_a_later_piece_must_be_worth_it(counter: TiktokenCounter) -> None:
    short = dialogue(8 + 20, "ok", "fine")
    assert policy.due(_load(short, has_summary=True), SETTINGS, counter) is None
    long = dialogue(8 + 20, "A line that tells of some thing at length, for {n} whole times. " * 3)
    assert policy.due(_load(long, has_summary=True), SETTINGS, counter) == "turns"


def test_what_waits_for_its_answer_is_never_folded(counter: TiktokenCounter) -> None:
    messages = [*dialogue(20), said(41, "open"), *(said(n, "later") for n in range(42, 60))]
    load = _load(messages, open_from=41)
    chosen = policy.flat(policy.chosen(load, "turns", SETTINGS, counter))
    assert chosen == messages[:40]


def test_an_answer_that_comes_after_an_open_question_keeps_its_question(counter: TiktokenCounter) -> None:
    messages = [*dialogue(3), said(7, "q"), said(8, "open", by=2), answered(9, "a", 7)]
    chosen = policy.flat(policy.chosen(_load(messages, open_from=8), "asked", SETTINGS, counter))
    assert said(7, "q") not in chosen


def test_asking_reaches_into_the_window_but_leaves_two_turns(counter: TiktokenCounter) -> None:
    messages = dialogue(5)
    assert policy.flat(policy.chosen(_load(messages), "asked", SETTINGS, counter)) == messages[:6]
    longer = dialogue(12)
    assert policy.flat(policy.chosen(_load(longer), "asked", SETTINGS, counter)) == longer[:8]


def test_making_room_takes_as_much_as_is_over(counter: TiktokenCounter) -> None:
    messages = dialogue(8, "word " * 900)
    chosen = policy.chosen(_load(messages, tokens=8000), "budget", SETTINGS, counter)
    assert len(chosen) == 3


@given(st.integers(1, 40), st.floats(0, 1))
def test_pauses_grow_with_failures_and_stay_bounded(failures: int, random: float) -> None:
    pause = policy.retry_delay(failures, random)
    longest = min(30 * 2 ** (failures - 1), 3600)
    assert timedelta(seconds=longest / 2) <= pause <= timedelta(seconds=longest)
