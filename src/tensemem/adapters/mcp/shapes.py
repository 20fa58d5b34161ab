"""What tools answer beside their words: documents for programs, and the JSON schemas of these."""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from ...core.values import as_text
from ...model.fact import Fact
from ...model.freshness import Freshness
from ...model.results import AddResult, Context, Explanation, History, SearchHit, State, WriteResult
from ...verbs.tool_calls import MOST_FACTS

LONGEST_TEXT = 4000
"""Characters of a message or an explanation in one answer; longer ones are cut, which ``…`` at the end tells."""

Schema = dict[str, Any]


def plain(value: Any) -> Any:
    """Give a value of any predicate as JSON has it: dates, durations and the like as text."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, Decimal) and value == value.to_integral_value():
        return int(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return as_text(value)


def fact_document(fact: Fact) -> dict[str, Any]:
    """Give a fact: what a model may want to tell the user of it, and its id."""
    return {
        "id": fact.id, "subject": fact.subject, "predicate": fact.predicate, "value": plain(fact.value),
        "object": fact.object, "status": fact.status.value, "valid_from": _moment(fact.valid_from),
        "valid_to": _moment(fact.valid_to), "last_evidence_at": _moment(fact.last_evidence_at),
        "confidence": fact.confidence, "contested": fact.contested, "due_for_review": fact.due_for_review,
        "source": fact.source,
    }  # fmt: skip


def freshness_document(freshness: Freshness) -> dict[str, Any]:
    """Give how far a read lags behind the log."""
    return {
        "is_current": freshness.is_current, "as_of_seq": freshness.as_of_seq, "latest_seq": freshness.latest_seq,
        "pending": freshness.pending, "failed": freshness.failed, "failed_seqs": list(freshness.failed_seqs),
        "reason": freshness.reason,
    }  # fmt: skip


def context_document(found: Context) -> dict[str, Any]:
    """Give the text for a prompt."""
    told = {"text": found.text, "facts_used": len(found.facts_used), "omitted": found.omitted}
    return {**told, "token_count": found.token_count, "version": found.version}


def state_document(found: State) -> dict[str, Any]:
    """Give what holds, what is planned and what waits for review, with the revision to write against."""
    lists = {"facts": found.facts, "planned": found.planned, "candidates": found.candidates}
    return {
        "rev": found.rev, "version": found.version, "at": _moment(found.at),
        "next_change_at": _moment(found.next_change_at),
        **{name: [fact_document(fact) for fact in facts] for name, facts in lists.items()},
    }  # fmt: skip


def history_document(found: History) -> dict[str, Any]:
    """Give the latest facts of a history, and how many older ones there are."""
    shown = found.facts[-MOST_FACTS:]
    return {"facts": [fact_document(fact) for fact in shown], "older": len(found.facts) - len(shown)}


def search_document(found: tuple[SearchHit, ...]) -> dict[str, Any]:
    """Give hits, the best first."""
    return {"hits": [_hit(hit) for hit in found]}


def _hit(hit: SearchHit) -> dict[str, Any]:
    return {
        "kind": hit.kind, "text": cut(hit.text), "fact": None if hit.fact is None else fact_document(hit.fact),
        "seq": hit.seq, "said_at": _moment(hit.said_at), "role": hit.role, "corrected": hit.corrected,
    }  # fmt: skip


def why_document(found: Explanation) -> dict[str, Any]:
    """Give a fact, and each link of the chain behind it."""
    steps = [
        {
            "kind": step.kind, "seq": step.seq, "rev": step.rev, "said_at": _moment(step.said_at), "role": step.role,
            "text": cut(step.text), "quote": cut(step.quote), "extractor": step.extractor, "reason": step.reason,
        }
        for step in found.steps
    ]  # fmt: skip
    return {"fact": fact_document(found.fact), "steps": steps}


def written_document(done: WriteResult) -> dict[str, Any]:
    """Give the receipt of a write: what changed, what shows now, and what was decided."""
    return {
        "seq": done.seq, "rev": done.rev, "duplicate": done.duplicate, "changed": done.changed,
        "current": done.current, "fact_id": done.fact_id,
        "shown": None if done.shown is None else fact_document(done.shown),
        "changes": [
            {
                "kind": change.kind, "subject": change.subject, "predicate": change.predicate,
                "value": plain(change.value), "valid_from": _moment(change.valid_from),
                "valid_to": _moment(change.valid_to),
            }
            for change in done.changes
        ],
        "decisions": [{"outcome": one.outcome, "reason": one.reason} for one in done.decisions],
        "redactions": dict(done.redactions),
    }  # fmt: skip


def added_document(done: AddResult) -> dict[str, Any]:
    """Give the receipt of a message."""
    return {
        "seq": done.seq, "rev": done.rev, "duplicate": done.duplicate, "settled": done.settled,
        "redactions": dict(done.redactions),
    }  # fmt: skip


def cut(text: str) -> str:
    """Give text of a bounded length."""
    return text if len(text) <= LONGEST_TEXT else text[:LONGEST_TEXT] + "…"


def _moment(moment: Any) -> str | None:
    return None if moment is None else moment.isoformat()


def _object(**properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _answer(**properties: Schema) -> Schema:
    """Make the schema of an answer, which always says how fresh it is."""
    return _object(**properties, freshness=FRESHNESS)


_TEXT: Schema = {"type": "string"}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_YES_NO: Schema = {"type": "boolean"}
_MOMENT: Schema = {"type": ["string", "null"], "description": "ISO 8601"}
_MAYBE_TEXT: Schema = {"type": ["string", "null"]}
_COUNTS: Schema = {"type": "object", "additionalProperties": _COUNT}
FRESHNESS = _object(
    is_current={"type": "boolean", "description": "no message waits to be learnt from, and none failed"},
    as_of_seq=_COUNT, latest_seq=_COUNT, pending=_COUNT, failed=_COUNT, failed_seqs=_list(_COUNT), reason=_MAYBE_TEXT,
)  # fmt: skip
FACT = _object(
    id=_TEXT, subject=_TEXT, predicate=_TEXT, value={"description": "typed as the predicate says"}, object=_TEXT,
    status=_TEXT, valid_from=_MOMENT, valid_to=_MOMENT, last_evidence_at=_MOMENT, confidence={"type": "number"},
    contested=_YES_NO, due_for_review=_YES_NO, source=_TEXT,
)  # fmt: skip
_MAYBE_FACT: Schema = {"anyOf": [FACT, {"type": "null"}]}
CONTEXT = _answer(text=_TEXT, facts_used=_COUNT, omitted=_COUNT, token_count=_COUNT, version=_TEXT)
STATE = _answer(
    rev=_COUNT, version=_TEXT, at=_TEXT, next_change_at=_MOMENT, facts=_list(FACT), planned=_list(FACT),
    candidates=_list(FACT),
)  # fmt: skip
HISTORY = _answer(facts=_list(FACT), older=_COUNT)
_HIT = _object(
    kind=_TEXT, text=_TEXT, fact=_MAYBE_FACT, seq={"type": ["integer", "null"]}, said_at=_MOMENT, role=_MAYBE_TEXT,
    corrected=_YES_NO,
)  # fmt: skip
SEARCH = _answer(hits=_list(_HIT))
_STEP = _object(
    kind=_TEXT, seq=_COUNT, rev=_COUNT, said_at=_MOMENT, role=_TEXT, text=_TEXT, quote=_TEXT, extractor=_TEXT,
    reason=_TEXT,
)  # fmt: skip
WHY = _answer(fact=FACT, steps=_list(_STEP))
_CHANGE = _object(
    kind=_TEXT, subject=_TEXT, predicate=_TEXT, value={"description": "the value that changed"}, valid_from=_MOMENT,
    valid_to=_MOMENT,
)  # fmt: skip
WRITTEN = _answer(
    seq=_COUNT, rev=_COUNT, duplicate=_YES_NO, changed=_YES_NO, current=_YES_NO, fact_id=_MAYBE_TEXT,
    shown=_MAYBE_FACT, changes=_list(_CHANGE), decisions=_list(_object(outcome=_TEXT, reason=_TEXT)),
    redactions=_COUNTS,
)  # fmt: skip
ADDED = _answer(seq=_COUNT, rev=_COUNT, duplicate=_YES_NO, settled=_YES_NO, redactions=_COUNTS)
