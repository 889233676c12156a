"""Looks words up: their stems, the concepts that they stand for or imply, and Chinese phrases in a run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from bot.llm.offline.vocabulary import IMPLIED, IRREGULAR, SAME, STOP_PHRASES, WHOLE

_SUFFIXES = (("ness", ""), ("ment", ""), ("ingly", ""), ("edly", ""), ("ing", ""), ("ies", "y"), ("ied", "y"))


_LONGEST = 4


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Concepts by English stem and by Chinese phrase: those that a word stands for, and those it implies."""

    words: dict[str, str] = field(default_factory=dict)
    implied_words: dict[str, str] = field(default_factory=dict)
    phrases: dict[str, str] = field(default_factory=dict)
    implied_phrases: dict[str, str] = field(default_factory=dict)
    spoken: dict[str, frozenset[str]] = field(default_factory=dict)

    def phrase_at(self, run: str, at: int) -> str:
        """The longest known phrase at a place of a run of Chinese, "" for none."""
        for length in range(_LONGEST, 0, -1):
            phrase = run[at : at + length]
            known = phrase in WHOLE or phrase in self.phrases or phrase in self.implied_phrases
            if len(phrase) == length and (known or phrase in STOP_PHRASES):
                return phrase
        return ""

    def word_terms(self, word: str, asking: bool) -> Iterator[str]:
        """The terms of an English word; a question asks for the concept, a statement says both."""
        root = stem(word)
        concept = self.words.get(root)
        if concept:
            yield concept
        if not (concept and asking):
            yield root
        if not asking and root in self.implied_words:
            yield self.implied_words[root]

    def phrase_terms(self, phrase: str, asking: bool) -> Iterator[str]:
        """The same for a Chinese phrase; one that says nothing has none."""
        concept = self.phrases.get(phrase)
        if concept:
            yield concept
        if phrase in WHOLE or phrase in self.implied_phrases or (concept and not asking):
            yield phrase
        if not asking and phrase in self.implied_phrases:
            yield self.implied_phrases[phrase]


@cache
def lexicon() -> Lexicon:
    """The vocabulary, ready to be looked up."""
    made = Lexicon()
    for concept, (english, chinese) in SAME.items():
        made.words.update((stem(word), concept) for word in english.split())
        made.phrases.update((phrase, concept) for phrase in chinese.split())
        made.spoken[concept] = frozenset([*map(stem, english.split()), *chinese.split()])
    for concept, (english, chinese) in IMPLIED.items():
        made.implied_words.update((stem(word), concept) for word in english.split())
        made.implied_phrases.update((phrase, concept) for phrase in chinese.split())
    return made


def words_for(concept: str) -> frozenset[str]:
    """Stems and phrases that stand for a concept."""
    return lexicon().spoken.get(concept, frozenset())


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
