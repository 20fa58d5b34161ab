"""Explicit writes: operations the application states, admitted, appended and projected in one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from ..core.admission import Ruling, has_slot
from ..core.findings import numbered
from ..core.operations import encode_operation
from ..core.registry import Registry
from ..core.rulings import rulings_of
from ..core.secrets import Redactor
from ..core.values import check_metadata
from ..errors import (
    ConflictError,
    InvalidTimeError,
    InvalidValueError,
    TensememError,
    UnknownPredicateError,
)
from ..extract.answers import MAX_OPERATIONS, Malformed, read_answer
from ..model.claim import Outcome
from ..model.entry import EntryKind
from ..model.operation import OPS, Operation
from ..model.receipts import WriteResult
from ..model.scope import Scope
from ..ports import Head, Reader, Writer
from . import rows
from .core import Engine, check_size, check_text, content_digest, described, next_entry
from .factview import FactView
from .project import Projection
from .receipts import Receipt, Seen, see
from .record import key_name, known_seq
from .reproject import open_scope
from .rules import forgotten_in
from .versions import check_version, read_version


@dataclass(frozen=True, slots=True)
class Request:
    """The keywords every writing verb shares.

    ``stands_for`` is what an idempotency key stands for where what is written only follows from it.
    """

    said_at: Any = None
    source: str | None = None
    metadata: Mapping[str, Any] | None = None
    idempotency_key: str | None = None
    expected_rev: int | str | None = None
    stands_for: tuple[str, Any] | None = None


class AskedKey(str):
    """An idempotency key of a request from which what is written only follows: it stands for what was asked for.

    What follows may be another thing when the same is asked for again, as where a fact is meant by its slot.
    """

    __slots__ = ("asked",)
    asked: tuple[str, Any]

    def __new__(cls, key: str, asked: tuple[str, Any]) -> AskedKey:
        """Make it of a key and of the name and the arguments of a request."""
        made = super().__new__(cls, key)
        made.asked = asked
        return made


def write(engine: Engine, scope: Scope, operations: Sequence[Operation], request: Request) -> WriteResult:
    """Append one entry with several operations, all or none.

    Raises what the gate refuses: UnknownPredicateError, InvalidValueError, InvalidTimeError; ConflictError where a
    slot changed after ``expected_rev``. Nothing is written then.
    """
    prepared = checked(engine, operations)
    check_rev(request.expected_rev)
    with engine.store.write() as tx:
        result = write_in(engine, tx, scope, prepared, request)
    if not result.duplicate:
        engine.wake()
        tell_written(engine, scope, result)
    return result


def tell_written(engine: Engine, scope: Scope, result: WriteResult) -> None:
    """Tell the hooks of a write."""
    if engine.hooks:
        engine.emit("written", scope=scope, seq=result.seq, changed=result.changed)


def write_in(
    engine: Engine, tx: Writer, scope: Scope, prepared: tuple[list[dict[str, Any]], dict[str, int]], request: Request
) -> WriteResult:
    """Append one entry of `checked` operations inside a transaction; raises as `write` does."""
    bodies, redactions = prepared
    key = key_of(request, "write", bodies)
    head, registry = open_scope(engine, tx, scope)
    if key is not None and (seq := known_seq(tx, head, [key])) is not None:
        return again(engine, tx, head, registry, seq)
    now = engine.now()
    check_version(head, registry, request.expected_rev, now)
    said_at, _ = engine.said_at(request.said_at, head, now)
    forgotten = forgotten_in(tx, head) if said_at <= head.last_said else None  # nothing was forgotten after the last
    bodies = [numbered(confirmed(tx, head, registry, body, max(now, said_at))) for body in bodies]
    entry = next_entry(head, EntryKind.WRITE, now=now, said_at=said_at, body=entry_body(engine, request, bodies))
    rulings = rulings_of(entry, None, registry, forgotten)
    _refuse(rulings)
    projection = Projection(tx, head, registry)
    if isinstance(request.expected_rev, int):
        keys = [(ruling.subject_key, ruling.predicate_key) for ruling in rulings]
        check_expected(tx, head, registry, keys, request.expected_rev)
    projection.apply_rulings(rulings)
    tx.append(head.id, entry)
    if key is not None:
        tx.remember_key(head.id, key[0], entry.seq, key[1])
    touched = projection.finish()
    tx.save_head(head)
    view = FactView(scope.tag, registry, max(now, head.last_said))
    seen = [see(tx, head, one, view.moment) for one in touched]
    return Receipt(view, entry, rulings, seen).result(engine.store.durability, redactions)


def checked(
    engine: Engine, operations: Sequence[Operation], *, is_known: bool = False
) -> tuple[list[dict[str, Any]], dict[str, int]]:
    """Check operations as an extractor's answer is checked, then replace secrets in them.

    Where their values are ``is_known``, since memory holds them, they are not measured. Raises ContentTooLargeError,
    InvalidValueError, InvalidTimeError.
    """
    if not isinstance(operations, (list, tuple)) or not operations:
        raise InvalidValueError("give a list of at least one operation")
    for given in operations:
        _check_times(given)
    bodies: list[dict[str, Any]] = []
    redactions: dict[str, int] = {}
    for operation in _read(operations):
        body = encode_operation(operation)
        if not is_known:
            check_size(engine, f"the value of {operation.predicate}", body.get("value"))
            check_size(engine, "the quote", operation.quote)
        for name in _WORDS:
            if name in body:
                _redact(engine, body, name, redactions)
        bodies.append(body)
    return bodies, redactions


_WORDS = ("value", "subject", "quote")


def _redact(engine: Engine, body: dict[str, Any], name: str, redactions: dict[str, int]) -> None:
    """Replace secrets in one field; the predicate's name is a cue for its value. An unknown name is never written."""
    key, value = body["predicate"] if name == "value" else name, body[name]
    if type(value) is str and isinstance(engine.redact, Redactor) and engine.redact.passes(key, value):
        return
    clean, counts = engine.redacted({key: value})
    if counts:
        body[name] = next(iter(clean.values()))
        for kind, number in counts.items():
            redactions[kind] = redactions.get(kind, 0) + number


def _check_times(operation: Any) -> None:
    """Say what is wrong with times as such, before anything else is looked at."""
    present = [_checked_time(operation, name) for name in ("since", "until")]
    dated = [_checked_time(operation, name) for name in ("valid_from", "valid_to")]
    if any(present) and any(dated):
        raise InvalidTimeError("since/until speak of the present, valid_from/valid_to file a dated row; give one kind")


def _checked_time(operation: Any, name: str) -> bool:
    """Tell whether a time is named; raises InvalidTimeError for what can't be one."""
    when = getattr(operation, name, None)
    if when is None:
        return False
    if not isinstance(when, (str, date)) or (isinstance(when, str) and not when.strip()):
        raise InvalidTimeError(f"{name} must be an aware datetime, a date, or ISO 8601 text, not {described(when)}")
    return True


def _read(operations: Sequence[Operation]) -> Iterator[Operation]:
    """Check operations, however many: an answer's limit is not the application's."""
    for first in range(0, len(operations), MAX_OPERATIONS):
        some = list(operations[first : first + MAX_OPERATIONS])
        for operation in some if _are_plain(some) else read_answer(some, messages=1):
            if isinstance(operation, Malformed):
                raise InvalidValueError(operation.why)
            yield operation


def _are_plain(operations: Sequence[object]) -> bool:
    """Tell whether operations are of the simplest form, which needs no further check than the gate's."""
    return all(
        type(operation) is Operation
        and operation.op in OPS
        and type(operation.predicate) is str
        and type(operation.value) is str
        and operation.subject == "user"
        and not operation.quote
        and operation.modality == "asserted"
        and operation.confidence == 1.0
        for operation in operations
    )


def key_of(request: Request, verb: str, content: Any) -> tuple[str, str] | None:
    if request.idempotency_key is None:
        return None
    name, asked = check_text("idempotency_key", request.idempotency_key), request.stands_for
    if isinstance(request.idempotency_key, AskedKey):
        asked = request.idempotency_key.asked
    stands_for = (verb, content) if asked is None else asked
    return key_name(name), content_digest(*stands_for, request.said_at)


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
        body["source"] = engine.redacted(check_text("source", request.source))[0]
    metadata = check_metadata(request.metadata)
    check_size(engine, "metadata", metadata)
    if metadata:
        body["metadata"] = engine.redacted(metadata)[0]
    if engine.zone != "UTC":
        body["zone"] = engine.zone
    return body


def confirmed(
    reader: Reader, head: Head, registry: Registry, body: dict[str, Any], moment: int
) -> dict[str, Any]:
    """A confirmation without a value confirms what is shown now; the entry keeps which value that was."""
    if body["op"] != "confirm" or "value" in body:
        return body
    if registry.predicate(body["predicate"]) is None:
        return {**body, "value": ""}  # the gate refuses it as unknown
    subject_key = registry.subject(body.get("subject", "user"))[0]
    slot = reader.slot(head.id, subject_key, registry.predicate_key(body["predicate"]))
    shown = [] if slot is None else [r for r in reader.tail(head.id, slot.id, moment) if r.start <= moment]
    if len(shown) != 1:
        raise InvalidValueError(f"{body['predicate']} shows {len(shown)} values now; say which one is confirmed")
    return {**body, "value": rows.decode_body(shown[0])[2]}


_REFUSALS: dict[str, type[TensememError]] = {
    "unknown_predicate": UnknownPredicateError,
    "bad_time": InvalidTimeError,
    "forgotten": InvalidTimeError,
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
            message = ruling.message or reason
            about = "" if message.startswith(ruling.predicate) else f"{ruling.predicate}: "
            raise kind(about + message)


def check_rev(expected_rev: object) -> None:
    """Check an ``expected_rev`` argument: a revision, or the version of a state."""
    if expected_rev is None:
        return
    if isinstance(expected_rev, str):
        read_version(expected_rev)
        return
    if not isinstance(expected_rev, int) or isinstance(expected_rev, bool) or not 0 <= expected_rev < 2**62:
        raise InvalidValueError("expected_rev must be a revision: an integer of 0 or more")


def check_expected(
    reader: Reader, head: Head, registry: Registry, slots: Iterable[tuple[str, str]], expected_rev: int
) -> None:
    """Raise ConflictError where a slot, given by its keys, changed after the revision the caller saw.

    What a newer extraction of a message took away leaves no claim behind: the log tells of it. Of a message's
    extractions those are looked at that came after the revision, and the one that counted then.
    """
    wanted = set(slots)
    rows_ = (reader.slot(head.id, *keys) for keys in wanted)
    newest = max((slot.last_rev for slot in rows_ if slot is not None), default=0)
    forgotten = forgotten_in(reader, head)
    if forgotten is not None:
        newest = max(newest, forgotten.rev)  # which slots something went from, nobody can tell any more
    again = {entry.seq: entry.rev for entry in reader.extracted_again(head.id, expected_rev)}
    for seq, rev in again.items():
        if rev > newest and not wanted.isdisjoint(_stated_since(reader, head, registry, seq, expected_rev)):
            newest = rev
    if newest > expected_rev:
        why = f"the slot changed at revision {newest}, after {expected_rev}; read it again, then decide"
        raise ConflictError(why)


def _stated_since(reader: Reader, head: Head, registry: Registry, seq: int, rev: int) -> set[tuple[str, str]]:
    """Give the slots that a message's extractions speak of: the one that counted at a revision, and all after it."""
    message, forgotten = reader.episode(head.id, seq), forgotten_in(reader, head)
    made = [one for one in reader.settlements(head.id, seq) if one.kind is EntryKind.EXTRACTION]
    before = sum(one.rev <= rev for one in made)
    rulings = [ruling for one in made[max(before - 1, 0) :] for ruling in rulings_of(one, message, registry, forgotten)]
    stated = [one for one in rulings if has_slot(one) and one.claim.outcome is not Outcome.REFUSED]
    return {(one.subject_key, one.predicate_key) for one in stated}


def again(engine: Engine, reader: Reader, head: Head, registry: Registry, seq: int) -> WriteResult:
    """Give the receipt of a write that was made before, as it stands now; nothing is written."""
    entry = reader.episode(head.id, seq)
    if entry is None or entry.kind is EntryKind.ERASURE:
        raise InvalidValueError("the entry under this idempotency key has been erased")
    view = FactView(head.scope.tag, registry, max(engine.now(), head.last_said))
    rulings = rulings_of(entry, None, registry, forgotten_in(reader, head))
    keys = dict.fromkeys((ruling.subject_key, ruling.predicate_key) for ruling in rulings)
    slots = [slot for key in keys if (slot := reader.slot(head.id, *key)) is not None]
    since = min(view.moment, *(ruling.claim.start - 1 for ruling in rulings))
    seen = [Seen(slot, rows_, rows_) for slot in slots for rows_ in [reader.live_in(head.id, slot.id, since)]]
    return Receipt(view, entry, rulings, seen).result(engine.store.durability, {}, duplicate=True)


def as_values(values: Any) -> list[Any]:
    """Read the values of a REPLACE: a list, tuple or set of them; raises InvalidValueError for one value alone."""
    if isinstance(values, (list, tuple, set, frozenset)):
        return sorted(values, key=repr) if isinstance(values, (set, frozenset)) else list(values)
    raise InvalidValueError("replace_values takes a list of values; for one value use set or add_value")


def check_row(valid_from: Any, valid_to: Any) -> None:
    """Raise InvalidTimeError for a dated row without dates."""
    if valid_from is None and valid_to is None:
        raise InvalidTimeError("record needs valid_from; to state what holds now, use set")
