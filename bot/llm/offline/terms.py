"""Turns text into terms to compare: word stems, concepts, exact figures, pairs of Chinese characters.

Terms that begin with "=" are concepts of the vocabulary, those with "?" are kinds of information (a date, a
place) which a question asks for and a statement shows.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

from bot.llm.offline.lexicon import lexicon
from bot.llm.offline.script import folded
from bot.llm.offline.vocabulary import CUES, STOP_WORDS, TIME_TERMS

_TOKEN = re.compile(
    r"(?P<address>https?://\S+|[\w.+-]+@[\w-]+\.[\w.-]*\w)"
    r"|(?P<figure>(?=[a-z_-]*\d)[a-z\d]+(?:[-_.,:/+*][a-z\d]+)*)"
    r"|(?P<word>[a-z]+(?:'[a-z]+)?)"
    r"|(?P<han>[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+)"
    r"|(?P<other>[^\W\d_]+)"
)
_FIGURE = re.compile(r"\d+(?:[.,:/-]\d+)*")
_ADDRESS = re.compile(r"https?://\S+|\S+@\S+")
_NOT_LIKE = re.compile(r"\b(?:do|does|did)(?:n't| not)\s+(?:really\s+)?(?:like|love|enjoy)\b")
_OLD = re.compile(r"\bhow old\b|\byears? old\b")
# What whole phrases of a statement tell: the speaker's name (surely, or perhaps), and a promise.
_TOLD = (
    ("=self", re.compile(r"\b[Mm]y (?:full |first )?name\b|\b[Cc]all me\b|我叫|我的名字")),
    ("~self", re.compile(r"\b(?:I'm|I’m|I am|[Tt]his is)\s+[A-Z]\w+|我是\w")),
    ("=promise", re.compile(r"\b(?:I|We|we)(?:'ll|’ll| will)\b|我[們们]?[会會]")),
)
_ASKS_NAME = re.compile(r"\bmy (?:full |first )?name\b|我叫什么(?:名字)?|我的名字")
_FOCUS = re.compile(
    r"\b(?:what|which|who|how)(?:'s|\s+(?:is|are|was|were))\s+(?:my|our|your|the|his|her|their|\w+'s)\s+([\w'-]+)"
    r"|([^\W\d_a-z的]{1,6})(?:是|有)(?:什么|多少|几|哪|谁)"
)


def statement_terms(text: str) -> frozenset[str]:
    """All that a statement can be found by."""
    plain = folded(text)
    found = set(_terms(_prepared(plain), asking=False))
    found.update(cue for cue, _, shown in CUES if re.search(shown, plain))
    found.update(term for term, told in _TOLD if told.search(text))
    return frozenset(found)


def question_terms(text: str) -> frozenset[str]:
    """What a question asks about, and the kinds of information that it asks for."""
    plain = _prepared(folded(text))
    found: set[str] = set()
    if _ASKS_NAME.search(plain):
        found.add("=self")
        plain = _ASKS_NAME.sub(" ", plain)
    for cue, asked, _ in CUES:
        if re.search(asked, plain):
            found.add(cue)
            plain = re.sub(asked, " ", plain)
    return frozenset(found.union(_terms(plain, asking=True)))


def question_words(text: str) -> frozenset[str]:
    """The words of a question as such: a statement with these very words beats one that means the same."""
    return frozenset(_terms(_prepared(folded(text)), asking=False))


def focus_terms(text: str) -> frozenset[str]:
    """Of a question "What is my aim in the exam?" just the aim."""
    found = _FOCUS.search(folded(text))
    return frozenset(_terms(_prepared(found[1] or found[2]), asking=True)) if found else frozenset()


def subject_terms(text: str) -> frozenset[str]:
    """What a text is about: its terms without figures and times."""
    terms = _terms(_prepared(folded(text)), asking=True)
    return frozenset(term for term in terms if term not in TIME_TERMS and not re.search(r"\d", term))


def figures(text: str) -> frozenset[str]:
    """Numbers, dates and times exactly as they stand, full width taken as ASCII."""
    return frozenset(_FIGURE.findall(unicodedata.normalize("NFKC", text)))


def is_faithful(text: str, *sources: str) -> bool:
    """Whether all figures and addresses of `text` stand in `sources` just so."""
    plain = unicodedata.normalize("NFKC", "\n".join(sources))
    addresses = _ADDRESS.findall(unicodedata.normalize("NFKC", text))
    return figures(text) <= figures(plain) and all(address in plain for address in addresses)


def cues(terms: frozenset[str]) -> frozenset[str]:
    """The kinds of information among `terms`."""
    return frozenset(term for term in terms if term.startswith("?"))


def _prepared(plain: str) -> str:
    return _OLD.sub(" age ", _NOT_LIKE.sub(" dislike ", plain))


def _terms(plain: str, *, asking: bool) -> Iterator[str]:
    for match in _TOKEN.finditer(plain):
        token = match.group()
        if match.lastgroup == "word":
            if token not in STOP_WORDS and len(token) > 1:
                yield from lexicon().word_terms(token, asking)
        elif match.lastgroup == "figure":
            yield from _figure(token, asking)
        elif match.lastgroup == "han":
            yield from _han(token, asking)
        else:
            yield token.rstrip(".,;:!?")


def _figure(token: str, asking: bool) -> Iterator[str]:
    ordinal = re.fullmatch(r"(\d+)(?:st|nd|rd|th)", token)
    yield ordinal.group(1) if ordinal else re.sub(r"(?<=\d),(?=\d{3})", "", token)
    if not asking:
        for part in re.findall(r"\d+", token):
            yield part.lstrip("0") or "0"


def _han(run: str, asking: bool) -> Iterator[str]:
    rest = ""
    at = 0
    while at < len(run):
        phrase = lexicon().phrase_at(run, at)
        if phrase:
            yield from _pairs(rest, asking)
            yield from lexicon().phrase_terms(phrase, asking)
            rest = ""
        else:
            rest += run[at]
        at += len(phrase) or 1
    yield from _pairs(rest, asking)


def _pairs(rest: str, asking: bool) -> Iterator[str]:
    if len(rest) == 1 or not asking:
        yield from rest
    yield from (first + second for first, second in pairwise(rest))
