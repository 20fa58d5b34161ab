"""An administrative act, as the log of them holds it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from ..errors import InvalidValueError

ACTS = frozenset(
    {
        "apply_retention", "backup", "copy", "erase", "export", "forget", "import", "mint", "prune", "purge",
        "rebuild", "reextract", "register", "register_entity", "register_predicate", "rekey", "restore", "retain",
        "revoke",
    }
)  # fmt: skip
"""What is an administrative act."""

BEGUN, DONE, REFUSED, FAILED = "begun", "done", "refused", "failed"
OUTCOMES = (BEGUN, DONE, REFUSED, FAILED)


@dataclass(frozen=True, slots=True)
class Act:
    """One line of the log: when, by which key, what, with what outcome, where, and about what.

    ``key_id`` is "server" for the token of a server, and "local" for who works at the machine, whose label is then
    their name there. ``about`` is the id of the key that an act is about, a number of lines, or "dry run". ``person``
    is a keyed hash of a user id.
    """

    seq: int
    at: datetime
    key_id: str
    label: str
    act: str
    outcome: str
    namespace: str | None = None
    person: str | None = None
    about: str | None = None


def check_act(act: str, outcome: str) -> None:
    """Raise InvalidValueError for an act or an outcome that nobody would look for."""
    if act not in ACTS:
        raise InvalidValueError(f"{act!r} is no administrative act; there are {', '.join(sorted(ACTS))}")
    if outcome not in OUTCOMES:
        raise InvalidValueError(f"an outcome is one of {', '.join(OUTCOMES)}")
