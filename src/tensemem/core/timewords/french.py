"""French."""

from __future__ import annotations

from . import anchors as a
from . import clocks as c
from . import counted as k
from . import longer as p
from . import numbering as n
from . import onward as o
from . import romance
from . import stretches as s
from . import weekdays as w
from .grammar import Rule
from .latin import passes
from .numerals import Few
from .tables import Language, Words

SMALL = (
    "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze", "treize",
    "quatorze", "quinze", "seize", "dix-sept", "dix-huit", "dix-neuf",
)  # fmt: skip
TENS = ("vingt", "trente", "quarante", "cinquante", "soixante")
ORDINALS = {
    1: "premier|première|premiers|premières|1er|1ère", 2: "deuxième|second|seconde", 3: "troisième", 4: "quatrième",
    5: "cinquième", 6: "sixième", 7: "septième", 8: "huitième", 9: "neuvième", 10: "dixième", 11: "onzième",
    12: "douzième", 20: "vingtième", 21: "vingt et unième", 30: "trentième", 31: "trente et unième",
    **{20 + one: f"vingt-{word}|vingt {word}" for one, word in enumerate(
        ("deuxième", "troisième", "quatrième", "cinquième", "sixième", "septième", "huitième", "neuvième"), 2)},
    **{10 + one: word for one, word in enumerate(
        ("treizième", "quatorzième", "quinzième", "seizième", "dix-septième", "dix-huitième", "dix-neuvième"), 3)},
}  # fmt: skip


def _cardinals() -> dict[int, str]:
    found = dict(enumerate(SMALL, 1))
    for ten, word in enumerate(TENS, 2):
        found[ten * 10] = word
        found[ten * 10 + 1] = f"{word} et un|{word}-et-un"
        found.update({ten * 10 + one: f"{word}-{SMALL[one - 1]}|{word} {SMALL[one - 1]}" for one in range(2, 10)})
    found.update({60 + one: f"soixante-{SMALL[one - 1]}" for one in range(10, 20)})
    found[71] = "soixante et onze|soixante-et-onze"
    found[80] = "quatre-vingts|quatre-vingt"
    found.update({80 + one: f"quatre-vingt-{SMALL[one - 1]}" for one in range(1, 20)})
    del found[1]
    return found


WORDS: Words = {
    "month": {
        1: "janvier|janv|janv.|jan", 2: "février|fevrier|févr|févr.|fév|fev", 4: "avril|avr|avr.", 5: "mai", 6: "juin",
        7: "juillet|juil|juil.", 8: "août|aout", 9: "septembre|sept|sept.|sep", 10: "octobre|oct|oct.",
        11: "novembre|nov|nov.", 12: "décembre|decembre|déc|déc.|dec",
    },
    "month_soft": {3: "mars"},
    "weekday": {
        0: "lundi", 1: "mardi", 2: "mercredi", 3: "jeudi", 4: "vendredi", 5: "samedi", 6: "dimanche",
    },
    "weekday_soft": {0: "lun|lun.", 1: "mar|mar.", 2: "mer|mer.", 3: "jeu|jeu.", 4: "ven|ven.", 5: "sam|sam.",
                     6: "dim|dim."},
    "unit": {
        "day": "jour|jours|journée|journées", "week": "semaine|semaines", "month": "mois",
        "year": "an|ans|année|années|annee|annees", "quarter": "trimestre|trimestres",
        "decade": "décennie|décennies|decennie", "century": "siècle|siècles", "weekend": "week-end|week-ends|weekend|"
        "fin de semaine|fins de semaine", "half": "semestre|semestres", "fortnight": "quinzaine|quinzaines",
        "workweek": "semaine de travail", "workday": "jours ouvrables|jours ouvrés|jour ouvrable|jour ouvré|"
        "jours de travail",
    },
    "clock_unit": {
        "hour": "heure|heures", "minute": "minute|minutes|min|mins", "second": "secondes|sec",
    },
    "relday": {
        0: "aujourd'hui|aujourd’hui|ce jour", 1: "demain|lendemain|le lendemain", -1: "hier|la veille",
        2: "après-demain|après demain|apres-demain|surlendemain", -2: "avant-hier|avant hier",
    },
    "now": {0: "maintenant|actuellement|en ce moment|à l'instant|à présent|tout de suite|à l'heure actuelle"},
    "last": {-1: "dernier|dernière|derniers|dernières|précédent|précédente|précédents|précédentes|derniere|dernieres",
             -2: "avant-dernier|avant-dernière"},
    "past_word": {-1: "passé|passée|passés|passées|écoulé|écoulée|écoulés|écoulées"},
    "next": {
        1: "prochain|prochaine|prochains|prochaines|suivant|suivante|suivants|suivantes|qui vient|qui viennent",
    },
    "hence": {1: "à venir"},
    "this": {0: "ce|cet|cette|ces|en cours|actuel|actuelle|courant|courante|présent|présente|ci"},
    "each": {0: "chaque|tous les|toutes les|par|une fois par|deux fois par"},
    "ago": {0: "il y a|il ya|y a|ça fait|voilà|voici"},
    "later": {0: "à partir de maintenant|à compter de maintenant|après maintenant", "late": "plus tard|"
    "après cela"},
    "in": {0: "dans|en|d'ici"},
    "within": {0: "d'ici les|dans un délai de|en moins de|dans les prochains|dans les prochaines|au cours des "
                  "prochaines|au cours des prochains"},
    "during": {0: "pendant|durant|au cours de|au cours du|au cours des"},
    "at": {0: "à|vers"},
    "of": {0: "de|du|des|d'|d’"},
    "for": {0: "pour"},
    "and": {0: "et|&"},
    "or": {0: "ou"},
    "since": {0: "depuis|depuis le|depuis la|à partir de|à partir du|à partir d'|à partir des|dès|dès le|à compter de|"
                 "à compter du|à dater du|commençant le|commençant en|débutant le|depuis l'|depuis l’"},
    "until": {0: "jusqu'à|jusqu’à|jusqu'au|jusqu’au|jusqu'en|jusqu’en|jusque|au plus tard le|au plus tard|jusqu'à la|"
                 "jusqu’à la|pas plus tard que|d'ici au|d'ici à|d'ici le|d'ici la"},
    "before": {0: "avant|avant le|avant la|avant l'|avant l’|antérieur à|plus tôt que|avant d'|avant de"},
    "after": {0: "après|après le|après la|après l'|après l’|postérieur à|plus tard que|ultérieur à|apres"},
    "between": {0: "entre"},
    "to": {0: "au|aux"},
    "part": {
        "early": "début|début de|début du|début d'|commencement de|commencement du|début de l'|début des",
        "mid": "mi|milieu de|milieu du|milieu d'|milieu de l'|milieu des|mi-",
        "late": "fin|fin de|fin du|fin d'|fin de l'|fin des",
    },
    "earlier": {"early": "plus tôt|plus tot", "late": "plus tard dans|plus tard|le reste de|reste de|le reste du"},
    "around": {0: "environ|vers|aux alentours de|autour de|autour du|aux environs de|vers le|vers la"},
    "season": {"spring": "printemps", "summer": "été", "autumn": "automne", "winter": "hiver"},
    "half_word": {0: "demi|demie"},
    "fiscal": {0: "fiscale|fiscal|financière"},
    "calendar": {0: "civile|calendaire|calendrier"},
    "fiscal_mark": {0: "fy"},
    "quarter_mark": {0: "t|q"},
    "half_mark": {0: "h|s"},
    "daypart": {
        "morning": "matin|matinée|du matin|au matin", "noon": "midi", "afternoon": "après-midi|après midi|"
        "de l'après-midi|"
        "apres-midi", "evening": "soir|soirée|du soir|au soir", "night": "nuit|de la nuit|dans la nuit",
    },
    "oclock": {0: "h|heures pile"},
    "ampm": {"am": "am|a.m.|a.m", "pm": "pm|p.m.|p.m"},
    "holiday": {
        (12, 25): "noël|noel|jour de noël", (12, 24): "veille de noël|réveillon de noël", (12, 31): "saint-sylvestre|"
        "réveillon du nouvel an|saint sylvestre", (1, 1): "jour de l'an|nouvel an|"
        "jour de l’an", (7, 14): "14 juillet|fête nationale",
        (5, 1): "fête du travail|journée internationale des travailleurs", (2, 14): "saint-valentin|saint valentin",
        (10, 31): "halloween", (11, 1): "toussaint", (11, 11): "armistice", (3, 17): "saint-patrick|saint patrick",
        (8, 15): "assomption", ("easter", 0): "pâques|dimanche de pâques", ("easter", 1): "lundi de pâques",
        ("easter", -2): "vendredi saint", ("easter", 39): "ascension", ("easter", 49): "pentecôte",
        ("easter", 50): "lundi de pentecôte", (11, 3, 4): "thanksgiving|"
        "action de grâce", (11, 3, 4, 1): "vendredi noir|black friday",
        (9, 0, 1): "labor day", (4, 22): "jour de la terre", (7, 4): "jour de l'indépendance",
    },
    "cardinal": _cardinals(),
    "few": {Few(2): "un couple de|une paire de", Few(3): "quelques|plusieurs"},
    "thousand": {1000: "mille|mil"},
    "hundred": {100: "cent|cents"},
    "ordinal_word": ORDINALS,
    "ordinal_mark": {0: "er|ère|re|e|ème|eme|nd|nde|è"},
    "roman": {
        15: "xve", 16: "xvie", 17: "xviie", 18: "xviiie", 19: "xixe", 20: "xxe", 21: "xxie", 14: "xive", 13: "xiiie",
    },
    "decade_word": {
        20: "années vingt", 30: "années trente", 40: "années quarante", 50: "années cinquante", 60: "années soixante",
        70: "années soixante-dix", 80: "années quatre-vingt|années quatre-vingts", 90: "années quatre-vingt-dix",
    },
    "a": {1: "un|une"},
    "the": {0: "le|la|l'|l’"},
    "mark3": {0: "les"},
    "than": {0: "plus de|plus d'", 1: "moins de|moins d'"},
    "onwards": {0: "et plus tard|ou plus tard|et plus|et au-delà"},
    "week_begin": {0: "semaine commençant le|semaine qui commence le|semaine débutant le|w/c le|w/c"},
    "measure": {
        0: "pour cent|personnes|gens|utilisateurs|euros|dollars|fois|mètres|kilomètres|km|kg|kilos|degrés|points|pages|"
        "lignes|fichiers|employés|clients|habitants|pas|maisons|livres|élèves|places|unités|voitures|chats|enfants",
    },
    "function": {
        0: "joyeux noël|bonne année|joyeuses pâques|je|j|tu|il|elle|on|nous|vous|ils|elles|mon|ma|mes|son|sa|ses|"
        "notre|était|fut|est|sont|suis|ai|a|avons|"
        "ont|avait|"
        "mais|parce|quand|où|qui|si|ne|n|pas|ni|que|qu|se|s|me|te|avec|comme|aussi|bonne journée|bonne soirée|"
        "bonne nuit|"
        "tout le temps|au jour le jour|du jour au lendemain|de nos jours",
    },
}  # fmt: skip
LOW: Words = {"word": {"mar": "mar|sam|mer|dim|jeu|ven|lun"}}

DATES = [
    *romance.DATES,
    Rule("this weekday:weekday steps:last|past_word|next", w.weekday_coming),
    Rule("weekday:weekday in count:cardinal|small !unit|clock_unit|measure|word", o.weekday_of_eight),
    Rule("offset:relday in count:cardinal|small !unit|clock_unit|measure|word", o.day_in_eight),
    Rule("this unit:unit hyphen this", k.this_one),
    Rule(f"the [ day:ordinal|small ] {romance.NO_DAY}", w.cued_day),
    Rule("year:fullyear hyphen? oclock half:small", p.half),
    Rule("day:two month:two year:fullyear !small|number|fullyear", a.day_month),
    Rule("hhmm:hhmm", c.hour_minute),
    Rule("hour:small oclock|clock_unit minute:small", c.hour_only),
    Rule("at hour:small|cardinal oclock|clock_unit minute:small|cardinal? ampm:ampm?", c.hour_only),
    Rule("hour:small oclock", c.hour_only),
]

STRETCHES = [
    Rule("of|between the? one:anchor at the? other:anchor", s.between),
    Rule("one:date|bare|bareyear at the? other:date|bare|bareyear", s.between),
    *romance.STRETCHES,
]

LANGUAGE = Language(
    WORDS,
    passes(
        numbers=[
            Rule("mark3 weekday", n.nothing),
            Rule("one:cardinal? thousand of? hundreds:cardinal? hundred two:cardinal?", n.thousands),
        ],
        dates=DATES,
        made_of_dates=romance.MADE_OF_DATES,
        stretches=STRETCHES,
        cues=[*romance.CUES, Rule("at|to [ anchor:bare ]", w.cued_season)],
    ),
    low=LOW,
)
