"""Rows as PostgreSQL keeps them, and the values they stand for."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from typing import Any

from ...model.scope import Scope
from ...ports import ClaimRow, FactRow, Head, SlotRow
from ..rows import packed, unpacked
from .keys import both, whole

Row = Sequence[Any]

_TAG = re.compile(r"[0-9a-f]{16}")


def number_of_tag(tag: str) -> int | None:
    """Give the number of the scope a tag stands for: the tag's 64 bits as a signed integer; None for what is no tag."""
    return _signed(tag) if _TAG.fullmatch(tag) else None


def scope_number(scope: Scope) -> int:
    """Give a scope's number."""
    return _signed(scope.tag)


def _signed(tag: str) -> int:
    number = int(tag, 16)
    return number - 2**64 if number >= 2**63 else number


def names(scope: Scope) -> tuple[int, str, str, str]:
    """Give a scope's number with its names."""
    return scope_number(scope), scope.namespace, scope.user_id, scope.agent_id


def named_head(row: Row) -> Head:
    """Read a head's row that begins with the names of its scope."""
    return Head(row[3], Scope(*row[:3]), *row[4:])


def slot_row(scope_id: int, slot: SlotRow) -> Row:
    """Give a slot as its table keeps it."""
    return (
        scope_id, slot.id, *both(slot.subject_key), *both(slot.predicate_key), slot.subject, slot.predicate,
        slot.horizon, slot.last_said, slot.last_seq, slot.plain, slot.named_at, slot.last_rev,
        slot.ordered_from, slot.whole,
    )  # fmt: skip


def slot_of(row: Row) -> SlotRow:
    """Read a slot's row."""
    id, subject_key, long_subject_key, predicate_key, long_predicate_key, *rest = row
    return SlotRow(id, whole(subject_key, long_subject_key), whole(predicate_key, long_predicate_key), *rest)


def claim_row(scope_id: int, claim: ClaimRow) -> Row:
    """Give a claim as its table keeps it."""
    return (
        scope_id, claim.slot, claim.seq, claim.extraction, claim.number, claim.kind, claim.outcome,
        *both(claim.value_key), packed(claim.body),
    )  # fmt: skip


def claim_of(row: Row) -> ClaimRow:
    """Read a claim's row."""
    slot, seq, extraction, number, kind, outcome, value_key, long_value_key, body = row
    key = whole(value_key, long_value_key)
    return ClaimRow(slot, seq, extraction, number, kind, outcome, key, unpacked(body))


def fact_row(scope_id: int, fact: FactRow) -> Row:
    """Give a fact row as its table keeps it."""
    return scope_id, fact.slot, fact.kind, *both(fact.key), fact.start, fact.end, packed(fact.body)


def fact_of(row: Row) -> FactRow:
    """Read a fact's row."""
    slot, kind, key, long_key, start, stop, body = row
    return FactRow(slot, kind, whole(key, long_key), start, stop, unpacked(body))


def facts_of(found: Iterable[Row]) -> list[FactRow]:
    """Read facts' rows, and put them in order: a long key's bytes would not sort as the key does."""
    return sorted((fact_of(row) for row in found), key=lambda fact: fact[:4])


def used_by(extractor: str, model: str) -> bytes:
    """Give a short key for an extractor and its model, whose names may be long."""
    return hashlib.blake2b(f"{extractor}\0{model}".encode(), digest_size=16).digest()
