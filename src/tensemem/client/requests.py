"""A call as a request, and an answer as its result or its error."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode

from ..errors import InvalidValueError, RateLimitedError, StoreError, TensememError
from ..model.jsontext import encode as to_json
from ..wire import Served, decode, encode, error_of, query_of, unwrap
from ..wire.inputs import check_text

JSON = "application/json"
PROBLEM = "application/problem+json"

KEY = "idempotency_key"
LASTING_SECONDS = 3600.0
"""How long the answer of a verb that lasts may take to begin."""
REPEATABLE = frozenset({"register", "register_entity", "register_predicate", "retain"})
"""Verbs that write, and do no more when they are done twice, and give the same again."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is sent: the path with its query, and how long an answer may take to begin.

    ``is_repeatable`` tells that it may be sent again where nobody knows whether it was done. ``key`` is the idempotency
    key that makes it so, where one does. ``may_write`` tells that something may be written by it.
    """

    served: Served
    target: str
    body: bytes | None
    seconds: float
    is_repeatable: bool
    key: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    may_write: bool = True

    @property
    def method(self) -> str:
        """GET or POST."""
        return self.served.method


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back. ``was_repeated`` tells that the same was sent before, and perhaps done."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    was_repeated: bool = False


def request_of(served: Served, arguments: Mapping[str, Any], seconds: float) -> Request:
    """Give the request for a verb. Raises InvalidValueError for what can't be sent."""
    given = encode(served, arguments)
    for name, value in given.items():
        check_text(name, value)
    if served.method == "GET":
        decode(served, given)  # what is of another type is refused here: in a query all is text
    rows = [(name, value) for name, value in given.items() if _is_in_query(served, name)]
    query = urlencode(query_of(served, dict(rows)), quote_via=quote)
    key = arguments.get(KEY)
    may_write = served.may_write(arguments)
    is_repeatable = not may_write or served.name in REPEATABLE or key is not None
    body = None if served.method == "GET" or served.takes != "json" else _body_of(given)
    waited = arguments.get("wait") or arguments.get("timeout") or 0.0
    seconds = max(seconds, LASTING_SECONDS) if served.lasts else seconds
    return Request(
        served, f"{served.path}?{query}" if query else served.path, body, seconds + float(waited), is_repeatable, key,
        {} if body is None else {"Content-Type": JSON}, may_write,
    )  # fmt: skip


def _is_in_query(served: Served, name: str) -> bool:
    parameter = served.parameter(name)
    return parameter is not None and parameter.in_query


def _body_of(given: Mapping[str, Any]) -> bytes:
    try:
        return to_json(given).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidValueError(f"that can't be sent as JSON: {error}") from None


def result_of(request: Request, answer: Answer) -> Any:
    """Give what a verb gives. Raises the error that the server tells of, and StoreError for what is no answer."""
    check(answer)
    return unwrap(request.served, document_in(answer))


def check(answer: Answer) -> None:
    """Raise the error that an answer tells of, if it does."""
    if answer.status == 200:
        return
    raise error_in(answer)


def error_in(answer: Answer) -> TensememError:
    """Give the error that an answer tells of: that of its problem, or what its status means."""
    kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == PROBLEM:
        found = document_in(answer)
        if isinstance(found, Mapping):
            return _dated(error_of(found), answer)
    if 300 <= answer.status < 400:
        place = answer.headers.get("location", "elsewhere")
        return StoreError(
            f"the server sends to another address ({place[:200]}), which is not followed: give that one as url"
        )
    return StoreError(
        f"the answer has the status {answer.status} and is none of tensemem's: is a tensemem server at this address, "
        "and does what stands before it let requests through?"
    )


def _dated(error: TensememError, answer: Answer) -> TensememError:
    """Give a refusal of too many requests the seconds that stand in a header, where the problem has none."""
    after = answer.headers.get("retry-after", "")
    if isinstance(error, RateLimitedError) and after.isascii() and after.isdigit():
        error.retry_after = max(error.retry_after, float(after[:9]))
    return error


def document_in(answer: Answer) -> Any:
    """Give the JSON of an answer. Raises StoreError for what is none."""
    try:
        return json.loads(answer.body)
    except (ValueError, RecursionError):
        raise StoreError(f"the answer with the status {answer.status} is no JSON: is this a tensemem server?") from None
