"""Views and their buttons as people see them in a chat."""

from __future__ import annotations

from collections.abc import Sequence

from bot.messages import CommandCall
from bot.views.model import Action, Fields, Gauge, Item, Items, Paragraph, Segment, View
from tests.adapters.telegram.talk import Talk

PAGE = View(
    "history",
    "History",
    (
        Paragraph("Two messages, *as they are*"),
        Fields((("Stored", "12"), ("Sent", "8"))),
        Gauge((Segment("persona", 40), Segment("summary", 60)), 200, "tokens"),
        Items((Item("I am <b>vegan</b>", "#3 · Ann"), Item("noted")), "Page 1 of 2"),
    ),
    (
        Action("‹ Older", CommandCall("history", "2")),
        Action("Erase", CommandCall("reset", "confirm 1"), danger=True),
    ),
)


async def test_a_view_is_drawn_with_all_its_blocks_and_buttons(talk: Talk) -> None:
    await (await talk.asks("/history")).show(PAGE)
    (post,) = talk.chat.from_bot
    assert "Two messages, *as they are*" in post.text
    assert "Stored: 12\nSent: 8" in post.text
    assert "100 / 200 tokens (50%)" in post.marked("pre")[0]
    assert "• I am <b>vegan</b>\n   #3 · Ann\n• noted" in post.text
    assert post.marked("bold") == ["History", "Stored", "Sent", "Page 1 of 2"]
    data = [(button["callback_data"], button.get("style")) for button in post.buttons]
    assert data == [("/history 2", None), ("/reset confirm 1", "danger")]


async def test_a_pressed_button_changes_its_view_in_place(talk: Talk) -> None:
    await (await talk.asks("/history")).show(PAGE)
    responder = await talk.presses(talk.chat.from_bot[0], "‹ Older")
    await responder.show(View("history", "History", (Paragraph("Page 2"),)))
    (post,) = talk.chat.from_bot
    assert (post.text, post.buttons) == ("History\n\nPage 2", [])
    await responder.show(View("history", "History", (Paragraph("Page 2"),)))  # pressed twice: no matter
    assert len(talk.chat.from_bot) == 1


def long_view(pages: Sequence[str]) -> View:
    items = tuple(Item(page * 60) for page in pages)
    return View("history", "History", (Items(items),), (Action("Next", CommandCall("history", "2")),))


async def test_a_long_view_is_replaced_in_all_its_messages(talk: Talk) -> None:
    await (await talk.asks("/history")).show(long_view([f"item {n} " for n in range(12)]))
    first = talk.chat.from_bot
    assert [len(post.buttons) for post in first] == [0, 1]
    await (await talk.presses(first[-1], "Next")).show(long_view([f"other {n} " for n in range(12)]))
    second = talk.chat.from_bot
    assert [post.id for post in second] == [post.id for post in first]
    assert all("item" not in post.text for post in second)
    await (await talk.presses(second[-1], "Next")).show(long_view(["end"]))
    assert [post.id for post in talk.chat.from_bot] == [first[0].id]
