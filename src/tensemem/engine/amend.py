"""Amending: corrections, reinstatements and reviews, each an entry like any other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..core.amendments import held_in
from ..core.erasing import amendment_without
from ..core.fold import Ending, Run, meant_by
from ..core.forgotten import Forgotten
from ..core.operations import encode_value
from ..core.periods import parse_period
from ..core.registry import Registry
from ..core.values import parse_value
from ..errors import AlreadyCorrectedError, ConflictError, InvalidTimeError, InvalidValueError, UnknownFactError
from ..model.claim import Claim, Correction
from ..model.entry import Entry, EntryKind
from ..model.moment import FOREVER
from ..model.receipts import WriteOutcome, WriteResult
from ..model.scope import Scope
from ..ports import Head, Reader, Writer
from .core import Engine, check_size, check_text, next_entry
from .factview import FactView
from .project import Projection
from .receipts import Seen, changes_of, see
from .record import known_seq
from .reproject import open_scope
from .resolve import Found, Within, find, scope_of_id, shown_claims
from .rules import forgotten_in
from .versions import check_version
from .write import Request, check_expected, check_rev, key_of, request_body

ANYONE = Within()
"""Any scope of the handle's namespace."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a correction says instead: another value, other times, and why."""

    value: Any = None
    valid_from: Any = None
    valid_to: Any = None
    reason: str | None = None

    @property
    def is_replacement(self) -> bool:
        """Whether anything is stated instead."""
        return self.value is not None or self.valid_from is not None or self.valid_to is not None


class _NotKept(Exception):
    """Ends the transaction of a dry run."""


def correct(
    engine: Engine, fact_id: str, request: Request, wanted: Wanted, within: Within = ANYONE, tx: Writer | None = None,
    *, dry_run: bool = False,
) -> WriteResult:  # fmt: skip
    """Say that a fact, or a statement, was never true; optionally what was true instead, or when.

    With ``tx`` it is a part of that transaction, and telling of it is left to whoever holds it. A dry run does all of
    it and keeps nothing.
    """
    value = encode_value(wanted.value)
    if tx is None:  # else it is what memory holds already, or was measured
        check_size(engine, "the value", value)
    times = [when if when is None else parse_period(when, engine.zone, name=name).start for name, when in
             (("valid_from", wanted.valid_from), ("valid_to", wanted.valid_to))]  # fmt: skip
    arguments = [fact_id, value, times, wanted.reason, request.source]
    reason, redactions = engine.redacted(wanted.reason)

    def body_of(found: Found, registry: Registry) -> dict[str, Any]:
        _check_open(found)
        body = _target(found)
        if reason is not None:
            body["reason"] = check_text("reason", reason, limit=engine.max_content)
        if wanted.is_replacement:
            # The predicate's name is a cue: what stands under "api_key" is a secret though it may not look like one.
            clean, counts = engine.redacted({found.slot.predicate: value})
            redactions.update({kind: redactions.get(kind, 0) + number for kind, number in counts.items()})
            body["new"] = _replacement(engine, found, registry, replace(wanted, value=next(iter(clean.values()))))
        return body

    amendment = _Amendment(engine, EntryKind.CORRECTION, fact_id, request, within, (arguments, redactions))
    return amendment.make(body_of, tx, dry_run=dry_run)


def reinstate(
    engine: Engine, fact_id: str, request: Request, *, within: Within = ANYONE, dry_run: bool = False
) -> WriteResult:
    """Take a correction back, its replacement with it; refused while the replacement is itself corrected."""

    def body_of(found: Found, _: Registry) -> dict[str, Any]:
        correction = _correction_of(found)
        if correction is None:
            raise ConflictError("the fact is not corrected; there is nothing to take back")
        _check_replacement(found, correction)
        body = {"target": fact_id, "corrects": correction.seq, **_slot_names(found)}
        return body if correction.value is None else {**body, "value": correction.value.stored}

    amendment = _Amendment(engine, EntryKind.REINSTATEMENT, fact_id, request, within, (fact_id, {}))
    return amendment.make(body_of, dry_run=dry_run)


def review(
    engine: Engine, fact_id: str, request: Request, *, accept: bool, within: Within = ANYONE, tx: Writer | None = None,
    dry_run: bool = False,
) -> WriteResult:  # fmt: skip
    """Accept or reject a candidate or a plan; ``tx`` and ``dry_run`` are as in `correct`."""

    def body_of(found: Found, _: Registry) -> dict[str, Any]:
        if found.waiting is None or found.corrected is not None or found.waiting.rejected:
            raise ConflictError("only a candidate or a plan that still waits can be reviewed")
        body: dict[str, Any] = {"target": fact_id, "accept": bool(accept), **_slot_names(found)}
        body["meant"] = meant_by(found.waiting.claims[-1])
        if found.waiting.value is not None:
            body["value"] = found.waiting.value.stored
        return body

    amendment = _Amendment(engine, EntryKind.REVIEW, fact_id, request, within, ([fact_id, accept], {}))
    return amendment.make(body_of, tx, dry_run=dry_run)


class _Amendment:
    """One amending entry: find the target, make the body, append, project, and tell what changed."""

    def __init__(
        self,
        engine: Engine,
        kind: EntryKind,
        fact_id: str,
        request: Request,
        within: Within,
        content: tuple[Any, Mapping[str, int]],
    ) -> None:
        self._engine, self._kind, self._id, self._request = engine, kind, fact_id, request
        self._within, self._redactions = within, content[1]
        check_rev(request.expected_rev)
        self._key = key_of(request, kind.value, content[0])

    def make(
        self, body_of: Callable[[Found, Registry], dict[str, Any]], within: Writer | None = None, *,
        dry_run: bool = False,
    ) -> WriteResult:  # fmt: skip
        engine = self._engine
        engine.check_open()
        if within is not None:
            return self._make_in(within, body_of)[1]
        if dry_run:
            return self._tried(body_of)
        with engine.store.write() as tx:
            scope, result = self._make_in(tx, body_of)
        if not result.duplicate:
            engine.wake()
            tell_amended(engine, self._kind, scope, result)
        return result

    def _tried(self, body_of: Callable[[Found, Registry], dict[str, Any]]) -> WriteResult:
        """Give what it would do, exactly: it is done, told, and taken back before anybody sees it."""
        try:
            with self._engine.store.write(alone=True) as tx:
                _, result = self._make_in(tx, body_of)
                told = result.outcome  # works it out while what it tells of is there
                raise _NotKept
        except _NotKept:
            return WriteResult(
                result.seq, result.rev, lambda: told, redactions=result.redactions, durability=result.durability,
                duplicate=result.duplicate,
            )  # fmt: skip

    def _make_in(
        self, tx: Writer, body_of: Callable[[Found, Registry], dict[str, Any]]
    ) -> tuple[Scope, WriteResult]:
        engine = self._engine
        scope, reference = scope_of_id(engine, tx, self._id, self._within)
        head, registry = open_scope(engine, tx, scope)
        now = engine.now()
        if self._key is not None and (seq := known_seq(tx, head, [self._key])) is not None:
            return scope, again(engine, tx, head, registry, seq, self._redactions)
        check_version(head, registry, self._request.expected_rev, now)
        found = find(tx, head, registry, self._id, reference, max(now, head.last_said))
        if isinstance(self._request.expected_rev, int):
            keys = found.slot.subject_key, found.slot.predicate_key
            check_expected(tx, head, registry, [keys], self._request.expected_rev)
        body = {**body_of(found, registry), **request_body(engine, self._request)}
        return scope, self._append(tx, head, registry, body, now)

    def _append(self, tx: Writer, head: Head, registry: Registry, body: Mapping[str, Any], now: int) -> WriteResult:
        said_at, _ = self._engine.said_at(self._request.said_at, head, now)
        forgotten = forgotten_in(tx, head) if said_at <= head.last_said else None
        entry = next_entry(head, self._kind, now=now, said_at=said_at, body=body)
        refuse_forgotten(entry, registry, forgotten)
        tx.append(head.id, entry)
        if self._key is not None:
            tx.remember_key(head.id, self._key[0], entry.seq, self._key[1])
        projection = Projection(tx, head, registry)
        projection.apply(entry)
        touched = projection.finish()
        tx.save_head(head)
        view = FactView(head.scope.tag, registry, max(now, head.last_said))
        seen = [see(tx, head, one, view.moment) for one in touched]
        return WriteResult(
            entry.seq, entry.rev, lambda: _outcome(view, entry, seen), redactions=self._redactions,
            durability=self._engine.store.durability,
        )  # fmt: skip


def refuse_forgotten(entry: Entry, registry: Registry, forgotten: Forgotten | None) -> None:
    """Raise InvalidTimeError where a correction is dated before the value it states instead was forgotten."""
    if forgotten is not None and amendment_without(entry, registry, forgotten) is not None:
        raise InvalidTimeError(f"{entry.body['predicate']}: it was forgotten after said_at; leave said_at out")


def tell_amended(engine: Engine, kind: EntryKind, scope: Scope, result: WriteResult) -> None:
    """Tell the hooks of a correction, a reinstatement or a review."""
    if engine.hooks:
        engine.emit(kind.value, scope=scope, seq=result.seq, changed=result.changed)


def again(
    engine: Engine, tx: Reader, head: Head, registry: Registry, seq: int, redactions: Mapping[str, int]
) -> WriteResult:
    """Give the receipt of an amendment that was made before, as it stands now; nothing is written."""
    entry = tx.episode(head.id, seq)
    if entry is None or entry.kind is EntryKind.ERASURE:
        raise UnknownFactError("the entry under this idempotency key has been erased")
    view = FactView(head.scope.tag, registry, max(engine.now(), head.last_said))
    subject_key = registry.subject(str(entry.body.get("subject", "user")))[0]
    slot = tx.slot(head.id, subject_key, registry.predicate_key(str(entry.body["predicate"])))
    rows = [] if slot is None else tx.live_in(head.id, slot.id, view.moment)
    seen = [] if slot is None else [Seen(slot, rows, rows)]
    return WriteResult(
        entry.seq, entry.rev, lambda: _outcome(view, entry, seen), redactions=redactions,
        durability=engine.store.durability, duplicate=True,
    )  # fmt: skip


def _outcome(view: FactView, entry: Entry, seen: Sequence[Seen]) -> WriteOutcome:
    """Give what an amendment did: what changed, and what the slot shows now."""
    changes = changes_of(view, seen, entry)
    live = [
        (row, one.slot) for one in seen for row in one.after if row.kind == 0 and row.start <= view.moment < row.end
    ]
    facts = [(row.key, view.of_row(row, slot)) for row, slot in live]
    own = next((fact for _, fact in facts if any(item.seq == entry.seq for item in fact.evidence)), None)
    key = _key_meant(view, entry)
    is_many = any(view.predicate(one.slot).is_many for one in seen)
    meant = next((fact for held, fact in facts if held == key), None)
    shown = own or meant or (None if is_many or not facts else facts[0][1])
    brings = "new" in entry.body or entry.kind is not EntryKind.CORRECTION
    is_shown = own is not None if "new" in entry.body else meant is not None
    return WriteOutcome(
        fact_ids=(own.id if own is not None else str(entry.body["target"]),),
        current=is_shown if brings else bool(changes) and meant is None,
        shown=shown,
        changes=changes,
    )


def _key_meant(view: FactView, entry: Entry) -> str | None:
    """Give the comparison key of the value an amendment speaks of."""
    predicate = view.registry.predicate(str(entry.body["predicate"]))
    held = held_in(entry.body, "value", predicate, view.registry)
    return None if held is None else held.key


def _check_open(found: Found) -> None:
    if found.corrected is not None or (found.waiting is not None and found.waiting.rejected):
        raise AlreadyCorrectedError
    if found.stated is not None and not found.stated.in_force:
        raise AlreadyCorrectedError("the statement is not in force any more; there is nothing to correct")
    if found.run is None and found.waiting is None and found.stated is None and not _overridden(found):
        raise ConflictError("the fact was denied; there is nothing left to correct")


def _overridden(found: Found) -> tuple[Claim, ...]:
    """Give the claims of a fact that is shown nowhere only because a later one hides it."""
    ids = {claim.id for claim in found.fold.overridden}
    return tuple(claim for claim in found.hidden if claim.id in ids)


def _slot_names(found: Found) -> dict[str, Any]:
    return {"subject": found.slot.subject, "predicate": found.slot.predicate}


def _target(found: Found) -> dict[str, Any]:
    """Give the correction's own part: the slot, the value, the fact's valid time and the evidence that was shown."""
    body: dict[str, Any] = {"target": found.id, **_slot_names(found)}
    if found.run is not None:
        run = found.run
        body.update(target=found.shaper.run_id(run), value=run.value.stored, start=run.start)
        body["shown"] = [list(id) for id in shown_claims(run)]
        body["sources"] = sorted({claim.source for claim in run.claims})
        marks = {"lapsed": _is_lapsed(run) or None, "unknown_start": run.unknown_start or None}
        optional = {"end": run.end, "grain": run.grain, **marks}
        body.update({name: value for name, value in optional.items() if value is not None})
        return body
    if found.waiting is not None:
        claims = found.waiting.claims
    else:
        claims = (found.stated.claim,) if found.stated else _overridden(found)
    claim = claims[-1]
    body.update(start=claim.start, shown=[list(c.id) for c in claims])
    if claim.value is not None:
        body["value"] = claim.value.stored
    if found.waiting is not None:
        body["waiting"] = True
        body["meant"] = meant_by(claim)
    elif found.stated is not None:
        body["statement"] = claim.kind.value
    elif claim.end is not None:
        body["end"] = claim.end
    return body


def _is_lapsed(run: Run) -> bool:
    """Tell whether nothing but a ttl ended a run."""
    stated = any(claim.stated_end and claim.end == run.end for claim in run.claims)
    return run.ending is Ending.EXPIRED and not stated


def _replacement(engine: Engine, found: Found, registry: Registry, wanted: Wanted) -> dict[str, Any]:
    """Give what is stated instead, over the fact's time or the times given."""
    if found.stated is not None:
        raise InvalidValueError("a retraction, denial or REPLACE takes no value; correct it, then state what holds")
    start, end, through, unknown, grain = _times_of(found)
    if wanted.valid_from is not None:
        period = parse_period(wanted.valid_from, engine.zone, name="valid_from")
        start, unknown, grain = period.start, False, period.grain
    if wanted.valid_to is not None:
        end = parse_period(wanted.valid_to, engine.zone, name="valid_to").as_end
    if end is not None and end <= start:
        raise InvalidTimeError("valid_to lies before valid_from")
    through = max(start, through if end is None else min(through, end - 1))
    stored = _stored(found) if wanted.value is None else _checked(wanted.value, found, registry, engine.zone)
    new: dict[str, Any] = {"value": stored, "start": start, "through": through, "grain": grain}
    if end is not None:
        new["end"] = end
    if unknown:
        new["unknown_start"] = True
    if found.waiting is not None and found.waiting.planned:
        new["planned"] = "undated" if _is_undated(found) and wanted.valid_from is None else "dated"
    return new


def _is_undated(found: Found) -> bool:
    return found.waiting is not None and found.waiting.claims[-1].reason == "undated"


def _times_of(found: Found) -> tuple[int, int | None, int, bool, str]:
    run, waiting = found.run, found.waiting
    if run is not None:
        stop = FOREVER if run.end is None else run.end
        through = max(min(claim.through, stop - 1) for claim in run.claims)
        return run.start, run.end, through, run.unknown_start, run.grain
    claims = waiting.claims if waiting is not None else _overridden(found)
    claim = claims[-1] if claims else None
    if claim is None:
        raise InvalidValueError("nothing to replace")
    return claim.start, claim.end, claim.start, False, claim.grain


def _stored(found: Found) -> Any:
    hidden = _overridden(found)
    held = found.run.value if found.run is not None else hidden[-1].value if hidden else None
    if found.waiting is not None:
        held = found.waiting.value
    if held is None:
        raise InvalidValueError("give the value that holds instead")
    return held.stored


def _checked(value: Any, found: Found, registry: Registry, zone: str) -> Any:
    predicate = registry.predicate(found.slot.predicate)
    if predicate is not None:
        parse_value(value, predicate, registry, zone)
    return value


def _correction_of(found: Found) -> Correction | None:
    if found.corrected is not None:
        return found.corrected
    return next((c for c in reversed(found.fold.corrected) if _speaks_of(c, found)), None)


def _speaks_of(correction: Correction, found: Found) -> bool:
    """A replacement's id takes back the correction that made it; so does any claim the correction covered."""
    claims: tuple[Claim, ...] = found.run.claims if found.run is not None else found.hidden
    ids = {claim.id for claim in claims}
    if correction.replacement is not None and correction.replacement.id in ids:
        return True
    return found.run is None and bool(ids & set(correction.shown))


def _check_replacement(found: Found, correction: Correction) -> None:
    replacement = correction.replacement
    if replacement is None:
        return
    for other in found.fold.corrected:
        if other.seq > correction.seq and replacement.id in other.shown:
            raise ConflictError("the value stated instead has itself been corrected; reinstate that first")
