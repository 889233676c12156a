"""Turns text into terms to compare: word stems, concepts, exact figures, pairs of Chinese characters.

Terms that begin with "=" are concepts of the vocabulary, those with "?" are kinds of information (a date, a
place) which a question asks for and a statement shows.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise

from bot.llm.offline.script import folded
from bot.llm.offline.vocabulary import (
    CUES,
    IMPLIED,
    IRREGULAR,
    SAME,
    STOP_PHRASES,
    STOP_WORDS,
    TIME_TERMS,
    WHOLE,
)

_TOKEN = re.compile(
    r"(?P<address>https?://\S+|[\w.+-]+@[\w-]+\.[\w.-]*\w)"
    r"|(?P<figure>(?=[a-z_-]*\d)[a-z\d]+(?:[-_.,:/+*][a-z\d]+)*)"
    r"|(?P<word>[a-z]+(?:'[a-z]+)?)"
    r"|(?P<han>[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+)"
    r"|(?P<other>[^\W\d_]+)"
)
_FIGURE = re.compile(r"\d+(?:[.,:/-]\d+)*")
_NOT_LIKE = re.compile(r"\b(?:do|does|did)(?:n't| not)\s+(?:really\s+)?(?:like|love|enjoy)\b")
_OLD = re.compile(r"\bhow old\b|\byears? old\b")
_NAMED = re.compile(r"\b(?:I'm|I am|[Tt]his is|[Cc]all me)\s+[A-Z]\w+|我是\w")
_FOCUS = re.compile(
    r"\b(?:what|which|who|how)(?:'s|\s+(?:is|are|was|were))\s+(?:my|our|your|the|his|her|their|\w+'s)\s+([\w'-]+)"
    r"|([^\W\d_a-z的]{1,6})(?:是|有)(?:什么|多少|几|哪|谁)"
)
_SUFFIXES = (("ness", ""), ("ment", ""), ("ingly", ""), ("edly", ""), ("ing", ""), ("ies", "y"), ("ied", "y"))


@dataclass(frozen=True, slots=True)
class _Lexicon:
    words: dict[str, str] = field(default_factory=dict)
    implied_words: dict[str, str] = field(default_factory=dict)
    phrases: dict[str, str] = field(default_factory=dict)
    implied_phrases: dict[str, str] = field(default_factory=dict)
    spoken: dict[str, frozenset[str]] = field(default_factory=dict)


def statement_terms(text: str) -> frozenset[str]:
    """All that a statement can be found by."""
    plain = folded(text)
    found = set(_terms(_prepared(plain), asking=False))
    found.update(cue for cue, _, shown in CUES if re.search(shown, plain))
    if _NAMED.search(text):
        found.add("~name")
    return frozenset(found)


def question_terms(text: str) -> frozenset[str]:
    """What a question asks about, and the kinds of information that it asks for."""
    plain = _prepared(folded(text))
    found: set[str] = set()
    for cue, asked, _ in CUES:
        if re.search(asked, plain):
            found.add(cue)
            plain = re.sub(asked, " ", plain)
    return frozenset(found.union(_terms(plain, asking=True)))


def question_words(text: str) -> frozenset[str]:
    """The words of a question as such: a statement with these very words beats one that means the same."""
    return frozenset(_terms(_prepared(folded(text)), asking=False))


def words_for(concept: str) -> frozenset[str]:
    """Stems and phrases that stand for a concept."""
    return _lexicon().spoken.get(concept, frozenset())


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


def cues(terms: frozenset[str]) -> frozenset[str]:
    """The kinds of information among `terms`."""
    return frozenset(term for term in terms if term.startswith("?"))


def stem(word: str) -> str:
    """An English word's stem, by a few suffix rules; good enough to meet its other forms."""
    word = IRREGULAR.get(word.removesuffix("'s"), word.removesuffix("'s"))
    for suffix, replacement in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            word = _undoubled(word.removesuffix(suffix) + replacement)
            break
    else:
        if word.endswith("ed") and len(word) >= 5:
            word = _undoubled(word[:-2])
        elif word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) >= 4:
            word = word[:-1]
    word = IRREGULAR.get(word, word)
    return word[:-1] if word.endswith("e") and len(word) >= 4 else word


def _undoubled(word: str) -> str:
    return word[:-1] if len(word) >= 4 and word[-1] == word[-2] and word[-1] not in "lsz" else word


def _prepared(plain: str) -> str:
    return _OLD.sub(" age ", _NOT_LIKE.sub(" dislike ", plain))


def _terms(plain: str, *, asking: bool) -> Iterator[str]:
    lexicon = _lexicon()
    for match in _TOKEN.finditer(plain):
        token = match.group()
        if match.lastgroup == "word":
            yield from _word(token, lexicon, asking)
        elif match.lastgroup == "figure":
            yield from _figure(token, asking)
        elif match.lastgroup == "han":
            yield from _han(token, lexicon, asking)
        else:
            yield token.rstrip(".,;:!?")


def _word(word: str, lexicon: _Lexicon, asking: bool) -> Iterator[str]:
    if word in STOP_WORDS or len(word) == 1:
        return
    root = stem(word)
    concept = lexicon.words.get(root)
    if concept:
        yield concept
    if not (concept and asking):
        yield root
    if not asking and root in lexicon.implied_words:
        yield lexicon.implied_words[root]


def _figure(token: str, asking: bool) -> Iterator[str]:
    ordinal = re.fullmatch(r"(\d+)(?:st|nd|rd|th)", token)
    yield ordinal.group(1) if ordinal else re.sub(r"(?<=\d),(?=\d{3})", "", token)
    if not asking:
        for part in re.findall(r"\d+", token):
            yield part.lstrip("0") or "0"


def _han(run: str, lexicon: _Lexicon, asking: bool) -> Iterator[str]:
    rest = ""
    at = 0
    while at < len(run):
        phrase = _phrase(run, at, lexicon)
        if not phrase:
            rest += run[at]
            at += 1
            continue
        yield from _pairs(rest, asking)
        yield from _meaning(phrase, lexicon, asking)
        rest = ""
        at += len(phrase)
    yield from _pairs(rest, asking)


def _phrase(run: str, at: int, lexicon: _Lexicon) -> str:
    for length in (4, 3, 2, 1):
        phrase = run[at : at + length]
        known = phrase in WHOLE or phrase in lexicon.phrases or phrase in lexicon.implied_phrases
        if len(phrase) == length and (known or phrase in STOP_PHRASES):
            return phrase
    return ""


def _meaning(phrase: str, lexicon: _Lexicon, asking: bool) -> Iterator[str]:
    if phrase in WHOLE or phrase in lexicon.implied_phrases:
        yield phrase
    if phrase in lexicon.phrases:
        yield lexicon.phrases[phrase]
        if not asking:
            yield phrase
    if not asking and phrase in lexicon.implied_phrases:
        yield lexicon.implied_phrases[phrase]


def _pairs(rest: str, asking: bool) -> Iterator[str]:
    if len(rest) == 1 or not asking:
        yield from rest
    yield from (first + second for first, second in pairwise(rest))


@cache
def _lexicon() -> _Lexicon:
    lexicon = _Lexicon()
    for concept, (english, chinese) in SAME.items():
        lexicon.words.update((stem(word), concept) for word in english.split())
        lexicon.phrases.update((phrase, concept) for phrase in chinese.split())
        lexicon.spoken[concept] = frozenset([*map(stem, english.split()), *chinese.split()])
    for concept, (english, chinese) in IMPLIED.items():
        lexicon.implied_words.update((stem(word), concept) for word in english.split())
        lexicon.implied_phrases.update((phrase, concept) for phrase in chinese.split())
    return lexicon
