"""Killed again and again while people write: nothing is lost, folded twice or skipped."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
from functools import partial
from itertools import pairwise
from pathlib import Path

from bot.clock import SystemClock
from bot.messages import ConversationKey
from bot.store import SqliteStore
from tests.end_to_end.program import PATIENCE, started
from tests.servers.openai import Answer, OpenAIServer, Recorded, asks_for_memory, told
from tests.servers.telegram import Chat, Person, TelegramServer

# A few kills in every run of the tests; `MEMORA_TEST_KILLS=200 MEMORA_TEST_TURNS=300` for a thorough one.
KILLS = int(os.environ.get("MEMORA_TEST_KILLS", "8"))
TURNS = int(os.environ.get("MEMORA_TEST_TURNS", "40"))
SETTINGS = {
    "MEMORA_MEMORY__INPUT_BUDGET": "20000",
    "MEMORA_MEMORY__RECENT_TURNS": "2",
    "MEMORA_MEMORY__TRIGGER_TURNS": "3",
    "MEMORA_SUMMARY__MAX_TOKENS": "9000",
    "MEMORA_SUMMARY__PIECE_TOKENS": "400",
}


def _line(number: int) -> str:
    filler = "and it was carried by hand through the whole long building to the very last room of all"
    return f"Parcel P-{10_000 + number} has arrived at noon, {filler}, as it had been asked for."


def _note(number: int) -> str:
    return f"P-{10_000 + number} is here."


def _answered(request: Recorded) -> Answer:
    """An answer that says which parcel it is for, or a note on each message of a piece, whatever its size."""
    if not asks_for_memory(request):
        return Answer(f"Noted: {request.current[:60]}")
    operations = [
        {"op": "add", "kind": "fact", "about": each.speaker, "sources": [each.number], "text": _note(number)}
        for each in told(request)
        if each.speaker
        for number in [int(re.search(r"P-1(\d{4})", each.text)[1])]  # type: ignore[index]
    ]
    return Answer(json.dumps({"operations": operations}))


def _more(chat: Chat, than: int) -> bool:
    return len(chat.from_bot) > than


async def _feed(server: TelegramServer, chat: Chat, ann: Person) -> None:
    """Write line after line, the next when the last is answered or too long without an answer."""
    for number in range(1, TURNS + 1):
        server.say(chat, ann, _line(number))
        try:
            await server.wait_for(partial(_more, chat, len(chat.from_bot)), 1.5)
        except TimeoutError:
            continue


async def test_whenever_it_is_killed_every_message_is_folded_once_or_verbatim(tmp_path: Path) -> None:
    chance = random.Random(7)
    async with TelegramServer() as server, OpenAIServer() as provider:
        provider.answer_with(_answered)
        settings = {
            "MEMORA_TELEGRAM__API_BASE_URL": server.base_url,
            "TELEGRAM_BOT_TOKEN": server.token,
            "MEMORA_LLM__BASE_URL": provider.base_url,
            **SETTINGS,
        }
        ann = server.person("Ann")
        chat = server.private(ann)
        feeding = asyncio.create_task(_feed(server, chat, ann))
        for _ in range(KILLS):
            async with started(tmp_path, "run", **settings) as process:
                await asyncio.sleep(chance.uniform(0.5, 2.0))
                process.kill()
        async with started(tmp_path, "run", **settings) as process:
            await asyncio.wait_for(feeding, PATIENCE * 10)
            last = f"P-{10_000 + TURNS}"
            await server.wait_for(lambda: last in "".join(chat.texts[-3:]), PATIENCE * 10)
            server.say(chat, ann, "/compact")
            await server.wait_for(lambda: "Compaction" in chat.texts[-1], PATIENCE)
            process.terminate()
            assert await asyncio.wait_for(process.wait(), PATIENCE) == 0
        assert server.violations == []
        key = ConversationKey("telegram", str(server.bot.id), str(chat.id))
    await _check(tmp_path / "memora.db", key)


async def _check(file: Path, key: ConversationKey) -> None:
    async with SqliteStore.open(file, SystemClock()) as store:
        conversation = await store.find(key)
        assert conversation
        log = [message async for message in store.export(conversation)]
        said = [message for message in log if message.role == "user"]
        assert [message.text for message in said] == [_line(number) for number in range(1, TURNS + 1)]
        answers = [message.answers for message in log if message.role == "assistant"]
        assert len(answers) == len(set(answers))

        memory = await store.memory(conversation)
        assert memory.summary
        covered = [message for message in log if message.id <= memory.summary.watermark]
        assert covered + list(memory.verbatim) == log
        folded = [message for message in covered if message.role == "user"]
        notes = [(note.id, note.text) for note in memory.summary.notes]
        assert notes == [(f"n{number}", _note(number)) for number in range(1, len(folded) + 1)]
        versions = await store.versions(conversation)
        ranges = [(each.draft.first, each.draft.last) for each in versions]
        assert all(before[1] < after[0] for before, after in pairwise(ranges))
        assert sum(each.draft.folded for each in versions) == len(covered)
