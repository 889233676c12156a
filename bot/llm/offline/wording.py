"""Words a corrected fact from people's own words: what was said, and what a correction says instead."""

from __future__ import annotations

import re

from bot.llm.offline.script import is_chinese, script_of
from bot.llm.offline.sentences import LENGTH, collapsed, shortened
from bot.llm.offline.terms import figures, is_faithful, subject_terms

_LEAD = re.compile(
    r"^(?:(?:correction|actually|in fact|i meant|i mean|my mistake|i (?:was|got (?:it|that)) wrong)\b"
    r"[\s,.:;!—-]*"
    r"|(?:no|oops|sorry|wait)(?:[,.:;!—-]+\s*|\s+(?=(?:it|that|not|i|my|our|the)\b)))+",
    re.IGNORECASE,
)
_CHINESE_LEAD = re.compile(
    r"^(?:(?:更正|[糾纠]正|其[實实]|不[對对]|抱歉|[對对]不起|我?[說说記记搞弄][錯错]了?)[\s，,。：:；;！!]*)+"
)
# What is named in a correction: no punctuation, but the point or comma of a number.
_PART = r"(?:[^,.;!?]|[.,]\d)"
_NOT_BUT = re.compile(
    rf"\bnot\s+(?P<old>{_PART}{{1,40}}?),?\s+(?:but|it's|it is|rather)\s+(?P<new>{_PART}{{1,40}})",
    re.IGNORECASE,
)
_RATHER_THAN = re.compile(
    r"(?P<new>[^;!?]{1,80}?)(?:,\s*(?:and\s+)?not|,?\s+(?:instead\s+of|rather\s+than))\s+"
    rf"(?P<old>{_PART}{{1,40}}?)(?=[.!]?$)",
    re.IGNORECASE,
)
_FROM_TO = re.compile(rf"\bfrom\s+(?P<old>{_PART}{{1,30}}?)\s+to\s+(?P<new>{_PART}{{1,30}})", re.IGNORECASE)
_MORE = re.compile(r"\s+(?:and|but|because|so|since|when)\b.*", re.IGNORECASE)
_CHINESE_NOT_BUT = re.compile(
    r"不是(?P<old>[^，,。；;！!？?]{1,20})[，,]?\s*(?:而)?是(?P<new>[^，,。；;！!？?]{1,20}?)(?=[了才，,。；;！!？?]|$)"
)
_CHINESE_RATHER = re.compile(
    r"是(?P<new>[^，,。；;！!？?是]{1,20})[，,]\s*(?:而)?不是(?P<old>[^，,。；;！!？?]{1,20})"
)
_CHINESE_FROM_TO = re.compile(
    r"[從从](?P<old>[^，,。；;！!？?]{1,12}?)改[成到為为在](?P<new>[^，,。；;！!？?]{1,12}?)(?=了|[，,。；;！!？?]|$)"
)
_PAIRS = (_NOT_BUT, _FROM_TO, _CHINESE_NOT_BUT, _CHINESE_RATHER, _CHINESE_FROM_TO, _RATHER_THAN)
_DENIED = (
    re.compile(rf",\s*(?:and\s+)?not\s+{_PART}{{1,40}}?(?=[.!]?$)", re.IGNORECASE),
    re.compile(rf",?\s+(?:instead of|rather than)\s+{_PART}{{1,40}}?(?=[.!]?$)", re.IGNORECASE),
    re.compile(rf"\bnot\s+{_PART}{{1,40}}?,?\s+but\s+", re.IGNORECASE),
    re.compile(rf"\s+from\s+{_PART}{{1,30}}?(?=\s+to\b)", re.IGNORECASE),
    re.compile(r"[，,]\s*(?:而)?不是[^，,。；;！!？?]{1,20}"),
    re.compile(r"不是[^，,。；;！!？?]{1,20}[，,]\s*而?(?=是)"),
    re.compile(r"[從从][^，,。；;！!？?]{1,12}?(?=改)"),
)
_ARTICLES = re.compile(r"^(?:(?:on|at|in|to|the|a|an)\s+)+", re.IGNORECASE)
_COPULA = re.compile(
    r"\s(?:is|are|was|were|will be)\b|\b(?:it|that|there)'s\s|是|在|[為为]|改[成到為为]|[:：]", re.IGNORECASE
)


def reworded(old: str, correction: str) -> str:
    """The corrected fact: `old` with the part replaced that was named, else the correction's own words."""
    contrast = pair(correction)
    text = replaced(old, *contrast) if contrast else ""
    if text and len(text) <= LENGTH and is_faithful(text, old, correction):
        return text
    affirmed, about = _affirmed(correction), topic(old)
    if subject_terms(correction) or not about or figures(about):
        return affirmed
    colon = "：" if re.search(r"[\u4e00-\u9fff]$", about) else ": "
    return f"{about}{colon}{affirmed}"


def speech(sentence: str) -> str:
    """A sentence as something that was said, in quotation marks that it doesn't hold itself; "" for none."""
    chinese = "说：" if script_of(sentence) == "zh-hans" else "說："
    said = chinese if is_chinese(sentence) else "Said: "
    # Traditional Chinese quotes with corner brackets; a sentence that holds the usual pair gets the other.
    usual, other = ("「」", "“”") if said == "說：" else ("“”", "「」")
    marks = other if set(usual) & set(sentence) else usual
    quoted = shortened(sentence, LENGTH - len(said) - 2)
    usable = quoted and not set(marks) & set(quoted)
    return f"{said}{marks[0]}{quoted}{marks[1]}" if usable else ""


def pair(correction: str) -> tuple[str, str] | None:
    """What a correction says to replace and by what, where it names both: "not X but Y", "from X to Y"."""
    for pattern in _PAIRS:
        found = pattern.search(correction)
        if found:
            old = _ARTICLES.sub("", found["old"].strip())
            new = _MORE.sub("", found["new"].strip())
            if pattern is _RATHER_THAN:
                new = " ".join(new.split()[-len(old.split()) :])
            new = _as_long(_ARTICLES.sub("", new), old)
            telling = figures(old) or subject_terms(old)
            if telling and new and old.lower() != new.lower():
                return old, new
    return None


def _as_long(new: str, old: str) -> str:
    """A figure takes the place of a figure alone: in "from 18 to 19 December" the month stays as it is."""
    alone = " ".join(new.split()[: len(old.split())])
    return alone if figures(old) and figures(alone) else new


def replaced(text: str, old: str, new: str) -> str:
    """`text` with `old` as `new`; "" when `old` isn't in it as a whole word."""
    pattern = rf"(?<![A-Za-z\d]){re.escape(old)}(?![A-Za-z\d])"
    return (
        re.sub(pattern, lambda _: new, text, count=1, flags=re.IGNORECASE)
        if re.search(pattern, text, re.IGNORECASE)
        else ""
    )


def _affirmed(correction: str) -> str:
    """The correction without its "sorry" and without what it denies."""
    text = _bare(correction)
    for pattern in _DENIED:
        text = pattern.sub("", text, count=1)
    kept = collapsed(text)
    telling = subject_terms(kept) or figures(kept)
    return kept if telling and is_faithful(kept, correction) else collapsed(correction)


def _bare(text: str) -> str:
    return _CHINESE_LEAD.sub("", _LEAD.sub("", text)) or text


def topic(text: str) -> str:
    """What a sentence speaks of: its words before "is" and the like; "" where it has no such form."""
    text = _bare(text)
    found = _COPULA.search(text)
    return text[: found.start()].strip() if found and found.start() <= 40 else ""
