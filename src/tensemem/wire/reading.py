"""Documents as results again: the exact inverse of ``document``, for everything that verbs give.

How a kind is read is worked out once from its fields. Fields that are not known are passed over, so that an older
client reads what a newer server tells; what is wrong is refused with the place where it stands.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Collection, Mapping
from datetime import date, datetime, timedelta
from enum import Enum
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints, overload

from ..errors import InvalidValueError
from ..model.results import Shown, State, WriteOutcome, WriteResult
from .documents import is_typed
from .forms import TYPED, day, duration, moment, shown, value_of
from .told import ToldReceipt, ToldState

T = TypeVar("T")
Reader = Callable[[Any], Any]


class _Unfit(Exception):
    """Says what is wrong, and where: the path is put together on the way out."""

    def __init__(self, why: str, path: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.path = path

    def inside(self, place: str) -> _Unfit:
        """Give the same, seen from one level further out."""
        return _Unfit(self.why, place + self.path)


@overload
def read(kind: type[T], data: Any) -> T: ...


@overload
def read(kind: Any, data: Any) -> Any: ...


def read(kind: Any, data: Any) -> Any:
    """Give the result of a kind back that was written by ``document``: ``read(State, data)``.

    ``kind`` is a class, or a type such as ``tuple[Change, ...]``. Raises InvalidValueError, which names the field, for
    what is no document of that kind.
    """
    try:
        return reader_of(kind)(data)
    except _Unfit as unfit:
        path = unfit.path.removeprefix(".")
        raise InvalidValueError(f"{path}: {unfit.why}" if path else unfit.why) from None


def reader_of(kind: Any) -> Reader:
    """Give what reads a kind."""
    found = _READERS.get(kind)
    if found is None:
        found = _READERS[kind] = _made(kind)
    return found


def _made(kind: Any) -> Reader:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return _union(arguments)
    if origin is Literal:
        return _one_of(arguments)
    if origin is tuple:
        return _tuple(arguments)
    if origin is not None and issubclass(origin, Mapping):
        return _mapping(reader_of(arguments[1]))
    if origin is not None and issubclass(origin, Collection):
        return _several(reader_of(arguments[0]), frozenset if issubclass(origin, frozenset) else list)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _checked(kind)
    if dataclasses.is_dataclass(kind):
        return _of_fields(kind)
    raise TypeError(f"{kind!r} is no kind of result")


def _of_fields(kind: Any) -> Reader:
    hints = get_type_hints(kind)
    known = []
    for field in dataclasses.fields(kind):
        is_needed = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        form = TYPED[field.name] if is_typed(field.name, hints[field.name]) else None
        known.append((field.name, reader_of(hints[field.name]), form, is_needed))

    def back(data: Any) -> Any:
        _check_object(data)
        given = {}
        for name, reader, form, is_needed in known:
            if name not in data:
                if is_needed:
                    raise _Unfit(f"the field {name} is missing")
                continue
            try:
                given[name] = reader(data[name]) if form is None else value_of(data.get(form), data[name])
            except _Unfit as unfit:
                raise unfit.inside(f".{name}") from None
            except InvalidValueError as error:
                raise _Unfit(str(error), f".{name}") from None
        return kind(**given)

    return back


def _check_object(data: Any) -> None:
    if not isinstance(data, Mapping):
        raise _Unfit(f"give an object, not {shown(data)}")


def _check_list(data: Any) -> None:
    if not isinstance(data, (list, tuple)):
        raise _Unfit(f"give a list, not {shown(data)}")


def _tuple(arguments: tuple[Any, ...]) -> Reader:
    if len(arguments) == 2 and arguments[1] is ...:
        return _several(reader_of(arguments[0]), tuple)
    readers = [reader_of(argument) for argument in arguments]

    def back(data: Any) -> Any:
        _check_list(data)
        if len(data) != len(readers):
            raise _Unfit(f"give a list of {len(readers)}")
        return tuple([reader(item) for reader, item in zip(readers, data, strict=True)])

    return back


def _several(reader: Reader, make: Callable[[list[Any]], Any]) -> Reader:
    def back(data: Any) -> Any:
        _check_list(data)
        found: list[Any] = []
        try:
            for item in data:
                found.append(reader(item))
        except _Unfit as unfit:
            raise unfit.inside(f"[{len(found)}]") from None
        return make(found)

    return back


def _mapping(reader: Reader) -> Reader:
    def back(data: Any) -> Any:
        _check_object(data)
        found = {}
        for name, item in data.items():
            try:
                found[name] = reader(item)
            except _Unfit as unfit:
                raise unfit.inside(f".{name}") from None
        return found

    return back


def _union(members: tuple[Any, ...]) -> Reader:
    """Read as the first member that takes it. Text that stands for a time stays text where that is one of them."""
    is_optional = type(None) in members
    as_text = (datetime, date, timedelta) if str in members else ()
    readers = [reader_of(member) for member in members if member is not type(None) and member not in as_text]

    def back(data: Any) -> Any:
        if data is None and is_optional:
            return None
        for reader in readers[:-1]:
            try:
                return reader(data)
            except _Unfit:
                continue
        return readers[-1](data)

    return back


def _one_of(choices: tuple[Any, ...]) -> Reader:
    def back(data: Any) -> Any:
        if not isinstance(data, (str, int, float, bool, type(None))) or data not in choices:
            raise _Unfit(f"give one of {', '.join(map(str, choices))}, not {shown(data)}")
        return data

    return back


def _checked(back: Callable[[Any], Any]) -> Reader:
    def checked(data: Any) -> Any:
        try:
            return back(data)
        except InvalidValueError as error:
            raise _Unfit(str(error)) from None
        except ValueError:
            raise _Unfit(f"{shown(data)} is not known here") from None

    return checked


def _text(data: Any) -> str:
    if not isinstance(data, str):
        raise _Unfit(f"give text, not {shown(data)}")
    return data


def _whole(data: Any) -> int:
    if not isinstance(data, int) or isinstance(data, bool):
        raise _Unfit(f"give a whole number, not {shown(data)}")
    return data


def _float(data: Any) -> float:
    if not isinstance(data, (int, float)) or isinstance(data, bool):
        raise _Unfit(f"give a number, not {shown(data)}")
    return float(data)


def _bool(data: Any) -> bool:
    if not isinstance(data, bool):
        raise _Unfit(f"give true or false, not {shown(data)}")
    return data


def _nothing(data: Any) -> None:
    if data is not None:
        raise _Unfit(f"give null, not {shown(data)}")


def _as_it_is(data: Any) -> Any:
    return data


def _state(data: Any) -> State:
    told = reader_of(ToldState)(data)
    shown_facts = Shown(told.facts, told.planned, told.candidates)
    return State(
        told.user_id, lambda: shown_facts, rev=told.rev, version=told.version, at=told.at,
        next_change_at=told.next_change_at, freshness=told.freshness, many=told.many,
    )  # fmt: skip


def _receipt(data: Any) -> WriteResult:
    told = reader_of(ToldReceipt)(data)
    outcome = WriteOutcome(told.fact_ids, told.current, told.shown, told.changes, told.decisions)
    return WriteResult(
        told.seq, told.rev, lambda: outcome, redactions=told.redactions, durability=told.durability,
        duplicate=told.duplicate,
    )  # fmt: skip


_READERS: dict[Any, Reader] = {
    Any: _as_it_is, str: _text, int: _whole, float: _float, bool: _bool, type(None): _nothing,
    datetime: _checked(moment), date: _checked(day), timedelta: _checked(duration), State: _state,
    WriteResult: _receipt,
}  # fmt: skip
