"""A long conversation in a terminal with a provider: what was sent, folded, and kept over a crash."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from pathlib import Path

import pytest

from bot.clock import SystemClock
from bot.memory.tokens import TiktokenCounter, encoding_for
from bot.messages import ConversationKey
from bot.records import Note
from bot.store import SqliteStore
from tests.end_to_end.program import PATIENCE, memora, started
from tests.servers.openai import Answer, OpenAIServer, Recorded, asks_for_memory, echo, fold

BUDGET = 1500
SMALL = {
    "MEMORA_MEMORY__INPUT_BUDGET": str(BUDGET),
    "MEMORA_MEMORY__RECENT_TURNS": "3",
    "MEMORA_MEMORY__TRIGGER_TURNS": "4",
    "MEMORA_SUMMARY__MAX_TOKENS": "500",
}


def _said(number: int) -> str:
    return (
        f"Parcel number {number * 7919} went to the warehouse in lane {number}, weighing {number + 3} kilos."
    )


def _texts(request: Recorded) -> list[tuple[str, str]]:
    """(role, text) of a request's messages, whichever API carried it."""
    entries = request.body.get("input", request.body.get("messages"))
    return [(entry["role"], _plain(entry["content"])) for entry in entries]


def _plain(content: object) -> str:
    if isinstance(content, str):
        return content
    assert isinstance(content, list)
    return "".join(piece["text"] for piece in content)


def _folded(request: Recorded) -> list[int]:
    """Numbers of the parcels whose own message was given to the summariser."""
    material = next(text for role, text in _texts(request) if role == "user")
    told = material.split("\nMessages\n", 1)[1]
    rows = re.findall(r'^\d+ #[1-9]\d* "Parcel number (\d+) ', told, re.MULTILINE)
    return [int(row) // 7919 for row in rows]


@pytest.mark.parametrize("api", ["responses", "chat"])
async def test_sixty_turns_stay_within_the_budget_and_are_folded_once(tmp_path: Path, api: str) -> None:
    async with OpenAIServer() as server:
        lines = [_said(number) for number in range(1, 61)]
        ended = await memora(
            tmp_path,
            "chat",
            "--json",
            lines=lines,
            MEMORA_LLM__BASE_URL=server.base_url,
            MEMORA_LLM__API=api,
            **SMALL,
        )
        assert ended.code == 0, ended.err
        assert server.violations == []
        assert len(ended.named("reply")) == 60
        assert len(server.answers) == 60
        counter = TiktokenCounter(encoding_for("gpt-5-mini"))
        for request in server.answers:
            texts = _texts(request)
            sent = sum(counter.count(text) + 4 for _, text in texts)
            sent += counter.count(request.body.get("instructions", ""))
            assert sent <= BUDGET
            assert texts[-1][0] == "user"
        folded = Counter(number for request in server.summaries for number in _folded(request))
        assert len(folded) > 40
        assert set(folded.values()) == {1}
        last = _texts(server.answers[-1])
        background = [
            text for role, text in last if role == "developer" and re.search(r"^- n\d+ ", text, re.MULTILINE)
        ]
        assert len(background) == 1
        assert _said(60) == last[-1][1]


async def test_killed_in_the_middle_it_goes_on_as_if_nothing_had_happened(tmp_path: Path) -> None:
    async with OpenAIServer() as server:
        held = asyncio.Event()

        def answered(request: Recorded) -> Answer:
            answer = fold(request) if asks_for_memory(request) else echo(request)
            second = asks_for_memory(request) and len(server.summaries) == 2
            return Answer(answer.text, hold=held) if second else answer

        server.answer_with(answered)
        settings = {"MEMORA_LLM__BASE_URL": server.base_url, **SMALL}
        lines = [_said(number) for number in range(1, 31)]
        async with started(tmp_path, "chat", **settings) as process:
            assert process.stdin
            process.stdin.write("".join(f"{line}\n" for line in lines).encode())
            await server.wait_for(2, "summaries")
            process.kill()
            await asyncio.wait_for(process.wait(), PATIENCE)
        held.set()
        before = await _summaries(tmp_path)
        assert len(before) == 1
        folded_before = _folded(server.summaries[0])
        interrupted = _folded(server.summaries[1])

        again = [_said(number) for number in range(31, 41)]
        ended = await memora(tmp_path, "chat", lines=again, **settings)
        assert ended.code == 0, ended.err

        after = await _summaries(tmp_path)
        assert after[0] == before[0]
        later = Counter(number for request in server.summaries[2:] for number in _folded(request))
        assert set(later.values()) == {1}
        assert not set(folded_before) & set(later)
        assert set(interrupted) <= set(later)
        assert server.violations == []


async def _summaries(folder: Path) -> list[tuple[int, int, int, tuple[Note, ...]]]:
    """Version, range and notes of every summary in the file."""
    async with SqliteStore.open(folder / "memora.db", SystemClock()) as store:
        conversation = await store.find(ConversationKey("terminal", "local", "default"))
        assert conversation
        versions = await store.versions(conversation)
    return [(each.version, each.draft.first, each.watermark, each.draft.notes) for each in versions]
