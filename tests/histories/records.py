"""What a process saw of its own operations, written down as it goes, so that a killed one has told all up to then.

A line is written before an operation begins and another when it has ended, each in one call and to a file that only
this process writes. Times are nanoseconds of the machine's monotonic clock, which all its processes share.
"""

from __future__ import annotations

import itertools
import json
import os
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tensemem.model.fact import Fact
from tensemem.model.moment import to_moment

OK, REFUSED, STALE, UNKNOWN = "ok", "refused", "stale", "unknown"
"""What became of an operation: done, refused with a definite error, a read that raised, and nobody knows."""


@dataclass(frozen=True, slots=True)
class Observed:
    """One operation as whoever asked for it saw it. ``ended`` is None where no outcome was seen.

    ``asked`` is what was asked for, ``told`` what came back; both as JSON knows them.
    """

    op: str
    verb: str
    user: str
    began: int
    asked: Mapping[str, Any] = field(default_factory=dict)
    outcome: str = UNKNOWN
    ended: int | None = None
    told: Mapping[str, Any] = field(default_factory=dict)


class Recorder:
    """Writes one process's operations to its file; safe to use from its threads."""

    def __init__(self, path: Path, name: str) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        self._name, self._numbers, self._guard = name, itertools.count(1), threading.Lock()

    def new_name(self) -> str:
        """Give an operation a name that no other one of the run has."""
        return f"{self._name}-{next(self._numbers)}"

    def began(self, op: str, verb: str, user: str, asked: Mapping[str, Any]) -> None:
        """Write down that an operation is about to begin."""
        self._write({"op": op, "began": time.monotonic_ns(), "verb": verb, "user": user, "asked": asked})

    def ended(self, op: str, outcome: str, told: Mapping[str, Any]) -> None:
        """Write down what became of it."""
        self._write({"op": op, "ended": time.monotonic_ns(), "outcome": outcome, "told": told})

    def _write(self, line: Mapping[str, Any]) -> None:
        whole = (json.dumps(line, separators=(",", ":")) + "\n").encode()
        with self._guard:
            while whole:
                whole = whole[os.write(self._file, whole) :]

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)


def read_observed(folder: Path) -> list[Observed]:
    """Read all that the processes of a run wrote down, in the order in which the operations began."""
    found = [one for path in sorted(folder.glob("*.jsonl")) for one in observed_in(_lines(path))]
    return sorted(found, key=lambda one: one.began)


def observed_in(lines: Iterable[Mapping[str, Any]]) -> list[Observed]:
    """Join the two lines of each operation; one without an outcome is unknown."""
    begun: dict[str, Mapping[str, Any]] = {}
    ended: dict[str, Mapping[str, Any]] = {}
    for line in lines:
        (ended if "ended" in line else begun)[line["op"]] = line
    return [
        Observed(op, line["verb"], line["user"], line["began"], line["asked"], **_outcome(ended.get(op)))
        for op, line in begun.items()
    ]


def _outcome(line: Mapping[str, Any] | None) -> dict[str, Any]:
    if line is None:
        return {}
    return {"outcome": line["outcome"], "ended": line["ended"], "told": line["told"]}


def _lines(path: Path) -> Iterator[Mapping[str, Any]]:
    """Give a file's lines; the last one may be cut short, where its writer was killed in the middle of it."""
    whole, _, _ = path.read_bytes().rpartition(b"\n")
    return map(json.loads, whole.splitlines())


FACT_FIELDS = (
    "subject", "predicate", "object", "id", "valid_from", "valid_to", "said_at", "recorded_rev", "contested",
    "claim_ids", "status",
)  # fmt: skip


def told_fact(fact: Fact) -> list[Any]:
    """Give what a fact says as JSON knows it, in the order of FACT_FIELDS; times in microseconds."""
    start, end = fact.valid_from, fact.valid_to
    return [
        fact.subject, fact.predicate, fact.object, fact.id, None if start is None else to_moment(start),
        None if end is None else to_moment(end), to_moment(fact.said_at), fact.recorded_rev, fact.contested,
        list(fact.claim_ids), str(fact.status),
    ]  # fmt: skip


def told_facts(facts: Iterable[Fact]) -> list[list[Any]]:
    """Give facts in an order of their own, so that two lists of the same ones are equal."""
    return sorted((told_fact(fact) for fact in facts), key=lambda told: (told[:4], str(told[4:6])))
