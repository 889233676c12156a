"""Writes requests as the core does, and reads what the offline model makes of them."""

from __future__ import annotations

import json
from collections.abc import Sequence

from bot.llm.offline import OfflineModel
from bot.ports import ModelMessage, ModelRequest

PEOPLE = {0: "Memora", 1: "Ann", 2: "Bob"}
_DAY = "2026-12-01 Tuesday"


class CharacterCounter:
    """A TokenCounter to work with by hand: four characters are a token, a Chinese one is one."""

    def count(self, text: str) -> int:
        return sum(1 if character > "\u2e80" else 0.25 for character in text).__ceil__()

    def cut(self, text: str, tokens: int) -> str:
        kept = text
        while self.count(kept) > tokens:
            kept = kept[:-1]
        return kept


def quoted(text: str) -> str:
    """Text as it stands in requests."""
    return json.dumps(text, ensure_ascii=False)


def user(text: str) -> ModelMessage:
    return ModelMessage("user", text)


def bot(text: str) -> ModelMessage:
    return ModelMessage("assistant", text)


def notes(*rows: str) -> ModelMessage:
    """The summary as a developer message."""
    return ModelMessage("developer", "\n".join(("Background: notes on earlier messages.", *rows)))


def digest(*rows: str) -> ModelMessage:
    """Lines of messages that didn't fit."""
    return ModelMessage("developer", "\n".join(("Background: lines picked from earlier messages.", *rows)))


def asking(*messages: ModelMessage | str, most: int = 400) -> ModelRequest:
    """An answer request; plain texts are a person's messages, the last one is the current message."""
    written = tuple(user(message) if isinstance(message, str) else message for message in messages)
    return ModelRequest("answer", "You are Memora.\n\nThe date is 2026-12-01 (Tuesday), UTC.", written, most)


def summing(
    messages: Sequence[tuple[int, str]],
    present: Sequence[str] = (),
    *,
    limit: int = 1200,
    refused: str = "",
    most: int = 4400,
) -> ModelRequest:
    """A summary request over (speaker, text) pairs; `refused` makes it a corrective retry."""
    rows = ["People", f"#0 {quoted(PEOPLE[0])} (the bot)"]
    rows += [f"#{number} {quoted(name)}" for number, name in PEOPLE.items() if number]
    rows += ["Notes", *present, "Messages", _DAY]
    rows += [f"{place} #{speaker} {quoted(text)}" for place, (speaker, text) in enumerate(messages, start=1)]
    told = [user("\n".join(rows))]
    if refused:
        told += [bot('{"operations": []}'), user(refused)]
    task = f"You keep the memory notes of a chat. All notes together must have at most {limit} tokens."
    return ModelRequest("summary", task, tuple(told), most, 0.1, {"type": "object"}, "memory_edits")


async def reply(model: OfflineModel, *messages: ModelMessage | str) -> str:
    """The answer's text."""
    return (await model.complete(asking(*messages))).text
