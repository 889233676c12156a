"""Corrections: in answers and in notes only the corrected fact is left."""

from __future__ import annotations

import re

import pytest

from bot.llm.offline import OfflineModel
from tests.bot.llm.offline.checker import Memory, Note
from tests.bot.llm.offline.requests import bot, reply

ENGLISH = "My TOEIC exam is on the 18th next month, my aim is 850 and listening is my weak point."
CHINESE = "我的多益考試在下個月18號，目標是850分，聽力是我的弱項。"
SIMPLIFIED = "我的托业考试在下个月18号，目标是850分，听力是我的弱项。"
# A reply as long as models give it: notes have to be smaller than what they replace.
THANKS = "Thank you for telling me. There is a lot to say about this, so let us come back to it in a while."
DAY, CHINESE_DAY, SIMPLIFIED_DAY = "Which day is my exam?", "我的考試是哪一天？", "我的考试是哪一天？"
AIM, CHINESE_AIM = "What is my aim?", "我的目標是幾分？"

# What was said, its correction, a question, what the answer holds, what it no longer holds.
CASES = [
    (ENGLISH, "Actually, my exam is on the 20th.", DAY, "20th", "18th"),
    (ENGLISH, "Sorry, it's on the 20th, not the 18th.", DAY, "20th", "on the 18th next"),
    (ENGLISH, "Sorry, the 20th.", DAY, "20th", "18th"),
    (ENGLISH, "The exam was moved to the 20th.", DAY, "20th", "18th"),
    (ENGLISH, "I got it wrong. My exam is on the 20th.", DAY, "20th", "18th"),
    (ENGLISH, "Correction: my aim is not 850 but 900.", AIM, "900", "my aim is 850"),
    (ENGLISH, "I meant 900 instead of 850.", AIM, "900", "my aim is 850"),
    (CHINESE, "更正，考試是20號。", CHINESE_DAY, "20號", "18號"),
    (CHINESE, "考試不是18號，而是20號。", CHINESE_DAY, "20號", "在下個月18號"),
    (CHINESE, "其實是20號。", CHINESE_DAY, "20號", "18號"),
    (CHINESE, "考試改到20號了。", CHINESE_DAY, "20號", "18號"),
    (CHINESE, "我說錯了，目標是900分。", CHINESE_AIM, "900", "850"),
    (SIMPLIFIED, "不对，考试是20号。", SIMPLIFIED_DAY, "20号", "18号"),
    (SIMPLIFIED, "考试从18号改成20号。", SIMPLIFIED_DAY, "20号", "在下个月18号"),
]


@pytest.mark.parametrize(("fact", "correction", "question", "new", "old"), CASES)
async def test_an_answer_holds_the_corrected_fact_only(
    model: OfflineModel, fact: str, correction: str, question: str, new: str, old: str
) -> None:
    answer = await reply(model, fact, bot("OK"), "I had tea.", correction, bot("OK"), question)
    assert new in answer
    assert old not in answer


@pytest.mark.parametrize(("fact", "correction", "question", "new", "old"), CASES)
async def test_what_a_correction_leaves_alone_is_still_told(
    model: OfflineModel, fact: str, correction: str, question: str, new: str, old: str
) -> None:
    ask = (
        "我的弱項是什麼？"
        if fact is CHINESE
        else "我的弱项是什么？"
        if fact is SIMPLIFIED
        else "What's my weak point?"
    )
    answer = await reply(model, fact, bot("OK"), correction, bot("OK"), ask)
    assert any(word in answer for word in ("listening", "聽力", "听力"))
    assert old not in answer


@pytest.mark.parametrize(("fact", "correction", "question", "new", "old"), CASES)
@pytest.mark.parametrize("together", [True, False])
async def test_the_notes_hold_the_corrected_fact_only(
    memory: Memory, fact: str, correction: str, question: str, new: str, old: str, together: bool
) -> None:
    pieces = [[(1, fact), (0, THANKS)], [(1, correction), (0, THANKS)]]
    for piece in [pieces[0] + pieces[1]] if together else pieces:
        operations = await memory.fold(piece)
    corrected = next(note for note in memory.notes if new in note.text)
    assert corrected.kind == "correction"
    assert (corrected.about, len(memory.notes)) == (1, 1)
    number = re.findall(r"\d+", old)[0]
    assert not re.search(rf"(?<!\d){number}(?!\d)", corrected.text)
    assert any(word in corrected.text for word in ("listening", "聽力", "听力"))
    assert operations[-1]["sources"][-1] == (3 if together else 1)


@pytest.mark.parametrize(
    ("note", "correction"),
    [
        ("My math exam is on the 3rd", "Actually, my TOEIC exam is on the 19th."),
        ("My exam is on the 18th", "Actually, my exam is hard."),
        ("I like tea", "Actually, I like coffee."),
        ("I live in Osaka", "No, thanks."),
        ("I'm worried about my job", "No worries, I'm fine."),
        ("我喜歡茶", "其實我喜歡咖啡。"),
    ],
)
async def test_what_corrects_nothing_changes_nothing(memory: Memory, note: str, correction: str) -> None:
    memory.notes = [Note("n1", "fact", 1, note)]
    memory.next_note = 2
    await memory.fold([(1, correction), (0, THANKS)])
    assert memory.notes[0] == Note("n1", "fact", 1, note)


async def test_another_person_does_not_correct_what_one_says_of_oneself(memory: Memory) -> None:
    await memory.fold([(1, "I'm from Osaka and my exam is on the 18th."), (0, THANKS)])
    await memory.fold([(2, "Actually, my exam is on the 20th."), (0, THANKS)])
    assert [note.about for note in memory.notes] == [1, 2]
    assert "18th" in memory.texts[0]


async def test_anybody_corrects_what_concerns_everybody(memory: Memory) -> None:
    await memory.fold([(1, "The meeting is on Monday at 9:30 in room 4."), (0, THANKS)])
    await memory.fold([(2, "Correction: the meeting is on Monday at 10:30 in room 4."), (0, THANKS)])
    (note,) = memory.notes
    assert "10:30" in note.text
    assert note.about == 2


async def test_another_figure_for_the_same_thing_takes_its_place(memory: Memory) -> None:
    await memory.fold([(1, "My aim is 850. I live in Taipei."), (0, THANKS)])
    await memory.fold([(1, "My aim is 900 by now."), (0, THANKS)])
    assert sorted(memory.texts) == ["I live in Taipei.", "My aim is 900 by now."]


async def test_a_note_that_another_model_wrote_is_corrected_in_place(memory: Memory) -> None:
    memory.notes = [Note("n7", "fact", 1, "Ann's exam is on 18 December 2026; her aim is 850.")]
    memory.next_note = 8
    await memory.fold([(1, "Actually my exam is on the 20th."), (0, THANKS)])
    assert memory.notes == [Note("n7", "correction", 1, "my exam is on the 20th; her aim is 850.")]
