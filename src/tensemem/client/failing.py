"""What goes wrong on the way: what passes by itself, and what may be tried again without being done twice.

A request that was not taken (nobody listened, the store was busy, too many came) may always be sent again. One of
which nobody knows whether it was done may be, where it reads, or carries an idempotency key.
"""

from __future__ import annotations

import random
from typing import Any

from ..errors import (
    ClosedError,
    InvalidValueError,
    OutcomeUnknownError,
    RateLimitedError,
    StoreBusyError,
    StoreError,
    TensememError,
)
from .requests import Answer, Request, error_in

LONGEST_PAUSE = 30.0
"""Seconds that a server may ask to be waited for; whoever is told to wait longer learns it instead."""


class Failed(Exception):
    """One attempt that failed: the error to raise, and whether another attempt may be made.

    ``may_be_done`` tells that nobody knows whether the request was carried out; ``pause`` is what the server asked for.
    """

    def __init__(
        self, error: TensememError, *, passes: bool, may_be_done: bool = False, pause: float = 0.0
    ) -> None:
        super().__init__(str(error))
        self.error, self.passes, self.may_be_done, self.pause = error, passes, may_be_done, pause


def failure_of(request: Request, answer: Answer) -> Failed | None:
    """Give the failure that an answer tells of, where another attempt could make a difference; else None."""
    if answer.status < 429:
        return None
    error = error_in(answer)
    if isinstance(error, RateLimitedError):
        return Failed(error, passes=error.retry_after <= LONGEST_PAUSE, pause=error.retry_after)
    if isinstance(error, OutcomeUnknownError):
        return _unknown(request, error)
    if isinstance(error, (StoreBusyError, ClosedError)):  # nothing was written, says the server itself
        return Failed(error, passes=True, pause=_pause(answer))
    if type(error) is StoreError and answer.status in (502, 503, 504):  # said by what stands before the server
        return _unknown(request, error if request.is_repeatable else unknown(request, "the way to the server failed"))
    return None


def failure_in_transport(httpx: Any, url: str, request: Request, error: Exception) -> Failed:
    """Give what an exception of the connection means for the call."""
    words = str(error) or type(error).__name__
    if _is_distrust(error):
        stranger = StoreError(f"the server at {url} is not trusted, and nothing was done: {words}. {_VOUCH}")
        return Failed(stranger, passes=False)
    if isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError)):
        told = StoreError(
            f"the server at {url} can't be reached, and nothing was done: {words}. Is it running there "
            "('tensemem serve'), and is the address right?"
        )
        return Failed(told, passes=True)
    if isinstance(error, httpx.InvalidURL):
        told_so = InvalidValueError(f"{request.served.name}: its arguments are too long for a request; shorten them")
        return Failed(told_so, passes=False)
    if not isinstance(error, httpx.TransportError) and not isinstance(error, httpx.DecodingError):
        return Failed(StoreError(f"the server at {url} can't be asked: {words}"), passes=False)
    if isinstance(error, httpx.TimeoutException):
        words = f"no answer came within {request.seconds:g} s; a longer timeout= waits for it"
    if not request.may_write:
        return _unknown(request, StoreError(f"the connection to {url} broke off before the answer was there: {words}"))
    return _unknown(request, unknown(request, f"the connection to {url} broke off: {words}"))


_VOUCH = (
    "Name a file with the certificate of the authority that vouches for it, with verify=PATH or in $TENSEMEM_CA, and "
    "ask it under a name that its certificate has"
)


def _unknown(request: Request, error: TensememError) -> Failed:
    return Failed(error, passes=request.is_repeatable, may_be_done=True, pause=0.0)


def unknown(request: Request, why: str) -> OutcomeUnknownError:
    """Give the error of a write of which nobody knows whether it was kept; it says how to ask again."""
    if request.key is not None:
        again = f"ask for the same again with idempotency_key={request.key!r}, and it counts once"
    elif request.served.name == "import_":
        again = "import the same again: what has come stays as it is, and the rest comes"
    else:
        again = "read what is there, then decide whether to ask again"
    return OutcomeUnknownError(f"it is not known whether {request.served.name} was done: {why}. To be sure, {again}")


def _pause(answer: Answer) -> float:
    after = answer.headers.get("retry-after", "")
    return min(float(after[:9]), LONGEST_PAUSE) if after.isascii() and after.isdigit() else 0.0


def _is_distrust(error: BaseException) -> bool:
    """Tell whether a certificate was not trusted: no further attempt changes that."""
    found: BaseException | None = error
    while found is not None:
        if type(found).__name__ == "SSLCertVerificationError" or "CERTIFICATE_VERIFY_FAILED" in str(found):
            return True
        found = found.__cause__ or found.__context__
    return False


def pause(number: int, least: float) -> float:
    """Give the seconds to wait after so many failures in a row: they grow and are spread, and are never too few."""
    return max(random.uniform(0, min(LONGEST_OWN, FIRST * 2**number)), least)


FIRST, LONGEST_OWN = 0.1, 5.0


def tries(tenacity: Any, retries: int, sleep: Any) -> dict[str, Any]:
    """Give how tenacity makes attempts."""
    return {
        "stop": tenacity.stop_after_attempt(1 + retries),
        "wait": lambda state: pause(state.attempt_number, getattr(state.outcome.exception(), "pause", 0.0)),
        "retry": tenacity.retry_if_exception(lambda error: isinstance(error, Failed) and error.passes),
        "sleep": sleep,
        "reraise": True,
    }
