"""Which memories stand for all of them where to look at each would take too long."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from ..model.scope import Scope
from ..ports import Head
from .core import Engine
from .whole import is_whole

SAMPLE = 20
"""Memories that stand for all."""
LOOKED_AT = 5_000
"""Memories among which they are chosen, and entries of the longest log that is folded for them."""
_PAGE = 500


def all_of(engine: Engine, namespaces: Iterable[str]) -> tuple[Iterable[Scope], str]:
    """Give every memory that is whole, and how many there are."""
    found = [head.scope for name in namespaces for head in _heads(engine, name)]
    return found, str(len(found))


def sample_of(engine: Engine, namespaces: Iterable[str]) -> tuple[Iterable[Scope], str]:
    """Give some that are whole and not too long, spread evenly over those looked at, and how many there are."""
    heads = list(islice((head for name in namespaces for head in _heads(engine, name)), LOOKED_AT))
    short = [head.scope for head in heads if head.rev <= LOOKED_AT]
    step = max(1, len(short) // SAMPLE)
    return short[::step][:SAMPLE], f"{len(heads)} or more" if len(heads) == LOOKED_AT else str(len(heads))


def _heads(engine: Engine, namespace: str) -> Iterator[Head]:
    cursor: tuple[str, str] | None = None
    while True:
        with engine.store.read() as reader:
            page = reader.scopes(namespace, "", cursor, _PAGE)
        yield from (head for head in page if is_whole(head) and head.rev)
        if len(page) < _PAGE:
            return
        cursor = (page[-1].scope.user_id, page[-1].scope.agent_id)
