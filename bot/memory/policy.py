"""Decides when a conversation is folded, and which of its messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import takewhile
from typing import Literal

from bot.config import MemorySettings
from bot.memory.portions import size
from bot.memory.topics import shifted
from bot.memory.turns import Turn, turns
from bot.messages import Message
from bot.ports import TokenCounter

Reason = Literal["turns", "tokens", "topic", "idle", "budget", "asked"]

# After the first run, a piece must be worth it: as large as trigger_turns turns usually are (never more than
# a share of the budget), and several times the notes, which every run sends again.
_USUAL_TURN = 80
_WORTH = 0.1
_RESENT = 3
_MOST_WORTH = 0.45
# A run that was asked for, or that makes room, may reach into the window but leaves this many turns.
_LEAST_KEPT = 2
# A small window folds sooner than trigger_turns says: at most this many turns beyond it.
_SLACK = 2
# What an idle conversation must have beyond its last turns, in tokens, to be folded.
_IDLE_WORTH = 200
_FIRST_RETRY = 30.0
_LAST_RETRY = 3600.0


@dataclass(frozen=True, slots=True)
class Load:
    """How much a conversation holds beyond its summary.

    `messages` are the oldest live ones that no summary covers; `open_from` is the id of the oldest that still
    waits for its answer (nothing from there on is folded); `tokens` is the size of the next request, `notes`
    that of the present notes.
    """

    messages: Sequence[Message]
    open_from: int | None
    tokens: int
    has_summary: bool
    notes: int = 0


def due(load: Load, settings: MemorySettings, counter: TokenCounter) -> Reason | None:
    """Why the conversation should be folded now, or None."""
    beyond = _beyond(load, settings.recent_turns)
    if not beyond:
        return None
    worthwhile = size(flat(beyond), counter) >= _worth(load, settings)
    if load.has_summary and not worthwhile:
        return None
    if len(beyond) >= min(settings.trigger_turns, settings.recent_turns + _SLACK):
        return "turns"
    if load.tokens > settings.trigger_ratio * settings.input_budget:
        return "tokens"
    return "topic" if worthwhile and settings.topic_shift and shifted(turns(load.messages)) else None


def _worth(load: Load, settings: MemorySettings) -> float:
    """The least tokens that a further piece should have."""
    usual = min(settings.trigger_turns * _USUAL_TURN, settings.input_budget * _WORTH)
    resent = min(load.notes * _RESENT, settings.input_budget * _MOST_WORTH)
    return max(usual, resent)


def chosen(load: Load, reason: Reason, settings: MemorySettings, counter: TokenCounter) -> list[Turn]:
    """The turns that a run for `reason` should fold, oldest first; it may take several pieces.

    "budget" takes what lies beyond the window, and more where the request would still be above the trigger;
    "asked" takes all but the last two turns when nothing lies beyond the window; "idle" takes all but those
    when they are worth it.
    """
    beyond = _beyond(load, settings.recent_turns)
    every = _beyond(load, 0 if reason == "budget" else min(settings.recent_turns, _LEAST_KEPT))
    if reason == "asked":
        return beyond or every
    if reason == "idle":
        return every if size(flat(every), counter) >= _IDLE_WORTH else []
    if reason != "budget":
        return beyond
    excess = load.tokens - settings.trigger_ratio * settings.input_budget
    count = 0
    while count < len(every) and (count < len(beyond) or excess > 0):
        excess -= size(every[count], counter)
        count += 1
    return every[:count]


def flat(found: Sequence[Turn]) -> list[Message]:
    """The messages of turns, in order."""
    return [message for turn in found for message in turn]


def retry_delay(failures: int, random: float) -> timedelta:
    """Pause after the `failures`-th failure in a row: exponential with jitter, from 30 s to an hour.

    `random` is uniform in 0..1 ("full jitter" over the upper half; see Brooker, "Exponential Backoff And
    Jitter", AWS Architecture Blog, 2015).
    """
    pause = min(_FIRST_RETRY * 2 ** (failures - 1), _LAST_RETRY)
    return timedelta(seconds=pause * (0.5 + random / 2))


def _beyond(load: Load, keep: int) -> list[Turn]:
    found = turns(load.messages)
    older = found[: max(len(found) - keep, 0)]
    if load.open_from is None:
        return older
    limit = load.open_from
    return list(takewhile(lambda turn: all(message.id < limit for message in turn), older))
