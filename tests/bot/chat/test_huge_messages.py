"""A message larger than the summariser's piece is folded part by part, with the progress kept after each."""

from __future__ import annotations

import json
import re
from pathlib import Path

from bot.config import Settings
from bot.errors import ModelUnreachable
from bot.ports import ModelRequest, TokenCounter
from bot.records import LiteralLine, Part
from tests.bot.chat.core import Core, add, operations, running

PIECE = 500
HUGE = " ".join(f"Sentence number {n} tells of the garden." for n in range(600))
SETTINGS = Settings.model_validate(
    {
        "memory": {"recent_turns": 1, "trigger_turns": 2, "input_budget": 200_000, "reply_wait": 0.0},
        "summary": {"max_tokens": 400, "piece_tokens": PIECE},
    }
)


def _told(request: ModelRequest) -> list[str]:
    rows = re.findall(r'^\d+ #\d+ (".*")$', request.messages[0].text, re.MULTILINE)
    return [json.loads(row) for row in rows]


# The first piece makes a note, later ones add nothing.
ANSWERS = (operations(add("tells of the garden", 1)), *[operations()] * 100)


async def _huge_talk(core: Core) -> None:
    core.summaries.script(*ANSWERS)
    await core.say(HUGE)
    for text in ("My order is AB-4711.", "Two more.", "And three.", "Four."):
        await core.say(text)
        await core.compactor.join()


async def test_it_is_folded_in_bounded_pieces(tmp_path: Path, counter: TokenCounter) -> None:
    async with running(tmp_path / "m.db", counter, SETTINGS) as core:
        await _huge_talk(core)
        parts = [
            text
            for request in core.summaries.requests
            for text in _told(request)
            if text.startswith("Sentence")
        ]
        assert "".join(parts) == HUGE
        assert len(parts) > 10
        assert all(counter.count(part) <= PIECE for part in parts)
        versions = await core.store.versions(await core.conversation())
        begun = [version.draft.partial for version in versions if version.draft.partial]
        assert [partial.done for partial in begun] == sorted({partial.done for partial in begun})
        summary = (await core.memory()).summary
        assert summary is not None
        assert summary.draft.partial is None
        assert [note.text for note in summary.notes] == ["tells of the garden"]


async def test_it_goes_on_where_it_stopped(tmp_path: Path, counter: TokenCounter) -> None:
    async with running(tmp_path / "m.db", counter, SETTINGS) as core:
        core.summaries.script(*ANSWERS[:3], ModelUnreachable("down"))
        await core.say(HUGE)
        for text in ("One more.", "Two more.", "And three."):
            await core.say(text)
            await core.compactor.join()
        before = (await core.memory()).summary
        assert before is not None
        assert before.draft.partial is not None
    async with running(tmp_path / "m.db", counter, SETTINGS, core.clock) as later:
        later.summaries.script(*ANSWERS[1:])
        later.clock.pass_time(7200)
        await later.command("/compact")
        (first, *_) = _told(later.summaries.requests[0])
        assert HUGE[before.draft.partial.done :].startswith(first)


async def test_a_folded_order_number_stays_in_the_request(tmp_path: Path, counter: TokenCounter) -> None:
    async with running(tmp_path / "m.db", counter, SETTINGS) as core:
        await _huge_talk(core)
        summary = (await core.memory()).summary
        assert summary is not None
        assert LiteralLine(3, 1, ("AB-4711",)) in summary.draft.literals
        background = core.last.messages[0]
        assert background.role == "developer"
        assert '- #1 Ann said: "AB-4711"' in background.text
        part = next(part for part in await _parts(core) if part.name == "summary")
        assert part.tokens > summary.draft.tokens


async def _parts(core: Core) -> tuple[Part, ...]:
    record = await core.store.last_request(await core.conversation())
    assert record
    return record.parts
