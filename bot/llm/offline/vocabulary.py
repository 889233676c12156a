"""The words that the offline model knows: which say nothing, which mean the same, which ask for what.

Chinese is written in Simplified characters; text is folded to them before it is looked up.
"""

from __future__ import annotations


def _words(rows: str) -> frozenset[str]:
    return frozenset(rows.split())


STOP_WORDS = _words(
    """
    summarize summarise summary list show give describe explain type types kind kinds sort sorts way
    ways a an the and or but so if then than that this these those there here of to in on at for from
    by with as into about over under again also too very just only really quite still yet already even
    ever much many more most i me my mine myself we us our ours you your yours he him his she her hers
    it its they them their theirs one am is are was were be been being do does did done doing have has
    had having will would shall should can could may might must let lets not no nor yes yeah ok okay
    please well oh ah hey hi hello thanks thank what which who whom whose where when why how say says
    said saying tell tells told telling know knows knew known remember remembers remembered recall
    mention mentioned think thinks thought actually correction correct sorry oops wait mean meant wrong
    mistake fact instead rather anymore longer now currently some any all every each thing things stuff
    something anything everything lot up out off down get gets got getting i'm i've i'll i'd it's
    that's what's who's where's when's how's let's don't doesn't didn't isn't aren't wasn't weren't
    can't couldn't won't wouldn't shouldn't haven't hasn't you're you've we're we've they're he's she's
    there's noted ask asked asking
    """
)

STOP_PHRASES = _words(
    """
    我的 你的 他的 她的 我们 你们 他们 大家 我 你 您 他 她 它 的 了 吗 呢 吧 啊 是 在 有 和 跟 与 也 都
    就 还 又 很 太 这 那 哪 什么 怎么 请问 请 知道 记得 记住 告诉 说过 说 提过 讲过 是不是 有没有 一个
    个 一 不 会 要 想 能 可以 可 得 地 着 过 给 把 被 对 从 到 上 下 里 为 以 及 或 但 而 但是 所以
    因为 如果 那么 这个 那个 现在 觉得 应该 呀 哦 嗯 喔 其实 更正 不对 改成 改到 改为 说错 记错 搞错
    弄错 才对 不是 没有 没 哪个 哪些 比较 最 更 一下 这样 那样 号 日 分 点 谢谢
    我想知道 我想问 总结 列出 过的话 的话 话 你好 好 成 改
    """
)

# A concept, and the words (English; Chinese) that stand for it in questions and in statements alike.
SAME = {
    "=exam": ("exam examination test quiz", "考试 测验 考"),
    "=goal": ("aim goal target objective want hope wish", "目标 目的 想要 希望 打算 我想 我要"),
    "=weak": ("weak weakness struggle bad poor", "弱项 弱点 弱 较弱 不擅长 不拿手 不好 短处 差"),
    "=strong": ("strong strength", "强项 擅长 拿手 长处"),
    "=like": ("like love enjoy favourite favorite prefer preference adore", "喜欢 最爱 喜爱 偏好 爱"),
    "=dislike": ("dislike hate detest", "讨厌 不喜欢 不爱"),
    "=eat": ("eat food diet", "吃 食物 饮食"),
    "=drink": ("drink beverage", "喝 饮料"),
    "=work": ("work job profession occupation career", "工作 职业 上班"),
    "=live": ("live home reside address", "住 居住 住址 地址"),
    "=name": ("name called call", "名字 姓名 叫"),
    "=birth": ("birthday born birth", "生日 出生"),
    "=age": ("age aged", "年纪 年龄 几岁 岁 多大"),
    "=cost": ("cost price budget fee", "价格 价钱 费用 预算 多少钱"),
    "=deadline": ("deadline due", "截止 期限 到期"),
    "=meeting": ("meeting appointment", "会议 开会 约会 见面"),
    "=trip": ("trip travel vacation holiday journey", "旅行 旅游 出差 旅程"),
    "=study": ("study learn practice practise", "学习 读书 练习 学"),
    "=phone": ("phone telephone mobile", "电话 手机"),
    "=mail": ("email mail", "邮箱 邮件 信箱"),
    "=pet": ("pet", "宠物"),
    "=hobby": ("hobby pastime interest", "爱好 兴趣 嗜好"),
    "=allergy": ("allergy allergic", "过敏"),
    "=buy": ("buy purchase", "买 购买"),
    "=go": ("go visit", "去 拜访"),
    "=colour": ("color colour", "颜色"),
    "=decide": ("decide decision choose choice agree", "决定 选择 同意"),
    "=promise": ("promise", "答应 承诺 保证"),
}

# Words of statements that also speak to a concept, though a question with them means just them.
IMPLIED = {
    "=exam": ("toeic toefl ielts midterm", "多益 托业 托福 雅思 期中考 期末考"),
    "=eat": ("vegan vegetarian steak meat breakfast lunch dinner cook", "吃素 素食 牛排 早餐 午餐 晚餐 肉"),
    "=drink": ("tea coffee beer wine juice", "茶 咖啡 啤酒 果汁"),
    "=pet": ("dog cat puppy kitten hamster", "狗 猫 小狗 小猫"),
    "=goal": ("plan", "计划"),
    "=work": ("engineer teacher nurse doctor office", "工程师 老师 护士 医生 办公室"),
    "=live": ("moved", "搬到 搬家"),
    "=dislike": ("", "不吃 不喝"),
}

# Words that contain a word of the tables above but are no case of it.
WHOLE = _words(
    """
    考虑 参考 思考 差不多 时差 大学 学校 学生 同学 科学 数学 过去 失去 爱人 女朋友 男朋友
    """
)

# Terms that only say when something is.
TIME_TERMS = _words(
    """
    next last day week month year today tomorrow yesterday tonight morning afternoon even time dat 月 年 周
    明天 今天 昨天 后天 下午 早上 晚上
    """
)

# Concepts of which a person has several at a time: one more is no correction of another.
SEVERAL = _words(
    """
    =like =dislike =eat =drink =hobby =buy =go =pet =study =goal =work
    """
)

# Forms that no rule leads to, each with its word.
IRREGULAR = dict(
    pair.split(":")
    for pair in _words(
        """
        went:go gone:go ate:eat eaten:eat bought:buy chose:choose chosen:choose met:meet made:make
        gave:give given:give took:take taken:take saw:see seen:see found:find left:leave lived:live
        lives:live living:live drank:drink drunk:drink ran:run wrote:write written:write taught:teach
        learnt:learn sold:sell spoke:speak spoken:speak began:begin broke:break brought:bring built:build
        felt:feel flew:fly grew:grow kept:keep lost:lose paid:pay sent:send slept:sleep spent:spend
        swam:swim won:win wore:wear children:child men:man women:woman feet:foot mice:mouse people:person
        wives:wife better:good best:good worst:bad worse:bad
        """
    )
)

# What a question asks for: its name, how a question says it, how a statement shows it (text is folded).
CUES = (
    (
        "?time",
        r"\b(?:what|which)\s+time\b|几点|什么时间",
        r"\b\d{1,2}:\d\d\b|\b\d{1,2}\s*(?:am|pm|a\.m|p\.m|o'clock)\b|\b(?:noon|midnight)\b|[\d一二三四五六七八九十两]点",
    ),
    (
        "?date",
        r"\b(?:what|which)\s+(?:day|date|month|year)\b|\bwhen(?:'s)?\b|\bdate\b"
        r"|哪一?[天日]|几[号月日]|什么时候|何时|日期|(?:星期|周|礼拜)几",
        r"\b\d{1,2}(?:st|nd|rd|th)\b|\b\d{4}-\d{1,2}|\b\d{1,2}/\d{1,2}\b|\b(?:19|20)\d\d\b"
        r"|\b(?:jan|feb|apr|jun|jul|aug|sep|sept|oct|nov|dec)\b|\b(?:march|may)\s+\d|\d\s+(?:of\s+)?(?:march|may)\b"
        r"|\b(?:january|february|april|june|july|august|september|october|november|december)\b"
        r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:today|tomorrow|yesterday|tonight)\b"
        r"|\b(?:next|last|this)\s+(?:week|month|year|weekend|spring|summer|autumn|fall|winter)\b"
        r"|\b\d+\s+(?:days?|weeks?|months?|years?)\b"
        r"|[\d一二三四五六七八九十]\s*[号日月]|(?:星期|周|礼拜)[一二三四五六日天末]"
        r"|[明昨今后]天|[下上这]个?(?:周|月|星期|礼拜)|[明去今]年",
    ),
    (
        "?number",
        r"\bhow\s+(?:many|much|long|far|often)\b|\b(?:score|points|amount|number)\b"
        r"|多少|几|多久|分数|成绩",
        r"\d|[一二三四五六七八九十百千万两]+[个分次天年块元人只岁]"
        r"|\b(?:two|three|four|five|six|seven|eight|nine|ten|hundred|thousand)\b",
    ),
    (
        "?place",
        r"\bwhere(?:'s)?\b|\b(?:which|what)\s+(?:city|country|place|town)\b|哪里|哪儿|在哪|什么地方|哪个城市",
        r"\b(?:in|at|to|from|near)\s+(?:the\s+)?[a-z]{3,}|[在去到]",
    ),
    ("?person", r"\b(?:who|whom)(?:'s)?\b|谁|哪位", r"\b(?:with|by|called|named)\s+[a-z]+|[和跟叫]"),
    ("?reason", r"\bwhy\b|为什么|为何", r"\b(?:because|since|due to|so that)\b|因为|由于|为了"),
)
