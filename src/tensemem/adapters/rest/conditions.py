"""What headers say of how a verb is to be called: under which key, against which version, after what wait."""

from __future__ import annotations

import re
from typing import Any

from tensemem.engine.freshness import DEFAULT_WAIT
from tensemem.wire import Served

from .answers import BEHIND, Headers
from .calls import Call
from .refusals import Refusal

_QUOTED = re.compile(r'"([^"\\]*)"')
_WAIT = re.compile(r"\s*wait\s*=\s*(\d{1,9})\s*(?:;.*)?", re.IGNORECASE | re.ASCII)


def conditions(call: Call, served: Served, arguments: dict[str, Any], longest_wait: float) -> Headers:
    """Put what the headers of a request say into a verb's arguments; gives what the answer says of that.

    Raises Refusal where a header says what can't be, or what contradicts an argument.
    """
    headers = call.headers
    if b"idempotency-key" in headers:
        _take_key(call, served, arguments)
    if b"if-match" in headers:
        _take_version(call, served, arguments)
    return _take_wait(call, served, arguments, longest_wait)


def _take_key(call: Call, served: Served, arguments: dict[str, Any]) -> None:
    """Take the key under which something is done once. What reads is the same each time, whatever key it is under."""
    if served.method == "GET":
        return
    if not served.is_keyed:
        each = "; give each message its own" if served.parameter("messages") is not None else ""
        raise Refusal("bad-request", f"{served.name} takes no idempotency key: leave Idempotency-Key out{each}")
    given = (call.header(b"idempotency-key") or "").strip()
    quoted = _QUOTED.fullmatch(given)
    key = quoted[1] if quoted else given
    if not key:
        raise Refusal("bad-request", "Idempotency-Key is empty")
    if arguments.setdefault("idempotency_key", key) != key:
        raise Refusal("bad-request", "Idempotency-Key and idempotency_key differ; give one of them")


def _take_version(call: Call, served: Served, arguments: dict[str, Any]) -> None:
    given = (call.header(b"if-match") or "").strip()
    if given == "*":
        return
    if served.parameter("expected_rev") is None:
        raise Refusal("bad-request", f"{served.name} can't be made conditional; leave If-Match out")
    quoted = _QUOTED.fullmatch(given)
    if quoted is None:
        if given.startswith("W/"):
            raise Refusal(
                "precondition-failed", "a weak entity tag never matches here; give the ETag of one scope's state, read "
                "without at, known_at and layers",
            )  # fmt: skip
        raise Refusal("bad-request", 'If-Match takes one entity tag, the ETag of a state, such as "3.1."')
    if arguments.get("expected_rev") is not None:
        raise Refusal("bad-request", "give If-Match or expected_rev, not both")
    arguments["expected_rev"] = quoted[1].partition(BEHIND)[0]


def _take_wait(call: Call, served: Served, arguments: dict[str, Any], longest: float) -> Headers:
    """Take how long to wait, in seconds; nobody waits longer than the server lets them, and the answer says so."""
    applied: Headers = []
    preferred = _preferred(call)
    if preferred is not None and served.parameter("wait") is not None and arguments.get("wait") is None:
        arguments["wait"] = min(float(preferred), longest)
        applied.append((b"preference-applied", b"wait=%d" % arguments["wait"]))
    for name in ("wait", "timeout"):
        if served.parameter(name) is not None and (given := arguments.get(name)) is not None:
            arguments[name] = bounded(given, longest)
    return applied


def _preferred(call: Call) -> int | None:
    given = call.header(b"prefer")
    if given is None:
        return None
    found = (_WAIT.fullmatch(part) for part in given.split(","))
    return next((int(one[1]) for one in found if one is not None), None)


def bounded(wait: Any, longest: float) -> Any:
    """Give a wait that is no longer than the server lets anybody wait."""
    if wait is True:
        return min(DEFAULT_WAIT, longest)
    return wait if wait is False or not isinstance(wait, (int, float)) else min(float(wait), longest)


def is_known(call: Call, headers: Headers) -> bool:
    """Tell whether who asks has the answer with these headers already, and only wants to know."""
    given, tag = call.headers.get(b"if-none-match"), dict(headers).get(b"etag")
    return given is not None and tag is not None and has_tag(given, tag)


def has_tag(given: bytes, tag: bytes) -> bool:
    """Tell whether a list of entity tags has one, be the one or the other weak."""
    wanted = tag.removeprefix(b"W/")
    return given.strip() == b"*" or any(one.strip().removeprefix(b"W/") == wanted for one in given.split(b","))

