"""The handful of English sentences the fake extractor knows, as a table of rules.

A message is cut into sentences first, and every rule looks at one sentence at a time, so that nothing matches across
a full stop or a line break. A value ends where the sentence, the clause or a time phrase does. A time is taken only
where it is written as ISO 8601 ("on 2026-01-10", "in 2015"); any other is left out, never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import TypeAlias

from ..model.operation import Modality, Op, Operation

_Times: TypeAlias = dict[str, str]
_Build: TypeAlias = "Callable[[re.Match[str], str], list[Operation]]"


def propose(text: str) -> list[Operation]:
    """Give what the sentences of a text say, in their order; each operation has its verbatim quote."""
    return [operation for sentence, is_question in _sentences(text) for operation in _read(sentence, is_question)]


_BORDER = re.compile(
    r"[\r\n\v\f\x85\u2028\u2029]+"
    r"|[!?…。！？;]+"
    r"|\.(?=[\s\"'”’)\]]|$)"
)
_ABBREVIATED = re.compile(r"\b(?:St|Mt|Ft|Dr|Mr|Mrs|Ms|Prof|[A-Z](?:\.[A-Z])+)$")
_NEXT = re.compile(r"\s+(?:I|My)\b")


def _sentences(text: str) -> Iterator[tuple[str, bool]]:
    """Give each sentence without its end mark, and whether it asks."""
    begin = 0
    for border in _BORDER.finditer(text):
        mark = border.group()
        if mark == "." and _is_within(text, max(begin, border.start() - 12), border.start()):
            continue
        yield text[begin : border.start()], "?" in mark or "？" in mark
        begin = border.end()
    yield text[begin:], False


def _is_within(text: str, begin: int, stop: int) -> bool:
    """Whether the full stop there belongs to an abbreviation: "St. Louis", "Washington D.C. in summer"."""
    return bool(_ABBREVIATED.search(text, begin, stop)) and not _NEXT.match(text, stop + 1)


def _read(sentence: str, is_question: bool) -> Iterator[Operation]:
    hedge = _hedge().search(sentence)
    end = 0
    for found, rule in _matches(sentence):
        if found.start() < end:
            continue
        end = found.end()
        modality: Modality = "planned" if rule.planned else "asserted"
        if hedge is not None and hedge.start() <= found.start("who"):
            modality = "hypothetical"
        if is_question:
            modality = "question"
        for operation in rule.build(found, rule.predicate):
            yield Operation(
                operation.op, operation.predicate, operation.value,
                subject=_subject(found), quote=found.group(), modality=modality,
                since=operation.since, until=operation.until,
                valid_from=operation.valid_from, valid_to=operation.valid_to,
            )  # fmt: skip


def _matches(sentence: str) -> list[tuple[re.Match[str], _Rule]]:
    """Give every match of every rule in order of place; of two at one place, that of the rule named first."""
    found = [
        (match.start(), number, match, rule)
        for number, rule in enumerate(_rules())
        for match in rule.pattern.finditer(sentence)
    ]
    return [(match, rule) for _, _, match, rule in sorted(found, key=lambda each: each[:2])]


def _subject(found: re.Match[str]) -> str:
    relation = found.groupdict().get("relation")
    return f"user.{relation.lower()}" if relation else "user"


# What a sentence is made of.

_RELATIONS = (
    "wife|husband|partner|girlfriend|boyfriend|mother|father|mom|mum|dad|brother|sister|son|daughter|boss|friend"
)
_RELATION = rf"my\s+(?P<relation>{_RELATIONS})"
_WHO = rf"(?<![\w'’])(?P<who>I|{_RELATION})"
_BE = r"(?:['’]m|['’]s|\s+am|\s+is)"
_HAVE = r"(?:['’]ve|['’]s|\s+have|\s+has)"
_ADVERBS = r"(?:\s+(?:now|also|still|just|recently|currently|actually|really|already|finally|mostly|both)){0,2}"
_NOT = r"(?:no\s+longer|(?:do(?:es)?\s+not|do(?:es)?n['’]t)(?:\s+(?:actually|really|currently|even))?)"

_DAY = r"\d{4}(?:-\d\d(?:-\d\d)?)?(?![\w-])"
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_DATED = (
    rf"(?:\s+since\s+(?P<since>{_DAY}))?"
    rf"(?:\s+(?:until|till)\s+(?P<until>{_DAY})"
    rf"|\s+(?:from|between)\s+(?P<from>{_DAY})\s*(?:to|until|till|and|-|–)\s*(?P<to>{_DAY})"
    rf"|\s+(?:in|on)\s+(?P<at>{_DAY}))?"
    r"(?P<lasting>\s+for\s+(?:the\s+(?:last|past)\s+)?(?:\d+|an?|some|many|several|two|three|four|five|ten)\s+\w+)?"
)
_VERBS = "live|work|speak|write|use|code|program|move|moved|am|was|have|had|call|like|love|want|know|read|understand"
_STOP = (
    r"(?=\s*(?:$|[,:()\[\]\"“”«»|]|[-–—]{1,2}\s"
    rf"|\s(?:(?:and|or)\s+(?:I\b|my\b|we\b|also\b|now\b|(?:{_VERBS})\b)"
    r"|(?:but|because|so|which|where|who|while|though|although|when|if|as|with|since|until|till|from|between|now"
    r"|anymore|again|yesterday|today|tomorrow|recently|currently|already|please|instead|then)\b"
    r"|any\s+(?:more|longer)\b|these\s+days\b|at\s+the\s+moment\b|right\s+now\b|for\s+(?:now|good|short|\d|an?\b|the\b)"
    rf"|in\s+(?:\d|the\b|an?\b|early\b|late\b|(?:{_MONTHS}|spring|summer|autumn|fall|winter)\b)"
    rf"|on\s+(?:\d|the\b|(?:{_MONTHS}|mon|tues|wednes|thurs|fri|satur|sun)(?:day)?\b)"
    r"|(?:last|next|this)\s+(?:day|week|weekend|month|year|spring|summer|autumn|fall|winter|\w+day)\b"
    r"|(?:two|three|four|five|ten|some|a\s+few|an?|\d+)\s+(?:days?|weeks?|months?|years?)\b)))"
)
_VALUE = rf"\s+(?P<value>[^\W_][^,()\[\]\n]{{0,99}}?){_STOP}"
_VALUE_BEFORE_PLACE = _VALUE.replace(_STOP, rf"(?:(?=\s+in\s)|{_STOP})")
_NO_MORE = r"(?:\s+(?:anymore|any\s+more|any\s+longer))?"

# A language is a word, or several that begin with capitals: "Go", "C++", "Brazilian Portuguese".
_NO_LANGUAGE = rf"(?!(?:{_VERBS}|I|my|we|but|also|an?|the|to|in|at|on|it|with|some|only|not|no|now|about|for|up|out)\b)"
_LANGUAGE = rf"{_NO_LANGUAGE}[^\W\d_][\w+#./]*(?:-\w+)*(?:\s(?-i:[A-Z])[\w+#]*)?"
_LANGUAGES = rf"\s+(?P<values>{_LANGUAGE}(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*){_LANGUAGE}){{0,30}})"
_BETWEEN = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*", re.IGNORECASE)
_COMMON = frozenset(
    {"python", "go", "rust", "java", "javascript", "typescript", "ruby", "kotlin", "swift", "scala", "haskell"}
    | {"perl", "php", "sql", "c", "c++", "c#", "lua", "r"}
)


@dataclass(frozen=True)
class _Verb:
    """The forms of a verb, as patterns, and the predicate it speaks of."""

    predicate: str
    present: str
    past: str
    doing: str
    value: str = _VALUE


_LIVE = _Verb("lives_in", r"lives?\s+in", r"lived\s+in", r"living\s+in")
_WORK = _Verb("works_at", r"works?\s+(?:at|for)", r"worked\s+(?:at|for)", r"working\s+(?:at|for)", _VALUE_BEFORE_PLACE)
_SPEAK = _Verb(
    "languages",
    r"(?P<verb>speaks?|writes?|uses?|(?:codes?|programs?)\s+in)",
    r"(?P<verb>spoken?|wrote|written|used|(?:coded|programmed)\s+in)",
    r"(?P<verb>speaking|writing|using|(?:coding|programming)\s+in)",
)
_DIET = r"(?:an?\s+)?(?P<value>vegetarian|vegan)\b"


@dataclass(frozen=True)
class _Rule:
    """One kind of sentence: how it looks, what it speaks of, and which operations it stands for."""

    pattern: re.Pattern[str]
    predicate: str
    build: _Build
    planned: bool = False


@cache
def _rules() -> tuple[_Rule, ...]:
    # Compiled when first used: most processes that load the library never use a toy.
    moved, plans = r"(?:moved|relocated)(?:\s+back)?", r"(?:move|relocate)(?:\s+back)?"
    whence = r"(?:\s+from\s+[^,()\n]{1,60}?)?\s+to"
    will = r"(?:['’]ll|\s+will|\s+plans?\s+to)"
    doing = rf"(?:{_BE}{_ADVERBS}|{will}\s+be)\s+(?:moving|relocating)(?:\s+back)?"
    going = rf"{_BE}\s+(?:going|planning)\s+to"
    became = rf"{_HAVE}\s+been|{_HAVE}?\s+(?:became|become|went|gone)"
    also, lately = _SPEAK.present.replace("verb", "also"), r"(?:\s+(?:now|these\s+days|from\s+now\s+on))?"
    rows = (
        ("lives_in", rf"{_WHO}{_HAVE}?{_ADVERBS}\s+{moved}{whence}{_VALUE}{_DATED}", _moved),
        ("lives_in", rf"{_WHO}(?:{doing}|(?:{will}|{going})\s+{plans}){whence}{_VALUE}{_DATED}", _plan),
        ("name", rf"(?P<who>(?:\bmy|\bmy\s+(?P<relation>{_RELATIONS})['’]s)\s+name)(?:\s+is|['’]s){_VALUE}", _name),
        ("name", rf"(?<!not )(?<!n't )(?<!n’t )(?<!never )\b(?P<who>call\s+me){_VALUE}", _called),
        ("diet", rf"{_WHO}{_BE}(?:\s+no\s+longer|\s+not)\s+{_DIET}{_NO_MORE}", _ended),
        ("diet", rf"{_WHO}\s+used\s+to\s+be\s+{_DIET}", _ended),
        ("diet", rf"{_WHO}{_HAVE}?\s+never\s+(?:been|was)\s+{_DIET}", _denied),
        ("diet", rf"{_WHO}(?:{_BE}|{became}){_ADVERBS}\s+{_DIET}{_DATED}", _moved),
        ("languages", rf"{_WHO}{_ADVERBS}\s+(?:only\s+{_SPEAK.present}|{also}\s+only){_LANGUAGES}", _only),
        ("languages", rf"^\s*(?P<who>(?:now\s+|it['’]s\s+|just\s+)?only){_LANGUAGES}{lately}\s*$", _only),
        *(row for verb in (_LIVE, _WORK) for row in _of_one(verb)),
        *_of_languages(),
    )  # fmt: skip
    return tuple(_Rule(re.compile(p, re.IGNORECASE), name, build, build is _plan) for name, p, build in rows)


def _of_one(verb: _Verb) -> Iterator[tuple[str, str, _Build]]:
    name = verb.predicate
    yield name, rf"{_WHO}{_ADVERBS}(?:\s+only)?\s+{verb.present}{verb.value}{_DATED}", _present
    yield name, rf"{_WHO}{_BE}{_ADVERBS}\s+{verb.doing}{verb.value}{_DATED}", _present
    yield name, rf"{_WHO}{_HAVE}{_ADVERBS}\s+(?:{verb.past}|been\s+{verb.doing}){verb.value}{_DATED}", _perfect
    yield name, rf"{_WHO}{_ADVERBS}\s+{verb.past}{verb.value}{_DATED}", _past
    yield name, rf"{_WHO}\s+used\s+to\s+{verb.present}{verb.value}{_DATED}", _past
    yield name, rf"{_WHO}\s+{_NOT}\s+{verb.present}{verb.value}{_NO_MORE}{_DATED}", _ended
    yield name, rf"{_WHO}{_HAVE}?\s+never\s+(?:{verb.past}|been\s+{verb.doing}){verb.value}", _denied


def _of_languages() -> Iterator[tuple[str, str, _Build]]:
    name, verb = _SPEAK.predicate, _SPEAK
    yield name, rf"{_WHO}{_ADVERBS}\s+{verb.present}{_LANGUAGES}{_DATED}", _each("add")
    yield name, rf"{_WHO}{_BE}{_ADVERBS}\s+{verb.doing}{_LANGUAGES}{_DATED}", _each("add")
    yield name, rf"{_WHO}\s+{_NOT}\s+{verb.present}{_LANGUAGES}{_NO_MORE}{_DATED}", _each("remove")
    yield name, rf"{_WHO}\s+(?:used\s+to\s+{verb.present}){_LANGUAGES}", _each("remove")
    yield name, rf"{_WHO}\s+(?:have\s+)?stopped\s+{verb.doing}{_LANGUAGES}", _each("remove")
    yield name, rf"{_WHO}{_HAVE}?\s+never\s+{verb.past}{_LANGUAGES}", _each("deny")


@cache
def _hedge() -> re.Pattern[str]:
    words = r"if|unless|whether|suppose|supposing|imagine|assuming|pretend|wish"
    return re.compile(rf"\b(?:{words})\s+(?:that\s+)?(?:I|we|my)\b", re.IGNORECASE)


# What a sentence stands for.


def _present(found: re.Match[str], predicate: str) -> list[Operation]:
    times = _row(found) or _given(since=_day(found, "since"), until=_day(found, "until"))
    return _one("set", predicate, found, times)


def _moved(found: re.Match[str], predicate: str) -> list[Operation]:
    since = _day(found, "since") or _day(found, "at")
    return _one("set", predicate, found, _row(found) or _given(since=since, until=_day(found, "until")))


def _perfect(found: re.Match[str], predicate: str) -> list[Operation]:
    """Read "I've lived in X since …", which holds; without "since" or "for" it may have been once, at any time."""
    row = _past_row(found)
    since = _day(found, "since")
    if row or not (since or found.group("lasting")):
        return _one("set", predicate, found, row) if row else []
    return _one("set", predicate, found, _given(since=since))


def _past(found: re.Match[str], predicate: str) -> list[Operation]:
    """Read what was once; without a date it takes the value away, and says nothing of when it held."""
    since, row = _day(found, "since"), _past_row(found)
    if since:
        return _one("set", predicate, found, _given(since=since, until=_day(found, "until")))
    return _one("set", predicate, found, row) if row else _one("retract", predicate, found)


def _plan(found: re.Match[str], predicate: str) -> list[Operation]:
    begin = _day(found, "since") or _day(found, "at")
    return _one("set", predicate, found, _row(found) or _given(valid_from=begin, valid_to=_day(found, "until")))


def _ended(found: re.Match[str], predicate: str) -> list[Operation]:
    return _one("retract", predicate, found, _given(since=_day(found, "since") or _day(found, "at")))


def _denied(found: re.Match[str], predicate: str) -> list[Operation]:
    return _one("deny", predicate, found)


def _name(found: re.Match[str], predicate: str) -> list[Operation]:
    is_name = not re.match(r"(?:not|no|never|on|the|an?)\b", found.group("value"), re.IGNORECASE)
    return _one("set", predicate, found) if is_name else []


def _called(found: re.Match[str], predicate: str) -> list[Operation]:
    """Read "call me X", but not "call me later"."""
    return [] if found.group("value")[0].islower() else _name(found, predicate)


def _only(found: re.Match[str], predicate: str) -> list[Operation]:
    values = _languages(found)
    return [Operation("replace", predicate, tuple(values))] if values else []


def _each(op: Op) -> _Build:
    def build(found: re.Match[str], predicate: str) -> list[Operation]:
        since = _day(found, "since") if op != "deny" else None
        return [Operation(op, predicate, value, since=since) for value in _languages(found)]

    return build


_NO_VALUE = re.compile(r"(?:is|was|are|\d{4}|\d+\s+(?:hours?|days?|weeks?|months?|years?)\b.*)$|(?:is|was|are)\s", re.I)


def _one(op: Op, predicate: str, found: re.Match[str], times: _Times | None = None) -> list[Operation]:
    value = found.group("value").rstrip()
    if _NO_VALUE.match(value):
        return []
    given = times or {}
    return [
        Operation(
            op, predicate, value,
            since=given.get("since"), until=given.get("until"),
            valid_from=given.get("valid_from"), valid_to=given.get("valid_to"),
        )
    ]  # fmt: skip


def _languages(found: re.Match[str]) -> list[str]:
    """Give the languages a list names, up to what can't be one: "I write letters" is not about a language."""
    verb = found.groupdict().get("verb") or found.groupdict().get("also") or ""
    is_any = verb.lower().startswith(("speak", "spoke", "cod", "program"))
    values: list[str] = []
    for value in _BETWEEN.split(found.group("values")):
        if not is_any and value[:1].islower() and value.lower() not in _COMMON:
            break
        values.append(value)
    return values


def _row(found: re.Match[str]) -> _Times:
    begin, end = _day(found, "from"), _day(found, "to")
    return {"valid_from": begin, "valid_to": end} if begin and end else {}


def _past_row(found: re.Match[str]) -> _Times:
    at = _day(found, "at")
    return _row(found) or ({"valid_from": at, "valid_to": at} if at else _given(valid_to=_day(found, "until")))


def _given(**times: str | None) -> _Times:
    return {name: day for name, day in times.items() if day}


def _day(found: re.Match[str], name: str) -> str | None:
    """Give a time as it is written, if there is such a day."""
    day = found.groupdict().get(name)
    if not day:
        return None
    try:
        date.fromisoformat(day + "-01-01"[len(day) - 4 :])
    except ValueError:
        return None
    return day
