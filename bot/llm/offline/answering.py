"""Answers the current message: quotes what matches its questions, or says what it noted."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.llm.offline.context import Scene, read_scene
from bot.llm.offline.facts import Fact, facts_of
from bot.llm.offline.kinds import courtesy, is_personal, is_question, is_request, kind_of, worth
from bot.llm.offline.phrases import PHRASES, Phrases
from bot.llm.offline.ranking import best
from bot.llm.offline.script import language_of
from bot.llm.offline.sentences import collapsed, shortened, statements
from bot.ports import ModelRequest

_MOST_QUESTIONS = 4
_QUOTE = 200
_NOTED = 120

# How a message calls the bot: "@memora_bot", "<@42>", or "Memora, " before what is said.
_MENTION = re.compile(r"<@[!&]?\d+>|(?<![\w.])@\w+")
_CALLED = re.compile(
    r"^[A-Z]\w+[,:，：]\s*(?=(?:what|which|who|where|when|why|how|do|does|did|is|are|can)\b)"
)
_PARTS = re.compile(
    r"(?:,\s*|\s+)and\s+(?=(?:what|which|who|whose|where|when|why|how)\b)"
    r"|[，,；;]\s*(?=[^，,；;]*(?:什麼|什么|哪|幾|几|多少|誰|谁|怎))",
    re.IGNORECASE,
)


def answer(request: ModelRequest) -> str:
    """The text of the answer to the request's last message; everything before it is only ever quoted."""
    scene = read_scene(request)
    text = _CALLED.sub("", collapsed(_MENTION.sub(" ", scene.current.text)))
    earlier = " ".join(line.text for line in scene.lines if not line.by_bot)
    phrases = PHRASES[language_of(text, earlier)]
    politeness = courtesy(text)
    if politeness:
        return phrases.reply_to(politeness)
    units = statements(text)
    questions = [part for unit in units if is_question(unit) or is_request(unit) for part in _parts(unit)]
    if questions:
        return _answers(questions[:_MOST_QUESTIONS], scene, phrases)
    return phrases.noted.format(quote=_gist(text, units))


def _parts(question: str) -> list[str]:
    """A question that asks for several things, taken apart."""
    return [part for part in map(str.strip, _PARTS.split(question)) if part]


def _answers(questions: Sequence[str], scene: Scene, phrases: Phrases) -> str:
    facts = facts_of(scene)
    rows: list[str] = []
    missed = 0
    for question in questions:
        found = best(question, scene, facts)
        rows += [_quoted(fact, scene, phrases) for fact in found]
        if not found:
            missed += 1
            rows.append(phrases.nothing_on.format(question=shortened(question, _NOTED)))
    if missed == len(questions):
        return phrases.cannot if all(map(is_request, questions)) else phrases.nothing
    return "\n".join(dict.fromkeys(rows))


def _quoted(fact: Fact, scene: Scene, phrases: Phrases) -> str:
    """A statement with who said it: in groups by name, notes in nobody's own words as notes."""
    quote, line = _quotable(fact.text), fact.line
    name = f"{line.name} (#{line.speaker})" if scene.shared_name(line) else line.name
    if fact.asks:
        return phrases.asked.format(quote=quote)
    if line.by_bot:
        return phrases.i_said.format(quote=quote)
    if line.origin == "note" and not (line.speaker and is_personal(fact.text)):
        return (phrases.notes_on if name and scene.group else phrases.notes_say).format(
            quote=quote, name=name
        )
    return (phrases.said if scene.group else phrases.you_said).format(quote=quote, name=name)


def _gist(text: str, units: Sequence[str]) -> str:
    """What to quote of a message that asks nothing: all of it where it is short, else what matters most."""
    if len(text) <= _NOTED:
        return text
    told = [unit for unit in units if not courtesy(unit)]
    return _quotable(max(told, key=lambda unit: worth(kind_of(unit), unit), default=text))


def _quotable(text: str) -> str:
    return shortened(collapsed(text), _QUOTE) or f"{text[:_QUOTE]} …"
