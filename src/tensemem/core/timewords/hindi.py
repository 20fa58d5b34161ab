"""Hindi."""

from __future__ import annotations

from . import amounts as u
from . import anchors as a
from . import clocks as c
from . import counted as k
from . import longer as p
from . import stretches as s
from . import weekdays as w
from .grammar import Rule
from .latin import passes
from .numerals import Few
from .tables import Language, Words

CARDINALS = (
    "एक", "दो", "तीन", "चार", "पांच|पाँच", "छह|छः|छ", "सात", "आठ", "नौ", "दस", "ग्यारह",
    "बारह", "तेरह", "चौदह", "पंद्रह|पन्द्रह", "सोलह", "सत्रह", "अठारह", "उन्नीस", "बीस",
    "इक्कीस", "बाईस", "तेईस", "चौबीस", "पच्चीस", "छब्बीस", "सत्ताईस", "अट्ठाईस|अठ्ठाईस",
    "उनतीस", "तीस", "इकतीस|इकत्तीस", "बत्तीस", "तैंतीस", "चौंतीस", "पैंतीस", "छत्तीस",
    "सैंतीस", "अड़तीस", "उनतालीस", "चालीस",
)  # fmt: skip

WORDS: Words = {
    "month": {
        1: "जनवरी|जन", 2: "फरवरी|फ़रवरी|फर", 3: "मार्च", 4: "अप्रैल|अप्रेल", 5: "मई", 6: "जून", 7: "जुलाई", 8: "अगस्त",
        9: "सित|सितंबर|सितम्बर|सितं", 10: "अक्टूबर|अक्तूबर", 11: "नवंबर|नवम्बर", 12: "दिसंबर|दिसम्बर",
    },
    "weekday": {
        0: "सोमवार", 1: "मंगलवार|मंगल", 2: "बुधवार", 3: "गुरुवार|बृहस्पतिवार|"
        "गुरूवार", 4: "शुक्रवार", 5: "शनिवार", 6: "रविवार|इतवार",
    },
    "unit": {
        "day": "दिन|दिनों", "week": "सप्ताह|हफ्ते|हफ़्ते|हफ्ता|हफ़्ता|सप्ताहों|हफ्तों|हफ़्तों|"
        "वीक", "month": "महीने|महीना|माह|महीनों",
        "year": "साल|वर्ष|सालों|वर्षों", "quarter": "तिमाही|तिमाहियों", "decade": "दशक|दशकों", "century": "शताब्दी|सदी",
        "weekend": "सप्ताहांत|वीकेंड|वीकेंड्स", "half": "छमाही", "workday": "कार्य दिवस|कार्यदिवस|कार्य दिवसों",
        "workweek": "कार्य सप्ताह",
    },
    "clock_unit": {"hour": "घंटे|घंटा|घंटों|घण्टे", "minute": "मिनट|मिनटों", "second": "सेकंड|सेकेंड"},
    "relday": {0: "आज"},
    "now": {0: "अभी|अब|इस समय|फिलहाल"},
    "mark1": {1: "कल", 2: "परसों", 3: "नरसों"},
    "last": {-1: "पिछले|पिछली|पिछला|गत|बीते|बीती"},
    "next": {1: "अगले|अगली|अगला|आगामी|आने वाले|आने वाली|आने वाला|आनेवाले"},
    "this": {0: "इस|वर्तमान|मौजूदा|इसी"},
    "last_word": {-1: "आखिरी|आख़िरी|अंतिम"},
    "each": {0: "हर|प्रत्येक|रोज़|रोज|प्रति"},
    "ago": {0: "पहले|पूर्व"},
    "later": {0: "बाद|के बाद|में|बाद में"},
    "within": {0: "के भीतर|के अंदर|के अन्दर"},
    "of": {0: "का|की|के"},
    "in": {0: "में|पर|को"},
    "and": {0: "और|व|एवं"},
    "or": {0: "या"},
    "since": {0: "से"},
    "until": {0: "तक|तक के"},
    "between": {0: "के बीच|के बीच में|के मध्य"},
    "before": {0: "से पहले|के पहले|से पूर्व"},
    "after": {0: "के बाद|से बाद|से बाद में|के उपरांत"},
    "part": {
        "early": "की शुरुआत|के शुरू|की शुरूआत|के आरंभ|के प्रारंभ|की शुरुआत में|के शुरू में", "mid": "के मध्य|"
        "के बीच|के मध्य में",
        "late": "के अंत|के आखिर|के अंत में|के अन्त|के अंत तक",
    },
    "around": {0: "के आसपास|के करीब|लगभग|करीब"},
    "season": {"spring": "वसंत|बसंत", "summer": "गर्मी|गर्मियों|ग्रीष्म", "autumn": "शरद|पतझड़", "winter": "सर्दी|"
    "सर्दियों"},
    "half_word": {0: "आधा|आधे"},
    "quarter_mark": {0: "q"},
    "half_mark": {0: "h"},
    "daypart": {
        "morning": "सुबह|सवेरे", "noon": "दोपहर", "evening": "शाम", "night": "रात",
    },
    "oclock": {0: "बजे"},
    "ampm": {"am": "am", "pm": "pm"},
    "holiday": {
        (12, 25): "क्रिसमस", (1, 1): "नए साल के दिन|नववर्ष", (8, 15): "भारतीय स्वतंत्रता दिवस", (1, 26): "गणतंत्र दिवस",
        (10, 2): "गांधी जयंती", (7, 4): "स्वतंत्रता दिवस", ("easter", 0): "ईस्टर", (10, 31): "हैलोवीन",
        (11, 3, 4, 1): "ब्लैक फ्राइडे", (2, 14): "वैलेंटाइन डे",
    },
    "cardinal": {1 + index: word for index, word in enumerate(CARDINALS)},
    "few": {Few(3): "कुछ|कई"},
    "thousand": {1000: "हज़ार|हजार"},
    "hundred": {100: "सौ"},
    "ordinal_word": {
        1: "पहला|पहली", 2: "दूसरा|दूसरे|दूसरी", 3: "तीसरा|तीसरे|तीसरी", 4: "चौथा|चौथे|चौथी", 5: "पांचवां|पाँचवें|"
        "पांचवें",
    },
    "ordinal_mark": {0: "वें|वीं|वां|वाँ"},
    "onwards": {0: "और उसके बाद|या उसके बाद|से आगे"},
    "measure": {0: "लोग|लोगों|रुपये|रुपए|डॉलर|प्रतिशत|किलो|किमी|बार|साल का|साल की|साल के हैं|नंबर|कमरा|पेज"},
    "function": {0: "मैं|हम|आप|तुम|वह|वे|यह|मेरा|मेरे|है|हैं|था|थे|थी|हूं|हूँ|शुभ रात्रि|शुभ प्रभात|सुप्रभात"},
}  # fmt: skip

DATES = [
    Rule("day:small ordinal_mark? month:month comma? year:fullyear", a.day_month),
    Rule("month:month day:small|cardinal ordinal_mark? !unit|clock_unit|measure|fullyear|oclock", a.day_month),
    Rule("day:small|cardinal ordinal_mark? month:month !year", a.day_month),
    Rule("day:small|cardinal month:month comma? anyweekday", a.day_month),
    Rule("first:small and|since second:small month:month between|until comma? year:fullyear?", s.short_days),
    Rule("month:month first:small hyphen|since second:small between|until?", s.short_days),
    Rule("one:pair since other:pair until?", s.pairs),
    Rule("one:pair and other:pair between", s.pairs),
    Rule("year:fullyear in month:month", a.month_year),
    Rule("year:fullyear of month:month", a.month_year),
    Rule("decade:fullyear of unit:unit", p.decade_named),
    Rule("year:fullyear of? unit:unit", a.year_named_if),
    Rule("unit:unit year:fullyear", a.year_named_if),
    Rule("year:fullyear of nth:nth|last_word unit:unit", p.nth_in_year),
    Rule("year:fullyear of? quarter:nth unit:unit", p.quarter_named_maybe),
    Rule("month:month of nth:nth|last_word unit:unit", p.nth_in_month),
    Rule("nth:small ordinal_mark unit:unit", p.century),
    Rule("unit:unit week:small !clock_unit|measure", p.week_number),
    Rule("count:count unit:unit ago|before", k.ago),
    Rule("count:count unit:clock_unit ago|before", c.moment_ago),
    Rule("offset:relday since count:count unit:unit ago", k.before_day),
    Rule("offset:relday|mark1 since count:count unit:unit ago", k.before_day),
    Rule("offset:relday|mark1 since|of count:count unit:unit later|after", k.after_day),
    Rule("count:count unit:unit later|after", k.ahead),
    Rule("count:count unit:clock_unit later|after", c.moment_ahead),
    Rule("count:count unit:unit in", k.ahead),
    Rule("count:count unit:unit|clock_unit within", u.within_units),
    Rule("steps:rel count:count unit:unit|clock_unit", u.rel_units),
    Rule("count:count steps:rel unit:unit|clock_unit", u.rel_units),
    Rule("steps:rel unit:unit hyphen|of|in? weekday:weekday", w.weekday_of_week),
    Rule("this steps:last weekday:weekday", w.weekday_coming),
    Rule("steps:rel weekday:weekday", w.weekday_relative),
    Rule("weekday:weekday day:small !month|hyphen|oclock|since|unit|clock_unit", w.weekday_and_day),
    Rule("day:small|cardinal weekday:weekday", w.weekday_and_day),
    Rule("steps:rel unit:unit", k.relative_unit),
    Rule("steps:last_word unit:unit", k.relative_unit),
    Rule("offset:mark1", k.either_side),
    Rule("offset:relday daypart:daypart", c.this_part_of),
    Rule("hhmm:hhmm oclock?", c.hour_minute),
    Rule("hour:small|cardinal oclock", c.hour_only),
    Rule("dotpair:dotpair oclock", c.dotted),
]

MADE_OF_DATES = [
    Rule("anchor:anchor of nth:nth|last_word count:count? unit:unit", p.nth_of),
    Rule("anchor:anchor part:part", s.part_of),
    Rule("unit:unit part:part", s.part_of_unit),
    Rule("anchor:date since count:count unit:unit ago|before", k.before_anchor),
    Rule("anchor:anchor of? daypart:daypart", c.part_of_day),
    Rule("daypart:daypart clock:clock", c.with_daypart),
]

STRETCHES = [
    Rule("one:anchor|moment since|hyphen other:anchor|moment until|between?", s.between),
    Rule("one:anchor|moment and|since other:anchor|moment between", s.between),
    Rule("anchor:anchor|moment onwards", s.since_ahead),
    Rule("anchor:anchor|moment before", s.before),
    Rule("anchor:anchor|moment after|later", s.after),
    Rule("anchor:anchor|moment until", s.until),
    Rule("anchor:anchor|moment since", s.since),
    Rule("anchor:date around", s.around),
]

LANGUAGE = Language(
    WORDS,
    passes(
        dates=DATES,
        made_of_dates=MADE_OF_DATES,
        stretches=STRETCHES,
        cues=[
            Rule("anchor:bare", w.sure_weekday),
            Rule("[ anchor:bare|bareyear ] in|of", a.cued),
        ],
    ),
    letters="\u0900-\u0963\u0970-\u097f",
    day_first=False,
)
