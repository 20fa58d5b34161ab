"""What must hold in real time: whatever ended before another began comes before it in the one serial order."""

from __future__ import annotations

from collections.abc import Iterator

from tests.histories.history import History
from tests.histories.records import OK, Observed
from tests.histories.violations import Violation


def order_violations(history: History) -> Iterator[Violation]:
    """Give the operations that a serial order in keeping with real time can't hold."""
    yield from _writes(history)
    yield from _reads(history)
    yield from _reach(history)


def _writes(history: History) -> Iterator[Violation]:
    """A write has a greater revision than all that anybody knew of before it began."""
    for one in history.writes:
        for entry in history.by_op.get(one.op, ()):
            known, teller = history.known_before(one.began)
            if teller is not None and entry.rev <= known:
                says = f"{one.op} has revision {entry.rev}, and {teller.op} knew of {known} before it began"
                yield Violation("real time", history.user, says, (teller, one), (entry,))


def _reads(history: History) -> Iterator[Violation]:
    """A read sees all that anybody knew of before it began, and nothing that nobody had asked for when it ended."""
    for one in history.reads:
        rev = history.rev_told(one)
        known, teller = history.known_before(one.began)
        if one.asked.get("known_at") is not None:
            known = min(known, one.asked["known_at"])
        if teller is not None and rev < known and "rev" in one.told:
            says = f"{one.op} shows revision {rev}, and {teller.op} knew of {known} before it began"
            yield Violation("stale read", history.user, says, (teller, one))
        if one.ended is not None and rev > history.newest_by(one.ended):
            entry = history.entry(rev)
            says = f"{one.op} shows revision {rev}, which nobody had asked for yet, or which is not in the log"
            yield Violation("read ahead", history.user, says, (one,), () if entry is None else (entry,))


def _reach(history: History) -> Iterator[Violation]:
    """How far extraction has come, as reads tell it, never goes back."""
    reads = [one for one in history.reads if one.asked.get("known_at") is None]
    by_end = iter(sorted((one for one in reads if one.ended is not None), key=_end))
    following = next(by_end, None)
    furthest: Observed | None = None
    for one in sorted(reads, key=lambda read: read.began):
        while following is not None and _end(following) < one.began:
            if furthest is None or _as_of(following) > _as_of(furthest):
                furthest = following
            following = next(by_end, None)
        if furthest is not None and one.outcome == OK and _as_of(one) < _as_of(furthest):
            says = f"as_of_seq went back from {_as_of(furthest)} to {_as_of(one)}"
            yield Violation("as_of_seq", history.user, says, (furthest, one))


def _end(one: Observed) -> int:
    return -1 if one.ended is None else one.ended


def _as_of(one: Observed) -> int:
    return int(one.told["fresh"][0])
