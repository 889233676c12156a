"""What an operator types, and what comes back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.end_to_end.program import memora


@pytest.mark.parametrize(
    ("settings", "path"),
    [
        ({"MEMORA_MEMORY__RECENT_TURNS": "0"}, "memory.recent_turns"),
        ({"MEMORA_MEMORY__TRIGGER_RATIO": "1.5"}, "memory.trigger_ratio"),
        ({"MEMORA_MEMORY__TYPO": "1"}, "memory.typo"),
        ({"MEMORA_MEMORY__INPUT_BUDGET": "200", "MEMORA_BOT__PERSONA": "word " * 300}, "memory.input_budget"),
        ({"MEMORA_TELEGRAM__MODE": "webhook"}, "telegram.mode"),
    ],
)
async def test_impossible_settings_are_refused_by_name(
    tmp_path: Path, settings: dict[str, str], path: str
) -> None:
    ended = await memora(tmp_path, "chat", lines=["hello"], **settings)
    assert ended.code == 2
    assert path in ended.err
    assert "Traceback" not in ended.err
    assert ended.out == ""


async def test_a_wrong_command_is_refused_with_its_usage(tmp_path: Path) -> None:
    ended = await memora(tmp_path, "dance")
    assert ended.code == 2
    assert "usage: memora" in ended.err


async def test_run_without_a_token_says_what_is_missing(tmp_path: Path) -> None:
    ended = await memora(tmp_path, "run")
    assert ended.code == 2
    assert "TELEGRAM_BOT_TOKEN" in ended.err


async def test_a_conversation_can_be_listed_exported_and_backed_up(tmp_path: Path) -> None:
    await memora(tmp_path, "chat", "--conversation", "work", lines=["My locker is number 4711.", "Thanks!"])
    listed = await memora(tmp_path, "conversations")
    assert listed.out.startswith("terminal:local:work\t")

    exported = await memora(tmp_path, "export", "terminal:local:work", "--format", "jsonl")
    rows = [json.loads(line) for line in exported.out.splitlines()]
    assert [row["role"] for row in rows] == ["user", "assistant", "user", "assistant"]
    assert rows[0]["text"] == "My locker is number 4711."

    readable = await memora(tmp_path, "export", "terminal:local:work", "--format", "md")
    assert "> My locker is number 4711." in readable.out

    copied = await memora(tmp_path, "backup", "copy.db")
    assert copied.code == 0
    restored = await memora(
        tmp_path, "export", "terminal:local:work", MEMORA_STORAGE__PATH=str(tmp_path / "copy.db")
    )
    assert restored.out == exported.out

    unknown = await memora(tmp_path, "export", "terminal:local:nothing")
    assert unknown.code == 2
    assert "terminal:local:nothing" in unknown.err


async def test_check_says_what_works_and_what_is_missing(tmp_path: Path) -> None:
    ended = await memora(tmp_path, "check")
    assert ended.code == 0
    assert "OPENAI_API_KEY: not set, using the offline model" in ended.out
    assert "writable" in ended.out

    idle = await memora(tmp_path, "check", "--running")
    assert idle.code == 1
    assert "not running" in idle.out


async def test_check_online_reaches_for_everything(tmp_path: Path) -> None:
    nobody = "http://127.0.0.1:9"
    ended = await memora(
        tmp_path,
        "check",
        "--online",
        MEMORA_LLM__BASE_URL=f"{nobody}/v1",
        MEMORA_LLM__MAX_RETRIES="0",
        MEMORA_TELEGRAM__API_BASE_URL=nobody,
        TELEGRAM_BOT_TOKEN="1:secret-token",
    )
    assert ended.code == 1
    assert "FAIL  model gpt-5-mini: ModelUnreachable" in ended.out
    assert "FAIL  telegram" in ended.out
    assert "secret-token" not in ended.out + ended.err


async def test_the_version_is_named(tmp_path: Path) -> None:
    ended = await memora(tmp_path, "--version")
    assert ended.code == 0
    assert ended.out.startswith("memora 0.")
