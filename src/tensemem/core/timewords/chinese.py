"""Chinese, simplified and traditional."""

from __future__ import annotations

from . import amounts as u
from . import anchors as a
from . import clocks as c
from . import counted as k
from . import longer as p
from . import numbering as n
from . import onward as o
from . import stretches as s
from . import weekdays as w
from .grammar import Rule
from .numerals import Few
from .tables import Language, Words


def _weekdays() -> dict[int, str]:
    days = dict(enumerate("一二三四五六")) | {6: "日天"}
    names = ("星期", "礼拜", "禮拜", "周", "週", "个星期", "個星期", "个礼拜")
    return {
        day: "|".join(name + char for name in names for char in chars if name not in "周週" or char != "天")
        for day, chars in days.items()
    }


WORDS: Words = {
    "year_word": {"year": "年|年度|年份"},
    "month_word": {"month": "月|月份"},
    "day_word": {"day": "日"},
    "mark1": {"day": "号|號"},
    "weekday": _weekdays(),
    "relday": {
        0: "今天|今日", 1: "明天|明日", -1: "昨天|昨日", 2: "后天|後天", -2: "前天", 3: "大后天|大後天", -3: "大前天",
    },
    "now": {0: "现在|現在|目前|此刻|当前|這時|这时候|马上|立刻"},
    "relyear": {0: "今年|本年|本年度|当年", -1: "去年|上年|上一年", 1: "明年|下一年|来年|"
    "來年", -2: "前年", 2: "后年|後年",
                -3: "大前年", 3: "大后年"},
    "last": {-1: "上|上个|上個|上一|上一个|上一個|前一个|前一個", -2: "上上|上上个|上上個"},
    "next": {1: "下|下个|下個|下一|下一个|下一個", 2: "下下|下下个|下下個"},
    "this": {0: "这|這|这个|這個|本|当前这个|这一"},
    "each": {0: "每|每个|每個|每隔"},
    "unit": {
        "day": "天", "week": "周|週|星期|礼拜|禮拜|个星期|個星期|个礼拜|個禮拜|个周", "month": "个月|個月|月内",
        "quarter": "季度|个季度|個季度", "decade": "十年|年代", "century": "世纪|世紀", "weekend": "周末|週末|"
        "星期末",
        "half": "半年", "workday": "工作日|个工作日|個工作日", "fiscal": "财年|財年|财政年度",
    },
    "month_of": {0: "本月|这月|这个月|這個月|当月", -1: "上月|上个月|上個月", 1: "下月|下个月|下個月",
                 -2: "上上个月|上上個月", 2: "下下个月|下下個月"},
    "clock_unit": {
        "hour": "小时|小時|个小时|個小時|钟头|个钟头|鐘頭|個鐘頭", "minute": "分钟|分鐘", "second": "秒钟|秒鐘",
    },
    "minute_word": {0: "分"},
    "second_word": {0: "秒"},
    "oclock": {0: "点|點|时|時|点钟|點鐘|点整"},
    "half_word": {0: "半"},
    "ago": {0: "前|之前|以前"},
    "later": {0: "后|後|之后|之後|以后|以後"},
    "within": {0: "内|之内|以内|內|之內|以內"},
    "past_word": {-1: "过去|過去|最近|近|过去的|最近的|前面的"},
    "hence": {1: "未来|未來|接下来|接下來|今后|今後|往后|未来的|接下来的|还剩"},
    "since": {0: "自|自从|自從|从|從|由|打从"},
    "onwards": {0: "起|开始|開始|以来|以來|至今|及以后|及以後|或之后|或之後|或以后|或以後|及之后|及之後|起至今|"
    "开始至今"},
    "until": {0: "到|至|直到|截至|截止|截止到|直至"},
    "mark2": {0: "为止|為止|止"},
    "mark3": {0: "或之前|或以前|及以前|及之前|或更早"},
    "between": {0: "之间|之間|间|間|期间|期間|这段时间|這段時間|之中"},
    "and": {0: "和|与|與|跟|及"},
    "or": {0: "或|或者|还是"},
    "of": {0: "的|之"},
    "in": {0: "在|于|於"},
    "part": {
        "early": "初|初期|上旬|早期|前期", "mid": "中旬|中期", "late": "底|末|下旬|末期|后期|晚期",
    },
    "year_part": {"early": "年初", "mid": "年中", "late": "年底|年末|岁末"},
    "month_part": {"early": "月初|月上旬", "mid": "月中|月中旬", "late": "月底|月末|月下旬"},
    "last_word": {-1: "最后|最後|最后一|最後一|最后一个|最後一個|最后的|最後的"},
    "around": {0: "大约|大約|大概|约|約|差不多|左右|前后|前後"},
    "season": {"spring": "春天|春季", "summer": "夏天|夏季", "autumn": "秋天|秋季", "winter": "冬天|冬季"},
    "half_mark": {1: "上半年|前半年", 2: "下半年|后半年|後半年"},
    "half_part": {
        ("week", "early"): "上半周|前半周|上半週", ("week", "late"): "下半周|后半周|下半週",
        ("month", "early"): "上半月|上半个月", ("month", "late"): "下半月|下半个月",
        ("half", -1): "上个半年|上個半年", ("half", 1): "下个半年",
    },
    "ordinal_mark": {0: "第"},
    "daypart": {
        "early_morning": "凌晨|清晨|大清早", "morning": "早上|上午|早晨|早|早间|早間|今早", "noon": "中午",
        "afternoon": "下午|午后", "evening": "晚上|傍晚|晚间|晚間|晚", "night": "夜里|夜裡|半夜|深夜|夜间|夜",
    },
    "dayparted": {(0, "morning"): "今早", (0, "evening"): "今晚", (-1, "evening"): "昨晚", (1, "evening"): "明晚",
                  (1, "morning"): "明早", (0, "night"): "今夜"},
    "era": {0: "农历|農曆|阴历|陰曆|正月|腊月|康熙|乾隆|雍正|光绪|同治|道光|咸丰|嘉庆|顺治|万历|贞观|开元|神龙|民国"},
    "few": {Few(3): "几|幾|数|數|好几"},
    "decade_suffix": {0: "年代"},
    "holiday": {
        (1, 1): "元旦|元旦节", (10, 1): "国庆节|国庆|國慶節", (12, 25): "圣诞节|圣诞|聖誕節", (5, 1): "劳动节|"
        "五一节|勞動節",
        (2, 14): "情人节|情人節", (6, 1): "儿童节|兒童節", (3, 8): "妇女节|婦女節", (9, 10): "教师节|教師節",
        (12, 24): "平安夜", (10, 31): "万圣节",
    },
    "measure": {0: "选手|球员|公路|出口|病房|窗口|人|个|個|次|块|元|美元|岁|歲|楼|樓|线|線|店|房|房间|门|机|桌|床|"
    "球|文件|分数|%|倍|名|位|本书|"
    "公里|米|斤|只|条"},
    "word": {
        0: "周末愉快|周末快乐|週末愉快|"
        "圣诞快乐|新年快乐|元旦快乐|一起|一些|一样|一樣|一直|一下|一定|一般|一切|十分|万一|统一|第一时间|一旦|"
        "有点|有點|差点|差點|一会|三明治|"
        "四川|九寨沟|十字|日本|生日|日子|日常|节日|日记|周围|周到|月亮|月球|岁月|年轻|年龄|年纪|少年|青年|老年|"
        "童年|新年|拜年|"
        "天气|聊天|春天百货|以后再说|然后|后来|前面|后面|目前为止|前端|后端|前提|后果|从来|从不|从事|从而|自己|"
        "自动|自然|自由|"
        "由于|至少|至于|到底|到处|得到|遇到|收到|找到|看到|想到|感到|达到|来到|回到|迟到|到达|中国|中文|其中|中心|"
        "中午饭|"
        "点击|重点|观点|优点|缺点|特点|地点|起来|一起来|时间|有时|当时|小时候|时候|分享|分析|部分|分别|充分|半天|"
        "夜宵|晚饭|晚餐|早餐|早饭|"
        "上海|上班|上学|上网|上次|下次|下载|下班|下雨|上面|下面|上去|下来|下去|本来|本人|本地|基本|近来|附近|"
        "最近怎么样|前往|前天才|"
        "日报|头条|晚安|早安|早点|早就|今后再说|星期几|周几|大学|三星|二手|四季|季节|年代感|号码|号召|信号|"
        "账号|帐号|型号",
    },
}  # fmt: skip
NUMBERS = [
    Rule("era year:fullyear|small? year_word? month:two? month_word? day:two? day_word?", n.nothing),
    Rule("each small? unit|year_word|month_word|weekday|clock_unit|daypart weekday|daypart?", n.nothing),
    Rule("ordinal_mark number:small", n.ordinal),
]

YMD = "year:fullyear year_word month:two month_word"
DATES = [
    Rule("stamp:stamp", c.stamped),
    Rule("year:fullyear year_word of? holiday:holiday", p.holiday_year),
    Rule("steps:relyear of? holiday:holiday", p.holiday_year),
    Rule("written:written comma? ( open? weekday close? )?", a.written),
    Rule(f"{YMD} of? day:two day_word|mark1 comma? open? weekday close?", a.day_month),
    Rule(f"{YMD} of? day:two day_word|mark1?", a.day_month),
    Rule("short:small|shortyear year_word month:two month_word day:two day_word|mark1", a.day_month),
    Rule("steps:relyear of? month:two month_word day:two day_word|mark1", a.day_month),
    Rule("month:two month_word of? day:two day_word|mark1 comma? open? weekday close?", a.day_month),
    Rule("month:two month_word of? day:two day_word|mark1", a.day_month),
    Rule("steps:month_of of? day:two day_word|mark1", w.day_in_month),
    Rule("year:fullyear year_word first:small to|hyphen|until second:small month_word", s.months_of_year),
    Rule(YMD, a.month_year),
    Rule("short:small|shortyear year_word month:two month_word", a.month_year),
    Rule("steps:relyear of? month:two month_word", a.month_year),
    Rule("one:pair to|hyphen|until other:pair", s.pairs),
    Rule("ym:yearmonth", a.yearmonth),
    Rule("year:fullyear year_word? of? half:half_mark", p.half),
    Rule("steps:relyear of? half:half_mark", p.half),
    Rule("half:half_mark", p.half),
    Rule("year:fullyear year_word? of? quarter:ordinal|small unit:unit", p.quarter_named),
    Rule("steps:relyear of? quarter:ordinal|small unit:unit", p.quarter_named),
    Rule("quarter:ordinal unit:unit", p.quarter_named),
    Rule("year:fullyear hyphen|year_word? quarter_mark quarter:small", p.quarter),
    Rule("year:fullyear year_word? of? season:season", p.season_year),
    Rule("steps:relyear of? season:season", p.season_year),
    Rule("steps:last unit:unit of? decade:small decade_suffix", p.decade),
    Rule("decade:fullyear|small decade_suffix", p.decade),
    Rule("nth:small unit:unit", p.century),
    Rule("one:fullyear to|hyphen|until other:fullyear year_word", s.years),
    Rule("year:fullyear part:year_part", s.year_and_part),
    Rule("steps:relyear of? part:year_part", s.year_and_part),
    Rule("part:year_part", s.year_and_part),
    Rule("year:fullyear year_word month:two part:month_part", s.month_and_part),
    Rule("steps:relyear of? month:two part:month_part", s.month_and_part),
    Rule("month:two part:month_part", s.month_and_part),
    Rule("part:month_part", s.month_and_part),
    Rule("half:half_part", s.half_part),
    Rule("year:fullyear year_word", a.year_named),
    Rule("short:shortyear year_word", a.year_short),
    Rule("steps:relyear", a.year_counted),
    Rule("steps:month_of", k.month_counted),
    Rule("holiday:holiday", p.holiday),
    # counted
    Rule("count:small unit:anyunit half_word ago", k.more_half_ago),
    Rule("unit:unit ago", k.half_year_ago),
    Rule("unit:unit later", k.half_year_ahead),
    Rule("half_word unit:unit ago", k.half_ago),
    Rule("offset:relday", k.relative_day),
    Rule("now", c.right_now),
    Rule("count:small|number|few|decimal unit:anyunit ago", k.ago),
    Rule("count:small|number|few|decimal unit:clock_unit ago", c.moment_ago),
    Rule("count:small|number|few|decimal unit:anyunit later", k.ahead),
    Rule("count:small|number|few|decimal unit:clock_unit later", c.moment_ahead),
    Rule("count:small|number|few|decimal unit:anyunit|clock_unit within", u.within_units),
    Rule("later count:small|number|few unit:anyunit|clock_unit", u.next_units),
    Rule("steps:past_word|hence count:small|number|few unit:anyunit|clock_unit", u.rel_units),
    Rule("steps:last|next count:small|number|few unit:anyunit", u.rel_units),
    Rule("steps:last|next|this weekday:weekday", w.weekday_of_week),
    Rule("steps:last|next|this unit:unit of? weekday:weekday", w.weekday_of_week),
    Rule("steps:last|next|this unit:unit", k.relative_unit),
    Rule("count:small|few unit:unit", o.weekends),
    Rule("unit:unit", o.weekend),
    Rule("day:two day_word", w.cued_day),
    Rule("day:two mark1 !measure", w.cued_day),
    Rule("month:two month_word", a.month_cued),
    Rule("nth:last_word|ordinal weekday:weekday", w.nth_weekday),
    Rule("weekday:weekday", w.weekday_cued),
    # clocks
    Rule("daypart:dayparted", c.day_and_part),
    Rule("hhmm:hhmm ampm:ampm?", c.hour_minute),
    Rule("hour:small oclock half_word", c.half_after),
    Rule("hour:small oclock minute:small minute_word? ( second:small second_word )?", c.hour_only),
    Rule("hour:small oclock", c.hour_only),
]

MADE_OF_DATES = [
    Rule("anchor:date of? nth:ordinal unit:unit", p.nth_of),
    Rule("anchor:date of? nth:last_word of? count:small|few? unit:anyunit", p.nth_of),
    Rule("anchor:date of? nth_day:offset", p.nth_day_of),
    Rule("anchor:date of? ago count:small unit:anyunit", p.first_of),
    Rule("ago count:small|few unit:anyunit !of", u.last_units),
    Rule("anchor:date around", s.around),
    Rule("anchor:date of? part:part", s.part_of),
    Rule("daypart:daypart clock:clock", c.with_daypart),
    Rule("around anchor:date", s.around),
]

ON_DAYS = [
    Rule("anchor:date comma|of? clock:clock", c.on_day),
    Rule("anchor:date of? daypart:daypart", c.part_of_day),
]

STRETCHES = [
    Rule("since? one:date|moment until|hyphen other:date|moment of? between?", s.between),
    Rule("since? one:date|moment and|until|hyphen other:date|moment of? between", s.between),
    Rule("since anchor:date|moment onwards", s.since),
    Rule("anchor:date|moment onwards", s.since),
    Rule("anchor:date|moment mark3", s.until),
    Rule("in? [ anchor:date|moment later ]", s.after),
    Rule("in? [ anchor:date|moment ago ]", s.before),
    Rule("until anchor:date|moment mark2?", s.until),
    Rule("since anchor:date|moment !of", s.since),
]

LANGUAGE = Language(WORDS, [NUMBERS, DATES, MADE_OF_DATES, ON_DAYS, STRETCHES], packed=True, day_first=False)
