"""Italian."""

from __future__ import annotations

from . import amounts as u
from . import clocks as c
from . import counted as k
from . import numbering as n
from . import romance
from . import stretches as s
from . import weekdays as w
from .grammar import Rule
from .latin import passes
from .numerals import Few
from .tables import Language, Words

SMALL = (
    "uno", "due", "tre", "quattro", "cinque", "sei", "sette", "otto", "nove", "dieci", "undici", "dodici", "tredici",
    "quattordici", "quindici", "sedici", "diciassette", "diciotto", "diciannove",
)  # fmt: skip
TENS = ("venti", "trenta", "quaranta", "cinquanta", "sessanta", "settanta", "ottanta", "novanta")
ORDINALS = {
    1: "primo|prima|primi|prime", 2: "secondo|seconda", 3: "terzo|terza", 4: "quarto|quarta", 5: "quinto|quinta",
    6: "sesto|sesta", 7: "settimo|settima", 8: "ottavo|ottava", 9: "nono|nona", 10: "decimo|decima",
}  # fmt: skip


def _cardinals() -> dict[int, str]:
    found = dict(enumerate(SMALL, 1))
    for ten, word in enumerate(TENS, 2):
        found[ten * 10] = word
        for one in range(1, 10):
            stem = word[:-1] if one in {1, 8} else word
            found[ten * 10 + one] = stem + SMALL[one - 1]
    del found[1]
    return found


WORDS: Words = {
    "month": {
        1: "gennaio|gen|gen.", 2: "febbraio|feb|feb.", 3: "marzo|mar.", 4: "aprile|apr|apr.", 5: "maggio|mag|mag.",
        6: "giugno|giu.", 7: "luglio|lug.|lug", 8: "agosto|ago|ago.", 9: "settembre|set|set.|sett.", 10: "ottobre|"
        "ott|ott.",
        11: "novembre|nov|nov.", 12: "dicembre|dic|dic.",
    },
    "weekday": {
        0: "lunedì|lunedi", 1: "martedì|martedi", 2: "mercoledì|mercoledi", 3: "giovedì|giovedi", 4: "venerdì|venerdi",
        5: "sabato", 6: "domenica",
    },
    "unit": {
        "day": "giorno|giorni|giornata", "week": "settimana|settimane", "month": "mese|mesi", "year": "anno|anni",
        "quarter": "trimestre|trimestri", "decade": "decennio|decenni", "century": "secolo|secoli",
        "weekend": "fine settimana|weekend|week-end|finesettimana", "half": "semestre|semestri",
        "workday": "giorni lavorativi|giorno lavorativo",
    },
    "clock_unit": {"hour": "ora|ore", "minute": "minuto|minuti|min", "second": "secondi|sec"},
    "relday": {
        0: "oggi|quest'oggi", 1: "domani|il giorno dopo|indomani", -1: "ieri|il giorno prima", 2: "dopodomani|"
        "dopo domani",
        -2: "l'altro ieri|avantieri|ieri l'altro",
    },
    "now": {0: "adesso|ora come ora|in questo momento|attualmente|proprio ora"},
    "last": {-1: "ultimo|ultima|ultimi|ultime|precedente|precedenti"},
    "past_word": {-1: "scorso|scorsa|scorsi|scorse|passato|passata|passati|passate"},
    "next": {1: "prossimo|prossima|prossimi|prossime|successivo|successiva|seguente|seguenti|che viene|successivi"},
    "this": {0: "questo|questa|questi|queste|quest'|quest’|corrente|attuale|in corso"},
    "each": {0: "ogni|tutti i|tutte le|al|una volta al|a"},
    "ago": {0: "fa|or sono"},
    "later": {0: "da adesso|da ora|a partire da adesso", "late": "più tardi|dopo"},
    "in": {0: "in|nel|nella|nell'|nell’|nei|nelle|tra|fra|negli"},
    "within": {0: "entro|nei prossimi|nelle prossime|entro i prossimi|entro le prossime"},
    "during": {0: "durante|nel corso di|nel corso del"},
    "at": {0: "alle|all'|alle ore"},
    "of": {0: "di|del|della|dell'|dell’|dei|delle|degli"},
    "for": {0: "per"},
    "and": {0: "e|ed"},
    "or": {0: "o|oppure"},
    "from": {0: "da|dal|dalla|dall'|dall’|dalle"},
    "since": {0: "a partire da|a partire dal|a partire dalla|sin da|sin dal|fin dal|a decorrere dal|a partire dall'"},
    "until": {0: "fino a|fino al|fino alla|sino a|sino al|fino all'|entro il|entro la|non oltre il"},
    "before": {0: "prima di|prima del|prima della|prima dell'|antecedente a"},
    "after": {0: "dopo il|dopo la|dopo l'|successivo al|dopo di|dopo"},
    "between": {0: "tra il|fra il|tra la|tra|fra"},
    "to": {0: "a|al|alla|ad|all'"},
    "part": {
        "early": "inizio|inizio di|inizio del|inizi di|primi di|inizi del|inizio dell'|inizio della",
        "mid": "metà|metà di|metà del|metà dell'", "late": "fine|fine di|fine del|fine dell'|fine della",
    },
    "earlier": {"early": "prima in", "late": "resto di|resto del|resto della|resto dell'"},
    "around": {0: "circa|intorno al|attorno al|verso il|verso la|intorno a|verso"},
    "season": {"spring": "primavera", "summer": "estate", "autumn": "autunno", "winter": "inverno"},
    "half_word": {0: "mezzo|mezza|metà no"},
    "fiscal": {0: "fiscale"},
    "quarter_mark": {0: "t|q"},
    "daypart": {
        "morning": "mattina|mattino|di mattina|del mattino|della mattina", "noon": "mezzogiorno",
        "afternoon": "pomeriggio|del pomeriggio|di pomeriggio", "evening": "sera|di sera|della sera|serata",
        "night": "notte|di notte|della notte",
    },
    "dayparted": {(0, "morning"): "stamattina|stamani", (0, "evening"): "stasera", (0, "night"): "stanotte"},
    "ampm": {"am": "am|a.m.|a.m", "pm": "pm|p.m.|p.m"},
    "oclock": {0: "in punto"},
    "holiday": {
        (12, 25): "natale|giorno di natale", (12, 24): "vigilia di natale", (12, 31): "san silvestro|ultimo dell'anno",
        (1, 1): "capodanno", (1, 6): "epifania|befana", (5, 1): "festa dei lavoratori|festa del lavoro",
        (8, 15): "ferragosto", (2, 14): "san valentino", (11, 1): "ognissanti", (4, 25): "festa della liberazione",
        (6, 2): "festa della repubblica", (10, 31): "halloween", ("easter", 0): "pasqua", ("easter", 1): "pasquetta|"
        "lunedì dell'angelo", (11, 3, 4, 1): "black friday", (11, 3, 4): "ringraziamento|giorno del ringraziamento",
        (12, 26): "santo stefano", (12, 8): "immacolata",
    },
    "cardinal": _cardinals(),
    "few": {Few(2): "un paio di", Few(3): "alcuni|alcune|qualche|pochi|poche|diversi|diverse"},
    "fullyear": {2000 + number: f"duemila{word}" for number, word in _cardinals().items()} | {2000: "duemila"},
    "ordinal_word": ORDINALS,
    "ordinal_mark": {0: "º|ª|°"},
    "roman": {15: "xv", 16: "xvi", 17: "xvii", 18: "xviii", 19: "xix", 20: "xx", 21: "xxi"},
    "decade_word": {
        20: "anni venti", 30: "anni trenta", 40: "anni quaranta", 50: "anni cinquanta", 60: "anni sessanta",
        70: "anni settanta", 80: "anni ottanta", 90: "anni novanta",
    },
    "a": {1: "un|una|un'|un’"},
    "the": {0: "il|la|lo|l'|l’|le"},
    "mark3": {0: "i|gli"},
    "than": {0: "più di", 1: "meno di"},
    "onwards": {0: "in poi|in avanti|o più tardi"},
    "week_begin": {0: "settimana che inizia il"},
    "measure": {
        0: "per cento|persone|utenti|euro|dollari|volte|metri|chilometri|km|kg|chili|gradi|punti|pagine|righe|file|"
        "clienti|abitanti|passi|case|libri|studenti|unità|posto|grammi|uova",
    },
    "function": {
        0: "buon natale|buon anno|felice anno nuovo|buona pasqua|io|tu|lui|lei|noi|voi|loro|mio|mia|suo|sua|era|è|"
        "sono|sei un|ho|ha|hanno|aveva|ma|perché|quando|dove|"
        "chi|se|non|né|"
        "che|mi|ti|si|ci|vi|con|come|anche|buongiorno|buonasera|buonanotte|buona giornata|un giorno|giorno per giorno",
    },
}  # fmt: skip
WORDS["half_word"] = {0: "mezzo|mezza"}
WORDS["each"] = {0: "ogni|tutti i|tutte le|una volta al|due volte a"}

LANGUAGE = Language(
    WORDS,
    passes(
        numbers=[Rule("mark3 weekday", n.nothing)],
        dates=[
            *romance.DATES,
            Rule("from count:count unit:unit|clock_unit !later", u.units_since),
            Rule("between count:count unit:unit", k.ahead),
            Rule("between count:count unit:clock_unit", c.moment_ahead),
            Rule(f"the [ day:ordinal|small ] {romance.NO_DAY}", w.cued_day),
            Rule("at hour:small|cardinal oclock? ampm:ampm?", c.hour_only),
        ],
        made_of_dates=romance.MADE_OF_DATES,
        stretches=[
            Rule("from the? one:anchor to|until the? other:anchor", s.between),
            Rule("from the? anchor:anchor|moment onwards", s.since_ahead),
            *romance.STRETCHES,
            Rule("from the? anchor:anchor", s.since),
        ],
        cues=[*romance.CUES, Rule("to [ anchor:bare ]", w.cued_period)],
    ),
)
