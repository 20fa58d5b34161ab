"""The checker: are a run's observations explained by one serial order for each scope, the order of its log?

The order is not searched for: the log has it, in its revisions. So the work is one walk through each log, and a look-up
for each observation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tensemem.core.registry import Registry
from tensemem.model.entry import Entry
from tests.histories.history import histories
from tests.histories.records import Observed
from tests.histories.rules_log import log_violations
from tests.histories.rules_order import order_violations
from tests.histories.rules_reads import read_violations, version_violations
from tests.histories.rules_writes import write_violations
from tests.histories.violations import Violation

RULES = (log_violations, write_violations, order_violations, read_violations, version_violations)


def check(
    registry: Registry, logs: Mapping[str, Sequence[Entry]], observed: Iterable[Observed], namespace: str = "default"
) -> list[Violation]:
    """Give everything that the final logs, by user, do not explain of what was observed; nothing where all is well.

    ``registry`` must have stood throughout: names and types are read as of today.
    """
    found: list[Violation] = []
    for history in histories(registry, logs, observed, namespace):
        for rule in RULES:
            some = list(rule(history))
            found += some
            if any(one.rule == "gap" for one in some):
                break  # what has no numbers of its own can't be looked up by them
    return found
