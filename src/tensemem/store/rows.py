"""Rows as SQL stores keep them, and the values they stand for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..errors import StoreCorruptError
from ..model.entry import Entry, EntryKind
from ..model.jsontext import decode, encode
from ..model.scope import Scope
from ..ports import ClaimRow, FactRow, Head, SlotRow

Row = Sequence[Any]

PLAIN = b"\0"
"""The codec byte of a text that is kept as it is, in UTF-8."""

_KINDS = {kind.value: kind for kind in EntryKind}


def json_array(values: Sequence[Any]) -> str:
    """Give a list as a statement takes it."""
    return encode(list(values))


def packed(text: str) -> bytes:
    """Give a text as a column of bytes keeps it."""
    return PLAIN + text.encode()


def unpacked(kept: bytes) -> str:
    """Read such a column; raises StoreCorruptError where its codec is unknown."""
    if kept[:1] != PLAIN:
        raise StoreCorruptError(f"a text is kept with a codec this version doesn't know ({kept[:1].hex() or 'none'})")
    return kept[1:].decode()


def entry_row(scope_id: int, entry: Entry) -> Row:
    """Give an entry as the log keeps it."""
    return (
        scope_id, entry.rev, entry.kind.value, entry.seq, entry.extraction, entry.recorded_at, entry.said_at,
        packed(encode(entry.body)),
    )  # fmt: skip


def entry_of(row: Row) -> Entry:
    """Read a row of the log."""
    kind, rev, seq, recorded_at, said_at, extraction, body = row
    if kind not in _KINDS:
        raise StoreCorruptError(f"the log has an entry of a kind this version doesn't know ({kind})")
    return Entry(_KINDS[kind], rev, seq, recorded_at, said_at, extraction, decode(unpacked(body)))


def head_row(head: Head) -> Row:
    """Give a head's counters."""
    return (
        head.rev, head.seq, head.last_said, head.last_recorded, head.registry_rev, head.pending, head.failed,
        head.base_rev, head.base_seq,
    )  # fmt: skip


def named_head(row: Row) -> Head:
    """Read a head's row that begins with the names of its scope."""
    return Head(row[3], Scope(*row[:3]), *row[4:])


def slot_of(row: Row) -> SlotRow:
    """Read a slot's row."""
    id, subject_key, predicate_key, subject, predicate, horizon, last_said, last_seq, *marks = row
    plain, named_at, last_rev, ordered_from, whole = marks
    return SlotRow(
        id, subject_key, predicate_key, subject, predicate, horizon, last_said, last_seq, bool(plain), named_at,
        last_rev, ordered_from, bool(whole),
    )  # fmt: skip


def claim_row(scope_id: int, claim: ClaimRow) -> Row:
    """Give a claim as its table keeps it."""
    return (
        scope_id, claim.slot, claim.seq, claim.extraction, claim.number, claim.kind, claim.outcome, claim.value_key,
        packed(claim.body),
    )  # fmt: skip


def claim_of(row: Row) -> ClaimRow:
    """Read a claim's row."""
    slot, seq, extraction, number, kind, outcome, value_key, body = row
    return ClaimRow(slot, seq, extraction, number, kind, outcome, value_key, unpacked(body))


def fact_row(scope_id: int, fact: FactRow) -> Row:
    """Give a fact row as its table keeps it."""
    return scope_id, fact.slot, fact.kind, fact.key, fact.start, fact.end, packed(fact.body)


def fact_of(row: Row) -> FactRow:
    """Read a fact's row."""
    slot, kind, key, start, stop, body = row
    return FactRow(slot, kind, key, start, stop, unpacked(body))


def after_prefix(prefix: str) -> str | None:
    """Give the first text after all that start with a prefix; None where there is none."""
    for place in range(len(prefix) - 1, -1, -1):
        code = ord(prefix[place]) + 1
        if code == 0xD800:
            code = 0xE000  # between them lie the surrogates, which no text holds
        if code <= 0x10FFFF:
            return prefix[:place] + chr(code)
    return None


def rev_at(last: int, moment: int, recorded_by: Callable[[int], Row | None]) -> int:
    """Give the newest revision up to ``last`` that was recorded by a moment, in microseconds; 0 where there is none.

    ``recorded_by`` gives the newest entry at or before a revision: its own, and when it was recorded. That never
    decreases along a log, so halving the log finds the place without an index over times.
    """
    answer, low, high = 0, 0, last
    while low < high:
        middle = (low + high + 1) // 2
        found = recorded_by(middle)
        if found is None or found[0] <= low:
            low = middle
        elif found[1] <= moment:
            answer, low = found[0], middle
        else:
            high = found[0] - 1
    return answer
