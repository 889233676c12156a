"""Tells scripts and languages apart, far enough to see that a note isn't in the language of its sources.

Everything here leans towards letting a note pass: words that the sources hold themselves (names, terms,
code) never speak against a note, and too little text says nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from zhon.cedict import simplified, traditional

# Letters that are ordinary in both scripts although the dictionary lists them under one.
_EITHER = frozenset("着妳牠祂")
_TRADITIONAL = frozenset(traditional) - frozenset(simplified) - _EITHER
_SIMPLIFIED = frozenset(simplified) - frozenset(traditional) - _EITHER

_WORD = re.compile(r"[^\W\d_]+")
# Chinese and Japanese are written without spaces: so many characters are taken for a word.
_CHARACTERS_A_WORD = 2
_UNSPACED = frozenset({"HAN", "KANA", "THAI", "LAO", "KHMER", "MYANMAR"})
# A note may be in every script that carries at least this share of its sources' words.
_SCRIPT_SHARE = 0.25
# So many words of its own in a strange script make a note foreign; one may be a name.
_STRANGE_WORDS = 2
# So many Han characters of its own without any kana are Chinese, where the sources are Japanese.
_NO_KANA = 6

# Function words that are frequent in one language and rare as words of the others.
_FUNCTION_WORDS = {
    "English": "the and of is was are were that with this for his her their has have had will would not from "
    "at by which who when what they she he you your my it its been should about into than then "
    "there on to",
    "German": "der die das und ist nicht ich sie ein eine einen einem einer mit auf für von dem den des im "
    "zu sich auch wird hat war sind haben als wie aber nach bei aus noch über wurde ihr sein "
    "seine zum zur am",
    "French": "le la les des est et une du dans que qui pour pas sur au avec il elle son sa ses ce cette "
    "sont nous vous je ne plus par aux été mais ou leur être avoir a fait aussi chez",
    "Spanish": "el la los las y es que de en un una por con para su sus no se del al lo como más pero fue "
    "está son tiene este esta muy también ella yo mi quiere hay ha",
    "Italian": "il lo la gli che di è e un una per con non del della dei nel nella al alla si sono da ha "
    "come anche più suo sua ma questo questa ho vuole essere molto",
    "Portuguese": "o os as que de do da dos das em um uma é e não com para por no na se ao seu sua mais como "
    "foi mas ele ela está tem são você também muito quer",
    "Dutch": "de het een en van is dat op te in zijn niet met voor aan er maar om ook als bij naar heeft "
    "hij zij ik je wordt door uit nog over haar deze dit was",
    "Indonesian": "yang dan di itu dengan untuk tidak ini dari dalam akan pada juga saya ke karena ada "
    "mereka sudah kami bisa atau oleh adalah dia anda kita lebih telah ingin pukul",
}
_MARKS = {
    word: frozenset(language for language, text in _FUNCTION_WORDS.items() if word in text.split())
    for words in _FUNCTION_WORDS.values()
    for word in words.split()
}
# A language is told by at least so many of its function words, different ones, as this share of all words,
# when no other language has more than this share of theirs.
_HITS = 6
_DIFFERENT = 4
_DENSITY = 0.2
_RIVAL = 0.6
# Sources hold a language when it has this share of their best one's function words.
_PRESENT = 0.3


def strange_script(text: str, sources: str, around: str) -> str:
    """What is wrong with the script of a note, "" when nothing is.

    `around` is the rest of the conversation, asked where the sources have no letters to tell by.
    """
    own, theirs = _weights(text, sources), _weights(sources) or _weights(around)
    if not theirs:
        return ""
    allowed, every = _allowed(theirs), sum(_weights(text).values())
    strange = {script: weight for script, weight in own.items() if script not in allowed}
    if sum(strange.values()) >= max(_STRANGE_WORDS, every / 2):
        return f"is in another script ({max(strange, key=strange.__getitem__).lower()}) than its sources"
    if "KANA" not in theirs:
        return _converted(text, sources, around)
    chinese = "KANA" not in own and own.get("HAN", 0) * _CHARACTERS_A_WORD >= _NO_KANA
    return "is not in Japanese as its sources are" if chinese else ""


def strange_language(texts: Iterable[str], sources: str) -> str:
    """The language that `texts` together are in where `sources` are in another one, "" otherwise.

    Only languages in Latin script are told apart, and only where both sides leave no doubt.
    """
    heard = _words(sources)
    own, theirs = _told([word for text in texts for word in _words(text)]), _told(heard)
    if not own or not theirs or own == theirs:
        return ""
    marks = _marks(heard)
    return own if marks[own] <= _PRESENT * marks[theirs] else ""


def in_language(text: str, language: str) -> bool:
    """Whether the function words of `text` are mostly those of `language`."""
    marks = _marks(_words(text))
    return marks[language] > 0 and marks[language] == max(marks.values())


def understood(text: str) -> bool:
    """Whether `text` is, as far as can be told, in English or Chinese and nothing else."""
    weights = _weights(text)
    if weights.keys() - {"LATIN", "HAN"}:
        return False
    marks = _marks(_words(text))
    return marks["English"] >= max(marks.values(), default=0)


def _converted(text: str, sources: str, around: str) -> str:
    theirs = _han(sources)
    if theirs[0] == theirs[1]:
        theirs = _han(around)
    own = _han("".join(character for character in text if character not in sources))
    if theirs[0] > theirs[1] and own[1] > own[0]:
        return "is in Simplified characters while its sources are in Traditional ones"
    if theirs[1] > theirs[0] and own[0] > own[1]:
        return "is in Traditional characters while its sources are in Simplified ones"
    return ""


def _han(text: str) -> tuple[int, int]:
    """How many characters are only Traditional, and how many only Simplified."""
    return sum(c in _TRADITIONAL for c in text), sum(c in _SIMPLIFIED for c in text)


def _weights(text: str, known: str = "") -> dict[str, float]:
    """How many words `text` has of each script; those that `known` holds don't count."""
    found: dict[str, float] = defaultdict(float)
    plain, heard = (unicodedata.normalize("NFKC", part).casefold() for part in (text, known))
    words = {part for word in _WORD.findall(heard) for part, _ in _runs(word)}
    for word in _WORD.findall(plain):
        for part, script in _runs(word):
            if script in _UNSPACED:
                strokes = sum(character not in heard for character in part)
                found[script] += strokes / _CHARACTERS_A_WORD
            elif part not in words:
                found[script] += 1
    return {script: weight for script, weight in found.items() if weight}


def _runs(word: str) -> Iterator[tuple[str, str]]:
    """The parts of a word by script, since "我用Linux" is one run of letters."""
    start, script = 0, ""
    for at, character in enumerate(word):
        here = _script(character) or script
        if script and here != script:
            yield word[start:at], script
            start = at
        script = here
    if script:
        yield word[start:], script


@lru_cache(maxsize=4096)
def _script(character: str) -> str:
    """The script of a letter by the first word of its Unicode name; "" for marks and modifiers."""
    name = unicodedata.name(character, "").partition(" ")[0]
    if name in {"HIRAGANA", "KATAKANA"}:
        return "KANA"
    if name == "CJK":
        return "HAN"
    return name if unicodedata.category(character) in {"Lu", "Ll", "Lo", "Lt"} else ""


def _allowed(theirs: Mapping[str, float]) -> set[str]:
    enough = _SCRIPT_SHARE * sum(theirs.values())
    allowed = {script for script, weight in theirs.items() if weight >= enough}
    # Japanese is written in both.
    return allowed | {"HAN", "KANA"} if "KANA" in theirs else allowed


def _words(text: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFC", text).casefold())


def _marks(words: Iterable[str]) -> Counter[str]:
    return Counter(language for word in words for language in _MARKS.get(word, ()))


def _told(words: list[str]) -> str:
    ranked = _marks(words).most_common(2)
    if not ranked:
        return ""
    language, hits = ranked[0]
    rival = ranked[1][1] if len(ranked) > 1 else 0
    different = {word for word in words if language in _MARKS.get(word, ())}
    sure = hits >= _HITS and len(different) >= _DIFFERENT and hits >= _DENSITY * len(words)
    return language if sure and rival <= _RIVAL * hits else ""
