"""Joining a store with its keys: the mark that says it is sealed, and with whose keys."""

from __future__ import annotations

import hmac
import os
import re
from collections.abc import Callable

from ...errors import InvalidValueError, SchemaTooNewError, StoreKeyError
from ...ports import Store
from ..sealed_mark import MARK
from ..sqlite.keys import Key
from .keyfile import ENDING, KeyFile
from .keyring import Keyring
from .places import KeyPlace
from .store import SealedStore

FORMAT = "1"

Place = Callable[..., KeyPlace]
"""Opens a key store: takes ``make`` and ``read_only``."""

_IS_URL = re.compile(r"postgres(?:ql)?://", re.IGNORECASE)


def place_of(text: str, where: object) -> Place:
    """Give how to open the key store of a memory; ``where`` is what ``shred`` was given, ``text`` the memory's name."""
    named = text if where is True else os.fspath(where)  # type: ignore[call-overload]
    if _IS_URL.match(named):
        return lambda **how: _table(named, **how)
    path = os.path.realpath(named) + ENDING if where is True else os.path.abspath(os.path.expanduser(named))
    if os.path.realpath(path) == os.path.realpath(text):
        raise InvalidValueError("shred= names the key store, which is another file than the memory")
    return lambda **how: KeyFile(path, **how)


def _table(url: str, **how: bool) -> KeyPlace:
    from .keytable import KeyTable

    return KeyTable(url, **how)


def seal(store: Store, key: Key, place: Place) -> SealedStore:
    """Give a store with its keys: one that is sealed, or one that is empty, which is sealed from then on.

    Raises StoreKeyError where it is not sealed and not empty, where the key store is missing, is another one, or has
    another key.
    """
    with store.read() as reader:
        mark, is_empty = reader.meta(MARK), not reader.namespaces()
    if mark is None and (store.read_only or not is_empty):
        raise _not_sealed(store)
    ring = Keyring(place(make=mark is None, read_only=store.read_only), key, make=mark is None)
    try:
        _check(mark or _marked(store, ring), store, ring)
    except BaseException:
        ring.close()
        raise
    return SealedStore(store, ring)


def _marked(store: Store, ring: Keyring) -> str:
    """Mark an empty store as sealed with these keys; gives the mark it has then, which may be somebody else's."""
    with store.write() as tx:
        mark = tx.meta(MARK)
        if mark is None:
            if tx.namespaces():
                raise _not_sealed(store)
            mark = f"{FORMAT}:{ring.store}"
            tx.set_meta(MARK, mark)
    return mark


def _check(mark: str, store: Store, ring: Keyring) -> None:
    version, _, owner = mark.partition(":")
    if version != FORMAT:
        raise SchemaTooNewError(f"{store.location} is sealed in a way this version doesn't know. Upgrade the library.")
    if not hmac.compare_digest(owner.encode(), ring.store.encode()):
        raise StoreKeyError(f"{ring.location} is the key store of another memory than {store.location}.")


def _not_sealed(store: Store) -> StoreKeyError:
    return StoreKeyError(
        f"{store.location} is not sealed, and only an empty memory can begin to be: open a new one with shred=, and "
        "copy this one into it with copy_to. It was left as it is."
    )
