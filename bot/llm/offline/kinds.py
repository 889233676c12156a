"""Says what kind of thing a sentence is, and how much it is worth remembering."""

from __future__ import annotations

import re
from typing import Literal

from bot.llm.offline.script import folded
from bot.llm.offline.terms import figures, subject_terms

Kind = Literal["fact", "preference", "goal", "decision", "promise", "correction", "question", "event"]
Courtesy = Literal["greeting", "thanks", "farewell", "assent"]

# Below this a sentence isn't worth a note.
NOTABLE = 1.9

_WORTH: dict[Kind, float] = {
    "correction": 6.0,
    "goal": 5.0,
    "decision": 5.0,
    "preference": 4.5,
    "promise": 4.5,
    "fact": 4.0,
    "question": 3.0,
    "event": 1.5,
}

# Text is folded first, so Chinese is in Simplified characters here. The first kind that matches is it.
_KINDS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    (
        "promise",
        re.compile(
            r"\b(?:i|we)(?:'ll| will| shall)\b|\bpromised?\b|\bi swear\b|^(?:please )?remind me\b"
            r"|我们?(?:一定)?会(?!议)|答应|保证|承诺|提醒我"
        ),
    ),
    (
        "decision",
        re.compile(
            r"\b(?:decided|agreed|settled on|chose|chosen|booked|signed up|let's go with|we go with)\b"
            r"|决定|说好|敲定|报名了|订了|选了"
        ),
    ),
    (
        "goal",
        re.compile(
            r"\b(?:aim|aims|aiming|goals?|targets?|wanna|dream is|dream of|(?:i'd|would) like to"
            r"|(?:hope|hoping|want|wants|plan|plans|planning|intend) to)\b"
            r"|目标|想要|希望|打算|计划|准备|梦想|我们?[想要](?!知道|问|不)"
        ),
    ),
    (
        "preference",
        re.compile(
            r"\b(?:i|we)\b(?:\W+\w+){0,2}?\W+(?:like|love|prefer|enjoy|hate|dislike|adore)\b"
            r"|\bfavou?rites?\b|\bcan't stand\b|\ballerg\w+|\bvegan\b|\bvegetarian\b|\bkeen on\b|\bfan of\b"
            r"|喜欢|最爱|偏好|讨厌|[不爱只][吃喝]|吃素|素食|过敏|热爱"
        ),
    ),
    (
        "fact",
        re.compile(
            r"\b(?:my|our)\b.*(?:\b(?:is|are|was|were|has|have|lives?|works?|stud(?:y|ies))\b|'s\b)"
            r"|^(?:and |but )?(?:my|our)\b"
            r"|\bi(?:'m| am| have|'ve got| live| work| study| own| was born| speak| come from| grew up)\b"
            r"|\b(?:is|are) (?:my|our)\b|\bcall me\b"
            r"|我们?(?:是|叫|在|有|住|来自|出生)|我们?的.*(?:是|在|叫|有|为)|是我们?的|住在|\d+岁"
        ),
    ),
)
_STATES = re.compile(
    r"\b(?:is|are|was|were|will be|costs?|opens?|closes?|starts?|begins?|ends?)\b|是|在|为|要|[元块]"
)
_PERSONAL = re.compile(r"\b(?:i|me|my|mine|i'm|i've|i'll|i'd|we|our|us)\b|我")
_ADDRESS = re.compile(r"https?://\S|\S@\w+\.\w")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+")
_KEEP = re.compile(
    r"\b(?:remember that|please note|note that|don't forget|keep in mind|important)\b|记住|请记|别忘|重要"
)
_COURTESIES: tuple[tuple[Courtesy, re.Pattern[str]], ...] = (
    (
        "greeting",
        re.compile(
            r"(?:hi|hello|hey|good (?:morning|afternoon|evening)|how are you"
            r"|你好|您好|大家好|嗨|哈[啰罗喽]|早安?|早上好|晚上好|午安)"
        ),
    ),
    ("thanks", re.compile(r"(?:thanks?|thank you|thx|cheers|many thanks|谢谢|多谢|感谢|谢啦|谢了)")),
    ("farewell", re.compile(r"(?:bye|goodbye|good night|see you|see ya|再见|拜拜|晚安|下次见)")),
    (
        "assent",
        re.compile(
            r"(?:ok(?:ay)?|all right|alright|sure|great|nice|cool|good|perfect|lol|haha+|yes|yep|yeah|no|nope"
            r"|wow|hm+|got it|i see|好的?|嗯+|哦|喔|是的?|对|没错|不错|哈哈+|知道了|明白了?|了解|没问题|可以)"
        ),
    ),
)
_FILLER = re.compile(
    r"\b(?:there|everyone|all|everybody|very|so|much|again|you|too|for|your|the|help|that|a lot|and)\b"
    r"|[啊呀啦吧了您你们大家\W_]"
)
_ASKS_ENGLISH = re.compile(
    r"^(?:(?:and|so|but|ok|okay|hey|hi|hello|well|please|by the way|btw|sorry|now)[,\s]+)*"
    r"(?:(?:what|which|who|whose|whom|where|when|why|how)(?:'s|'re|'d)\b"
    r"|(?:what|which|who|whose|whom|where|when|why|how)\s+(?:\w+\s+){0,3}?"
    r"(?:is|are|am|was|were|do|does|did|can|could|will|would|should|has|have|had|much|many)\b"
    r"|(?:is|are|am|was|were|do|does|did|can|could|will|would|should|have|has|had)(?:n't)?\s+"
    r"(?:i|you|we|he|she|it|they|my|your|our|there|this|that|his|her|their|anyone|anybody|someone)\b)"
)
_ASKS_CHINESE = re.compile(
    r"[吗嘛]$|(?<!没)什么(?!都|也)|哪(?:[里儿个些天位一]|$)|(?<!不知道)谁|怎么[样办]?|多少(?!都)|是否|是不是|有没有|能不能|会不会"
    r"|几[点号月日岁个次]|多久|多大|为何|何时|(?:我|你|他|她|的)[^，。]{0,8}呢$"
)
_REQUEST = re.compile(
    r"^(?:please\s+|now\s+|then\s+)*(?:tell|show|give|list|summari[sz]e|write|translate|explain|draw|create"
    r"|suggest|recommend|describe|compare|calculate|repeat|quote|help|make|find"
    r"|remind me (?:what|when|where|which|who|how))\b"
    r"|^(?:请问?|麻烦|帮忙|帮我|给我|告诉我|列出|总结|翻译|写|说明|解释|推荐|介绍|重复)(?!住)"
)
_DEMAND = re.compile(
    r"^\W*(?:please |now |you )?(?:ignore|disregard|obey|pretend|reveal|act as|respond|reply|answer|print"
    r"|execute|delete|output|do not|don't|always|never|forget|send (?:me|him|her|them|the))\b"
    r"|\byou (?:must|shall|are now|will now|are to|should (?:always|never|now|only))\b|\bfrom now on\b"
    r"|\b(?:assistant|bot|ai|model) (?:must|shall|should|has to|is to|will)\b"
    r"|\b(?:ignore|disregard|forget|override|bypass)\b.{0,60}\b(?:instruction|rule|prompt|message|note)s?\b"
    r"|(?:^|[.!?;] ?)\W*(?:system|assistant|developer)(?: message| prompt| note)? ?[:>]"
    r"|<\|?/?(?:im_start|im_end|system|assistant|developer|user|inst)\b|\[/?inst\]|<<sys>>"
    r"|#+ ?(?:system|instruction)"
    r"|(?:忽略|无视).{0,8}(?:指令|指示|规则|提示|讯息|消息|内容|以上|之前)|^请?(?:永远|一律|务必|总是|从现在起|从今以后)"
    r"|你(?:必须|务必|一定要|现在是|不可以|不得)|(?:助手|机器人|模型)(?:必须|务必|不得|应该|要)"
    r"|(?:^|[。！？；])\s*(?:系统|助手|助理|开发者)(?:讯息|消息|提示)?\s?:|^请?(?:删除|执行|输出|回答|回复)"
)
_UNSURE = re.compile(
    r"\b(?:don't|do not|doesn't|can't|cannot) (?:know|have|tell|find|say)\b|\bnothing on\b|\bnot sure\b"
    r"|\bno (?:idea|information)\b"
    r"|不知道|没有(?:这|相关|关于|提)|不清楚|不确定|找不到|无法"
)


def is_question(sentence: str) -> bool:
    """Whether a sentence asks something, with or without a question mark."""
    plain = folded(sentence).strip().rstrip(" \"'”’」』)")
    if plain.endswith("?"):
        return True
    bare = plain.rstrip(".!。~ ")
    return bool(_ASKS_ENGLISH.search(bare) or _ASKS_CHINESE.search(bare))


def is_request(sentence: str) -> bool:
    """Whether a sentence tells the reader to do something, as in "Write a poem"."""
    return bool(_REQUEST.search(folded(sentence).strip())) and not _KEEP.search(folded(sentence))


def is_demand(sentence: str) -> bool:
    """Whether a sentence tells the reader how to behave, as in "Always answer in rhyme"."""
    return bool(_DEMAND.search(folded(sentence).strip()))


def is_personal(sentence: str) -> bool:
    """Whether a sentence is in the first person."""
    return bool(_PERSONAL.search(folded(sentence)))


def is_unsure(reply: str) -> bool:
    """Whether a reply says that it has no answer."""
    return bool(_UNSURE.search(folded(reply)))


def courtesy(text: str) -> Courtesy | None:
    """The kind of small talk that a text wholly consists of, None for any other text."""
    plain = folded(text)
    first: Courtesy | None = None
    for name, pattern in _COURTESIES:
        bounded = rf"(?<![a-z]){pattern.pattern}(?![a-z])"
        if re.search(bounded, plain):
            first = first or name
            plain = re.sub(bounded, " ", plain)
    return first if first and not _FILLER.sub("", plain).strip() else None


def kind_of(sentence: str) -> Kind:
    """The kind of note that a sentence would make."""
    if is_question(sentence):
        return "question"
    plain = folded(sentence)
    for kind, pattern in _KINDS:
        if pattern.search(plain):
            return kind
    return "fact" if _literal(sentence) and _STATES.search(plain) else "event"


def worth(kind: str, sentence: str) -> float:
    """How much a note of this kind and text is worth keeping, from 0 to about 9."""
    value = _WORTH.get(kind, 1.5)  # type: ignore[call-overload]
    value += min(len(figures(sentence)), 3) * 0.5 + (0.5 if _ADDRESS.search(sentence) else 0.0)
    value += (0.5 if is_personal(sentence) else 0.0) + (0.3 if _NAME.search(sentence) else 0.0)
    value += 1.5 if _KEEP.search(folded(sentence)) else 0.0
    value -= 1.5 if len(subject_terms(sentence)) < 2 and not _literal(sentence) and kind == "event" else 0.0
    return float(value)


def _literal(sentence: str) -> bool:
    return bool(figures(sentence) or _ADDRESS.search(sentence))
