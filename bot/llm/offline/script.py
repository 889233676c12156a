"""Tells Chinese scripts apart, and folds Traditional into Simplified so that both match each other."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

Language = Literal["en", "zh-hant", "zh-hans"]

# A Traditional character and its Simplified form, pair by pair: common ones, enough to match everyday words.
_PAIRS = (
    "個个們们這这來来時时會会說说對对學学國国過过後后發发經经長长東东車车書书買买賣卖見见現现電电話话語语讀读寫写聽听講讲"
    "課课試试題题問问門门間间開开關关點点幾几歲岁號号週周麼么樣样還还沒没應应該该讓让給给錢钱價价飯饭館馆飲饮餓饿魚鱼雞鸡"
    "鴨鸭豬猪貓猫馬马鳥鸟龍龙員员圓圆園园遠远進进連连運运動动務务勞劳勝胜勢势區区醫医藥药華华萬万葉叶團团圖图場场塊块報报"
    "壞坏壓压處处備备復复夢梦頭头奮奋婦妇媽妈嗎吗嚴严單单陽阳陰阴隊队階阶際际陸陆險险隨随難难雖虽雙双雜杂離离雲云霧雾靈灵"
    "靜静響响頁页頂顶項项順顺須须預预領领頻频額额顏颜願愿類类風风飛飞駕驾騎骑騙骗驗验驚惊體体髮发鬆松鬧闹鮮鲜麗丽麥麦麵面"
    "黃黄齊齐齒齿親亲覺觉觀观規规視视覽览計计訂订討讨訓训記记許许訴诉診诊詞词評评詢询詳详認认誤误誰谁請请諒谅論论諾诺謀谋"
    "謝谢證证識识譯译議议護护變变豐丰負负財财責责貨货質质購购貴贵費费貸贷資资賓宾賞赏賽赛贈赠趕赶軍军軟软載载輕轻輛辆輪轮"
    "輸输轉转辦办農农達达違违遲迟選选遺遗邊边鄉乡鄰邻釋释針针鋼钢錄录錯错鍋锅鎖锁鏡镜鐘钟鐵铁閉闭閱阅閒闲紀纪約约紅红納纳"
    "純纯紙纸級级細细終终組组結结絕绝統统絲丝綠绿維维網网緊紧線线編编緣缘練练縣县總总績绩繼继續续織织繪绘罰罚羅罗職职聯联"
    "聲声聰聪腦脑腳脚腸肠膚肤臉脸臨临舊旧舉举興兴與与藝艺蘇苏蘭兰虛虚蟲虫補补裝装製制複复爭争愛爱爺爷牆墙狀状獨独獎奖環环"
    "產产畫画異异當当療疗盡尽監监盤盘眾众礎础禮礼種种稱称穩稳積积窮穷競竞筆笔節节範范築筑簡简簽签籃篮籌筹糧粮樂乐樓楼標标"
    "樹树機机橋桥檢检檔档權权歡欢歷历歸归殘残殺杀氣气決决況况準准溫温測测湯汤濕湿灣湾滿满漢汉漲涨潔洁澤泽濃浓濟济災灾為为"
    "無无煙烟煩烦熱热燈灯燒烧營营懷怀懶懒戀恋戲戏戶户掃扫採采換换損损搶抢擁拥擇择擊击擔担據据擠挤擺摆攝摄敗败數数敵敌斷断"
    "暫暂曉晓曆历條条極极構构業业榮荣傳传傷伤債债優优儲储億亿僅仅側侧偉伟償偿兒儿兩两冊册凍冻劃划創创劇剧劉刘則则剛刚勵励"
    "勸劝協协卻却參参吳吴啟启嘗尝圍围執执堅坚墊垫壯壮壽寿夠够夾夹奧奥孫孙寧宁實实寬宽寶宝將将專专尋寻導导屆届屬属層层島岛"
    "幣币幫帮廁厕廚厨廠厂廣广廳厅張张強强彈弹彎弯從从徵征態态慣惯憂忧憶忆妳你裡里裏里臺台乾干幹干著着隻只歐欧韓韩貼贴訊讯"
    "郵邮碼码帳帐帶带師师詩诗鑰钥鍵键銀银銷销錶表飾饰養养餘余颱台慮虑辭辞蔥葱薦荐藍蓝蘋苹蝦虾衛卫誕诞調调談谈諮咨賺赚遊游"
    "醬酱釣钓隱隐顧顾顯显鵝鹅鹽盐鹹咸係系羊羊龜龟陳陈楊杨趙赵馮冯許许蔣蒋鄭郑莊庄葯药滅灭減减湊凑淺浅潤润澀涩圈圈"
)
_FOLD = str.maketrans(_PAIRS[::2], _PAIRS[1::2])
_TRADITIONAL = frozenset(_PAIRS[::2]) - frozenset(_PAIRS[1::2])
# Characters that are a Simplified form but ordinary in Traditional text too say nothing of the script.
_SHARED = frozenset("后里只面台余干表松周制志采征云系你着咨游准范咸几丰划历叶万与系庄羊圈")
_SIMPLIFIED = frozenset(_PAIRS[1::2]) - frozenset(_PAIRS[::2]) - _SHARED
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_LATIN = re.compile(r"[A-Za-z]+")


def folded(text: str) -> str:
    """`text` for matching: compatibility forms and case folded, Traditional as Simplified."""
    return unicodedata.normalize("NFKC", text).lower().translate(_FOLD).replace("\u2019", "'")


def is_chinese(text: str) -> bool:
    """Whether Chinese carries the sentence; foreign names and figures in it don't count against it."""
    han = len(_HAN.findall(text))
    return han >= 1 and not _KANA.search(text) and han >= len(_LATIN.findall(text))


def script_of(text: str) -> Language | None:
    """The script that the characters of `text` speak for; None where they are the same in both."""
    traditional = sum(character in _TRADITIONAL for character in text)
    simplified = sum(character in _SIMPLIFIED for character in text)
    if traditional == simplified:
        return None
    return "zh-hant" if traditional > simplified else "zh-hans"


def language_of(text: str, earlier: str) -> Language:
    """The language to answer `text` in. `earlier` decides the script where `text` could be either."""
    if not is_chinese(text):
        return "en"
    return script_of(text) or script_of(earlier) or "zh-hant"
