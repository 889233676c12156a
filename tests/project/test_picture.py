"""The README's picture stands alone, and its drawing loses no text."""

from __future__ import annotations

from xml.etree import ElementTree

from rich.text import Text

from tests.project.picture import TARGET, columns, draw

SPACE = "{http://www.w3.org/2000/svg}"


def _texts(svg: str) -> list[str]:
    return [each.text or "" for each in ElementTree.fromstring(svg).iter(f"{SPACE}text")]


def test_what_is_there_can_be_seen_without_anything_else() -> None:
    drawn = ElementTree.fromstring(TARGET.read_text(encoding="utf-8"))
    assert {each.tag.removeprefix(SPACE) for each in drawn.iter()} == {
        "svg",
        "rect",
        "circle",
        "text",
        "path",
    }
    assert [each.attrib for each in drawn.iter() if "href" in each.attrib or "style" in each.attrib] == []
    shown = " ".join(_texts(TARGET.read_text(encoding="utf-8")))
    for expected in ("Correction", "What I remember", "from message", "Context of the last answer", "tokens"):
        assert expected in shown


def test_it_tells_of_a_correction_and_what_became_of_it() -> None:
    lines = [
        "› Hello",
        "Hi",
        "",
        "› Correction: 5",
        "Noted",
        "",
        "› /context",
        "early",
        "› /summary",
        "first",
        "",
    ]
    lines += [
        "› /summary",
        "second",
        "",
        "› How many?",
        "5",
        "",
        "› /summary",
        "third",
        "› /context",
        "late",
        "",
    ]
    left, right = ([line.plain for line in column] for column in columns([Text(line) for line in lines]))
    assert left == ["› Hello", "Hi", "⋯", "› Correction: 5", "Noted", "⋯", "› /summary", "first"]
    assert right == ["› How many?", "5", "⋯", "› /context", "late"]


def test_frames_and_bars_are_shapes_and_all_else_is_text() -> None:
    svg = draw([Text.from_ansi("╭─ \x1b[1;34mA <b> & c\x1b[0m ─╮")], [Text("│ ██■  two   words │")])
    assert _texts(svg) == ["make demo", "A <b> & c", "two", "words"]
    drawn = ElementTree.fromstring(svg)
    assert len(list(drawn.iter(f"{SPACE}path"))) == 6
    assert len(list(drawn.iter(f"{SPACE}rect"))) == 3
    bold = [each.text for each in drawn.iter(f"{SPACE}text") if each.get("font-weight") == "bold"]
    assert bold == ["A <b> & c"]
