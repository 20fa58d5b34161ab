"""Requests that come again under an idempotency key: what was made of them is told, and nothing is written."""

from __future__ import annotations

from ..core.registry import Registry
from ..model.entry import EntryKind
from ..model.receipts import WriteResult
from ..model.scope import Scope
from ..ports import Head, Writer
from . import amend, write
from .core import Engine
from .record import known_seq
from .reproject import open_known
from .write import AskedKey, Request, key_of


def made_before(engine: Engine, scope: Scope, key: AskedKey) -> WriteResult | None:
    """Give the receipt, as it stands now, of what was made under a key before; None where nothing was.

    Raises IdempotencyConflictError where something else was asked for under it.
    """
    engine.check_open()
    with engine.store.write() as tx:
        known = open_known(engine, tx, scope)
        if known is None:
            return None
        head, registry = known
        name_and_digest = key_of(Request(idempotency_key=key), "", None)
        seq = None if name_and_digest is None else known_seq(tx, head, [name_and_digest])
        return None if seq is None else told_again(engine, tx, head, registry, seq)


def told_again(engine: Engine, tx: Writer, head: Head, registry: Registry, seq: int) -> WriteResult:
    """Give the receipt, as it stands now, of an entry of any kind that was made before."""
    entry = tx.episode(head.id, seq)
    if entry is not None and entry.kind is not EntryKind.WRITE:
        return amend.again(engine, tx, head, registry, seq, {})
    return write.again(engine, tx, head, registry, seq)
