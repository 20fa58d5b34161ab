"""Explicit writes: operations the application states, admitted, appended and projected in one transaction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..core.admission import Ruling
from ..core.ids import format_id
from ..core.operations import encode_operation
from ..core.registry import Registry
from ..core.values import check_metadata
from ..errors import (
    ConflictError,
    InvalidTimeError,
    InvalidValueError,
    TensememError,
    UnknownPredicateError,
)
from ..extract.answers import MAX_OPERATIONS, Malformed, read_answer
from ..model.claim import Claim, ClaimKind, Outcome
from ..model.entry import Entry, EntryKind
from ..model.operation import Operation
from ..model.results import Decision, WriteResult
from ..model.scope import Scope
from ..ports import FactRow, Head, Reader
from . import rows
from .core import Engine, check_text, content_digest, next_entry
from .factview import FactView
from .project import Projection, Touched, rulings_of
from .receipts import changes_of
from .record import known_seq
from .reproject import open_scope


@dataclass(frozen=True, slots=True)
class Request:
    """The keywords every writing verb shares."""

    said_at: Any = None
    source: str | None = None
    metadata: Mapping[str, Any] | None = None
    idempotency_key: str | None = None
    expected_rev: int | None = None


def write(engine: Engine, scope: Scope, operations: Sequence[Operation], request: Request) -> WriteResult:
    """Append one entry with several operations, all or none.

    Raises what the gate refuses: UnknownPredicateError, InvalidValueError, InvalidTimeError; ConflictError where a
    slot changed after ``expected_rev``. Nothing is written then.
    """
    bodies, redactions = _checked(engine, operations)
    key = key_of(request, "write", bodies)
    with engine.store.write() as tx:
        head, registry = open_scope(engine, tx, scope)
        if key is not None and (seq := known_seq(tx, head, [key])) is not None:
            return again(engine, tx, head, registry, seq)
        now = engine.now()
        said_at, _ = engine.said_at(request.said_at, head, now)
        bodies = [_confirmed(tx, head, registry, body, max(now, said_at)) for body in bodies]
        entry = next_entry(head, EntryKind.WRITE, now=now, said_at=said_at, body=entry_body(engine, request, bodies))
        rulings = rulings_of(entry, None, registry)
        _refuse(rulings)
        projection = Projection(tx, head, registry)
        if request.expected_rev is not None:
            check_expected(tx, head, rulings, request.expected_rev)
        projection.apply_rulings(rulings)
        tx.append(head.id, entry)
        if key is not None:
            tx.remember_key(head.id, key[0], entry.seq, key[1])
        touched = projection.finish()
        tx.save_head(head)
        receipt = Receipt(engine, tx, head, registry, entry, max(now, head.last_said))
        result = receipt.of_write(rulings, touched, redactions)
    engine.wake()
    engine.emit("written", scope=scope, seq=result.seq, changed=result.changed)
    return result


def _checked(engine: Engine, operations: Sequence[Operation]) -> tuple[list[dict[str, Any]], dict[str, int]]:
    """Check operations as an extractor's answer is checked, then replace secrets in them."""
    if not operations:
        raise InvalidValueError("give at least one operation")
    bodies: list[dict[str, Any]] = []
    redactions: dict[str, int] = {}
    for given in operations:
        _check_times(given)
    for operation in _read(operations):
        if isinstance(operation, Malformed):
            raise InvalidValueError(operation.why)
        body, counts = engine.redacted(encode_operation(operation))
        check_metadata({"value": body.get("value")})
        bodies.append(body)
        for kind, number in counts.items():
            redactions[kind] = redactions.get(kind, 0) + number
    return bodies, redactions


def _check_times(operation: Any) -> None:
    """Say what is wrong with times as such, before anything else is looked at."""
    present = [getattr(operation, name, None) for name in ("since", "until")]
    dated = [getattr(operation, name, None) for name in ("valid_from", "valid_to")]
    if any(when is not None for when in present) and any(when is not None for when in dated):
        raise InvalidTimeError("since/until speak of the present, valid_from/valid_to file a dated row; give one kind")


def _read(operations: Sequence[Operation]) -> Iterator[Operation | Malformed]:
    """Check operations, however many: an answer's limit is not the application's."""
    for first in range(0, len(operations), MAX_OPERATIONS):
        yield from read_answer(list(operations[first : first + MAX_OPERATIONS]), messages=1)


def key_of(request: Request, verb: str, content: Any) -> tuple[str, str] | None:
    if request.idempotency_key is None:
        return None
    name = check_text("idempotency_key", request.idempotency_key)
    return f"k:{name}", content_digest(verb, content, request.said_at)


def entry_body(engine: Engine, request: Request, operations: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Give the body of a write entry."""
    body: dict[str, Any] = {"ops": list(operations)}
    body.update(request_body(engine, request))
    if engine.declared_only:
        body["subjects"] = "declared"
    return body


def request_body(engine: Engine, request: Request) -> dict[str, Any]:
    """Give what every entry keeps of its request."""
    body: dict[str, Any] = {}
    if request.source is not None:
        body["source"] = check_text("source", request.source)
    metadata = engine.redacted(check_metadata(request.metadata))[0] if request.metadata else None
    if metadata:
        body["metadata"] = metadata
    if engine.zone != "UTC":
        body["zone"] = engine.zone
    return body


def _confirmed(
    reader: Reader, head: Head, registry: Registry, body: dict[str, Any], moment: int
) -> dict[str, Any]:
    """A confirmation without a value confirms what is shown now; the entry keeps which value that was."""
    if body["op"] != "confirm" or "value" in body:
        return body
    subject_key = registry.subject(body.get("subject", "user"))[0]
    slot = reader.slot(head.id, subject_key, registry.predicate_key(body["predicate"]))
    shown = [] if slot is None else [r for r in reader.tail(head.id, slot.id, moment) if r.start <= moment]
    if len(shown) != 1:
        raise InvalidValueError(f"{body['predicate']} shows {len(shown)} values now; say which one is confirmed")
    return {**body, "value": rows.decode_body(shown[0])[2]}


_REFUSALS: dict[str, type[TensememError]] = {
    "unknown_predicate": UnknownPredicateError,
    "bad_time": InvalidTimeError,
}


def _refuse(rulings: Sequence[Ruling]) -> None:
    for ruling in rulings:
        if ruling.claim.outcome is Outcome.REFUSED:
            reason = ruling.claim.reason
            kind = _REFUSALS.get(reason, InvalidValueError)
            if kind is UnknownPredicateError:
                raise UnknownPredicateError(
                    f"the predicate {ruling.predicate!r} is not registered; "
                    f"register it first: register_predicate({ruling.predicate!r})"
                )
            raise kind(f"{ruling.predicate}: {ruling.message or reason}")


def check_expected(reader: Reader, head: Head, rulings: Sequence[Ruling], expected_rev: int) -> None:
    """Raise ConflictError where a slot took a claim or amendment after the revision the caller saw."""
    for ruling in rulings:
        slot = reader.slot(head.id, ruling.subject_key, ruling.predicate_key)
        if slot is not None:
            check_slot_rev(reader, head, slot.id, expected_rev)


def check_slot_rev(reader: Reader, head: Head, slot: int, expected_rev: int) -> None:
    """Raise ConflictError where a slot's newest entry is later than a revision."""
    if not isinstance(expected_rev, int) or isinstance(expected_rev, bool) or expected_rev < 0:
        raise InvalidValueError("expected_rev must be a revision: an integer of 0 or more")
    newest = max((row_rev(row) for row in reader.claims(head.id, slot)), default=0)
    if newest > expected_rev:
        raise ConflictError(f"the slot changed at revision {newest}, after {expected_rev}; read it again, then decide")


def row_rev(row: Any) -> int:
    """Give the revision of the entry a row was made from."""
    return rows.amendment_of(row).rev if rows.is_amendment(row) else rows.claim_of(row).rev


def again(engine: Engine, reader: Reader, head: Head, registry: Registry, seq: int) -> WriteResult:
    """Give the receipt of a write that was made before, as it stands now; nothing is written."""
    entry = reader.episode(head.id, seq)
    if entry is None:
        raise InvalidValueError("the entry under this idempotency key has been erased")
    receipt = Receipt(engine, reader, head, registry, entry, max(engine.now(), head.last_said))
    rulings = rulings_of(entry, None, registry)
    return replace(receipt.of_write(rulings, [], {}), duplicate=True)


@dataclass(slots=True)
class Receipt:
    """Works out what a write did, from the slots it touched."""

    engine: Engine
    reader: Reader
    head: Head
    registry: Registry
    entry: Entry
    moment: int

    def of_write(
        self, rulings: Sequence[Ruling], touched: Sequence[Touched], redactions: Mapping[str, int]
    ) -> WriteResult:
        """Give the receipt of explicit operations."""
        view = FactView(self.head.scope.tag, self.registry, self.moment)
        live: dict[int, list[FactRow]] = {}
        fact_ids = tuple(self._fact_id(ruling, view, live) for ruling in rulings)
        changes = changes_of(view, touched, self.entry)
        shown_row, slot = self._shown(rulings[0], live) if rulings else (None, None)
        shown = None if shown_row is None or slot is None else view.of_row(shown_row, slot)
        return WriteResult(
            seq=self.entry.seq,
            rev=self.entry.rev,
            fact_id=fact_ids[0] if fact_ids else None,
            fact_ids=fact_ids,
            changed=bool(changes),
            current=bool(rulings) and _is_current(rulings[0].claim, shown_row),
            shown=shown,
            changes=changes,
            decisions=tuple(decision_of(self.head.scope.tag, ruling, self._operation(ruling)) for ruling in rulings),
            redactions=redactions,
            durability=self.engine.store.durability,
        )

    def _operation(self, ruling: Ruling) -> Mapping[str, Any]:
        operations: Sequence[Mapping[str, Any]] = self.entry.body.get("ops", ())
        number = ruling.claim.id.number
        return operations[number] if number < len(operations) else {}

    def _fact_id(self, ruling: Ruling, view: FactView, live: dict[int, list[FactRow]]) -> str:
        """Give the id of the fact a claim supports now, else the claim's own."""
        claim = ruling.claim
        row = self._row_of(ruling, live)
        if row is not None:
            return view.id_of(row)
        return format_id(view.tag, claim.id)

    def _row_of(self, ruling: Ruling, live: dict[int, list[FactRow]]) -> FactRow | None:
        claim = ruling.claim
        keys = {claim.key, *(value.key for value in claim.values)}
        if claim.kind not in (ClaimKind.VALUE, ClaimKind.CONFIRM, ClaimKind.REPLACE):
            return None
        for row in self._rows(ruling, live, claim.start):
            if row.key in keys and (row.start <= claim.start < row.end or _carries(row, claim)):
                return row
        return None

    def _rows(self, ruling: Ruling, live: dict[int, list[FactRow]], after: int) -> list[FactRow]:
        slot = self.reader.slot(self.head.id, ruling.subject_key, ruling.predicate_key)
        if slot is None:
            return []
        if slot.id not in live:
            live[slot.id] = self.reader.tail(self.head.id, slot.id, min(after, self.moment))
        return live[slot.id]

    def _shown(self, ruling: Ruling, live: dict[int, list[FactRow]]) -> tuple[FactRow | None, Any]:
        """Give the run shown now in the slot of an operation; in a many-valued slot the one of its value."""
        slot = self.reader.slot(self.head.id, ruling.subject_key, ruling.predicate_key)
        predicate = self.registry.predicate(ruling.predicate)
        claim = ruling.claim
        wanted = claim.key if predicate is not None and predicate.is_many and claim.value is not None else None
        if wanted is None and claim.values:
            wanted = claim.values[0].key
        for row in self._rows(ruling, live, self.moment):
            if row.start <= self.moment < row.end and wanted in (None, row.key):
                return row, slot
        return None, slot


def _carries(row: FactRow, claim: Claim) -> bool:
    return any(evidence[0] == claim.id.seq for evidence in rows.run_body(row)[6])


def _is_current(claim: Claim, shown: FactRow | None) -> bool:
    """Tell whether what was written is shown now: the value, or the absence of a retracted one."""
    if claim.kind in (ClaimKind.RETRACT, ClaimKind.DENY):
        return shown is None or (claim.key is not None and shown.key != claim.key)
    if claim.kind is ClaimKind.REPLACE and not claim.values:
        return shown is None
    keys = {claim.key, *(value.key for value in claim.values)}
    return shown is not None and shown.key in keys


def decision_of(tag: str, ruling: Ruling, operation: Mapping[str, Any], note: str = "") -> Decision:
    """Give what became of an operation."""
    claim = ruling.claim
    refused = claim.outcome is Outcome.REFUSED
    return Decision(
        seq=claim.id.seq,
        outcome=claim.outcome.value,
        reason=claim.reason or note or ("paraphrased" if claim.paraphrased else ""),
        claim_id=None if refused else format_id(tag, claim.id),
        operation=dict(operation),
        message=ruling.message,
    )


def as_values(values: Any) -> list[Any]:
    """Read the values of a REPLACE: a list, tuple or set of them; raises InvalidValueError for one value alone."""
    if isinstance(values, (list, tuple, set, frozenset)):
        return sorted(values, key=repr) if isinstance(values, (set, frozenset)) else list(values)
    raise InvalidValueError("replace_values takes a list of values; for one value use set or add_value")
