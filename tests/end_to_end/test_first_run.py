"""The first conversation without any key: the offline model, a summary, and the views of both."""

from __future__ import annotations

import re
from pathlib import Path

from tests.end_to_end.conversation import ANSWER, LINES, QUESTION, WINDOW
from tests.end_to_end.program import memora


async def test_a_fact_of_the_first_line_is_answered_from_the_summary(tmp_path: Path) -> None:
    ended = await memora(
        tmp_path, "chat", "--json", lines=[*LINES, QUESTION, "/context", "/summary"], **WINDOW
    )
    assert ended.code == 0
    assert ended.err.splitlines() == [
        "No OPENAI_API_KEY and no [llm] base_url: using the built-in offline model."
    ]
    compacted = ended.named("compaction")
    assert compacted
    replies = ended.named("reply")
    assert len(replies) == 10
    assert ANSWER in replies[-1]["text"]

    context, summary = ended.named("view")
    gauge = next(block for block in context["blocks"] if block["type"] == "gauge")
    labels = [segment["label"] for segment in gauge["segments"]]
    assert labels == ["persona", "summary", "recent", "current"]
    assert sum(segment["amount"] for segment in gauge["segments"]) == gauge["used"]
    counted = next(row[1] for block in context["blocks"] for row in block.get("rows", []) if "," in row[1])
    assert f"{gauge['used']:,}" in counted or f"{gauge['used']:,}" in str(context["blocks"])

    notes = [item for block in summary["blocks"] for item in block.get("items", [])]
    aim = next(note for note in notes if ANSWER in note["text"])
    assert re.search(r"#1\b", aim["detail"])


async def test_the_summary_survives_a_restart(tmp_path: Path) -> None:
    before = await memora(tmp_path, "chat", "--json", lines=[*LINES, "/summary"], **WINDOW)
    after = await memora(tmp_path, "chat", "--json", lines=["/summary", QUESTION], **WINDOW)
    kept, again = (
        [block for block in ended.named("view")[0]["blocks"] if block["type"] == "items"]
        for ended in (before, after)
    )
    assert kept == again != []
    assert ANSWER in after.named("reply")[0]["text"]


async def test_a_group_is_played_by_several_calls(tmp_path: Path) -> None:
    group = ("--json", "--conversation", "kitchen")
    await memora(tmp_path, "chat", *group, "--as", "Ann", lines=["I am a vegan and never eat cheese."])
    await memora(tmp_path, "chat", *group, "--as", "Bob", lines=["I love a good steak with pepper."])
    asked = await memora(tmp_path, "chat", *group, "--as", "Bob", lines=["What do I love to eat?"])
    answer = asked.named("reply")[0]["text"]
    assert "steak" in answer
    assert "Bob" in answer
    assert "cheese" not in answer


async def test_conversations_do_not_mix(tmp_path: Path) -> None:
    await memora(tmp_path, "chat", "--conversation", "a", lines=["The door code is 7741."])
    other = await memora(tmp_path, "chat", "--conversation", "b", lines=["What is the door code?"])
    assert "7741" not in other.out


async def test_a_chinese_conversation_is_answered_in_chinese(tmp_path: Path) -> None:
    lines = ["我的多益考試在下個月18號,目標是850分,聽力是我的弱項。", "我的目標是幾分?"]
    ended = await memora(tmp_path, "chat", "--json", lines=lines)
    assert "850" in ended.named("reply")[1]["text"]
    assert re.search(r"[\u4e00-\u9fff]", ended.named("reply")[1]["text"])


async def test_the_demonstration_ends_with_the_corrected_fact(tmp_path: Path) -> None:
    ended = await memora(tmp_path, "demo", "--fast")
    assert ended.code == 0, ended.err
    assert "900" in ended.out
    assert " → " in ended.out
    assert not (tmp_path / "memora.db").exists()
