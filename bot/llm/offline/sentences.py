"""Cuts messages into statements that can stand alone, never inside a number, an address or a quotation."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.llm.offline.terms import subject_terms

# What a note or a quotation may have at most, in characters.
LENGTH = 200

_Span = tuple[int, int]
_ADDRESS = re.compile(r"https?://\S+|\S+@\S+")
_END = re.compile(r"[.!?…]+[\"')\]”’]*(?=\s|$)|[。！？]+[」』”’）)]*|\n")
_ABBREVIATION = re.compile(
    r"(?:\b(?:dr|mr|mrs|ms|prof|st|vs|etc|e\.g|i\.e|no|vol|[a-z])|^\d{1,3})\.$", re.IGNORECASE
)
_BULLET = re.compile(r"^(?:[-*•>]|\d{1,3}[.)])\s+")
_QUOTATION = re.compile(r"[\"“”「」『』]")
_DEPENDENT = re.compile(
    r"^(?:if|when|while|because|since|although|though|unless|until|before|after|as|once|whether|given)\b"
    r"|^(?:如果|要是|因[為为]|由[於于]|[雖虽]然|只要|除非|[當当]|假如|自[從从]|既然)",
    re.IGNORECASE,
)
_ENGLISH_JOINT = re.compile(r"(?:[,;]\s+(?:(?:and|but)\s+)?|\s+(?:and|but)\s+)")
_ENGLISH_CLAUSE = re.compile(
    r"(?:my|our|the|her|his|their)\s+(?:[\w'-]+\s+){1,4}?(?:is|are|was|were|has|have|will)\b"
    r"|(?:i|we)(?:'(?:m|re|ve|ll|d)\b|\s+(?!and\b|or\b)\w+)"
    r"|[\w'-]+\s+(?:is|are|was|were)\s+(?:my|our)\b",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"\b(?:is|are|am|was|were|has|have|had|will|want|need|like|love|hate|live|work|study|go|went|got|did)\b"
    r"|'(?:m|re|ve|ll|s)\b",
    re.IGNORECASE,
)
_CHINESE_JOINT = re.compile(r"[，；;]\s*|(?<=[\u4e00-\u9fff]),\s*|,\s*(?=[\u4e00-\u9fff])")
_CHINESE_CLAUSE = re.compile(
    r"(?:我|我們|我们)(?:的|是|在|有|要|想|會|会|叫|住|也|很|不|喜|愛|爱|討|讨|打|希|決|决|每|最|對|对)"
    r"|(?:喜歡|喜欢|討厭|讨厌|最愛|最爱|住在|希望|想要|打算|不喜|不吃|不喝)"
    r"|(?:目標|目标|考試|考试|會議|会议|生日|預算|预算|時間|时间|地[點点])"
    r"|[\u4e00-\u9fff]{1,6}?(?:是|比較|比较|在)(?!不是)"
)
_CHINESE_LINK = re.compile(
    r"^(?:所以|因此|而且|而是|不是|但|可是|就|也|都|[還还]|不[過过]|[並并]|甚至|在|是|[從从]|改)"
)
_ANAPHOR = re.compile(
    r"^(?:it|that|this|they|these|those|he|she)(?:'\w+)?\s|^(?:它|[這这]|那|他|她)", re.IGNORECASE
)


def statements(text: str) -> list[str]:
    """The statements of a message in order: its sentences. One that begins with "it", "that" and the like
    stays with the one before it; one that is too long to be quoted comes in several parts.
    """
    plain = "\n".join(_BULLET.sub("", row) for row in map(collapsed, text.split("\n")) if row)
    spans: list[_Span] = []
    for start, end in _sentences(plain):
        if spans and _ANAPHOR.match(plain[start:end]) and end - spans[-1][0] <= LENGTH:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return [piece for start, end in spans for piece in _pieces(collapsed(plain[start:end]))]


def clauses(sentence: str) -> list[str]:
    """The parts of one statement that could stand alone, each as it is written; all of it where it is one.

    Corrections work on these: "My exam is on the 18th and my aim is 850" is two things.
    """
    if _QUOTATION.search(sentence) or _ADDRESS.search(sentence) or _DEPENDENT.match(sentence):
        return [sentence]
    found: list[str] = []
    start = 0
    for joint in _joints(sentence):
        left = sentence[start : joint.start()]
        if _is_clause(left):
            found.append(left)
            start = joint.end()
    return [*found, sentence[start:]]


def collapsed(text: str) -> str:
    """`text` with every run of white space as one blank."""
    return " ".join(text.split())


def shortened(text: str, length: int = LENGTH) -> str:
    """The longest start of `text` within `length` that ends between words, with an ellipsis; it may be "".

    Figures and addresses are kept whole or left out.
    """
    if len(text) <= length:
        return text
    for at in range(length - 2, 0, -1):
        if _may_cut(text, at):
            return f"{text[:at].rstrip(' ,;:，；：、-')} …"
    return ""


def _pieces(unit: str) -> Iterator[str]:
    """A statement, in several parts where it is too long to be quoted at once."""
    while len(unit) > LENGTH:
        at = next((at for at in range(LENGTH, 0, -1) if _may_cut(unit, at)), 0)
        if not at:
            break
        yield unit[:at].strip()
        unit = unit[at:].strip()
    if unit:
        yield unit


def _may_cut(text: str, at: int) -> bool:
    before, after = text[at - 1], text[at]
    if after == " ":
        return True
    word = text[text.rfind(" ", 0, at) + 1 : at]
    return _is_wide(before) and _is_wide(after) and "://" not in word and "@" not in word


def _is_wide(character: str) -> bool:
    return "\u3000" <= character <= "\u9fff"


def _sentences(plain: str) -> Iterator[_Span]:
    start = 0
    protected = [match.span() for match in _ADDRESS.finditer(plain)]
    for match in _END.finditer(plain):
        if any(first <= match.start() and match.end() < last for first, last in protected):
            continue
        if match.group() == "." and _ABBREVIATION.search(plain[start : match.end()]):
            continue
        following = plain[match.end() :].lstrip(" ")[:1]
        if match.group()[0] in ".…" and following.islower():
            continue
        yield from _trimmed(plain, start, match.end())
        start = match.end()
    yield from _trimmed(plain, start, len(plain))


def _trimmed(plain: str, start: int, end: int) -> Iterator[_Span]:
    part = plain[start:end]
    inner = part.strip()
    if inner:
        start += len(part) - len(part.lstrip())
        yield start, start + len(inner)


def _joints(sentence: str) -> list[re.Match[str]]:
    english = [
        joint for joint in _ENGLISH_JOINT.finditer(sentence) if _ENGLISH_CLAUSE.match(sentence, joint.end())
    ]
    chinese = [
        joint
        for joint in _CHINESE_JOINT.finditer(sentence)
        if _CHINESE_CLAUSE.match(sentence, joint.end()) and not _CHINESE_LINK.match(sentence[joint.end() :])
    ]
    return sorted(english + chinese, key=lambda joint: joint.start())


def _is_clause(left: str) -> bool:
    """Whether `left` says something; "Sorry, I got it wrong" alone doesn't."""
    if not subject_terms(left):
        return False
    wide = sum(map(_is_wide, left))
    return wide >= 4 if wide else bool(_VERB.search(left)) and len(left.split()) >= 3
