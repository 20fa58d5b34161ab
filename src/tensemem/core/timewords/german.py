"""German."""

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
from .latin import passes
from .numerals import Few
from .tables import Language, Words

ONES = ("ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun")
TEENS = (
    "zehn", "elf", "zwölf", "dreizehn", "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn",
)  # fmt: skip
TENS = ("zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig")
FIRSTS = ("erst", "zweit", "dritt", "viert", "fünft", "sechst", "siebt", "acht", "neunt")
ENDINGS = ("e", "er", "en", "es", "em")
WEEKDAYS = ("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag")
PARTS = {
    "early_morning": ("früh", "frühmorgens", "frühmorgen"), "morning": ("morgens", "vormittag", "vormittags"),
    "noon": ("mittag", "mittags"), "afternoon": ("nachmittag", "nachmittags"),
    "evening": ("abend", "abends", "spätabend", "spätabends"), "night": ("nacht", "nachts"),
}  # fmt: skip


def _numbers() -> dict[int, str]:
    found = {1 + index: word for index, word in enumerate((*ONES, *TEENS))}
    for ten, word in enumerate(TENS, 2):
        found[ten * 10] = word
        found.update({ten * 10 + one: f"{unit}und{word}" for one, unit in enumerate(ONES, 1)})
    return found


def _cardinals() -> dict[int, str]:
    found = _numbers()
    found[1] = "eins"
    found[2] = "zwei|zwo|beiden|beide"
    for hundred, word in {19: "neunzehnhundert", 18: "achtzehnhundert"}.items():
        found.update({hundred * 100 + number: word + spelled for number, spelled in _numbers().items()})
    for number, spelled in _numbers().items():
        found[2000 + number] = f"zweitausend{spelled}|zweitausendund{spelled}"
    return {number: word.replace("ß", "ß") for number, word in found.items() if number < 100}


def _years() -> dict[int, str]:
    found = {1900 + number: f"neunzehnhundert{spelled}" for number, spelled in _numbers().items()}
    found |= {2000 + number: f"zweitausend{spelled}|zweitausendund{spelled}" for number, spelled in _numbers().items()}
    return found | {2000: "zweitausend", 1900: "neunzehnhundert"}


def _ordinals() -> dict[int, str]:
    stems: dict[int, tuple[str, ...]] = {index: (stem,) for index, stem in enumerate(FIRSTS, 1)}
    stems[7] = ("siebt", "siebent")
    stems |= {number: (f"{word}t",) for number, word in _numbers().items() if 10 <= number < 20}
    stems |= {number: (f"{word}st",) for number, word in _numbers().items() if 20 <= number <= 31}
    return {number: "|".join(stem + end for stem in many for end in ENDINGS) for number, many in stems.items()}


def _with_endings(stem: str) -> str:
    return "|".join(stem + end for end in ENDINGS)


WORDS: Words = {
    "month": {
        1: "januar|jan|jänner", 2: "februar|feb", 3: "märz|mär|mrz|maerz", 4: "april|apr", 5: "mai", 6: "juni|jun",
        7: "juli|jul", 8: "august|aug", 9: "september|sept|sep", 10: "oktober|okt", 11: "november|nov",
        12: "dezember|dez",
    },
    "weekday": {
        **dict(enumerate(WEEKDAYS)), 5: "samstag|sonnabend",
    },
    "weekday_soft": {0: "mo", 1: "di", 2: "mi", 3: "do", 4: "fr", 5: "sa", 6: "so"},
    "unit": {
        "day": "tag|tage|tagen|tages|tags", "week": "woche|wochen", "month": "monat|monate|monaten|monats",
        "quarter": "quartal|quartale|quartals|quartalen", "year": "jahr|jahre|jahren|jahres|jahrs|kalenderjahr",
        "decade": "jahrzehnt|jahrzehnte|jahrzehnten|jahrzehnts|dekade|dekaden", "century": "jahrhundert|jahrhunderts",
        "weekend": "wochenende|wochenendes|wochenenden", "half": "halbjahr|halbjahres|halbjahre",
        "workweek": "arbeitswoche|werkwoche|werktags", "fiscal": "geschäftsjahr|geschäftsjahres|wirtschaftsjahr|"
        "fiskaljahr|finanzjahr", "workday": "arbeitstage|arbeitstagen|arbeitstag|werktage|werktagen|werktag",
    },
    "clock_unit": {"hour": "stunde|stunden|std", "minute": "minute|minuten|min", "second": "sekunde|sekunden|sek"},
    "relday": {
        0: "heute|heutigen tag|am heutigen tag", 1: "morgen", -1: "gestern", 2: "übermorgen", -2: "vorgestern",
        3: "überübermorgen",
    },
    "now": {0: "jetzt|gerade jetzt|gegenwärtig|im moment|derzeit|momentan|zur zeit|zurzeit"},
    "last": {-1: f"{_with_endings('letzt')}|{_with_endings('vergangen')}|{_with_endings('vorig')}|"
                 f"{_with_endings('vorherig')}", -2: _with_endings("vorletzt")},
    "next": {1: f"{_with_endings('nächst')}|{_with_endings('folgend')}|{_with_endings('darauffolgend')}",
             2: _with_endings("übernächst")},
    "hence": {1: f"{_with_endings('kommend')}"},
    "this": {0: "dieser|diese|dieses|diesen|diesem|laufenden|laufende|aktuellen|aktuelle|gegenwärtigen"},
    "each": {0: "jeder|jede|jedes|jeden|jedem|alle|immer|pro|immer am|je"},
    "ago": {0: "zuvor|vorher"},
    "later": {"late": "später", 0: "danach"},
    "in": {0: "in|im|ins|innerhalb von|binnen"},
    "within": {0: "innerhalb von|binnen|innerhalb der nächsten|in weniger als"},
    "during": {0: "während|über"},
    "on": {0: "am|an|vom"},
    "at": {0: "um|gegen"},
    "of": {0: "von|des|vom"},
    "for": {0: "für|zum"},
    "and": {0: "und|&"},
    "or": {0: "oder|bzw"},
    "from": {0: "von|vom"},
    "since": {0: "seit|ab|seit dem|ab dem|seit der|beginnend am|beginnend mit|beginnend ab|spätestens ab"},
    "until": {0: "bis|bis zum|bis zu|bis spätestens|bis einschließlich|bis zur|bis ende des tages am"},
    "before": {0: "vor|vorm|früher als"},
    "after": {0: "nach|später als"},
    "between": {0: "zwischen"},
    "part": {
        "early": "anfang|anfangs|beginn|früh im|zu beginn|am anfang|zu anfang|frühen|früher",
        "mid": "mitte|in der mitte", "late": "ende|am ende|gegen ende|zum ende|späten|später im|spät im|ausgangs",
    },
    "earlier": {"early": "früh|früher", "late": "rest"},
    "around": {0: "ca|circa|etwa|ungefähr|rund um|um den|um das|gegen"},
    "season": {
        "spring": "frühling|frühjahr|frühlings", "summer": "sommer|sommers", "autumn": "herbst|herbstes",
        "winter": "winter|winters",
    },
    "half_word": {0: f"{_with_endings('halb')}"},
    "fiscal": {0: "fiskalische"},
    "fiscal_mark": {0: "gj"},
    "quarter_mark": {0: "q"},
    "half_mark": {0: "h"},
    "week_mark": {0: "kw|kalenderwoche"},
    "daypart": {part: "|".join(forms) for part, forms in PARTS.items()},
    "day_word": {"evening": "heute abend", "night": "heute nacht"},
    "dayparted": {
        (day, part): "|".join(name + form for form in (*forms, *(("morgen",) if part == "morning" else ())))
        for part, forms in PARTS.items() for day, name in enumerate(WEEKDAYS)
    },
    "oclock": {0: "uhr|h"},
    "holiday": {
        (12, 25): "weihnachten|erster weihnachtstag|ersten weihnachtsfeiertag|erster weihnachtsfeiertag|"
        "1. weihnachtsfeiertag|weihnachtstag", (12, 26): "zweiten weihnachtstag|zweiter weihnachtsfeiertag|"
        "zweiten weihnachtsfeiertag|2. weihnachtsfeiertag", (12, 24): "heiligabend|heiliger abend",
        (12, 31): "silvester", (1, 1): "neujahr|neujahrstag", (10, 3): "tag der deutschen einheit",
        (5, 1): "tag der arbeit|erster mai|maifeiertag", (11, 1): "allerheiligen", (10, 31): "reformationstag|"
        "halloween",
        (1, 6): "heilige drei könige|dreikönigstag", (12, 6): "nikolaus|nikolaustag", (2, 14): "valentinstag",
        (8, 15): "mariä himmelfahrt", (6, 24): "johannistag", (12, 4): "barbaratag", (6, 29): "peter und paul",
        (11, 11): "martinstag", (8, 8): "augsburger friedensfest", (6, 1): "weltkindertag",
        ("easter", 0): "ostern|ostersonntag", ("easter", 1): "ostermontag", ("easter", -2): "karfreitag",
        ("easter", -1): "karsamstag", ("easter", -3): "gründonnerstag", ("easter", 39): "christi himmelfahrt|vatertag",
        ("easter", 49): "pfingsten|pfingstsonntag", ("easter", 50): "pfingstmontag", ("easter", 60): "fronleichnam",
        ("easter", -48): "rosenmontag", ("easter", -46): "aschermittwoch", ("easter", -47): "fastnacht|"
        "faschingsdienstag",
        ("easter", -49): "fastnachtssonntag", (10, 6, 1): "erntedankfest|erntedank", (5, 6, 2): "muttertag",
        (11, 3, 4, 1): "black friday",
    },
    "decade_word": {
        number * 10: f"{word}er|{word}er jahre|{word}er jahren" for number, word in enumerate(TENS, 2)
    },
    "decade_suffix": {0: "er|ern|er jahre|er jahren|er-jahre|er-jahren"},
    "cardinal": _cardinals(),
    "fullyear": _years(),
    "decimal": {1.5: "anderthalb|eineinhalb", 2.5: "zweieinhalb", 3.5: "dreieinhalb"},
    "few": {Few(2): "ein paar|paar", Few(3): "einige|einigen|wenige|wenigen|mehrere|mehreren"},
    "ordinal_word": _ordinals(),
    "a": {1: "ein|eine|einen|einem|einer|eines"},
    "the": {0: "der|die|das|den|dem|des"},
    "than": {0: "mehr als|über", 1: "weniger als"},
    "onwards": {0: "oder später|und später|aufwärts"},
    "measure": {
        0: "prozent|menschen|personen|leute|nutzer|euro|dollar|mal|stück|kilometer|km|meter|kg|kilo|grad|punkte|seiten|"
        "zeilen|dateien|anfragen|mitarbeiter|kunden|einwohner|schritte|zimmer|plätze|sitze|uhr mitteleuropäischer",
    },
    "own": {0: "meinen|deinen|seinen|ihren|unseren|unsren|euren"},
    "function": {
        0: "frohe weihnachten|fröhliche weihnachten|frohe ostern|frohes neues jahr|ich|du|sie|es|wir|ihr|mein|"
        "meine|unser|war|waren|ist|sind|bin|hat|haben|hatte|wird|werden|wurde|aber|"
        "weil|"
        "als|dann|wenn|wo|wer|nicht|auch|mit|noch|schon|zurück|guten morgen|guten tag|guten abend|gute nacht",
    },
    "workweek": {},
}  # fmt: skip
del WORDS["workweek"]
WORDS["mark2"] = {0: "unter der woche"}
LOW: Words = {"word": {"so": "so|mi|mo|di|do|sa|fr|mir"}}

NUMBERS = [
    Rule("number:small dot", n.ordinal),
    Rule("a half_word", n.a_half),
]

DATES = [
    Rule("on|the|anyweekday comma? the? [ day:ordinal|ordinal_word slash? month:nth ]", a.day_month),
    Rule("anyweekday comma? the? day:ordinal|ordinal_word month:nth", a.day_month),
    Rule("anyweekday comma? the? pair:dotpair dot? !oclock", a.pair),
    Rule("on|until|since|before|after|from|for|the [ pair:dotpair dot? ] !oclock|measure", a.pair),
    Rule("pair:dotpair dot !oclock|small", a.pair),
    Rule("before count:count unit:anyunit ( and count2:count unit2:unit )?", k.ago),
    Rule("before half_word unit:anyunit", k.half_ago),
    Rule("before count:count unit:clock_unit", c.moment_ago),
    Rule("since count:count unit:unit|clock_unit", u.units_since),
    Rule("in count:count unit:unit !from|after|since|before", k.ahead),
    Rule("in count:count unit:clock_unit", c.moment_ahead),
    Rule("unit:unit month:month !small|number|fullyear", a.month_of_unit),
    Rule("week_mark week:small ( comma|slash? of? year:fullyear )?", p.week_marked),
    Rule("mark2", k.this_workweek),
    Rule("offset:relday daypart:daypart", c.this_part_of),
    Rule("offset:relday next:relday", c.this_morning),
    Rule("weekday:weekday next:relday", w.weekday_morning),
    Rule("daypart:dayparted", w.weekday_part),
    Rule("weekday:anyweekday the? steps:rel unit:unit", w.weekday_of_week),
    Rule("on|until|since|before|after|from? [ day:nth the? steps:rel unit:unit ]", o.day_of_other_month),
    Rule("weekday:anyweekday in count:count unit:unit", o.weekday_in_eight),
    Rule("offset:relday in count:count unit:unit", o.day_in_eight),
    Rule("offset:relday before count:count unit:unit", o.day_before),
    Rule("next anyweekday comma? the? day:ordinal|ordinal_word month:month ( of? year:fullyear )?", a.day_month),
    Rule("steps:next weekday:anyweekday !pair|dotpair", o.soonest_weekday),
    Rule("steps:rel unit:unit comma? on? weekday:anyweekday", w.weekday_of_week),
    Rule("hour:small oclock minute:small", c.hour_only),
    Rule("at? half_word hour:small|cardinal", c.half_before),
    Rule("dotpair:dotpair oclock", c.dotted),
    Rule("hhmm:hhmm oclock", c.hour_minute),
    Rule("at hour:small|cardinal oclock minute:small?", c.hour_only),
]

STRETCHES = [
    Rule("at anchor:bareyear !word|measure", s.around),
    Rule("since the? anchor:anchor|moment", s.since),
    Rule("from the? anchor:anchor|moment onwards", s.since_ahead),
    Rule("on? one:date|bare until the? other:anchor", s.between),
]

LANGUAGE = Language(
    WORDS,
    passes(
        numbers=NUMBERS,
        dates=DATES,
        made_of_dates=[
            Rule("the? day:nth the anchor:date", p.day_of_month),
            Rule("the? unit:unit from anchor:date", p.unit_of),
        ],
        stretches=STRETCHES,
        cues=[Rule("anchor:bare", w.sure_weekday)],
    ),
    low=LOW,
    capital_nouns=True,
)
