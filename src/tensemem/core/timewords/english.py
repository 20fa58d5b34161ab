"""English."""

from __future__ import annotations

from . import anchors as a
from . import numbering as n
from . import onward as o
from .grammar import Rule
from .latin import passes
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
    "weekday_many": {
        0: "mondays", 1: "tuesdays", 2: "wednesdays", 3: "thursdays", 4: "fridays", 5: "saturdays", 6: "sundays",
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
    "own": {0: "my|our|your|his|her|their|one's|someone's"},
    "warmth": {0: "temperature|temperatures|temps|highs|lows|thermometer|mercury|degrees|fahrenheit|celsius"},
    "function": {
        0: "merry christmas|happy christmas|happy new year|happy easter|happy halloween|happy birthday|"
        "now and then|now and again|up to date|up-to-date|how about|what about|i|we|you|"
        "he|she|it|they|its|was|were|is|are|am|will|would|had|has|have|but|when|"
        "because|so|then|which|who|where|while|if|there|do|did|does|as|not|please|with|everyone|what|how|than"
    },
}  # fmt: skip
LOW: Words = {
    "month_low": {3: "march|mar", 5: "may"},
    "word": {"sun": "sun|sat|mon|wed|weds"},
}

DECADE = "part? hyphen? the? quote? ( small decade_suffix | decade_word )"
"""What is a decade, or an age, or a temperature."""

DATES = [
    Rule(
        "the? ( anyweekday comma? the? )? day:dayno ( dayunit:unit )? of? month:anymonth comma? of|in? year:fullyear",
        a.day_month,
    ),
    Rule("the? ( anyweekday comma? the? )? day:dayno of? month:anymonth of short:small", a.day_month),
    Rule("the? ( anyweekday comma? the? )? day:dayno ( dayunit:unit )? of? month:anymonth", a.day_month),
    Rule("weekday:weekday unit:unit !small|of|word|unit|measure|number|ago|after|before|from", o.weekday_week),
    Rule("on|in|at|for|by|from the [ weekday:weekday ] word", n.nothing),
    Rule(f"warmth function|word? function|word? in|around|to|from|of|at? the? word? {DECADE}", n.nothing),
    Rule(f"{DECADE} warmth", n.nothing),
]

LANGUAGE = Language(WORDS, passes(dates=DATES), low=LOW, day_first=False)
