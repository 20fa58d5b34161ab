"""Errors as problems (RFC 9457), and problems as errors again: one table, read in both directions.

A problem's ``type`` is ``urn:tensemem:problem:<kind>``. Only what the store or the server itself can't do now has a
status of 500 and more; what was asked for never has.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .. import errors
from ..model.freshness import Freshness
from .documents import document
from .reading import read

TYPE = "urn:tensemem:problem:"
MEDIA_TYPE = "application/problem+json"

PROBLEMS: Mapping[str, tuple[int, type[errors.TensememError]]] = {
    "unknown-predicate": (422, errors.UnknownPredicateError),
    "predicate-conflict": (409, errors.PredicateConflictError),
    "invalid-value": (400, errors.InvalidValueError),
    "invalid-time": (400, errors.InvalidTimeError),
    "future-timestamp": (400, errors.FutureTimestampError),
    "invalid-scope": (400, errors.InvalidScopeError),
    "content-too-large": (413, errors.ContentTooLargeError),
    "unknown-fact": (404, errors.UnknownFactError),
    "already-corrected": (409, errors.AlreadyCorrectedError),
    "conflict": (409, errors.ConflictError),
    "state-changed": (412, errors.StateChangedError),
    "idempotency-conflict": (422, errors.IdempotencyConflictError),
    "stale-memory": (409, errors.StaleMemoryError),
    "read-only": (403, errors.ReadOnlyError),
    "store-busy": (503, errors.StoreBusyError),
    "store-retry": (503, errors.StoreRetryError),
    "outcome-unknown": (503, errors.OutcomeUnknownError),
    "store-corrupt": (500, errors.StoreCorruptError),
    "damaged-export": (422, errors.DamagedExportError),
    "schema-too-new": (500, errors.SchemaTooNewError),
    "newer-export": (422, errors.NewerExportError),
    "store-unsupported": (500, errors.StoreUnsupportedError),
    "store-key": (500, errors.StoreKeyError),
    "store": (500, errors.StoreError),
    "extractor-unavailable": (424, errors.ExtractorUnavailable),
    "extractor-output": (424, errors.ExtractorOutputError),
    "extractor": (424, errors.ExtractorError),
    "unauthenticated": (401, errors.UnauthenticatedError),
    "forbidden": (403, errors.ForbiddenError),
    "rate-limited": (429, errors.RateLimitedError),
    "access": (403, errors.AccessError),
    "closed": (503, errors.ClosedError),
    "error": (500, errors.TensememError),
}
"""Each error's kind and status."""

OF_REQUESTS: Mapping[str, tuple[int, str, type[errors.TensememError]]] = {
    "bad-request": (400, "The request can't be read as it is.", errors.InvalidValueError),
    "not-here": (403, "This server is not asked under this name (Host), or not from this page (Origin).",
                 errors.ForbiddenError),
    "not-found": (404, "Nothing is served under this path.", errors.TensememError),
    "method-not-allowed": (405, "This path is asked with another method.", errors.TensememError),
    "too-slow": (408, "The body did not come in time.", errors.StoreBusyError),
    "precondition-failed": (412, "The memory has changed since the version in If-Match.", errors.StateChangedError),
    "too-large": (413, "The request is larger than this server takes.", errors.ContentTooLargeError),
    "unsupported-media-type": (415, "The body is of no media type that is read here.", errors.TensememError),
    "internal": (500, "The server failed; its log says more.", errors.TensememError),
    "unavailable": (503, "The server can't take requests now. Try again.", errors.StoreBusyError),
}  # fmt: skip
"""What a server says before a verb is reached: status, title, and the error a client raises."""

RETRY_AFTER = 1
"""Seconds after which what is busy may be asked again."""

_KIND_OF = {kind: name for name, (_, kind) in PROBLEMS.items()}


def kind_of(error: BaseException) -> str:
    """Give the kind of an error: its own, or that of the nearest class it inherits from."""
    return next((_KIND_OF[kind] for kind in type(error).__mro__ if kind in _KIND_OF), "internal")


def problem(kind: str, detail: str = "", **more: Any) -> dict[str, Any]:
    """Give a problem of a kind that the tables name, with fields of its own."""
    if kind in OF_REQUESTS:
        status, title, _ = OF_REQUESTS[kind]
    else:
        status, error = PROBLEMS[kind]
        title = _first_sentence(error)
    return {"type": TYPE + kind, "title": title, "status": status, "detail": detail or title, **more}


def problem_of(error: BaseException) -> dict[str, Any]:
    """Give an error as a problem: type, title, status, detail, and what the error carries.

    Of what the store or the server failed at (a status of 500 and more, and a store that can't be written) only the
    kind is told: its words may name files and servers, and are for the log.
    """
    kind = kind_of(error)
    is_inside = isinstance(error, errors.ReadOnlyError) or (OF_REQUESTS.get(kind) or PROBLEMS[kind])[0] >= 500
    more: dict[str, Any] = {}
    if isinstance(error, errors.StaleMemoryError):
        more["freshness"] = document(error.freshness)
    if isinstance(error, errors.RateLimitedError):
        more["retry_after"] = error.retry_after
    elif kind in ("store-busy", "store-retry", "outcome-unknown", "closed", "unavailable"):
        more["retry_after"] = RETRY_AFTER
    return problem(kind, _advice(kind) if is_inside else str(error), **more)


def error_of(found: Mapping[str, Any]) -> errors.TensememError:
    """Give the error that a problem tells of, to be raised; a TensememError for a kind that is not known here."""
    kind = str(found.get("type", "")).removeprefix(TYPE)
    detail = str(found.get("detail") or found.get("title") or "the server gave no reason")
    error = PROBLEMS[kind][1] if kind in PROBLEMS else OF_REQUESTS[kind][2] if kind in OF_REQUESTS else None
    if error is errors.StaleMemoryError:
        return _stale(detail, found.get("freshness"))
    if error is errors.RateLimitedError:
        after = found.get("retry_after")
        return errors.RateLimitedError(detail, retry_after=after if isinstance(after, (int, float)) else RETRY_AFTER)
    return errors.TensememError(detail) if error is None else error(detail)


def _stale(detail: str, freshness: Any) -> errors.TensememError:
    try:
        return errors.StaleMemoryError(detail, freshness=read(Freshness, freshness))
    except errors.InvalidValueError:  # whoever wrote the problem left out what makes it one
        return errors.TensememError(detail)


def _advice(kind: str) -> str:
    return OF_REQUESTS[kind][1] if kind in OF_REQUESTS else (PROBLEMS[kind][1].__doc__ or "").strip()


def _first_sentence(error: type[errors.TensememError]) -> str:
    text = " ".join((error.__doc__ or "").split())
    return text.partition(". ")[0].rstrip(".") + "."
