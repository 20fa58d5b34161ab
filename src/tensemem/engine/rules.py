"""Reading what may not come back in a scope, from the erasures in its log.

Erasures that state a rule are linked: each names the one before it, and a row among the scope's keys names the newest.
A scope in which nothing was ever forgotten is told by one look at that row.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from functools import lru_cache

from ..core.forgotten import Before, Forgotten
from ..core.marks import mark
from ..model.scope import Scope
from ..ports import Head, Reader, Writer
from .ledger import key_of

RULES = "f:"
"""The key under which a scope's newest erasure is found. Its digest: the key of the scope's marks, then a number that
no other erasure has, so that rules once read can be known again."""

KEPT_RULES = 256
"""Scopes whose rules are kept read."""

HASHED = "x:"
"""Begins the name of a key that stands for an erased entry: the mark of what it was called before."""


def forgotten_in(reader: Reader, head: Head | None) -> Forgotten | None:
    """Give what may not come back in a scope; None where nothing was ever removed from it."""
    found = None if head is None else reader.find_key(head.id, RULES)
    if head is None or found is None:
        return None
    newest, data = found
    known = _kept().get(data)
    if known is None:
        known = _read(reader, head.id, newest, bytes.fromhex(data.partition(":")[0]))
        if len(_kept()) >= KEPT_RULES:
            _kept().clear()
        _kept()[data] = known
    return known


@lru_cache(maxsize=1)
def _kept() -> dict[str, Forgotten]:
    return {}


def _read(reader: Reader, scope_id: int, newest: int, key: bytes) -> Forgotten:
    marks: dict[str, Before] = {}
    rev, seq = 0, newest
    while seq:
        entry = reader.episode(scope_id, seq)
        if entry is None:
            break
        rev = rev or entry.rev
        before = Before(*entry.body.get("before", (entry.seq, entry.said_at)))
        for one in entry.body.get("marks", ()):
            marks.setdefault(one, before)
        seq = int(entry.body.get("earlier", 0))
    return Forgotten(key, marks, rev)


def newest_rule(reader: Reader, head: Head) -> tuple[int, bytes]:
    """Give the seq of a scope's newest erasure and the key of its marks: 0 and a new key where there is none."""
    found = reader.find_key(head.id, RULES)
    if found is None:
        return 0, first_key(reader, head.scope)
    return found[0], bytes.fromhex(found[1].partition(":")[0])


def first_key(reader: Reader, scope: Scope) -> bytes:
    """Give the key a scope's marks get here: made of the database's, so that a backup of it comes to the same one."""
    return bytes.fromhex(mark(key_of(reader), "marks", scope.namespace, scope.user_id, scope.agent_id))


def keep_rule(tx: Writer, head: Head, newest: int, key: bytes) -> None:
    """Name an erasure as the newest one of its scope, by its seq; 0 where there is only the key as yet."""
    tx.remember_key(head.id, RULES, newest, f"{key.hex()}:{secrets.token_hex(8)}")


def hashed(key: bytes, name: str) -> str:
    """Give the name under which an idempotency or duplicate key of an erased entry is found."""
    return HASHED + mark(key, "key", name)


def hashed_digest(key: bytes, digest: str) -> str:
    """Give the digest that stands beside it."""
    return mark(key, "digest", digest) if digest else ""


def is_own(name: str) -> bool:
    """Tell whether a row among a scope's keys is no name that a request gave: a rule's, or an erased entry's."""
    return name == RULES or name.startswith(HASHED)


def hash_keys(tx: Writer, head: Head, seqs: Iterable[int], key: bytes) -> int:
    """Have the keys of entries tell nothing of them any more, though the same is still known again; gives how many."""
    gone, after, found = set(seqs), "", list[tuple[str, int, str]]()
    while rows := tx.keys(head.id, after, _PAGE):
        found += [row for row in rows if row[1] in gone and not is_own(row[0])]
        after = rows[-1][0]
    tx.drop_keys(head.id, [name for name, _, _ in found])
    for name, seq, digest in found:
        tx.remember_key(head.id, hashed(key, name), seq, hashed_digest(key, digest))
    return len(found)


_PAGE = 1_000
