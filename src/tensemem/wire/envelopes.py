"""The body of an answer: a result's own document, or an object around a list or a plain value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from ..errors import InvalidValueError
from ..model.freshness import Freshness
from ..model.items import Items
from ..model.receipts import Change
from ..model.results import Job, LoggedMessage, ScopeInfo, SearchHit
from .documents import document
from .forms import form_of, shown, value_of
from .reading import read
from .served import Served

_PLAIN = (str, int, type(None))


def wrap(
    served: Served, result: Any, next: str | int | None = None, *, freshness: Freshness | None = None
) -> dict[str, Any]:
    """Give the body of an answer.

    A result is its document; a list ``{"items", "next"}``; a plain value ``{"value"}``; what ``get`` found (or None)
    ``{"value", "value_type", "found"}``. What is read of a scope has its ``freshness`` beside it; that of ``get``,
    whose result tells none, is the one that is given.
    """
    if served.name == "get":
        body = {"value": document(result), "value_type": form_of(result), "found": result is not None}
        return body if freshness is None else {**body, "freshness": document(freshness)}
    if served.is_list:
        body = {"items": document(result), "next": next}
        return {**body, "freshness": document(result.freshness)} if served.is_fresh else body
    if served.returns in _PLAIN:
        return {"value": result}
    found: dict[str, Any] = document(result)
    return found


def unwrap(served: Served, body: Any) -> Any:
    """Give the result that a body tells of. Raises InvalidValueError for what is none of this verb."""
    if not isinstance(body, Mapping):
        raise InvalidValueError(f"the answer to {served.name} is no object")
    if served.name == "get":
        return value_of(body.get("value_type"), body.get("value")) if body.get("found") else None
    if served.is_list and served.is_fresh:
        items = read(tuple[item_kind(served), ...], body.get("items"))  # type: ignore[misc]  # known when it runs
        return Items(items, read(Freshness, body.get("freshness")))
    if served.is_list:
        return read(served.returns, body.get("items"))
    return read(served.returns, body.get("value") if served.returns in _PLAIN else body)


def next_of(served: Served, arguments: Mapping[str, Any], result: Any) -> str | int | None:
    """Give the cursor of the next page: what the parameter ``served.cursor`` takes; None where there is none.

    A page that is as long as its limit may be the last one; the next is then empty.
    """
    if served.name == "history":
        found: str | None = result.next
        return found
    if not served.is_list or served.cursor is None or not result:
        return None
    limit = arguments.get("limit")
    if limit is None:
        parameter = served.parameter("limit")
        limit = None if parameter is None else parameter.default
    if limit is None or len(result) < limit:
        return None
    return _cursor_of(result[0] if served.cursor == "before" else result[-1])


def _cursor_of(item: Any) -> str | int:
    match item:
        case ScopeInfo() | Job():
            return item.cursor
        case SearchHit():
            return item.fact.id if item.fact is not None else str(item.seq)
        case Change():
            return item.rev
        case LoggedMessage():
            return item.seq
    raise TypeError(f"{shown(item)} has no cursor")


def item_kind(served: Served) -> Any:
    """Give the type of one item of a verb that answers with a list."""
    return get_args(served.returns)[0]
