"""The view of /summary: notes with their sources, and what they cover."""

from __future__ import annotations

from dataclasses import replace

from bot.messages import Message, Speaker
from bot.records import Memory, Note, NoteKind, Summary
from bot.views.model import Items, View
from bot.views.summary import summary_view
from bot.views.words import Words
from tests.fakes.responder import words_of
from tests.fakes.store import START, draft

EN = Words("en")
FIRST = Message(3, "user", Speaker("1", "Ann"), 1, "Hello", START)
TEA = Note("n1", NoteKind.PREFERENCE, "Ann drinks tea", 1, (3,))
EXAM = Note("n2", NoteKind.FACT, "The exam is in May", 0, tuple(range(1, 8)))


def _summary(*notes: Note, stale: frozenset[str] = frozenset()) -> Summary:
    return Summary(1, 4, draft([FIRST], *notes), START, 1_200, stale)


def _view(summary: Summary | None, members: dict[int, str] | None = None, older: int = 0) -> View:
    memory = Memory(summary, (FIRST,), older, 1, {1: "Ann"} if members is None else members)
    return summary_view(memory, [summary] if summary else [], None, START, EN)


def _items(view: View) -> list[tuple[str, list[tuple[str, str]]]]:
    return [
        (block.heading, [(item.text, item.detail) for item in block.items])
        for block in view.blocks
        if isinstance(block, Items)
    ]


def test_notes_stand_under_their_kind_with_person_and_sources() -> None:
    assert _items(_view(_summary(TEA, EXAM))) == [
        ("Facts", [("The exam is in May", "n2 · from message #1, #2, #3, #4, #5 and 2 more")]),
        ("Preferences", [("Ann drinks tea", "n1 · Ann · from message #3")]),
    ]


def test_every_kind_has_its_heading() -> None:
    notes = [replace(TEA, id=f"n{n}", kind=kind) for n, kind in enumerate(NoteKind)]
    headings = [heading for heading, _ in _items(_view(_summary(*notes)))]
    assert len(set(headings)) == len(NoteKind)


def test_a_withdrawn_note_is_not_shown_but_counted() -> None:
    view = _view(_summary(TEA, EXAM, stale=frozenset({"n1"})))
    assert "drinks tea" not in words_of(view)
    assert "Withdrawn: 1 notes, since a message they rest on was changed" in words_of(view)


def test_without_any_note_left_it_says_so() -> None:
    assert "There are no notes." in words_of(_view(_summary(TEA, stale=frozenset({"n1"}))))


def test_what_is_covered_and_what_waits_are_counted() -> None:
    said = words_of(_view(_summary(TEA), older=30))
    assert "Version: 4, made just now by gpt-5-mini" in said
    assert "1200 messages, up to #3; 31 newer ones are read word for word" in said


def test_before_the_first_one_it_says_what_holds_instead() -> None:
    assert "all 31 messages are still read word for word" in words_of(_view(None, older=30))


def test_a_person_who_is_not_known_any_more_breaks_nothing() -> None:
    assert "n1 · ? · from message #3" in words_of(_view(_summary(TEA), members={}))
