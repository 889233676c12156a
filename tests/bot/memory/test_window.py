"""What one request holds, and that its parts add up."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import ContextTooLarge
from bot.memory.tokens import TiktokenCounter, request_tokens
from bot.memory.window import ContextWindow, Frame, build_window, trimmed_window
from bot.messages import ChatKind, Message
from bot.records import Memory, Note, NoteKind, Summary, SummaryDraft
from tests.bot.memory.talk import MEMBERS, NOON, dialogue, said

FRAME = Frame("Be kind.", ChatKind.PRIVATE, 600, 500)
AIM = Note("n3", NoteKind.GOAL, "The aim is 850.", 1, (1,))


def _summary(*notes: Note, stale: frozenset[str] = frozenset()) -> Summary:
    draft = SummaryDraft(None, 1, 4, 4, notes, 9, 100, 20, "m", 1, 1, 0.1, "turns", NOON)
    return Summary(1, 1, draft, NOON, 4, stale)


def _memory(messages: list[Message], summary: Summary | None = None, older: int = 0) -> Memory:
    return Memory(summary, tuple(messages), older, len(messages) + older, MEMBERS)


def _counted(window: ContextWindow, counter: TiktokenCounter) -> int:
    request = window.request()
    return request_tokens(counter, request.instructions, request.messages)


def test_persona_summary_recent_and_current_come_in_this_order(counter: TiktokenCounter) -> None:
    messages = dialogue(2)
    current = said(5, "What is my aim?")
    window = build_window(FRAME, _memory([*messages, current], _summary(AIM)), current, NOON, counter)
    request = window.request()
    assert request.instructions.startswith("Be kind.")
    assert "2026-12-01 (Tuesday)" in request.instructions
    assert [message.role for message in request.messages] == [
        *("developer", "user", "assistant", "user", "assistant", "user")
    ]
    assert request.messages[0].text.endswith('\n- n3 goal, #1 Ann: "The aim is 850."')
    assert request.messages[-1].text == "What is my aim?"
    assert [part.name for part in window.parts] == ["persona", "summary", "recent", "current"]
    assert window.sent == 5
    assert window.left_out == 0


def test_a_stale_note_is_not_sent(counter: TiktokenCounter) -> None:
    current = said(5, "?")
    memory = _memory([current], _summary(AIM, stale=frozenset({"n3"})))
    window = build_window(FRAME, memory, current, NOON, counter)
    assert "850" not in str(window.request())
    assert [part.name for part in window.parts] == ["persona", "current"]


def test_in_a_group_everybody_is_named(counter: TiktokenCounter) -> None:
    frame = replace(FRAME, kind=ChatKind.GROUP)
    messages = [said(1, "I'm vegan"), said(2, "I love steak", by=2), said(3, "what do I eat?", by=2)]
    window = build_window(frame, _memory(messages), messages[-1], NOON, counter)
    texts = [message.text for message in window.request().messages]
    assert texts == ["[#1 Ann] I'm vegan", "[#2 Bob] I love steak", "[#2 Bob] what do I eat?"]


def test_what_can_never_fit_is_named_with_its_size(counter: TiktokenCounter) -> None:
    current = said(5, "word " * 700)
    with pytest.raises(ContextTooLarge) as raised:
        build_window(FRAME, _memory([current]), current, NOON, counter)
    assert raised.value.budget == 600
    assert raised.value.parts["current"] > 600


def test_what_does_not_fit_gives_way_to_a_digest(counter: TiktokenCounter) -> None:
    messages = [
        said(1, "My order number is AB-4711 and it must arrive on Friday."),
        *(said(number, "filler words without any meaning " * 6) for number in range(2, 20)),
    ]
    current = said(30, "Where is my order?")
    window = trimmed_window(FRAME, _memory([*messages, current]), current, NOON, counter)
    assert [part.name for part in window.parts] == ["persona", "digest", "recent", "current"]
    digest = window.request().messages[0]
    assert digest.role == "developer"
    assert "AB-4711" in digest.text
    assert window.left_out == 20 - window.sent
    assert window.tokens <= FRAME.budget


def test_what_was_not_even_loaded_counts_as_left_out(counter: TiktokenCounter) -> None:
    current = said(30, "hi")
    window = build_window(FRAME, _memory([current], older=70), current, NOON, counter)
    assert window.left_out == 70


def test_the_record_tells_what_the_window_holds(counter: TiktokenCounter) -> None:
    current = said(5, "What is my aim?")
    window = build_window(FRAME, _memory([*dialogue(2), current], _summary(AIM)), current, NOON, counter)
    record = window.record("m", NOON + timedelta(seconds=1), 2, None)
    assert (record.counted, record.counted_by) == (window.tokens, "local")
    assert record.parts == window.parts
    assert (record.stored, record.summarised, record.newly_summarised, record.sent) == (5, 4, 2, 5)
    assert window.record("m", NOON, 2, 321).counted == 321
    assert window.record("m", NOON, 2, 321).counted_by == "api"


texts = st.text(max_size=120)


@given(
    st.lists(st.tuples(st.integers(1, 2), texts), max_size=12),
    st.lists(texts.map(str.strip).filter(bool), max_size=4),
    st.sampled_from(list(ChatKind)),
    st.integers(250, 900),
)
def test_parts_add_up_and_the_budget_holds(
    counter: TiktokenCounter,
    said_texts: list[tuple[int, str]],
    notes: list[str],
    kind: ChatKind,
    budget: int,
) -> None:
    frame = replace(FRAME, kind=kind, budget=budget)
    messages = [said(n, text, by=by) for n, (by, text) in enumerate(said_texts, start=10)]
    current = said(99, "And now?")
    kept = [Note(f"n{n}", NoteKind.FACT, text, 1, (1,)) for n, text in enumerate(notes)]
    memory = _memory([*messages, current], _summary(*kept))
    try:
        whole = build_window(frame, memory, current, NOON, counter)
        trimmed = trimmed_window(frame, memory, current, NOON, counter)
    except ContextTooLarge:
        smallest = replace(frame, budget=10_000)
        assert (
            build_window(smallest, _memory([current], memory.summary), current, NOON, counter).tokens > budget
        )
        return
    for window in (whole, trimmed):
        assert window.tokens == _counted(window, counter)
        assert window.sent + window.left_out == len(messages) + 1
        assert window.request().messages[-1].text.endswith("And now?")
    assert whole.left_out == 0
    assert trimmed.tokens <= budget
    if whole.tokens <= budget:
        assert trimmed == whole
