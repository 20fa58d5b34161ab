"""The mark of a store whose rows are sealed: who opens it without the keys must not read it, nor write beside them."""

from __future__ import annotations

from ..errors import StoreKeyError
from ..ports import Store

MARK = "sealed"
"""The setting of a database that says how it is sealed, and with the keys of which key store."""


def refuse_sealed(store: Store) -> None:
    """Raise StoreKeyError for a store that is sealed, and was opened as it is."""
    with store.read() as reader:
        if reader.meta(MARK) is not None:
            raise StoreKeyError(
                f"{store.location} is sealed with a key per person: open it with its key and shred=True, or with "
                "shred= and where its key store is. It was left as it is."
            )
