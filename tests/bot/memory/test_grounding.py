"""What a note may say only if its sources say it, or if it can be worked out from them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bot.memory.grounding import missing

# A Tuesday.
TUESDAY = datetime(2026, 12, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("note", "source"),
    [
        ("The aim is 850.", "my aim is 850"),
        ("考試是18號。", "考試在18號"),
        ("It costs 1200.", "1,200 euros"),
        ("Her number is 0912-345-678.", "call 0912-345-678"),
        ("See https://example.org/x", "look at https://example.org/x, please"),
        ("They have 3 children.", "we have three children"),
        ("有2隻貓。", "我有兩隻貓"),
        ("30 people come.", "thirty people come"),
        ("They meet at 20:00.", "at 8pm"),
        ("They meet at 20:30.", "let's meet at 8:30"),
        ("晚上20:00見。", "晚上8點見"),
        ("The exam is on the 18th next month (2027-01-18).", "the exam is on the 18th next month"),
        ("考試是下個月18號（2027-01-18）。", "考試在下個月18號"),
        ("考試是2027年1月18日。", "考試在下個月18號"),
        ("They meet on 2 December 2026.", "we meet tomorrow"),
        ("12月2日見。", "明天見"),
        ("後天（2026-12-03）見。", "後天見"),
        ("Saw it on 2026-11-30.", "I saw it yesterday"),
        ("Next Friday is 2026-12-04.", "see you next Friday"),
        ("Next Friday is 2026-12-11.", "see you next Friday"),
        ("下週五（2026-12-11）交。", "下週五交"),
        ("Last Monday, 2026-11-30.", "it was last Monday"),
        ("In two weeks (2026-12-15).", "I fly in two weeks"),
        ("三天後（2026-12-04）。", "三天後出發"),
        ("Since 2026-09.", "I started three months ago"),
        ("Moves in May 2027.", "I move in May next year"),
        ("Moves in 2027.", "I move next year"),
        ("Was born on 1987-05-03.", "born on 3 May 1987"),
        ("Said on 2026-12-01 that it hurts.", "it hurts"),
        ("Am 2026-12-02 zum Arzt.", "morgen gehe ich zum Arzt und das ist gut"),
        ("Lives at 12 Harbour St.", "my house is 12 Harbour Street"),
    ],
)
def test_a_literal_may_be_kept_or_worked_out(note: str, source: str) -> None:
    assert missing(note, [(source, TUESDAY)]) == set()


@pytest.mark.parametrize(
    ("note", "source", "invented"),
    [
        ("The aim is 900.", "my aim is 850", "900"),
        ("The aim is 85.", "my aim is 850", "85"),
        ("Her order is X-771.", "my order is X-772", "X-771"),
        ("See https://example.org/y", "look at https://example.org/x", "https://example.org/y"),
        ("He was born in 1987.", "he is old", "1987"),
        ("He was born in 2027.", "he is old", "2027"),
        ("It costs $30.", "it is cheap", "$30"),
        ("The exam is on 2027-01-19.", "the exam is on the 18th next month", "2027-01-19"),
        ("The exam is on 2027-03-18.", "the exam is on the 18th next month", "2027-03-18"),
        ("They meet on 3 December 2026.", "we meet tomorrow", "3 December 2026"),
        ("12月5日見。", "明天見", "12月5日"),
        ("Next Friday is 2026-12-10.", "see you next Friday", "2026-12-10"),
        ("Next Friday is 2026-12-04.", "see you on some day", "2026-12-04"),
        ("Last Monday, 2026-12-07.", "it was last Monday", "2026-12-07"),
        ("They meet at 21:00.", "at 8pm", "21:00"),
        ("They meet at 20:00.", "at 8am", "20:00"),
        ("Her number is 0912-345-679.", "call 0912-345-678", "0912-345-679"),
        ("Lives at 14 Harbour Street.", "my house is 12 Harbour Street", "14 Harbour Street"),
    ],
)
def test_an_invented_literal_is_named(note: str, source: str, invented: str) -> None:
    assert missing(note, [(source, TUESDAY)]) == {invented}


def test_a_date_is_worked_out_from_its_own_message() -> None:
    later = datetime(2027, 3, 1, tzinfo=UTC)
    sources = [("we meet tomorrow", TUESDAY), ("the weather is fine", later)]
    assert missing("On 2026-12-02.", sources) == set()
    assert missing("On 2027-03-02.", sources) == {"2027-03-02"}


def test_words_without_a_day_explain_no_date() -> None:
    assert missing("On 2026-12-02.", [("we meet tomorrow", None)]) == {"2026-12-02"}
    assert missing("On 2026-12-02.", [("on 2 December 2026", None)]) == set()
