"""Refusals: what a server answers where nothing of the library is reached, and errors of the library as answers."""

from __future__ import annotations

import math
from typing import Any

from tensemem import errors
from tensemem.logs import Log
from tensemem.model.jsontext import encode
from tensemem.wire import problem, problem_of

from .answers import Answer, freshness_headers

log = Log("rest")

PROBLEM = b"application/problem+json"


class Refusal(Exception):
    """A refusal by the kind of its problem, with headers of its own."""

    def __init__(self, kind: str, detail: str = "", *, headers: dict[bytes, bytes] | None = None) -> None:
        super().__init__(detail)
        self.kind, self.detail, self.headers = kind, detail, headers or {}


def answer_to(error: Exception) -> Answer:
    """Give the answer to an error. What nobody foresaw is logged, and told without its words."""
    if isinstance(error, Refusal):
        return _answer(problem(error.kind, error.detail), list(error.headers.items()))
    found = problem_of(error)
    is_of_use = not isinstance(error, (errors.StoreBusyError, errors.ClosedError))
    if (found["status"] >= 500 or isinstance(error, errors.ReadOnlyError)) and is_of_use:
        log.failure("failed", "a request failed", error=error)
    more = freshness_headers(error.freshness) if isinstance(error, errors.StaleMemoryError) else []
    return _answer(found, more)


def _answer(found: dict[str, Any], headers: list[tuple[bytes, bytes]]) -> Answer:
    after = found.get("retry_after")
    if found["status"] == 503 and after is None:
        after = 1
    if after is not None:
        headers.append((b"retry-after", b"%d" % max(1, math.ceil(after))))
    headers.append((b"cache-control", b"no-store"))
    return Answer(found["status"], encode(found).encode(), headers, PROBLEM)
