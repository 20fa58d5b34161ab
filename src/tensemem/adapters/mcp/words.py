"""What went wrong, in words that a model can act on."""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import (
    ClosedError,
    ExtractorError,
    OutcomeUnknownError,
    ReadOnlyError,
    StaleMemoryError,
    StoreBusyError,
    StoreError,
    TensememError,
)  # fmt: skip
from ...model.predicate import Predicate
from ...verbs.tools import said_to_model

_UNAVAILABLE: tuple[tuple[type[TensememError], str], ...] = (
    (OutcomeUnknownError, "Nobody can tell whether this was written. Ask for the very same again, with the same "
     "idempotency_key if there was one, or read first what holds now."),
    (ReadOnlyError, "This memory is opened for reading only: nothing can be written to it. Tell the user."),
    (StoreBusyError, "Memory is busy, and nothing was written. Try the same again in a moment."),
    (StoreError, "Memory can't be used now, and nothing was written. Go on without it and tell the user: whoever runs "
     "it finds the reason in the server's log."),
    (ClosedError, "The memory server is shutting down, and nothing was written. Go on without it."),
    (StaleMemoryError, "Recent messages are not learnt from yet, so no current answer can be given. Ask again later, "
     "or with a longer wait."),
    (ExtractorError, "What is to learn from messages could not be asked; they are kept and tried again later. Go on."),
)  # fmt: skip
"""What a model can do nothing about: what it is told instead of what whoever runs the server reads. First match."""
UNFORESEEN = (
    "Something went wrong in the memory server, and it is not known what was done: read before you write again. "
    "Whoever runs it finds the reason in its log."
)


def is_the_operators(error: BaseException) -> bool:
    """Tell whether an error is for whoever runs the server, and belongs into the log."""
    if isinstance(error, (ReadOnlyError, StoreBusyError, StaleMemoryError, ClosedError)):
        return False
    return isinstance(error, (StoreError, ExtractorError)) or not isinstance(error, TensememError)


def told(error: BaseException, known: Sequence[Predicate] = ()) -> str:
    """Give the text of an error for a model; ``known`` are the attributes there are, for one who named none of them."""
    for kind, text in _UNAVAILABLE:
        if isinstance(error, kind):
            return text
    return said_to_model(error, known) if isinstance(error, TensememError) else UNFORESEEN
