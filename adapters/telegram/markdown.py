"""Prepares a model's Markdown so that nothing of it is lost when it becomes Telegram's entities. Pure.

telegramify-markdown follows CommonMark, which drops or swallows what people mean as text: tags such as
`List<int>`, addresses of links in tables, unused link definitions, the underscores of `__init__`. The source
is changed where the parser says that this would happen, and parsed again until nothing is left to change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from adapters.telegram.source import Edit, Source, tag, value

# Telegram drops all other addresses from links without a word, those of hosts without a dot too.
LINKABLE = re.compile(r"https?://[^/?#\s]+\.[^/?#\s]+|tg://|tonsite://", re.IGNORECASE)
_BREAK = re.compile(rb"<br\s*/?>", re.IGNORECASE)
_DEFINITION = re.compile(rb"^[ >]*(\[((?:[^\]\[\\\n]|\\.)+)\]:).*", re.MULTILINE)
_SPECIAL = re.compile(r"([\\`*_\[\]<>&~|$])")
_SPOILER = re.compile(rb"(?<!\\)\|\|(.+?)\|\|", re.DOTALL)
_IDENTIFIER = re.compile(rb"__[a-z0-9_]+__")
_LINKS = ("Start Link", "Start Image")
_ROUNDS = 12


class Unsettled(Exception):
    """The source can't be brought into a form that keeps all its text."""


def prepared(markdown: str) -> str:
    """Markdown that keeps all its text when telegramify-markdown converts it. Raises Unsettled."""
    text = with_dollars(markdown)
    for _ in range(_ROUNDS):
        source = Source(text)
        edits = list(_edits(source))
        if not edits and source.drops_text(_definitions(source)):
            break
        if not edits:
            return with_closed_emphasis(source)
        text = source.edited(edits)
    raise Unsettled


def _edits(source: Source) -> Iterator[Edit]:
    containers: list[str] = []
    for index, (event, start, end) in enumerate(source.events):
        name = tag(event)
        if name.startswith("Start "):
            containers.append(name)
        elif name.startswith("End "):
            containers.pop()
        if name in ("Html", "InlineHtml"):
            yield from _shown_tag(source, start, end, containers)
        elif name in _LINKS:
            yield from _kept_address(source, index, "Start TableCell" in containers)
        elif name in ("Start Emphasis", "Start Strong"):
            yield from _literal_marks(source, start, end, 1 if name == "Start Emphasis" else 2)
        elif name == "Start CodeBlock" and not source.inside(index).strip():
            yield Edit(start, start, b"\\")  # an empty block would lose what stands beside its fence
        elif name in ("InlineMath", "Start Strikethrough"):
            yield from _literal_signs(source, start, end)
    yield from _kept_definitions(source)
    yield from _kept_bars(source)


def _shown_tag(source: Source, start: int, end: int, containers: list[str]) -> Iterator[Edit]:
    """A tag is text; only a line break is what it says."""
    if _BREAK.fullmatch(source.data[start:end]):
        inside = {"Start TableCell", "Start Heading"} & set(containers)
        yield Edit(start, end, b" " if inside else b"\\\n")
    elif (found := source.data.find(b"<", start, end)) >= 0:
        yield Edit(found, found, b"\\")


def _kept_address(source: Source, index: int, in_table: bool) -> Iterator[Edit]:
    """Addresses that Telegram can't link, and those in tables, are written out after the link's text."""
    event, start, end = source.events[index]
    link = value(event)
    footnote = link["id"].startswith("^")
    if link["link_type"] in ("Autolink", "Email") or footnote or not link["dest_url"]:
        return
    inner = source.inside(index)
    if inner and not in_table and not link["title"] and LINKABLE.match(link["dest_url"]):
        return
    address, title = (_SPECIAL.sub(r"\\\1", link[part]).encode() for part in ("dest_url", "title"))
    told = [part for part in (address, title) if part and part != inner]
    yield Edit(start, end, inner + b" (" + b", ".join(told) + b")" if inner and told else address)


def _literal_marks(source: Source, start: int, end: int, width: int) -> Iterator[Edit]:
    """`2*3*4` and `__init__` are no emphasis: both marks become text."""
    marked = source.data[start:end]
    star = marked.startswith(b"*") and source.is_word(start - 1) and source.is_word(end)
    if star or (width == 2 and _IDENTIFIER.fullmatch(marked)):
        for offset in (*range(start, start + width), *range(end - width, end)):
            yield Edit(offset, offset, b"\\")


def _literal_signs(source: Source, start: int, end: int) -> Iterator[Edit]:
    """`$10.49 (~$11.20)` are prices, and one `~` means "about"; telegramify-markdown reads them so, too."""
    price = source.data[start:end].startswith(b"$") and source.data[end : end + 1].isdigit()
    about = source.data[start : start + 1] == b"~" != source.data[start + 1 : start + 2]
    if price or about:
        yield from (Edit(start, start, b"\\"), Edit(end - 1, end - 1, b"\\"))


def _kept_definitions(source: Source) -> Iterator[Edit]:
    """`[1]: https://…` that no link refers to is a list of sources, and `[^1]: …` a footnote."""
    used = {value(event)["id"].casefold() for event, _, _ in source.events if tag(event) in _LINKS}
    for found in _definitions(source):
        label = found[2].decode(errors="replace").casefold()
        if label not in used or label.startswith("^"):
            yield Edit(found.start(1), found.start(1), b"\\")


def _definitions(source: Source) -> list[re.Match[bytes]]:
    found = _DEFINITION.finditer(source.data)
    return [match for match in found if not source.is_shown(match.start(1))]


def _kept_bars(source: Source) -> Iterator[Edit]:
    """`a || b || c` is logic; only bars that touch their text hide a spoiler."""
    for found in source.outside_code(_SPOILER):
        if found[1] != found[1].strip():
            for offset in (found.start(), found.end() - 2):
                yield Edit(offset, offset, b"\\")


# -- before and after: what the parser would not see as markup at all

_INLINE_MATH = re.compile(rb"\\\(([^\n]+?)\\\)")
_BLOCK_MATH = re.compile(rb"\\\[(.+?)\\\]", re.DOTALL)
_FORMULA = re.compile(rb"\\[A-Za-z]|[\^_=]")
_STRONG = re.compile(rb"(?<![\\*])\*\*(?![\s*])((?:(?!\*\*|\n\n).)+?)(?<![\s*\\])\*\*(?!\*)", re.DOTALL)
_NOTHING = b"<!---->"


def with_dollars(markdown: str) -> str:
    r"""Formulas in `\(…\)` and `\[…\]` in dollars instead, which the parser knows."""
    source = Source(markdown)
    return source.edited(
        Edit(found.start(), found.end(), mark + found[1].strip() + mark)
        for pattern, mark in ((_INLINE_MATH, b"$"), (_BLOCK_MATH, b"$$"))
        for found in source.outside_code(pattern)
        if _FORMULA.search(found[1]) and b"$" not in found[1]
    )


def with_closed_emphasis(source: Source) -> str:
    """`**注意：**请` is bold in Chinese, but no emphasis by the rules for spaces: an empty comment helps."""
    edits = []
    for found in source.outside_code(_STRONG):
        inner = found[1].decode(errors="replace")
        if not inner[0].isalnum() and source.is_letter_before(found.start()):
            edits.append(Edit(found.start(), found.start(), _NOTHING))
        if not inner[-1].isalnum() and source.is_letter_at(found.end()):
            edits.append(Edit(found.end(), found.end(), _NOTHING))
    if not edits:
        return source.text
    helped = source.edited(edits)
    return helped if Source(helped).count("Start Strong") > source.count("Start Strong") else source.text
