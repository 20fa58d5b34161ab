"""Errors are problems with stable types, and come back as what they were."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tensemem import Freshness, errors
from tensemem.wire import error_of, problem, problem_of
from tensemem.wire.problems import OF_REQUESTS, PROBLEMS, TYPE

FRESH = Freshness(3, 5, 1, 1, (2,), False, "failed")


def kinds() -> Iterator[type[errors.TensememError]]:
    waiting: list[type[errors.TensememError]] = [errors.TensememError]
    while waiting:
        kind = waiting.pop()
        if kind.__module__ == "tensemem.errors":
            yield kind
        waiting += kind.__subclasses__()


ALL = sorted(set(kinds()), key=lambda kind: kind.__name__)


OF_EXPORTS = (errors.DamagedExportError, errors.NewerExportError)
INSIDE = [kind for kind in ALL if issubclass(kind, errors.StoreError) and kind not in OF_EXPORTS]
"""What says something of the store, which is none of who asks; of what they hand over they are told."""


def made(kind: type[errors.TensememError]) -> errors.TensememError:
    if issubclass(kind, errors.StaleMemoryError):
        return kind("not read yet", freshness=FRESH)
    return kind("some words of its own")


@pytest.mark.parametrize("kind", ALL)
def test_every_error_has_a_problem_of_its_own_and_comes_back(kind: type[errors.TensememError]) -> None:
    given = made(kind)
    told = problem_of(given)
    assert {"type", "title", "status", "detail"} <= told.keys()
    assert [error for _, error in PROBLEMS.values()].count(kind) == 1
    back = error_of(told)
    assert type(back) is kind
    if told["status"] < 500 and kind is not errors.ReadOnlyError:
        assert str(back) == str(given)


def test_kinds_are_the_classes_names() -> None:
    for name, (_, kind) in PROBLEMS.items():
        words = kind.__name__.removesuffix("Error").removeprefix("Tensemem") or "error"
        spelled = "".join("-" + char.lower() if char.isupper() else char for char in words).removeprefix("-")
        assert name == spelled


def test_only_what_the_store_or_the_server_fails_at_is_500_and_more() -> None:
    given = (errors.ReadOnlyError, errors.DamagedExportError, errors.NewerExportError)  # what was asked, or handed over
    for status, kind in PROBLEMS.values():
        is_inside = issubclass(kind, (errors.StoreError, errors.ClosedError)) and kind not in given
        assert (status >= 500) == (is_inside or kind is errors.TensememError)


@pytest.mark.parametrize("kind", INSIDE)
def test_what_the_store_failed_at_tells_no_path(kind: type[errors.TensememError]) -> None:
    told = problem_of(kind("/srv/secret/place.db: page 7 is torn"))
    assert "/srv" not in str(told)
    assert told["detail"] == " ".join((kind.__doc__ or "").split())


def test_staleness_comes_back_with_its_freshness() -> None:
    back = error_of(problem_of(errors.StaleMemoryError("wait", freshness=FRESH)))
    assert isinstance(back, errors.StaleMemoryError)
    assert back.freshness == FRESH


def test_what_is_busy_says_when_to_come_again() -> None:
    assert problem_of(errors.StoreBusyError())["retry_after"] == 1
    assert "retry_after" not in problem_of(errors.ConflictError())


def test_a_subclass_is_told_as_the_nearest_kind_that_is_known() -> None:
    class TornError(errors.StoreCorruptError):
        pass

    assert problem_of(TornError())["type"] == TYPE + "store-corrupt"
    assert problem_of(ValueError("secret"))["type"] == TYPE + "internal"
    assert "secret" not in str(problem_of(ValueError("secret")))


def test_a_provider_that_is_away_is_told_of_alike_whether_a_message_waits_for_it_or_not() -> None:
    assert problem_of(errors.ExtractorUnavailable("asked twice"))["title"] == "The provider can't be asked now."


def test_a_limit_comes_back_with_the_seconds_to_wait() -> None:
    back = error_of(problem_of(errors.RateLimitedError("slowly", retry_after=2.5)))
    assert isinstance(back, errors.RateLimitedError)
    assert back.retry_after == 2.5


@pytest.mark.parametrize("kind", OF_REQUESTS)
def test_what_a_server_says_before_a_verb_is_reached_comes_back_as_an_error(kind: str) -> None:
    told = problem(kind, "words")
    assert told["type"] == TYPE + kind
    back = error_of(told)
    assert type(back) is OF_REQUESTS[kind][2]
    assert str(back) == "words"


@pytest.mark.parametrize(
    "found",
    [
        {}, {"type": "about:blank", "status": 418}, {"type": TYPE + "new-kind"}, {"type": TYPE + "stale-memory"},
        {"type": TYPE + "stale-memory", "freshness": 5},
    ],
)  # fmt: skip
def test_a_problem_that_is_not_known_is_an_error_all_the_same(found: dict[str, object]) -> None:
    back = error_of(found)
    assert type(back) is errors.TensememError
    assert str(back)
