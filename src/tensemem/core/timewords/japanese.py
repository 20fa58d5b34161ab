"""Japanese."""

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

WORDS: Words = {
    "year_word": {"year": "年|年度"},
    "month_word": {"month": "月"},
    "day_word": {"day": "日"},
    "weekday": {
        day: f"{char}曜日|{char}曜|（{char}）|({char})" for day, char in enumerate("月火水木金土日")
    },
    "relday": {
        0: "今日|きょう|本日", 1: "明日|あした|あす|翌日", -1: "昨日|きのう|前日", 2: "明後日|あさって",
        -2: "一昨日|おととい", 3: "明々後日|しあさって",
    },
    "now": {0: "今|現在|たった今|いま現在"},
    "relyear": {0: "今年|本年|今年度|本年度", -1: "去年|昨年|前年|昨年度", 1: "来年|翌年|来年度", -2: "一昨年|"
    "おととし", 2: "再来年"},
    "month_of": {0: "今月|本月|当月", -1: "先月|前月", 1: "来月|翌月", -2: "先々月", 2: "再来月"},
    "week_mark": {0: "今週|本週", -1: "先週|前週", 1: "来週|翌週", -2: "先々週", 2: "再来週"},
    "last": {-1: "この前の|前回の"},
    "next": {1: "次の|今度の|翌"},
    "this": {0: "この|今の|当"},
    "each": {0: "毎|毎週|毎月|毎年|毎日|毎朝|毎晩|隔週"},
    "unit": {
        "day": "日間|日間の", "week": "週間|週", "month": "か月|ヶ月|ケ月|カ月|ヵ月|箇月|か月間|ヶ月間|"
        "カ月間", "year": "年間|ヵ年",
        "quarter": "四半期", "decade": "年代", "century": "世紀", "weekend": "週末", "workday": "営業日",
        "fiscal": "会計年度",
    },
    "clock_unit": {"hour": "時間|時間の", "minute": "分間|分", "second": "秒間"},
    "second_word": {0: "秒"},
    "oclock": {0: "時"},
    "half_word": {0: "半"},
    "ago": {0: "前|まえ"},
    "later": {0: "後|あと|先"},
    "within": {0: "以内|以内に|のうち"},
    "past_word": {-1: "過去|ここ|この|最近|直近|直近の|過去の|最近の"},
    "hence": {1: "今後|これから|向こう|次の|今後の|この先"},
    "onwards": {0: "以来|またはその後|かその後|及びその後|とその後|およびその後|またはそれ以降|からずっと"},
    "from": {0: "から"},
    "after": {0: "以降|以後|より後|の後|よりあと"},
    "before": {0: "以前|より前|より以前|の前"},
    "mark3": {0: "またはその前|かその前|及びその前|とその前|およびその前|またはそれ以前"},
    "until": {0: "まで|までに|までの"},
    "to": {0: "〜|～"},
    "between": {0: "の間|間|にかけて"},
    "and": {0: "と|および"},
    "or": {0: "または|か|や"},
    "of": {0: "の"},
    "part": {
        "early": "初め|初頭|上旬|初旬|前半|のはじめ|はじめ|初期|の初め", "mid": "中旬|半ば|なかば|の半ば|中頃|中ごろ",
        "late": "末|下旬|後半|終わり|の終わり|終わりごろ|の終わりごろ|終盤|後期",
    },
    "year_part": {"early": "年初|年初め|年始|年頭", "late": "年末|年の瀬"},
    "month_part": {"early": "月初|月初め", "late": "月末"},
    "last_word": {-1: "最後|最終|最後の|最終の"},
    "first_word": {1: "最初|最初の|はじめの"},
    "around": {0: "頃|ごろ|くらい|ころ|前後"},
    "season": {"spring": "春", "summer": "夏", "autumn": "秋", "winter": "冬"},
    "half_mark": {1: "前半|上半期|上期|の前半", 2: "後半|下半期|下期|の後半"},
    "ordinal_mark": {0: "第"},
    "ampm": {"am": "午前", "pm": "午後"},
    "daypart": {
        "early_morning": "早朝|明け方|未明", "morning": "朝|午前中|朝の", "noon": "正午|昼|"
        "お昼", "afternoon": "午後|午後の",
        "evening": "夕方|夕方の", "night": "夜|晩|深夜|夜中|夜の|晩の",
    },
    "dayparted": {(0, "morning"): "今朝|けさ", (0, "night"): "今夜|今晩", (-1, "night"): "昨夜|昨晩|ゆうべ",
                  (1, "morning"): "明朝", (1, "night"): "明晩"},
    "few": {Few(3): "数|何"},
    "decade_suffix": {0: "年代"},
    "fullyear": {2019: "令和元", 1989: "平成元", 1926: "昭和元", 1912: "大正元", 1868: "明治元"},
    "era": {2018: "令和", 1988: "平成", 1925: "昭和", 1911: "大正", 1867: "明治"},
    "holiday": {
        (1, 1): "元日|元旦", (12, 25): "クリスマス", (12, 24): "クリスマスイブ", (2, 14): "バレンタインデー",
        (12, 31): "大晦日",
        (5, 5): "こどもの日", (7, 4): "独立記念日", (10, 31): "ハロウィン|"
        "ハロウィーン", (5, 3): "憲法記念日", (11, 3): "文化の日",
        (11, 3, 4): "感謝祭", (11, 3, 4, 1): "ブラックフライデー", (5, 1): "メーデー|労働者の日",
        ("easter", 0): "イースター|復活祭",
    },
    "measure": {0: "人|個|回|円|ドル|歳|才|階|号|本|枚|台|冊|件|倍|番|名|点|％|%|キロ|度|匹|つ|分の|部屋|章|巻"},
    "word": {
        0: "一日は|一日中|一日に|日本|日記|日常|日付|休日|祝日|平日|毎日新聞|誕生日|生年月日|月光|月給|年齢|年金|"
        "年上|年下|少年|青年|"
        "中年|学年|万年|十分|一緒|一番|一人|"
        "一部|一般|一度|一応|一方|統一|万一|三角|四国|二人|七夕|九州|今回|今度|今更|今まで|午前様|名前|人前|前提|"
        "前回|前者|目の前|駅前|"
        "後悔|後輩|前後左右|背後|最前|時々|時計|同時|当時|時点|時代|時期|時差|時刻|時給|春日|秋葉原|秋田|冬眠|夏目|"
        "火曜サスペンス|水曜どう|"
        "土日|末っ子|週刊|半分|半額|前向き|建前|当たり前|お前|午後ティー|朝食|朝ごはん|昼食|昼ごはん|夕食|夜景|"
        "夜食|晩ごはん|今晩は|こんばんは|"
        "たから|だから|ですから|からです|それから|ここから|そこから|から揚げ|からい|この間|まで来た|分かり|分かる|"
        "分か|自分|部分|気分|"
        "多分|分析|分野|何か|何も|何を|何が|何の|何で|数学|数字|数値|先生|先輩|優先|先ほど|先日|これからも|"
        "日曜大工|何人|何回|何時",
    },
}  # fmt: skip

NUMBERS = [
    Rule("each small? unit|year_word|month_word|weekday|clock_unit|daypart? weekday|daypart?", n.nothing),
    Rule("[ era:era number:small ] year_word", n.era_year),
    Rule("ordinal_mark number:small", n.ordinal),
]

YMD = "year:fullyear year_word of? month:two month_word"
COUNT = "count:small|number|few|decimal"
DATES = [
    Rule("stamp:stamp", c.stamped),
    Rule("year:fullyear year_word of? holiday:holiday", p.holiday_year),
    Rule("steps:relyear of? holiday:holiday", p.holiday_year),
    Rule("written:written weekday?", a.written),
    Rule(f"relyear? {YMD} of? day:two day_word of? weekday?", a.day_month),
    Rule("short:small|shortyear year_word month:two month_word day:two day_word weekday?", a.day_month),
    Rule("steps:relyear of? month:two month_word of? day:two day_word weekday?", a.day_month),
    Rule("month:two month_word of? day:two day_word of? weekday?", a.day_month),
    Rule("steps:month_of of? day:two day_word weekday?", w.day_in_month),
    Rule(f"relyear? {YMD}", a.month_year),
    Rule("short:small|shortyear year_word month:two month_word", a.month_year),
    Rule("steps:relyear of? month:two month_word", a.month_year),
    Rule("one:pair to|hyphen other:pair", s.pairs),
    Rule("ym:yearmonth", a.yearmonth),
    Rule("year:fullyear year_word? of? half:half_mark", p.half),
    Rule("steps:relyear of? half:half_mark", p.half),
    Rule("year_word of? half:half_mark", p.half_this_year),
    Rule("year:fullyear year_word? of? quarter:ordinal unit:unit", p.quarter_named),
    Rule("steps:relyear of? quarter:ordinal unit:unit", p.quarter_named),
    Rule("quarter:ordinal unit:unit", p.quarter_named),
    Rule("year:fullyear hyphen|year_word? quarter_mark quarter:small", p.quarter),
    Rule("year:fullyear year_word? of? season:season", p.season_year),
    Rule("steps:relyear of? season:season", p.season_year),
    Rule("decade:fullyear|small decade_suffix", p.decade),
    Rule("nth:small unit:unit", p.century),
    Rule("one:fullyear to|hyphen|until other:fullyear year_word", s.years),
    Rule("year:fullyear year_word of? part:part", s.year_and_part),
    Rule("year:fullyear part:year_part", s.year_and_part),
    Rule("steps:relyear of? part:year_part|part", s.year_and_part),
    Rule("part:year_part", s.year_and_part),
    Rule("month:two part:month_part", s.month_and_part),
    Rule("part:month_part", s.month_and_part),
    Rule("year:fullyear year_word", a.year_named),
    Rule("short:shortyear year_word", a.year_short),
    Rule("holiday:holiday", p.holiday),
    # counted
    Rule(f"offset:relday from|of {COUNT} unit:anyunit|day_word later", k.after_day),
    Rule(f"offset:relday from|of {COUNT} unit:anyunit|day_word ago", k.before_day),
    Rule(f"{COUNT} unit:anyunit half_word ago", k.more_half_ago),
    Rule("half_word unit:anyunit ago", k.half_ago),
    Rule(f"{COUNT} unit:anyunit|day_word ago", k.ago),
    Rule("ago of unit:anyunit", k.previous_unit),
    Rule("offset:relday", k.relative_day),
    Rule(f"{COUNT} unit:clock_unit ago", c.moment_ago),
    Rule(f"now from {COUNT} unit:clock_unit later", c.moment_ahead),
    Rule(f"{COUNT} unit:anyunit|day_word later", k.ahead),
    Rule(f"{COUNT} unit:clock_unit later", c.moment_ahead),
    Rule(f"{COUNT} unit:anyunit|day_word|clock_unit within", u.within_units),
    Rule(f"steps:past_word|hence of? {COUNT} unit:anyunit|day_word|clock_unit", u.rel_units),
    Rule("steps:week_mark of? weekday:weekday", w.weekday_of_week),
    Rule("steps:week_mark part:part", k.weekend_or_part),
    Rule("steps:week_mark unit:unit", k.weekend_of_week),
    Rule("steps:next|hence weekday:weekday", o.soonest_weekday),
    Rule("steps:last|this|past_word weekday:weekday", w.weekday_relative),
    Rule("steps:last|next|this|past_word|hence unit:unit", k.relative_unit),
    Rule("steps:week_mark", k.week_counted),
    Rule("nth:last_word|ordinal|first_word weekday:weekday", w.nth_weekday),
    Rule("day:two day_word of? weekday:weekday", w.weekday_and_day),
    Rule("day:two day_word !measure", w.cued_day),
    Rule("month:two month_word", a.month_cued),
    Rule("weekday:weekday", w.weekday_cued),
    Rule("steps:relyear", a.year_counted),
    Rule("steps:month_of", k.month_counted),
    Rule("now", c.right_now),
    # clocks
    Rule("daypart:dayparted", c.day_and_part),
    Rule("ampm:ampm hhmm:hhmm", c.hour_minute),
    Rule("hhmm:hhmm", c.hour_minute),
    Rule("ampm:ampm? hour:small oclock half_word", c.half_after),
    Rule("ampm:ampm? hour:small oclock minute:small clock_unit ( second:small second_word )?", c.hour_only),
    Rule("ampm:ampm? hour:small oclock second:small second_word", c.hour_only),
    Rule("ampm:ampm? hour:small oclock", c.hour_only),
]

MADE_OF_DATES = [
    Rule("anchor:date of? nth:ordinal|last_word|first_word of? count:small? unit:unit|day_word", p.nth_of),
    Rule("anchor:date of? nth_day:offset", p.nth_day_of),
    Rule("anchor:date of? part:part", s.part_of),
    Rule("anchor:date of? half:half_mark", s.half_of),
    Rule("anchor:date of unit:unit", p.unit_of),
    Rule(f"anchor:date from {COUNT} unit:anyunit", k.after_anchor),
    Rule("daypart:daypart clock:clock", c.with_daypart),
    Rule("anchor:date around", s.around),
]

ON_DAYS = [
    Rule("anchor:date comma|of? clock:clock", c.on_day),
    Rule("anchor:date of? daypart:daypart|ampm", c.part_of_day),
]

STRETCHES = [
    Rule("one:date|moment to|from|hyphen other:date|moment until|between?", s.between),
    Rule("one:date|moment and other:date|moment between", s.between),
    Rule("anchor:date|moment onwards", s.since),
    Rule("anchor:date|moment after", s.on_or_after),
    Rule("anchor:date|moment later", s.after),
    Rule("anchor:date|moment mark3", s.until),
    Rule("anchor:date|moment before", s.on_or_before),
    Rule("anchor:date|moment ago", s.before),
    Rule("anchor:date|moment until", s.until),
    Rule("anchor:date|moment from", s.since_ahead),
]

LANGUAGE = Language(WORDS, [NUMBERS, DATES, MADE_OF_DATES, ON_DAYS, STRETCHES], packed=True, day_first=False)
