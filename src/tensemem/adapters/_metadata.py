"""Facts and freshness as the JSON that frameworks call metadata."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ..model.fact import Fact
from ..model.freshness import Freshness


def fact_metadata(fact: Fact) -> dict[str, Any]:
    """Give what an application may want to know of a fact; what is absent is left out.

    Times are ISO 8601 text. The value stands as JSON has it; as text, where JSON has no such type.
    """
    has_json = isinstance(fact.value, (str, int, float, list, dict))
    found = {
        "fact_id": fact.id,
        "subject": fact.subject,
        "predicate": fact.predicate,
        "value": fact.value if has_json else fact.object,
        "status": fact.status.value,
        "valid_from": _iso(fact.valid_from),
        "valid_to": _iso(fact.valid_to),
        "last_said": _iso(fact.last_evidence_at),
        "contested": fact.contested or None,
        "due_for_review": fact.due_for_review or None,
    }
    return {name: value for name, value in found.items() if value is not None}


def freshness_metadata(freshness: Freshness) -> dict[str, Any]:
    """Give how far a read lags behind the log."""
    found: dict[str, Any] = {"is_current": freshness.is_current, "as_of_seq": freshness.as_of_seq}
    if not freshness.is_current:
        found |= {"pending": freshness.pending, "failed": freshness.failed, "reason": freshness.reason}
    return found


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
