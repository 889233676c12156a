"""The few sentences that the offline model says of itself, in three languages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields

from bot.llm.offline.kinds import Courtesy
from bot.llm.offline.script import Language

_FIELD = re.compile(r"\\\{\w+\\\}")


@dataclass(frozen=True, slots=True)
class Phrases:
    """Templates: {quote} is a person's words, {name} a person, {question} what was asked."""

    you_said: str
    said: str
    i_said: str
    notes_say: str
    notes_on: str
    asked: str
    nothing: str
    nothing_on: str
    cannot: str
    noted: str
    greeting: str
    thanks: str
    farewell: str
    assent: str

    def reply_to(self, courtesy: Courtesy) -> str:
        """The answer to small talk."""
        return {
            "greeting": self.greeting,
            "thanks": self.thanks,
            "farewell": self.farewell,
            "assent": self.assent,
        }[courtesy]

    def openings(self) -> str:
        """A pattern of how the model's own answers begin, so that it never quotes itself quoting."""
        templates = [str(getattr(self, entry.name)).split("{quote}")[0] for entry in fields(self)]
        return "|".join(_FIELD.sub(r".{1,60}?", re.escape(template)) for template in templates)


PHRASES: Mapping[Language, Phrases] = {
    "en": Phrases(
        you_said="You said: “{quote}”",
        said="{name} said: “{quote}”",
        i_said="I said: “{quote}”",
        notes_say="My notes say: “{quote}”",
        notes_on="My notes on {name} say: “{quote}”",
        asked="I have no answer to that; it was asked before: “{quote}”",
        nothing="I have nothing on that in this conversation.",
        nothing_on="I have nothing on “{question}”",
        cannot="I'm the offline model: I can only quote what was said here, and I find nothing on that.",
        noted="Noted: “{quote}”",
        greeting="Hello! Tell me something, or ask me what was said here.",
        thanks="You're welcome.",
        farewell="Goodbye!",
        assent="All right.",
    ),
    "zh-hant": Phrases(
        you_said="你說過：「{quote}」",
        said="{name} 說過：「{quote}」",
        i_said="我說過：「{quote}」",
        notes_say="我的筆記寫著：「{quote}」",
        notes_on="我對 {name} 的筆記寫著：「{quote}」",
        asked="這我沒有答案；之前有人問過：「{quote}」",
        nothing="這段對話裡沒有這方面的內容。",
        nothing_on="沒有關於「{question}」的內容。",
        cannot="我是離線模型，只能引用這裡說過的話，而這裡沒有相關的內容。",
        noted="記下了：「{quote}」",
        greeting="你好！可以告訴我事情，或問我這裡說過什麼。",
        thanks="不客氣。",
        farewell="再見！",
        assent="好的。",
    ),
    "zh-hans": Phrases(
        you_said="你说过：“{quote}”",
        said="{name} 说过：“{quote}”",
        i_said="我说过：“{quote}”",
        notes_say="我的笔记写着：“{quote}”",
        notes_on="我对 {name} 的笔记写着：“{quote}”",
        asked="这我没有答案；之前有人问过：“{quote}”",
        nothing="这段对话里没有这方面的内容。",
        nothing_on="没有关于“{question}”的内容。",
        cannot="我是离线模型，只能引用这里说过的话，而这里没有相关的内容。",
        noted="记下了：“{quote}”",
        greeting="你好！可以告诉我事情，或问我这里说过什么。",
        thanks="不客气。",
        farewell="再见！",
        assent="好的。",
    ),
}


def is_own(reply: str) -> bool:
    """Whether a reply is one of this model's own."""
    return any(re.match(phrases.openings(), reply) for phrases in PHRASES.values())
