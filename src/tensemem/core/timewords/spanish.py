"""Spanish."""

from __future__ import annotations

from . import clocks as c
from . import numbering as n
from . import romance
from . import weekdays as w
from .grammar import Rule
from .latin import passes
from .numerals import Few
from .tables import Language, Words

SMALL = (
    "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "once", "doce", "trece",
    "catorce", "quince", "dieciséis|dieciseis", "diecisiete", "dieciocho", "diecinueve", "veinte",
    "veintiuno|veintiún", "veintidós|veintidos", "veintitrés|veintitres", "veinticuatro", "veinticinco",
    "veintiséis|veintiseis", "veintisiete", "veintiocho", "veintinueve", "treinta", "treinta y uno",
)  # fmt: skip
TENS = ("treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa")
ORDINALS = {
    1: "primero|primer|primera", 2: "segundo|segunda", 3: "tercero|tercer|tercera", 4: "cuarto|cuarta",
    5: "quinto|quinta", 6: "sexto|sexta", 7: "séptimo|séptima", 8: "octavo|octava", 9: "noveno|novena",
    10: "décimo|décima",
}  # fmt: skip

HUNDREDS = (
    "doscientos", "trescientos", "cuatrocientos", "quinientos", "seiscientos", "setecientos", "ochocientos",
    "novecientos",
)  # fmt: skip


def _cardinals() -> dict[int, str]:
    found = dict(enumerate(SMALL, 1))
    for ten, word in enumerate(TENS, 3):
        found[ten * 10] = word
        for one, unit in enumerate(SMALL[:9], 1):
            found.setdefault(ten * 10 + one, f"{word} y {unit}")
    return found


WORDS: Words = {
    "month": {
        1: "enero|ene|ene.", 2: "febrero|feb|feb.", 3: "marzo", 4: "abril|abr|abr.", 5: "mayo", 6: "junio|jun|jun.",
        7: "julio|jul|jul.", 8: "agosto|ago|ago.", 9: "septiembre|setiembre|sept|sept.|sep|sep.", 10: "octubre|oct|"
        "oct.", 11: "noviembre|nov|nov.",
        12: "diciembre|dic|dic.",
    },
    "month_soft": {3: "mar|mar.", 5: "may|may."},
    "weekday": {
        0: "lunes", 1: "martes", 2: "miércoles|miercoles", 3: "jueves", 4: "viernes", 5: "sábado|sabado", 6: "domingo",
    },
    "weekday_soft": {0: "lun", 2: "mié", 3: "jue", 4: "vie", 5: "sáb", 6: "dom"},
    "unit": {
        "day": "día|días|dia|dias|jornada", "week": "semana|semanas", "month": "mes|meses", "year": "año|años|ano|anos",
        "quarter": "trimestre|trimestres", "decade": "década|décadas|decenio|decenios|decada|decadas",
        "century": "siglo|siglos", "weekend": "fin de semana|fines de semana|finde", "half": "semestre|semestres",
        "fortnight": "quincena|quincenas", "workweek": "semana laboral|semana de trabajo",
        "workday": "día laborable|días laborables|días hábiles|día hábil|días de trabajo|días laborales",
    },
    "clock_unit": {
        "hour": "hora|horas|hrs", "minute": "minuto|minutos|min|mins", "second": "segundos|segundo|seg",
    },
    "relday": {
        0: "hoy|día de hoy", 1: "mañana|el día siguiente", -1: "ayer|el día anterior|el dia anterior",
        2: "pasado mañana", -2: "anteayer|antes de ayer|antier", -3: "trasanteayer",
    },
    "now": {0: "ahora|ahora mismo|actualmente|en este momento|en este instante|en la actualidad"},
    "last": {-1: "último|última|últimos|últimas|ultimo|ultima|ultimos|ultimas|anterior|anteriores|previo|previa|"
    "previos|previas"},
    "past_word": {-1: "pasado|pasada|pasados|pasadas"},
    "next": {1: "próximo|próxima|próximos|próximas|proximo|proxima|siguiente|siguientes|que viene|que vienen|entrante"},
    "hence": {1: "venidero|venidera|venideros"},
    "this": {0: "este|esta|estos|estas|actual|presente|en curso|corriente|este mismo"},
    "each": {0: "cada|todos los|todas las|al día|una vez al|una vez por|dos veces al|dos veces por"},
    "ago": {0: "hace|hace unos|hace ya|hace como|atrás"},
    "later": {0: "después|a partir de ahora|desde ahora|más adelante", "late": "más tarde"},
    "in": {0: "en|dentro de"},
    "within": {0: "en los próximos|en las próximas|dentro de los próximos|dentro de las próximas"},
    "during": {0: "durante|a lo largo de"},
    "at": {0: "a las|a la|a eso de las"},
    "of": {0: "de|del"},
    "for": {0: "para|por"},
    "and": {0: "y|e"},
    "or": {0: "o|u"},
    "since": {0: "tan pronto como|empezando el|comenzando el|a partir de|a partir del|desde|desde el|desde la|"
    "a contar de"},
    "until": {0: "hasta|hasta el|hasta la|no más tarde que|no más tarde del|tan tarde como|a más tardar el|"
    "a más tardar en"},
    "before": {0: "antes de|antes del|anterior a|anterior al|anterior de|previo a|antes que"},
    "after": {0: "después de|después del|posterior a|posterior al|posterior de|más tarde que|despues de|tras|luego de"},
    "between": {0: "entre"},
    "to": {0: "a|al"},
    "part": {
        "early": "principios de|inicios de|comienzos de|principio de|inicio de|comienzo de|primeros de|principios del|"
        "inicios del|comienzos del|principio del|inicio del|comienzo del",
        "mid": "mediados de|mediados del",
        "late": "fines de|finales de|fin de|final de|últimos de|fines del|finales del|fin del|final del",
    },
    "earlier": {"early": "más temprano", "late": "más tarde en|más tarde|resto de|resto del"},
    "around": {0: "alrededor de|alrededor del|aproximadamente|cerca de|hacia|sobre el|en torno a"},
    "season": {"spring": "primavera", "summer": "verano", "autumn": "otoño", "winter": "invierno"},
    "hundred": {100: "cien|ciento"},
    "number": {hundred * 100: word for hundred, word in enumerate(HUNDREDS, 2)},
    "half_word": {0: "medio|media|mitad"},
    "fiscal": {0: "fiscal"},
    "calendar": {0: "calendario"},
    "quarter_mark": {0: "t|q"},
    "daypart": {
        "morning": "por la mañana|de la mañana|en la mañana", "noon": "mediodía|mediodia",
        "afternoon": "tarde|por la tarde|de la tarde|en la tarde",
        "night": "noche|por la noche|de la noche|en la noche", "early_morning": "madrugada|de la madrugada",
    },
    "dayparted": {(-1, "night"): "anoche", (0, "morning"): "esta mañana", (-2, "night"): "anteanoche"},
    "ampm": {"am": "am|a.m.|a. m.|a.m", "pm": "pm|p.m.|p. m.|p.m"},
    "oclock": {0: "en punto|horas en punto|h"},
    "holiday": {
        (12, 25): "navidad|día de navidad", (12, 24): "nochebuena", (12, 31): "nochevieja|fin de año",
        (1, 1): "año nuevo|día de año nuevo", (2, 14): "día de san valentín|san valentín", (1, 6): "día de reyes|"
        "reyes magos",
        (5, 1): "día del trabajador|día del trabajo|día de los trabajadores|día internacional de los trabajadores",
        (10, 31): "halloween", (3, 17): "día de san patricio|san patricio", (7, 4): "día de la independencia",
        (11, 1): "todos los santos|día de todos los santos", (11, 3, 4): "acción de gracias|día de acción de gracias",
        (11, 3, 4, 1): "viernes negro|black friday", (4, 22): "día de la tierra", (11, 2): "día de los muertos",
        ("easter", 0): "pascua|domingo de pascua|domingo de resurrección", ("easter", -2): "viernes santo",
        (3, 8): "día de la mujer", (6, 19): "juneteenth", (9, 0, 1): "labor day",
    },
    "cardinal": _cardinals(),
    "few": {Few(2): "un par de", Few(3): "unos pocos|unas pocas|unos|unas|varios|varias|algunos|algunas|pocos|pocas"},
    "thousand": {1000: "mil"},
    "ordinal_word": ORDINALS,
    "ordinal_mark": {0: "º|ª|er|ro|ra|do|da|to|ta|.º"},
    "roman": {
        15: "xv", 16: "xvi", 17: "xvii", 18: "xviii", 19: "xix", 20: "xx", 21: "xxi", 14: "xiv", 13: "xiii",
    },
    "decade_word": {
        20: "años veinte", 30: "años treinta", 40: "años cuarenta", 50: "años cincuenta", 60: "años sesenta",
        70: "años setenta", 80: "años ochenta", 90: "años noventa|noventas",
    },
    "a": {1: "un|una"},
    "the": {0: "el|la|lo|las"},
    "mark3": {0: "los"},
    "than": {0: "más de|mas de", 1: "menos de"},
    "onwards": {0: "en adelante|o más tarde|y más tarde|en lo sucesivo"},
    "week_begin": {
        0: "semana que empieza el|semana que comienza el|semana que inicia el|semana que inicia|"
        "semana comenzando el"
    },
    "mark1": {0: "la fecha"},
    "measure": {
        0: "por ciento|personas|usuarios|euros|dólares|pesos|veces|metros|kilómetros|km|kg|kilos|grados|puntos|páginas|"
        "líneas|archivos|empleados|clientes|habitantes|pasos|casas|libros|alumnos|plazas|unidades",
    },
    "function": {
        0: "feliz navidad|feliz año nuevo|feliz año|felices pascuas|yo|tú|él|ella|nosotros|ellos|mi|tu|su|sus|mis|"
        "nuestro|era|fue|fui|es|son|está|estoy|soy|he|ha|han|había|"
        "pero|"
        "porque|cuando|donde|quien|si|no|ni|que|se|me|te|nos|les|con|como|también|buenos días|buenas tardes|"
        "buenas noches|"
        "buen día|de día en día|todo el día|por qué",
    },
}  # fmt: skip
LOW: Words = {"word": {"mar": "mar|may|vie|dom|sol"}}

LANGUAGE = Language(
    WORDS,
    passes(
        numbers=[
            Rule("mark3 weekday", n.nothing),
            Rule("one:cardinal? thousand hundreds:number? and? two:cardinal?", n.thousands),
        ],
        dates=[
            *romance.DATES,
            Rule(f"the [ day:ordinal|small ] {romance.NO_DAY}", w.cued_day),
            Rule("at hour:small|cardinal oclock? ampm:ampm?", c.hour_only),
        ],
        made_of_dates=romance.MADE_OF_DATES,
        stretches=romance.STRETCHES,
        cues=romance.CUES,
    ),
    low=LOW,
)
