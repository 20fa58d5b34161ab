"""Portuguese."""

from __future__ import annotations

from . import clocks as c
from . import numbering as n
from . import romance
from . import stretches as s
from . import weekdays as w
from .grammar import Rule
from .latin import passes
from .numerals import Few
from .tables import Language, Words

SMALL = (
    "um", "dois|duas", "três|tres", "quatro", "cinco", "seis", "sete", "oito", "nove", "dez", "onze", "doze", "treze",
    "catorze|quatorze", "quinze", "dezesseis|dezasseis", "dezessete|dezassete", "dezoito", "dezenove|dezanove",
)  # fmt: skip
TENS = ("vinte", "trinta", "quarenta", "cinquenta", "sessenta", "setenta", "oitenta", "noventa")
HUNDREDS = (
    "duzentos", "trezentos", "quatrocentos", "quinhentos", "seiscentos", "setecentos", "oitocentos", "novecentos",
)  # fmt: skip
ORDINALS = {
    1: "primeiro|primeira|primeiros|primeiras", 2: "segundo", 3: "terceiro|terceira", 4: "quarto", 5: "quinto",
    6: "sexto", 7: "sétimo|sétima", 8: "oitavo|oitava", 9: "nono|nona", 10: "décimo|décima",
}  # fmt: skip


def _cardinals() -> dict[int, str]:
    found = dict(enumerate(SMALL, 1))
    for ten, word in enumerate(TENS, 2):
        found[ten * 10] = word
        found.update(
            {ten * 10 + one: "|".join(f"{word} e {form}" for form in SMALL[one - 1].split("|")) for one in range(1, 10)}
        )
    del found[1]
    return found


WORDS: Words = {
    "month": {
        1: "janeiro|jan|jan.", 2: "fevereiro|fev|fev.", 3: "março|marco", 4: "abril|abr|abr.", 5: "maio",
        6: "junho|jun|jun.", 7: "julho|jul|jul.", 8: "agosto|ago|ago.", 9: "setembro|set|set.", 10: "outubro|out.",
        11: "novembro|nov|nov.", 12: "dezembro|dez.",
    },
    "month_soft": {3: "mar", 5: "mai"},
    "weekday": {
        0: "segunda-feira|segunda feira", 1: "terça-feira|terça feira|terca-feira", 2: "quarta-feira|quarta feira",
        3: "quinta-feira|quinta feira", 4: "sexta-feira|sexta feira", 5: "sábado|sabado", 6: "domingo",
    },
    "weekday_soft": {0: "segunda|seg", 1: "terça|ter", 2: "quarta|qua", 3: "quinta|qui", 4: "sexta|sex"},
    "unit": {
        "day": "dia|dias", "week": "semana|semanas", "month": "mês|meses|mes", "year": "ano|anos",
        "quarter": "trimestre|trimestres", "decade": "década|décadas|decada", "century": "século|séculos|seculo",
        "weekend": "fim de semana|fins de semana", "half": "semestre|semestres", "fortnight": "quinzena|quinzenas",
        "workday": "dia útil|dias úteis",
    },
    "clock_unit": {"hour": "hora|horas", "minute": "minuto|minutos|min", "second": "segundos|seg"},
    "relday": {
        0: "hoje", 1: "amanhã|amanha|dia seguinte", -1: "ontem|dia anterior", 2: "depois de amanhã", -2: "anteontem",
    },
    "now": {0: "agora|agora mesmo|neste momento|atualmente|no momento"},
    "last": {-1: "último|última|últimos|últimas|ultimo|ultima|ultimos|ultimas|anterior|anteriores"},
    "past_word": {-1: "passado|passada|passados|passadas"},
    "next": {1: "próximo|próxima|próximos|próximas|proximo|proxima|proximos|seguinte|seguintes|que vem"},
    "this": {0: "este|esta|estes|estas|neste|nesta|deste|desta|atual|corrente|esse|essa|nesse|nessa"},
    "each": {0: "cada|todo|toda|todos os|todas as|por"},
    "ago": {0: "há|ha|faz|atrás|atras"},
    "later": {0: "depois de agora|a partir de agora", "late": "mais tarde"},
    "in": {0: "em|no|na|nos|nas|dentro de|daqui a"},
    "within": {0: "nos próximos|nas próximas|dentro dos próximos"},
    "during": {0: "durante|ao longo de|ao longo do"},
    "at": {0: "às|as|à"},
    "of": {0: "de|do|da|dos|das"},
    "for": {0: "para|por"},
    "and": {0: "e"},
    "or": {0: "ou"},
    "since": {0: "desde|desde o|desde a|a partir de|a partir do|a partir da"},
    "until": {0: "até|até o|até a|ate|até ao|até à|o mais tardar em"},
    "before": {0: "antes de|antes do|antes da|anterior a"},
    "after": {0: "depois de|depois do|depois da|após|após o|após a|posterior a"},
    "between": {0: "entre|entre o|entre a"},
    "to": {0: "a|ao|à"},
    "part": {
        "early": "início de|início do|começo de|começo do|princípio de|princípio do|inicio de|inicio do|início da",
        "mid": "meados de|meados do|meio de|meio do", "late": "fim de|fim do|final de|final do|finais de|fim da|"
        "final da",
    },
    "earlier": {"early": "mais cedo", "late": "resto de|resto do|restante do|resto da"},
    "around": {0: "por volta de|cerca de|aproximadamente|em torno de|por volta do"},
    "season": {"spring": "primavera", "summer": "verão|verao", "autumn": "outono", "winter": "inverno"},
    "half_word": {0: "meio|meia|metade"},
    "fiscal": {0: "fiscal"},
    "quarter_mark": {0: "t|q"},
    "daypart": {
        "morning": "manhã|da manhã|de manhã|pela manhã", "noon": "meio-dia|meio dia", "afternoon": "tarde|da tarde|"
        "à tarde|"
        "de tarde", "night": "noite|da noite|à noite|de noite", "early_morning": "madrugada|da madrugada",
    },
    "ampm": {"am": "am|a.m.|a.m", "pm": "pm|p.m.|p.m"},
    "oclock": {0: "h|hs|em ponto"},
    "holiday": {
        (12, 25): "natal|dia de natal", (12, 24): "véspera de natal", (12, 31): "véspera de ano novo|réveillon",
        (1, 1): "ano novo|dia de ano novo|ano-novo", (5, 1): "dia do trabalhador|dia do trabalho",
        (9, 7): "dia da independência", (11, 2): "finados", (10, 31): "halloween", ("easter", 0): "páscoa",
        ("easter", -2): "sexta-feira santa", ("easter", -47): "carnaval", (11, 3, 4, 1): "black friday",
        (11, 3, 4): "ação de graças|dia de ação de graças", (2, 14): "dia de são valentim",
    },
    "cardinal": _cardinals(),
    "few": {Few(2): "um par de", Few(3): "alguns|algumas|vários|várias|poucos|poucas|uns|umas"},
    "thousand": {1000: "mil"},
    "number": {hundred * 100: word for hundred, word in enumerate(HUNDREDS, 2)},
    "ordinal_word": ORDINALS,
    "ordinal_mark": {0: "º|ª|.º|.ª|o|a"},
    "roman": {15: "xv", 16: "xvi", 17: "xvii", 18: "xviii", 19: "xix", 20: "xx", 21: "xxi"},
    "decade_word": {
        20: "anos vinte", 30: "anos trinta", 40: "anos quarenta", 50: "anos cinquenta", 60: "anos sessenta",
        70: "anos setenta", 80: "anos oitenta", 90: "anos noventa",
    },
    "a": {1: "um|uma"},
    "the": {0: "o|a|as"},
    "mark3": {0: "os"},
    "than": {0: "mais de", 1: "menos de"},
    "onwards": {0: "em diante|ou mais tarde|e depois"},
    "week_begin": {0: "semana que começa em|semana que começa no dia"},
    "measure": {
        0: "por cento|pessoas|usuários|utilizadores|euros|reais|dólares|vezes|metros|quilômetros|quilómetros|km|kg|"
        "quilos|"
        "graus|pontos|páginas|linhas|arquivos|ficheiros|clientes|habitantes|passos|casas|livros|alunos|unidades|lugar",
    },
    "function": {
        0: "feliz natal|feliz ano novo|feliz páscoa|eu|tu|ele|ela|nós|eles|elas|você|vocês|meu|minha|seu|sua|era|"
        "foi|fui|é|são|está|estou|sou|tenho|tem|"
        "mas|porque|"
        "quando|onde|quem|se|não|nem|que|me|te|lhe|com|como|também|bom dia|boa tarde|boa noite|dia a dia|"
        "o dia todo|um dia",
    },
}  # fmt: skip
WORDS["to"] = {0: "ao"}
LOW: Words = {"word": {"mar": "mar|mai|ter|sex"}}

LANGUAGE = Language(
    WORDS,
    passes(
        numbers=[
            Rule("mark3 weekday", n.nothing),
            Rule("one:cardinal? thousand and? hundreds:number? and? two:cardinal?", n.thousands),
        ],
        dates=[
            *romance.DATES,
            Rule(f"unit:unit [ day:ordinal|small ] {romance.NO_DAY}", w.cued_day),
            Rule("in|of|until|since [ weekday:weekday_soft ] !unit|of|word|measure", w.weekday_cued),
            Rule("at hour:small|cardinal oclock? ampm:ampm?", c.hour_only),
            Rule("hour:small oclock minute:small", c.hour_only),
        ],
        made_of_dates=romance.MADE_OF_DATES,
        stretches=[Rule("of|between the? one:anchor the other:anchor", s.between), *romance.STRETCHES],
        cues=romance.CUES,
    ),
    low=LOW,
)
