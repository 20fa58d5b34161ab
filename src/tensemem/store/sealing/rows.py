"""What of each row is sealed, and what it is bound to.

Sealed are the texts a person said and all that was made of them: bodies, values, what a slot is named, errors. What a
store looks for by equality stands there as a name. In clear are numbers, times and kinds, which a store goes by; those
of a row are part of what its text is bound to, so that none can be changed, nor a row moved, unnoticed.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...errors import StoreCorruptError
from ...model.entry import Entry
from ...model.jsontext import decode, encode
from ...ports import NEVER, ClaimRow, FactRow, PendingRow, SlotRow
from .ciphers import ScopeKey

SEALED = "sealed"
"""The one field of a sealed entry's body."""

SUBJECT, PREDICATE, VALUE, FACT, KEY, TERM = b"s", b"p", b"v", b"f", b"k", b"t"
"""The kinds of names."""


def sealed_entry(key: ScopeKey, entry: Entry) -> Entry:
    """Seal an entry's body."""
    body = {SEALED: key.seal(_entry_place(entry), encode(entry.body))}
    return Entry(entry.kind, entry.rev, entry.seq, entry.recorded_at, entry.said_at, entry.extraction, body)


def opened_entry(key: ScopeKey, entry: Entry) -> Entry:
    """Open an entry's body."""
    sealed = entry.body.get(SEALED)
    if not isinstance(sealed, str):
        raise StoreCorruptError(f"entry {entry.rev} of a sealed log is not sealed; restore a backup")
    body = decode(key.open(_entry_place(entry), sealed))
    return Entry(entry.kind, entry.rev, entry.seq, entry.recorded_at, entry.said_at, entry.extraction, body)


def _entry_place(e: Entry) -> str:
    return f"entries|{e.rev}|{e.kind.value}|{e.seq}|{e.extraction}|{e.recorded_at}|{e.said_at}"


def sealed_slot(key: ScopeKey, slot: SlotRow, number: int) -> SlotRow:
    """Seal a slot's names for the slot of a number."""
    names = encode([slot.subject_key, slot.predicate_key, slot.subject, slot.predicate])
    sealed = named_slot(key, slot, number)
    sealed.subject = key.seal(_slot_place(sealed), names)
    return sealed


def named_slot(key: ScopeKey, slot: SlotRow, number: int) -> SlotRow:
    """Give a slot under the names that it is found by, and nothing of what it shows."""
    return SlotRow(
        number, key.name(SUBJECT, slot.subject_key), key.name(PREDICATE, slot.predicate_key), "", "",
        slot.horizon, slot.last_said, slot.last_seq, slot.plain, slot.named_at, slot.last_rev,
        slot.ordered_from, slot.whole,
    )  # fmt: skip


def opened_slot(key: ScopeKey, slot: SlotRow) -> SlotRow:
    """Open a slot's names."""
    subject_key, predicate_key, subject, predicate = decode(key.open(_slot_place(slot), slot.subject))
    return SlotRow(
        slot.id, subject_key, predicate_key, subject, predicate,
        slot.horizon, slot.last_said, slot.last_seq, slot.plain, slot.named_at, slot.last_rev,
        slot.ordered_from, slot.whole,
    )  # fmt: skip


def _slot_place(s: SlotRow) -> str:
    place = (
        f"slots|{s.id}|{s.subject_key}|{s.predicate_key}"
        f"|{s.horizon}|{s.last_said}|{s.last_seq}|{s.plain:d}|{s.named_at}|{s.last_rev}"
    )
    if s.ordered_from == NEVER and not s.whole:
        return place  # as it was sealed before there were these columns
    return f"{place}|{s.ordered_from}|{s.whole:d}"


def sealed_claim(key: ScopeKey, claim: ClaimRow) -> ClaimRow:
    """Seal a claim's body, its value's key with it."""
    sealed = claim._replace(value_key=value_name(key, claim.value_key))
    return sealed._replace(body=key.seal(_claim_place(sealed), _joined(claim.value_key, claim.body)))


def opened_claim(key: ScopeKey, claim: ClaimRow) -> ClaimRow:
    """Open a claim's body."""
    value_key, body = _parted(key.open(_claim_place(claim), claim.body))
    return ClaimRow(*claim[:6], value_key, body)


def value_name(key: ScopeKey, value_key: str) -> str:
    """Give what a value is found by; no value has no name."""
    return key.name(VALUE, value_key) if value_key else ""


def _claim_place(c: ClaimRow) -> str:
    return f"claims|{c.slot}|{c.seq}|{c.extraction}|{c.number}|{c.kind}|{c.outcome}|{c.value_key}"


def sealed_fact(key: ScopeKey, fact: FactRow) -> FactRow:
    """Seal a fact's body, its key with it."""
    sealed = named_fact(key, fact)
    return sealed._replace(body=key.seal(_fact_place(sealed), _joined(fact.key, fact.body)))


def named_fact(key: ScopeKey, fact: FactRow) -> FactRow:
    """Give a fact by what it is found by, without its body."""
    return FactRow(fact.slot, fact.kind, key.name(FACT, fact.key), fact.start, fact.end, "")


def fact_names(key: ScopeKey, keys: Iterable[str]) -> list[str]:
    """Give what the facts of some values are found by."""
    return [key.name(FACT, one) for one in keys]


def opened_fact(key: ScopeKey, fact: FactRow) -> FactRow:
    """Open a fact's body."""
    known, body = _parted(key.open(_fact_place(fact), fact.body))
    return FactRow(fact.slot, fact.kind, known, fact.start, fact.end, body)


def _fact_place(f: FactRow) -> str:
    return f"facts|{f.slot}|{f.kind}|{f.key}|{f.start}|{f.end}"


def _joined(first: str, rest: str) -> str:
    return f"{len(first)}:{first}{rest}"


def _parted(joined: str) -> tuple[str, str]:
    size, _, rest = joined.partition(":")
    return rest[: int(size)], rest[int(size) :]


def sealed_key(key: ScopeKey, known: str, seq: int, digest: str) -> tuple[str, str]:
    """Give the name of an idempotency or duplicate key, and the key and its digest sealed."""
    name = named_key(key, known)
    return name, key.seal(_key_place(name, seq), _joined(known, digest))


def named_key(key: ScopeKey, known: str) -> str:
    """Give what an idempotency or duplicate key is found by."""
    return key.name(KEY, known)


def opened_key(key: ScopeKey, name: str, seq: int, sealed: str) -> tuple[str, str]:
    """Give an idempotency or duplicate key and its digest."""
    return _parted(key.open(_key_place(name, seq), sealed))


def _key_place(name: str, seq: int) -> str:
    return f"keys|{name}|{seq}"


def sealed_pending(key: ScopeKey, row: PendingRow) -> PendingRow:
    """Seal why a message was not extracted, which may hold words of it."""
    error = key.seal(_pending_place(row), row.error) if row.error else ""
    return PendingRow(row.scope_id, row.seq, row.state, row.attempts, row.not_before, error)


def opened_pending(key: ScopeKey, row: PendingRow) -> PendingRow:
    """Open it."""
    if row.error:
        row.error = key.open(_pending_place(row), row.error)
    return row


def _pending_place(row: PendingRow) -> str:
    return f"pending|{row.seq}|{row.state}|{row.attempts}|{row.not_before}"


def named_terms(key: ScopeKey, terms: Iterable[str]) -> list[str]:
    """Give what words are found by in the search index."""
    return [key.name(TERM, term) for term in terms]


def named_text(key: ScopeKey, text: str) -> str:
    """Give the words of a text by what they are found by, in no order that tells of theirs."""
    return " ".join(sorted(named_terms(key, text.split())))
