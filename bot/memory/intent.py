"""Sees what a note must not be: an instruction, a question told as a fact, a request nobody made.

The rules go by how a text is put, in English and Chinese, and lean towards letting a note pass:

- A note that reads as an instruction ("ignore …", "always answer …", "you must", "system:") is refused
  unless the instruction stands in quotation marks beside a verb of speech: Ann said "always answer in rhyme".
- A note that says no more than a yes-or-no question asks, put as a statement, is refused.
- A note that reports a request or a question shares words with what that person said, or is refused.
"""

from __future__ import annotations

import re
import unicodedata

_QUOTATION = re.compile(r"\"[^\"]*\"|“[^”]*”|「[^」]*」|『[^』]*』|«[^»]*»")
_SPEECH = re.compile(
    r"\b(?:said|says|wrote|writes|asked|asks|quoted|quotes|posted|typed|sent|repeated|message)\b"
    r"|[說说寫写問问貼贴傳传]"
)
_ANSWERING = (
    r"(?:answer|reply|respond|say|speak|talk|write|act|pretend|behave|follow|obey|ignore|disregard|reveal|"
    r"call|address|use|mention|repeat|output|begin|start|end|refuse|agree)"
)
_OLD_RULES = (
    r"(?:instructions?|rules?|prompts?|guidelines?|messages?|notes?|context|constraints?|restrictions?"
    r"|system)"
)
_INSTRUCTION = re.compile(
    "|".join(
        (
            r"<\|?/?(?:im_start|im_end|system|assistant|developer|user|inst)\b|\[/?inst\]|<<sys>>"
            r"|#+ ?(?:system|instruction)",
            r"(?:^|[\n.!?;] ?)\W{0,8}(?:system|assistant|developer)(?: message| prompt| note)? ?[:>]",
            rf"\b(?:ignore|disregard|forget|override|bypass)\b.{{0,30}}\b(?:previous|prior|above"
            rf"|earlier|all|any|these|your|the)\b.{{0,30}}\b{_OLD_RULES}\b",
            r"^\W*(?:please |now |you )?(?:ignore|disregard|obey|pretend|reveal|act as|roleplay"
            r"|respond (?:with|in|only|as)"
            r"|reply (?:with|in|only|as|to)|answer (?:with|in|only|as|every|all|the|this|me)|print"
            r"|execute|translate|summari[sz]e"
            r"|delete|explain|output|tell me|give me|show me|write (?:me|a|an|the)|send (?:me|him|her"
            r"|them|the)|do not|don't"
            r"|repeat (?:after|the|this))\b",
            rf"^\W*(?:please )?(?:always|never|from now on)\b,? ?(?:you )?(?:\w+ )?{_ANSWERING}\b",
            rf"\bfrom now on,? (?:you|always|never|{_ANSWERING})\b",
            r"\byou (?:must|shall|are now|will now|are to|should (?:always|never|now|only))\b",
            rf"\b(?:assistant|bot|ai|model) (?:must|shall|should|has to|is to|will)(?: now| always"
            rf"| never| only)? {_ANSWERING}\b",
            r"忽略.{0,8}(?:指令|指示|規則|规则|提示|訊息|消息|內容|内容|以上|之前)|無視.{0,8}(?:指令"
            r"|指示|規則)|无视.{0,8}(?:指令|指示|规则)",
            r"(?:^|[\n。！？；])\s*(?:系統|系统|助手|助理|開發者|开发者)(?:訊息|消息|提示)?\s?[:：]",
            r"^(?:請|请)?(?:永遠|永远|一律|務必|务必|總是|总是|從現在起|从现在起|從今以後"
            r"|从今以后).{0,4}(?:回答|回覆|回复|用|說|说|以)",
            r"你(?:必須|必须|務必|务必|一定要|現在是|现在是|不可以|不得)|(?:助手|機器人|机器人"
            r"|模型)(?:必須|必须|務必|务必|不得|應該|应该|要)(?:用|以|回|說|说|忽|聽|听|總|总)",
            r"^(?:請|请)?(?:翻譯|翻译|刪除|删除|執行|执行|輸出|输出|告訴我|告诉我|給我|给我|幫我|帮我"
            r"|回答|回覆|回复)",
        )
    ),
    re.IGNORECASE,
)
_DECLINED = re.compile(
    r"^\W*(?:i'?m|i am)?\s?(?:very |so |really )?(?:sorry|afraid)\b"
    r"|^\W*(?:unfortunately,? )?i (?:can'?t|cannot|can not|won't"
    r"|am unable|am not able)\b|^\W*as an ai\b|^\W*(?:很|非常)?(?:抱歉|對不起|对不起)|^\W*我(?:無法"
    r"|无法|不能|沒辦法|没办法)",
    re.IGNORECASE,
)
_YES_OR_NO = re.compile(
    r"^(?:(?:and|so|but|hey|hi|well|ok|okay)[, ]+)*(?:is|are|am|was|were|do|does|did|has|have|had"
    r"|will)(?:n't)? (?!you\b)",
    re.IGNORECASE,
)
_ZH_YES_OR_NO = re.compile(r"[嗎吗]$|是不是|有沒有|有没有|是否")
_ZH_ASKING_YOU = re.compile(r"[你您妳](?:可以|能|會|会|有)|[幫帮]我|能不能")
_REPORT = re.compile(
    r"\b(?:ask(?:s|ed|ing)?|wonder(?:s|ed|ing)?|request(?:s|ed|ing)?|want(?:s|ed)? (?:to know"
    r"|the (?:bot|assistant))|question|told)\b"
    r"|想知道|詢問|询问|要求|請求|请求|問|问",
    re.IGNORECASE,
)
_REPORTING = re.compile(
    r"\b(?:ask(?:s|ed)?|request(?:s|ed)?|told|instruct(?:s|ed)?)\b(?: \S+){0,3} (?:to|for|that)\b"
    r"|\bwant(?:s|ed)? the (?:bot|assistant)\b|(?:要求|請求|请求|拜託|拜托|請|请)(?:助手|機器人|机器人"
    r"|翻|幫|帮|刪|删|寫|写)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]*")
# Words that say nothing of what a text is about.
_EMPTY_WORDS = (
    "the and for that this with was were are has have had his her their its our your who what when "
    "where which how "
    "user ask asks asked asking wonder wonders wondered request requests requested want wants wanted "
    "know told about "
    "bot assistant whether please can could would will does did not any some from into she they you"
)
_EMPTY = frozenset(_EMPTY_WORDS.split())
_STEM = 4
_REPEATS = 0.8


def instructs(text: str) -> bool:
    """Whether a note reads as an instruction to the assistant, or as a line of a role."""
    shown = unicodedata.normalize("NFKC", text)
    outside = _QUOTATION.sub(" ", shown)
    return bool(_INSTRUCTION.search(outside if _SPEECH.search(outside.lower()) else shown))


def declines(answer: str) -> bool:
    """Whether an answer begins as a refusal does."""
    return bool(_DECLINED.search(answer.strip().replace("\u2019", "'")))


def states_a_question(text: str, said: list[str]) -> bool:
    """Whether a note puts as a fact what was only asked, yes or no, in everything of `said`."""
    if _REPORT.search(text) or text.rstrip().endswith(("?", "？")) or not said:
        return False
    sentences = [match.group().strip() for one in said for match in _SENTENCE.finditer(one)]
    if not all(_asks_whether(sentence) for sentence in sentences):
        return False
    own, theirs = _topics(text), _topics("\n".join(said))
    return bool(own) and len(own & theirs) >= _REPEATS * len(own)


def invents_a_request(text: str, said: list[str]) -> bool:
    """Whether a note reports a request of which nothing is in what was said."""
    if not _REPORTING.search(text):
        return False
    own = _topics(text)
    return bool(own) and not own & _topics("\n".join(said))


def _asks_whether(sentence: str) -> bool:
    if not sentence.endswith(("?", "？")):
        return False
    bare = sentence.rstrip("?？ ")
    chinese = _ZH_YES_OR_NO.search(bare) and not _ZH_ASKING_YOU.search(bare)
    return bool(_YES_OR_NO.search(sentence) or chinese)


def _topics(text: str) -> set[str]:
    """What a text is about: the beginnings of its words, pairs of Han characters, its figures."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    words = re.findall(r"[^\W_\u3040-\u9fff]+", plain)
    stems = {word[:_STEM] for word in words if word not in _EMPTY and (len(word) > 2 or word.isdigit())}
    runs = re.findall(r"[\u3040-\u9fff]+", _ZH_EMPTY.sub(" ", plain))
    return stems | {run[at : at + 2] for run in runs for at in range(max(len(run) - 1, 1))}


_ZH_EMPTY = re.compile(
    r"要求|請求|请求|詢問|询问|想知道|使用者|用戶|用户|助手|機器人|机器人|[請请幫帮的了嗎吗是在我你他她您]"
)
