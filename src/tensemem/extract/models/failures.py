"""What can go wrong when a provider is asked, told apart by what is to be done about it.

An SDK's errors end at each extractor's edge: they hold requests, and so keys. What leaves it is a ``Failed`` with a
text of ours, and at last an ``ExtractorError``.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import Enum
from typing import Any

from ...errors import ExtractorError, ExtractorOutputError, ExtractorUnavailable

_MAX_TOLD = 300
_PASSING = frozenset({408, 409, 425, 429})
# What the SDKs and their HTTP libraries call their errors: by name, since none of them need be installed.
_TIMED_OUT = frozenset({"TimeoutException", "APITimeoutError", "Timeout"})
_NEVER_REACHED = frozenset({"ConnectError", "ConnectionRefusedError", "ClientConnectorError"})
_BROKEN = frozenset({"TransportError", "APIConnectionError", "ClientError"})
_NO_ANSWER = frozenset({"APIResponseValidationError", "UnknownApiResponseError"})
_SPENT = ("insufficient_quota", "credit balance")


class Kind(Enum):
    """What is to be done about a failure."""

    PASSING = "try again soon"
    CLOSED = "not before somebody has done something: a key, a model's name, a bill"
    REFUSED = "this request is one the provider does not take; another may do"
    UNUSABLE = "it answered, but nothing usable"


class Failed(Exception):
    """One failed attempt. ``wait`` is how many seconds the provider wants to be left alone.

    ``was_charged`` tells whether the provider may have done the work all the same.
    """

    def __init__(self, kind: Kind, what: str, *, wait: float | None = None, was_charged: bool = False) -> None:
        super().__init__(what)
        self.kind, self.what, self.wait, self.was_charged = kind, what, wait, was_charged

    def as_error(self, name: str, told: str = "") -> ExtractorError:
        """Give the library's own error for it; ``told`` is what there is to add, such as when it is asked again."""
        what = f"{name}: {self.what}{told}"
        match self.kind:
            case Kind.PASSING | Kind.CLOSED:
                return ExtractorUnavailable(what)
            case Kind.REFUSED:
                return ExtractorError(what)
            case Kind.UNUSABLE:
                return ExtractorOutputError(what)


def failed_with_status(
    status: int, said: str, headers: Mapping[str, Any], *, now: datetime, key_hint: str, model: str
) -> Failed:
    """Give what an HTTP status means; ``said`` is what the provider said about it."""
    told = f"{status}: {shortened(said)}"
    wait = retry_after(headers, now)
    if status == 402 or (status < 500 and any(word in said.lower() for word in _SPENT)):
        return Failed(Kind.CLOSED, f"the account has nothing left to spend ({told})", wait=wait)
    if status in _PASSING or status >= 500:
        return Failed(Kind.PASSING, f"it can't answer now ({told})", wait=wait)
    if status in (401, 403):
        return Failed(Kind.CLOSED, f"access was refused ({told}); {key_hint}", wait=wait)
    if status == 404:
        what = f"there is no model {model!r} at this address ({told}); check its name and the base URL"
        return Failed(Kind.CLOSED, what, wait=wait)
    return Failed(Kind.REFUSED, f"it does not take the request ({told})")


def failed_with(error: BaseException, said: str) -> Failed:
    """Give what an error without an HTTP status means, by what kind of error it is; ``said`` is its text."""
    kind = type(error).__name__
    kinds = {base.__name__ for base in type(error).__mro__}
    if isinstance(error, TimeoutError) or kinds & _TIMED_OUT:
        return Failed(Kind.PASSING, "no answer within the time-out", was_charged=True)
    if kinds & _NEVER_REACHED or _was_never_reached(error):
        return Failed(Kind.PASSING, f"it can't be reached ({kind}); is the address right?")
    if isinstance(error, OSError) or kinds & _BROKEN:
        return Failed(Kind.PASSING, f"the connection broke ({kind})", was_charged=True)
    if isinstance(error, TypeError) and "keyword argument" in said:
        return Failed(Kind.REFUSED, f"its SDK is too old or too new ({shortened(said)}); install another version")
    if isinstance(error, (ValueError, TypeError, LookupError, AttributeError)) or kinds & _NO_ANSWER:
        return Failed(Kind.UNUSABLE, f"its answer can't be read ({kind})", was_charged=True)
    return Failed(Kind.REFUSED, f"asking it failed ({kind}: {shortened(said)})")


def retry_after(headers: Mapping[str, Any], now: datetime) -> float | None:
    """Give the seconds that a ``Retry-After`` asks for, whether it names them or a date; None where there is none."""
    given = next((str(headers[name]) for name in headers if str(name).lower() == "retry-after"), "").strip()
    if not given:
        return None
    try:
        return min(max(0.0, float(given)), 86_400.0) if given.replace(".", "", 1).isdigit() else _until(given, now)
    except (ValueError, TypeError):
        return None


def _until(date: str, now: datetime) -> float:
    moment = parsedate_to_datetime(date)
    moment = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return min(max(0.0, (moment - now).total_seconds()), 86_400.0)


def _was_never_reached(error: BaseException) -> bool:
    """Whether an SDK's error stands for one that came before anything was sent."""
    cause = error.__cause__ or error.__context__
    return cause is not None and any(base.__name__ in _NEVER_REACHED for base in type(cause).__mro__)


def shortened(said: str) -> str:
    """Give what can be told of a long text, on one line."""
    told = " ".join(said.split())
    return told if len(told) <= _MAX_TOLD else told[:_MAX_TOLD] + "…"
