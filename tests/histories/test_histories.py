"""Many processes on one store while faults befall them: everything they saw is explained by one serial order.

A few seconds on an SQLite file; ``make test-histories`` runs it for SECONDS on STORES. TENSEMEM_HISTORY_SEED plays a
run again, as far as the machine's timing lets it.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.histories.nursery import Nursery
from tests.histories.places import STORES, place_on
from tests.histories.running import Plan, run_of
from tests.histories.violations import report

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")

SECONDS = float(os.environ.get("TENSEMEM_HISTORY_SECONDS") or 3)
LEAST = 300
SEED = int(os.environ.get("TENSEMEM_HISTORY_SEED") or int.from_bytes(os.urandom(4)))


@pytest.mark.parametrize("store", STORES)
def test_what_was_seen_is_explained_by_one_serial_order(store: str, tmp_path: Path, source: Nursery) -> None:
    is_long = SECONDS > 10
    plan = Plan(SEED, SECONDS, LEAST, processes=4 if is_long else 3, rest=0.03 if is_long else 0.01)
    print(f"TENSEMEM_HISTORY_SEED={SEED}")
    with place_on(store, tmp_path) as place:
        if place.left_out:
            print(f"{store}: {place.left_out}")
        outcome = run_of(plan, place, tmp_path / "told", source)
    told = f"TENSEMEM_HISTORY_SEED={SEED} {store}: {outcome}"
    print(told)
    assert not outcome.violations, f"{told}\nhistories: {tmp_path / 'told'}\n{report(outcome.violations)}"
    assert outcome.operations >= LEAST, f"hardly anything was asked\n{told}"
