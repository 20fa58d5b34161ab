"""The checker sees bugs that were put into the library on purpose, whatever promise they break."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.histories.bugs import BUGS
from tests.histories.nursery import Nursery
from tests.histories.places import STORES, place_on
from tests.histories.running import Plan, run_of
from tests.histories.violations import report, rules_of

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")

TRIES = 30
"""Runs until a bug must have been seen. Most are seen in the first: how threads meet is the machine's own."""


@dataclass(frozen=True)
class Case:
    """How a bug is met: by how many processes and threads, under which faults; and what the checker calls it."""

    rules: frozenset[str]
    processes: int = 2
    threads: int = 2
    faults: tuple[str, ...] = ()
    least: int = 200
    calm: float = 0.1


CASES: dict[str, Case] = {
    "dropped_write": Case(frozenset({"lost write"})),
    "early_acknowledgement": Case(
        frozenset({"lost write"}), processes=1, threads=1, faults=("kill",), least=40
    ),
    "kept_though_refused": Case(frozenset({"refused but kept"})),
    "forgotten_facts": Case(frozenset({"read", "projection"})),
    "settled_twice": Case(frozenset({"settled twice"})),
    "stale_head": Case(frozenset({"freshness"})),
    "stale_cache": Case(frozenset({"stale read"})),
    "stale_facts": Case(frozenset({"read"})),
    "two_snapshots": Case(frozenset({"freshness"})),
    "torn_reads": Case(frozenset({"read", "freshness"})),
    "always_current": Case(frozenset({"freshness"})),
    "reach_goes_back": Case(frozenset({"as_of_seq"})),
    "lost_update": Case(frozenset({"lost update"})),
    "forgotten_keys": Case(frozenset({"twice"})),
    "clock_goes_back": Case(frozenset({"clock"}), faults=("clock",), least=250),
}


def test_every_bug_has_a_case() -> None:
    assert BUGS.keys() == CASES.keys()


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("bug", CASES)
def test_a_bug_is_caught(bug: str, store: str, tmp_path: Path, source: Nursery) -> None:
    case, told = CASES[bug], ""
    for seed in range(TRIES):
        plan = Plan(
            seed, 0.2, case.least, processes=case.processes, threads=case.threads, users=1, rest=0.004, calm=case.calm,
            faults=case.faults, bugs=(bug,), is_brisk=True,
        )  # fmt: skip
        folder = tmp_path / str(seed)
        folder.mkdir()
        with place_on(store, folder) as place:
            outcome = run_of(plan, place, folder / "told", source)
        told = report(outcome.violations, 1)
        if case.rules & rules_of(outcome.violations):
            return
    raise AssertionError(f"{bug} was not seen as any of {set(case.rules)}; the last run told:\n{told or 'nothing'}")


@pytest.mark.parametrize("store", STORES)
def test_the_same_run_without_a_bug_is_explained(store: str, tmp_path: Path, source: Nursery) -> None:
    plan = Plan(1, 0.3, 200, processes=2, users=1, rest=0.004, calm=0.1, faults=("kill", "clock"), is_brisk=True)
    with place_on(store, tmp_path) as place:
        outcome = run_of(plan, place, tmp_path / "told", source)
    assert report(outcome.violations) == ""
    assert outcome.operations > 150
