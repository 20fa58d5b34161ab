"""English."""

from __future__ import annotations

from . import anchors as a
from . import clocks as c
from . import counted as k
from . import longer as p
from . import numbering as n
from . import stretches as s
from . import weekdays as w
from .grammar import Rule
from .tables import Language, Words

UNITS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
TEENS = (
    "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
FIRSTS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
TENTHS = (
    "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth",
    "nineteenth",
)  # fmt: skip


def _cardinals() -> dict[int, str]:
    found = {1 + index: word for index, word in enumerate((*UNITS, *TEENS))}
    for ten, word in enumerate(TENS, 2):
        found[ten * 10] = word
        for one, unit in enumerate(UNITS, 1):
            found[ten * 10 + one] = f"{word} {unit}|{word}-{unit}"
    return found


def _ordinals() -> dict[int, str]:
    found = {1 + index: word for index, word in enumerate((*FIRSTS, *TENTHS))}
    found[20], found[30] = "twentieth", "thirtieth"
    for ten in (2, 3):
        for one, word in enumerate(FIRSTS, 1):
            found[ten * 10 + one] = f"{TENS[ten - 2]} {word}|{TENS[ten - 2]}-{word}"
    found[-1] = "final"
    return found


WORDS: Words = {
    "month": {
        1: "january|jan", 2: "february|feb", 4: "april|apr", 6: "june|jun", 7: "july|jul", 8: "august|aug",
        9: "september|sept|sep", 10: "october|oct", 11: "november|nov", 12: "december|dec",
    },
    "month_soft": {3: "march|mar", 5: "may"},
    "weekday": {
        0: "monday", 1: "tuesday|tues|tue", 2: "wednesday", 3: "thursday|thurs|thur|thu", 4: "friday|fri",
        5: "saturday", 6: "sunday",
    },
    "weekday_soft": {0: "mon", 2: "wed|weds", 5: "sat", 6: "sun"},
    "unit": {
        "day": "day|days", "week": "week|weeks|wk|wks", "month": "month|months", "quarter": "quarter|quarters",
        "year": "year|years|yr|yrs", "decade": "decade|decades", "century": "century|centuries",
        "fortnight": "fortnight|fortnights", "weekend": "weekend|weekends", "half": "half-year|half year",
        "fiscal": "fiscal year|fiscal years|financial year|financial years",
        "workweek": "working week|work week|workweek|business week",
        "workday": "business day|business days|working day|working days|workday|workdays|work days|weekdays",
    },
    "clock_unit": {
        "hour": "hour|hours|hr|hrs", "minute": "minute|minutes|min|mins", "second": "seconds|sec|secs",
    },
    "relday": {
        0: "today|otd", 1: "tomorrow|tmr|tmrw", -1: "yesterday", 2: "the day after tomorrow|day after tomorrow",
        -2: "the day before yesterday|day before yesterday",
    },
    "now": {0: "now|right now|just now|at present|at the moment|currently|at this moment|at this time|at the minute"},
    "last": {-1: "last|previous|prior"},
    "past_word": {-1: "past"},
    "next": {1: "next|following|subsequent"},
    "hence": {1: "coming|upcoming|forthcoming"},
    "this": {0: "this|current|the current"},
    "each": {0: "every|each|all|any|per|once a|twice a|times a|every other"},
    "ago": {0: "ago|back|before now"},
    "later": {"late": "later", 0: "from now|hence|after now"},
    "in": {0: "in"},
    "during": {0: "during|throughout|over|across|for all of"},
    "within": {0: "within|in under|in less than|within the next|over the course of the next"},
    "on": {0: "on"},
    "at": {0: "at"},
    "of": {0: "of"},
    "for": {0: "for"},
    "and": {0: "and|&|plus"},
    "or": {0: "or"},
    "from": {0: "from|starting from|beginning from"},
    "since": {
        0: "since|ever since|starting|starting on|starting in|starting with|beginning|beginning on|beginning in|"
        "as of|effective|as early as|any time from|anytime from|effective from|no earlier than|not before"
    },
    "until": {
        0: "until|till|til|up to|up until|through|no later than|not later than|by|as late as|prior to the end of|thru"
    },
    "before": {0: "before|prior to|earlier than|sooner than|preceding"},
    "after": {0: "after|later than|greater than|more recent than|past the|newer than"},
    "between": {0: "between|in between"},
    "to": {0: "to"},
    "part": {
        "early": "early|early in|beginning of|start of|the beginning of|the start of|at the beginning of|"
        "at the start of|in the beginning of|early on in",
        "mid": "mid|middle of|the middle of|in the middle of|mid-",
        "late": "late|late in|end of|the end of|at the end of|by the end of the day of|eo",
    },
    "earlier": {
        "early": "earlier|earlier in", "late": "rest of|the rest of|the remainder of|remainder of",
    },
    "around": {0: "around|about|approximately|roughly|circa|ca|approx|sometime in|some time in|or so"},
    "season": {"spring": "spring", "summer": "summer", "autumn": "autumn|fall", "winter": "winter"},
    "half_word": {0: "half"},
    "fiscal": {0: "fiscal|financial"},
    "calendar": {0: "calendar"},
    "fiscal_mark": {0: "fy"},
    "quarter_mark": {0: "q"},
    "half_mark": {0: "h"},
    "week_mark": {0: "wk"},
    "daypart": {
        "morning": "morning|daybreak", "noon": "midday", "afternoon": "afternoon",
        "evening": "evening", "night": "night", "early_morning": "early morning",
    },
    "day_word": {"night": "tonight|tonite"},
    "ampm": {
        "am": "am|a.m.|a.m|a . m .|a m", "pm": "pm|p.m.|p.m|p . m .|p m", "pm ": "noon",
    },
    "oclock": {0: "o'clock|oclock|o’clock|o clock"},
    "holiday": {
        (12, 25): "christmas|christmas day|xmas|xmas day", (12, 24): "christmas eve", (12, 31): "new year's eve|"
        "new years eve|new year’s eve", (1, 1): "new year's day|new years day|new year day|new year’s day|new year's|"
        "new year", (2, 14): "valentine's day|valentines day|valentine’s day", (10, 31): "halloween",
        (3, 17): "saint patrick|st. patrick's day|st patrick's day|saint patrick's day", (4, 22): "earth day",
        (6, 19): "juneteenth", (7, 4): "independence day", (5, 1): "may day|international workers' day",
        (12, 26): "boxing day", (11, 3, 4): "thanksgiving|thanksgiving day", (11, 3, 4, 1): "black friday",
        (9, 0, 1): "labor day", (5, 0, -1): "memorial day", (1, 0, 3): "martin luther king day|mlk day",
        (11, 11): "veterans day|armistice day", (5, 6, 2): "mother's day|mothers day|mother’s day",
        (6, 6, 3): "father's day|fathers day|father’s day", ("easter", 0): "easter|easter sunday",
        ("easter", -2): "good friday", ("easter", 1): "easter monday", (4, 1): "april fools' day|april fools day",
    },
    "decade_word": {
        20: "twenties", 30: "thirties", 40: "forties", 50: "fifties", 60: "sixties", 70: "seventies",
        80: "eighties", 90: "nineties",
    },
    "decade_suffix": {0: "s|'s|’s"},
    "ordinal_mark": {0: "st|nd|rd|th"},
    "cardinal": _cardinals(),
    "few": {n.Few(2): "a couple of|couple of|a couple|couple", n.Few(3): "a few|few|several|some"},
    "hundred": {100: "hundred"},
    "thousand": {1000: "thousand"},
    "ordinal_word": _ordinals(),
    "a": {1: "a|an"},
    "the": {0: "the|that"},
    "than": {0: "more than|over", 1: "less than|under|fewer than"},
    "onwards": {0: "onwards|onward|and onwards|or newer|and greater|and after that|and up"},
    "mark1": {0: "date"},
    "part_noun": {"year": "eoy", "month": "eom", "week": "eow", "quarter": "eoq"},
    "week_begin": {0: "w/c|week commencing|week beginning|week starting on|week beginning on"},
    "measure": {
        0: "percent|people|persons|users|times|dollars|euros|pounds|items|points|pieces|homes|houses|words|"
        "lines|rows|files|tests|requests|calories|steps|miles|meters|metres|km|kg|employees|members|units|pages|"
        "tokens|copies|votes|seats|students|cases|servers|nodes|records|messages|entries|bytes|mb|gb|ms|px|rpm|"
        "customers|workers|soldiers|guests|books|cars|apples|square|different|more|other"
    },
    "function": {
        0: "up to date|up-to-date|how about|what about|i|we|you|"
        "he|she|it|they|my|our|your|his|her|its|their|was|were|is|are|am|will|would|had|has|have|but|when|"
        "because|so|then|which|who|where|while|if|there|do|did|does|as|not|please|with|everyone|what|how|than"
    },
}  # fmt: skip
LOW: Words = {
    "month_low": {3: "march|mar", 5: "may"},
    "word": {"sun": "sun|sat|mon|wed|weds"},
}


NUMBERS = [
    Rule("each nth|small|cardinal? unit|clock_unit|anyweekday|daypart", n.nothing),
    Rule("one:cardinal thousand hundred:cardinal hundred and? two:cardinal", n.thousands),
    Rule("one:cardinal|a thousand and? two:cardinal", n.thousands),
    Rule("one:cardinal|a thousand", n.thousands),
    Rule("one:cardinal hundred and? two:cardinal", n.hundreds),
    Rule("one:cardinal|a hundred", n.hundreds),
    Rule("one:cardinal two:cardinal", n.two_halves),
    Rule("count:cardinal|small and a half_word", n.and_half),
]

DATES = [
    Rule("stamp:stamp", c.stamped),
    Rule("( anyweekday comma? )? written:written", a.written),
    Rule("from|between? one:pair to|until|hyphen|and other:pair ( comma? year:fullyear )?", s.pairs),
    Rule("year:fullyear hyphen|slash|dot|comma? month:anymonth hyphen|slash|dot|comma? day:day", a.day_month),
    Rule("day:small hyphen|slash month:anymonth hyphen|slash year:fullyear", a.day_month),
    Rule("month:anymonth hyphen|slash year:fullyear hyphen|slash day:day", a.day_month),
    Rule("day:small hyphen|slash year:fullyear hyphen|slash month:anymonth", a.day_month),
    Rule(
        "from|between? the? first:day to|until|hyphen|and the? second:day of? month:anymonth comma? of? year:fullyear?",
        s.short_days,
    ),
    Rule(
        "on|from|between? month:anymonth the? first:day to|until|hyphen|and the? second:day !anymonth|hhmm|ampm"
        " ( comma? year:fullyear )?",
        s.short_days,
    ),
    Rule(
        "( anyweekday comma? )? the? day:dayno ( dayunit:unit )? of? month:anymonth comma? of|in? year:fullyear",
        a.day_month,
    ),
    Rule("( anyweekday comma? )? the? day:dayno of? month:anymonth of short:small", a.day_month),
    Rule("( anyweekday comma? )? the? day:dayno ( dayunit:unit )? of? month:anymonth", a.day_month),
    Rule("( anyweekday comma? )? month:month day:cardinal ( comma? of|in? year:fullyear )? !measure|unit", a.day_month),
    Rule(
        "( anyweekday comma? )? month:anymonth comma|dot|slash|hyphen? the? day:dayno comma? of|in? year:fullyear",
        a.day_month,
    ),
    Rule(
        "( anyweekday comma? )? month:cuedmonth comma|dot|slash|hyphen? the? day:dayno ( open anyweekday close )?"
        " !unit|clock_unit|measure|dot",
        a.day_month,
    ),
    Rule("month:month_low day:nth !unit|clock_unit|measure", a.day_month),
    Rule(
        "on|by|until|since|before|after|from|to|of|for|anyweekday [ month:month_low day:small ] !measure", a.day_month
    ),
    Rule(
        "( anyweekday comma? )? month:cuedmonth comma|slash|hyphen? the? day:dayno !unit|clock_unit|measure",
        a.day_month,
    ),
    Rule("month:anymonth dot? comma|hyphen|slash? of|in? year:fullyear", a.month_year),
    Rule("month:anymonth of short:small", a.month_year),
    Rule("month:anymonth quote short:small", a.month_year),
    Rule("ym:yearmonth", a.yearmonth),
    Rule("rel? anyweekday comma|open? pair:pair|dotpair close? !ampm", a.pair),
    Rule("on|to|from|by [ pair:dotpair ] !ampm|measure|word", a.pair),
    Rule("pair:pair !measure", a.pair_alone),
    Rule("holiday:holiday comma? of|in? year:fullyear", p.holiday_year),
    Rule("holiday:holiday", p.holiday),
    Rule("year:fullyear hyphen|comma? quarter_mark quarter:small", p.quarter),
    Rule("year:fullyear hyphen|comma? half_mark half:small", p.half),
    Rule("quarter_mark quarter:small comma|hyphen|slash? of? year:fullyear", p.quarter),
    Rule("half_mark half:small comma|hyphen|slash? of? year:fullyear", p.half),
    Rule("quarter_mark quarter:small", p.quarter_alone),
    Rule("half_mark half:small", p.half_alone),
    Rule("season:season comma? of|in? year:fullyear", p.season_year),
    Rule("fiscal_mark quote? short:small", p.fiscal_year),
    Rule("fiscal_mark year:fullyear", p.fiscal_year),
    Rule("the? calendar? unit:unit of? year:fullyear", p.unit_year),
    Rule("the? decade:fullyear decade_suffix", p.decade),
    Rule("the? quote? decade:small decade_suffix", p.decade),
    Rule("the? decade:decade_word", p.decade),
    Rule("the? nth:nth unit:unit", p.century),
    Rule("unit:unit week:small of|in? year:fullyear", p.week_number),
    Rule("unit:unit week:small !of|measure", p.week_number),
    # relative to now
    Rule("offset:relday", k.relative_day),
    Rule("now", c.right_now),
    Rule("count:count unit:unit ( and count2:count unit2:unit )? ago", k.ago),
    Rule("half:half_word a unit:unit ago", k.half_ago),
    Rule("a unit:unit and a half_word ago", k.more_half_ago),
    Rule("count:count unit:clock_unit ago", c.moment_ago),
    Rule("in count:count unit:unit ( and count2:count unit2:unit )? !from|after|since|before", k.ahead),
    Rule("in count:count unit:clock_unit !from|after", c.moment_ahead),
    Rule("count:count unit:unit ( and count2:count unit2:unit )? later !this|in", k.ahead),
    Rule("count:count unit:clock_unit later !this|in", c.moment_ahead),
    Rule("within the? ( next|last )? count:count unit:unit|clock_unit", s.within_units),
    Rule("steps:rel calendar? unit:unit comma|hyphen? on? weekday:anyweekday", w.weekday_of_week),
    Rule("weekday:anyweekday of|in? the? steps:rel unit:unit", w.weekday_of_week),
    Rule("this? steps:past_word|hence weekday:anyweekday", w.weekday_coming),
    Rule("steps:rel weekday:anyweekday", w.weekday_relative),
    Rule(
        "steps:rel|past_word|hence count:count unit:unit|clock_unit ( and count2:count unit2:unit"
        " ( and count3:count unit3:unit !ago|later )? !ago|later )? !of",
        s.rel_units,
    ),
    Rule("count:count steps:rel|past_word|hence unit:unit|clock_unit !of", s.rel_units),
    Rule("steps:rel|past_word|hence calendar? unit:unit !of", k.relative_unit),
    Rule("steps:rel|past_word|hence calendar? fiscal unit:unit", k.relative_fiscal),
    Rule("unit:unit to mark1", s.to_date),
    Rule("to|until [ mark1 ] !word", k.to_day),
    Rule("unit:part_noun", s.end_of_unit),
    Rule("weekday:anyweekday the? day:day !to|hyphen|oclock|ampm|unit|clock_unit|measure", w.weekday_and_day),
    Rule("steps:rel daypart:daypart", c.this_part),
    Rule("steps:relday daypart:daypart", c.this_part),
    Rule("daypart:day_word", c.this_part),
    # clocks
    Rule("hhmm:hhmm ampm:ampm", c.hour_minute),
    Rule("hhmm:hhmm", c.hour_minute),
    Rule("hour:small|cardinal minute:cardinal? oclock? ampm:ampm", c.hour_only),
    Rule("hour:number|fullyear ampm:ampm", c.hour_only),
    Rule("pair:pair ampm", n.nothing),
    Rule("dotpair:dotpair ampm:ampm", c.dotted),
    Rule("hour:small|cardinal oclock", c.hour_only),
    Rule("at dotpair:dotpair", c.dotted),
    Rule("at|around hour:small|cardinal oclock? ampm:ampm", c.hour_only),
    Rule("at|around hhmm:hhmm ampm:ampm?", c.hour_minute),
    Rule("at|around hour:small|cardinal !measure|unit|clock_unit|word", c.hour_only),
    # what needs a cue
    Rule("month:cuedmonth", a.month_alone),
    Rule("weekday:anyweekday !of", w.weekday_alone),
    Rule("season:season", p.season_alone),
    Rule(
        "on|by|until|since|before|after|around|of [ the day:ordinal|ordinal_word ] !word|unit|measure|anymonth",
        w.cued_day,
    ),
    Rule("on [ day:ordinal ] !word|unit|measure|anymonth", w.cued_day),
    Rule("in|during|for|on [ the unit:unit ] !of|word|before|after|since|until|measure|hyphen", k.the_unit),
    Rule("year:fullyear !measure", a.year_alone),
]

MADE_OF_DATES = [
    Rule("steps:rel anchor:bare", a.shifted_anchor),
    Rule("steps:rel anchor:date", a.shifted_anchor),
    Rule("anchor:datelike of|in? other:date", a.in_year_of),
    Rule("the? nth:nth count:count? unit:unit of|in the? anchor:anchor", p.nth_of),
    Rule("the? nth:last count:count? unit:unit of|in the? anchor:anchor", p.nth_of),
    Rule("the? nth:nth count:count? unit:unit of|in the? outer:unit", p.nth_of_unit),
    Rule("the? nth:last count:count? unit:unit of|in the? outer:unit", p.nth_of_unit),
    Rule("the? nth:nth|last weekday:anyweekday of|in the? anchor:anchor", p.nth_weekday_of),
    Rule("the? nth:nth|last weekday:anyweekday of|in the? outer:unit", p.nth_weekday_of_unit),
    Rule("the? day:nth of|in the? anchor:date", p.day_of),
    Rule("the? week_begin the? anchor:datelike", p.week_of),
    Rule("the? unit:unit of the? anchor:datelike", p.unit_of),
    Rule("anchor:date unit:unit", p.weekend_of),
    Rule("part:part hyphen? the? anchor:anchor", s.part_of),
    Rule("part:part hyphen? the? unit:unit", s.part_of_unit),
    Rule("part:earlier|later in? the? anchor:date", s.so_far),
    Rule("part:earlier|later in? the? unit:unit", s.so_far_unit),
    Rule(
        "count:count unit:unit ( and count2:count unit2:unit )? from|after|hence the? anchor:datelike", k.after_anchor
    ),
    Rule("count:count unit:unit ( and count2:count unit2:unit )? before the? anchor:datelike", k.before_anchor),
    Rule("count:count unit:unit since anchor:datelike", s.units_from),
]

ON_DAYS = [
    Rule("clock:clock in? the? daypart:daypart", c.with_daypart),
    Rule("anchor:datelike comma? in|on|at? the? daypart:daypart", c.part_of_day),
    Rule("the? daypart:daypart of? the? anchor:date", c.part_of_day),
    Rule("around clock:clock", c.keep_clock),
]

AT_CLOCKS = [
    Rule("anchor:datelike comma? from|between|at? one:clock to|until|hyphen|and other:clock", c.clock_range),
    Rule("from|between? one:clock to|until|hyphen|and other:clock comma? on? the? anchor:datelike", c.clock_range),
    Rule("anchor:datelike comma|hyphen? at|for|around? clock:clock", c.on_day),
    Rule("clock:clock comma? on|of? the? anchor:datelike", c.on_day),
]

STRETCHES = [
    Rule("than:than anchor:date", s.than_anchor),
    Rule("from|between the? one:anchor to|until|hyphen|and the? other:anchor", s.between),
    Rule("one:date|moment to|until|hyphen the? other:anchor|moment", s.between),
    Rule("one:bare to|until|hyphen the? other:date", s.between),
    Rule("one:bare|bareyear hyphen other:bare|bareyear !word|measure", s.between),
    Rule("one:bare|bareyear to|until the? other:bareyear|date", s.between),
    Rule("to anchor:date !word", s.until_now),
    Rule("from the? anchor:anchor on", s.since_ahead),
    Rule("for the? anchor:date", s.for_last_units),
    Rule("for count:count unit:unit now", s.units_since),
    Rule("since the? anchor:anchor|moment", s.since),
    Rule("from the? anchor:anchor|moment onwards", s.since_ahead),
    Rule("anchor:anchor|moment onwards", s.since_ahead),
    Rule("anchor:anchor|moment and|or later", s.since_ahead),
    Rule("until the? anchor:anchor|moment", s.until),
    Rule("before the? anchor:anchor|moment", s.before),
    Rule("after the? anchor:anchor|moment", s.after),
    Rule("around the? anchor:datelike", s.around),
]

CUES = [
    Rule("in|during|on|from|for|of|by|around the? [ anchor:bare ]", a.cued),
    Rule("in|during|from [ anchor:bareyear ]", a.cued),
    Rule("of|for [ anchor:bareyear ] !word", a.cued),
    Rule("date|found|moment comma? and|or the? [ anchor:bare|bareyear ]", a.cued),
    Rule("[ anchor:bare ] and|or date|found", a.cued),
    Rule("equals [ anchor:bareyear ]", a.cued),
]

MORE_CUES = [Rule("date|found|moment comma? and|or the? [ anchor:bare|bareyear ]", a.cued)]

LANGUAGE = Language(
    WORDS, [NUMBERS, DATES, MADE_OF_DATES, ON_DAYS, AT_CLOCKS, STRETCHES, CUES, MORE_CUES], low=LOW, day_first=False
)
