"""How an extractor's answer is read: operations that are well formed, and a note in the place of each that is not."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, fields
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from itertools import islice
from typing import Any

from ..errors import ExtractorOutputError
from ..model.operation import MODALITIES, OPS, Operation

MAX_OPERATIONS = 1000
"""How many operations of one answer are taken."""
MAX_PREDICATE = 128
"""Characters a predicate's name may have."""
MAX_SUBJECT = 512
"""Characters a subject's name may have."""
MAX_RAW = 500
"""Characters that are kept of what can't be read."""
MAX_COUNTED = 10 * MAX_OPERATIONS
"""How far an answer without a length is read: it may never end."""
PROVIDER_FAILURES = (Exception, SystemExit)
"""What an extractor's own objects may raise when they are looked at."""

_MAX_DEPTH = 32  # a value nested deeper than this would break whoever walks it
_MAX_PARTS = 100_000  # a few lists that hold each other several times are without end in JSON
_MAX_BITS = 1024  # JSON readers, Python's own included, refuse numbers of some thousand digits


class MalformedError(Exception):
    """What is wrong with one item of an answer; never leaves this folder."""


@dataclass(frozen=True, slots=True)
class Malformed:
    """Something in an answer that is no operation: how it looked (at most 500 characters), and what is wrong with it.

    ``message`` is the index of the message it names, where that much could be read.
    """

    raw: str
    why: str
    message: int | None = None


def read_answer(answer: object, messages: int) -> tuple[Operation | Malformed, ...]:
    """Give an answer's operations, checked; a ``Malformed`` stands in the place of each that can't be used.

    ``messages`` is how many messages were asked about. Takes operations and mappings of their fields; a mapping's
    field may be null where it has a default. Of more than 1000, the first 1000 are taken and one ``Malformed`` tells
    how many were cut. Raises ExtractorOutputError where the answer is no sequence of operations.
    """
    try:
        items, cut = _items(answer)
    except ExtractorOutputError:
        raise
    except PROVIDER_FAILURES as error:
        kind = type(answer).__name__
        raise ExtractorOutputError(f"the extractor's {kind} can't be read: {described(error)}") from error
    read = tuple(_read_item(item, messages) for item in items)
    return (*read, Malformed("", cut)) if cut else read


def _items(answer: Any) -> tuple[list[Any], str]:
    """Give what is taken of an answer, and what there is to say about the rest."""
    if isinstance(answer, (str, bytes, bytearray, memoryview, Mapping, Set)) or not isinstance(answer, Iterable):
        kind = type(answer).__name__
        raise ExtractorOutputError(f"the extractor answered with {kind}; it must be a sequence of operations")
    items = list(islice(answer, MAX_COUNTED))
    if len(items) <= MAX_OPERATIONS:
        return items, ""
    count = len(answer) if isinstance(answer, (list, tuple)) else len(items)
    about = "at least " if count == MAX_COUNTED else ""
    cut = f"{about}{count - MAX_OPERATIONS} operations were cut: an answer may have {MAX_OPERATIONS}"
    return items[:MAX_OPERATIONS], cut


def _read_item(item: Any, messages: int) -> Operation | Malformed:
    if type(item) is Malformed:  # from one who asked another extractor, and read its answer
        return item
    given: Mapping[str, Any] = {}
    try:
        given = _given(item)
        return _operation(given, messages)
    except MalformedError as error:
        why = str(error)
    except PROVIDER_FAILURES as error:
        why = f"it can't be read: {described(error)}"
    message = given.get("message")
    is_known = type(message) is int and 0 <= message < messages
    return Malformed(_raw(item), safe_text(why, MAX_RAW), message if is_known else None)


_FIELDS = tuple(field.name for field in fields(Operation))
_DEFAULTS = {"subject": "user", "quote": "", "modality": "asserted", "confidence": 1.0}
_TIMES = ("since", "until", "valid_from", "valid_to")


def _given(item: Any) -> dict[str, Any]:
    """Give the fields of an operation, or of a mapping that has the same; of a mapping, null is a default."""
    if isinstance(item, Operation):
        return {name: getattr(item, name) for name in _FIELDS}
    if not isinstance(item, Mapping):
        raise MalformedError(f"{type(item).__name__} is no operation")
    given = dict(item)
    for name in given:
        if name not in _FIELDS:
            raise MalformedError(f"an operation has no field {_raw(name)}")
    for name in ("op", "predicate"):
        if name not in given:
            raise MalformedError(f"it has no {name}")
    kept = {name: field for name, field in given.items() if field is not None}
    return {**dict.fromkeys(_FIELDS), **_DEFAULTS, **kept}


def _operation(given: Mapping[str, Any], messages: int) -> Operation:
    """Check each field; what comes out holds plain values only."""
    times = {name: _time(name, given[name]) for name in _TIMES}
    speaks_of_present = times["since"] is not None or times["until"] is not None
    files_a_row = times["valid_from"] is not None or times["valid_to"] is not None
    if speaks_of_present and files_a_row:
        raise MalformedError("since/until and valid_from/valid_to can't both be given")
    check_value(given["value"])
    return Operation(
        _one_of("op", given["op"], OPS),
        _named("predicate", given["predicate"], MAX_PREDICATE),
        given["value"],
        subject=_named("subject", given["subject"], MAX_SUBJECT),
        quote=_text("quote", given["quote"]),
        message=_message(given["message"], messages),
        modality=_one_of("modality", given["modality"], MODALITIES),
        confidence=_confidence(given["confidence"]),
        **times,
    )


def _one_of(name: str, given: Any, known: tuple[str, ...]) -> Any:
    text = _text(name, given)
    if text not in known:
        raise MalformedError(f"{name} is {_raw(text)}; it must be one of {', '.join(known)}")
    return text


def _named(name: str, given: Any, longest: int) -> str:
    text = _text(name, given)
    if not text.strip():
        raise MalformedError(f"{name} is blank")
    if "\0" in text:
        raise MalformedError(f"{name} holds a NUL character")
    if len(text) > longest:
        raise MalformedError(f"{name} has {len(text)} characters; {longest} are allowed")
    return text


def _text(name: str, given: Any) -> str:
    if not isinstance(given, str):
        raise MalformedError(f"{name} is {type(given).__name__}, not text")
    text = str.__str__(given)  # a plain copy of what may be a class of the provider's own
    if _has_surrogates(text):
        raise MalformedError(f"{name} holds half a surrogate pair, which is no character")
    return text


def _time(name: str, given: Any) -> datetime | date | str | None:
    if given is None or isinstance(given, date):
        return given
    if not isinstance(given, str):
        raise MalformedError(f"{name} is {type(given).__name__}, not a date or ISO 8601 text")
    return _text(name, given) or None


def _message(given: Any, messages: int) -> int | None:
    if given is None:
        return None
    if not isinstance(given, int) or isinstance(given, bool):
        raise MalformedError(f"message is {type(given).__name__}, not the index of a message")
    if not 0 <= given < messages:
        raise MalformedError(f"message is {_raw(given)}; {messages} were asked about")
    return int(given)


def _confidence(given: Any) -> float:
    if not isinstance(given, (int, float)) or isinstance(given, bool):
        raise MalformedError(f"confidence is {type(given).__name__}, not a number")
    if not 0 <= given <= 1:  # false for what is not a number, too
        raise MalformedError(f"confidence is {_raw(given)}; it must lie between 0 and 1")
    return float(given)


def check_value(value: Any) -> None:
    """Refuse what the log can't keep: it knows text, numbers, truth values, times, and lists and mappings of those.

    Raises MalformedError.
    """
    waiting = [(value, 0)]
    seen = 0
    while waiting:
        part, depth = waiting.pop()
        seen += 1
        if depth > _MAX_DEPTH:
            raise MalformedError(f"value is nested more than {_MAX_DEPTH} deep")
        if seen > _MAX_PARTS:
            raise MalformedError(f"value has more than {_MAX_PARTS} parts")
        waiting.extend((inner, depth + 1) for inner in _parts(part))


def _parts(value: Any) -> Iterable[Any]:
    """Give what a value is made of; nothing for one that is whole."""
    match value:
        case Enum():
            return (value.value,)
        case None | bool() | date() | timedelta():
            return ()
        case str():
            _text("value", value)
            return ()
        case Mapping():
            for key in value:
                _text("a key of the value", key)
            return value.values()
        case list() | tuple() | set() | frozenset():
            return value
        case int() | float() | Decimal():
            if not _is_kept(value):
                raise MalformedError("value is no number that can be kept")
            return ()
        case _:
            raise MalformedError(f"value is {type(value).__name__}, which can't be kept")


def _is_kept(number: int | float | Decimal) -> bool:
    return number.bit_length() <= _MAX_BITS if isinstance(number, int) else math.isfinite(number)


def _has_surrogates(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _raw(item: Any) -> str:
    """Give the beginning of how something looks. Looks no further than that: a repr may be without end."""
    pieces: list[str] = []
    room = MAX_RAW
    try:
        for piece in _pieces(item, 0):
            pieces.append(piece)
            room -= len(piece)
            if room <= 0:
                break
    except PROVIDER_FAILURES:
        pieces.append("…")  # it changed or broke while it was looked at
    return safe_text("".join(pieces), MAX_RAW)


_BRACKETS: dict[type, tuple[str, str]] = {
    list: ("[", "]"),
    tuple: ("(", ")"),
    set: ("{", "}"),
    frozenset: ("{", "}"),
    dict: ("{", "}"),
}


def _pieces(item: Any, depth: int) -> Iterator[str]:
    kind = type(item)
    if depth > _MAX_DEPTH:
        yield "…"
    elif kind is Operation:
        given = {name: getattr(item, name) for name in _FIELDS}
        yield from _pieces({name: field for name, field in given.items() if field is not None}, depth)
    elif kind in _BRACKETS:
        opening, closing = _BRACKETS[kind]
        yield opening
        for number, part in enumerate(item):
            if number:
                yield ", "
            yield from _pieces(part, depth + 1)
            if kind is dict:
                yield ": "
                yield from _pieces(item[part], depth + 1)
        yield closing
    else:
        yield _leaf(item[:MAX_RAW] if kind in (str, bytes) else item)


def _leaf(item: Any) -> str:
    try:
        return repr(item)
    except PROVIDER_FAILURES:
        return f"<{type(item).__name__}>"


def safe_text(text: str, longest: int) -> str:
    """Give the beginning of a text as something every encoder takes."""
    safe = str.__str__(text)[:longest].encode("utf-8", "backslashreplace").decode()
    return safe[:longest]


def described(error: BaseException) -> str:
    kind = type(error).__name__
    try:
        said = str(error)
    except PROVIDER_FAILURES:
        return kind
    return safe_text(f"{kind}: {said}" if said else kind, MAX_RAW)
