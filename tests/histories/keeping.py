"""A run's final logs beside its histories, so that a run that failed can be looked at, and checked, again.

``python -m tests.histories.keeping FOLDER`` checks what a run has left in its folder.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tensemem.core.registry import Registry
from tensemem.model.entry import Entry, EntryKind
from tests.histories.checker import check
from tests.histories.records import read_observed
from tests.histories.violations import report

_FILE = "logs.json"


def save_logs(folder: Path, registry: Sequence[Entry], logs: Mapping[str, Sequence[Entry]]) -> None:
    """Keep the logs of the registry and of every user."""
    kept = {"registry": _rows(registry), "logs": {user: _rows(entries) for user, entries in logs.items()}}
    (folder / _FILE).write_text(json.dumps(kept), encoding="utf-8")


def load_logs(folder: Path) -> tuple[list[Entry], dict[str, list[Entry]]]:
    """Read them again."""
    kept = json.loads((folder / _FILE).read_text(encoding="utf-8"))
    return _entries(kept["registry"]), {user: _entries(rows) for user, rows in kept["logs"].items()}


def registry_of(entries: Sequence[Entry]) -> Registry:
    """Give the registry that its log makes."""
    return Registry.build(entries)


def _rows(entries: Iterable[Entry]) -> list[list[Any]]:
    return [
        [one.kind.value, one.rev, one.seq, one.recorded_at, one.said_at, one.extraction, dict(one.body)]
        for one in entries
    ]


def _entries(rows: Iterable[Sequence[Any]]) -> list[Entry]:
    return [Entry(EntryKind(kind), *rest) for kind, *rest in rows]


def recheck(folder: Path) -> str:
    """Check a run's folder again; gives what is wrong, or an empty text."""
    registry, logs = load_logs(folder)
    return report(check(registry_of(registry), logs, read_observed(folder)))


if __name__ == "__main__":
    print(recheck(Path(sys.argv[1])) or "every observation is explained")
