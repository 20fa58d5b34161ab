"""The offline extractor: messages and declared examples in, operations out; no model, nothing to download."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from importlib import import_module
from typing import Any, Literal

from ...errors import ExtractorUnavailable, InvalidValueError
from ...logs import Log
from ...model.operation import Operation
from ...model.predicate import Predicate
from ...ports import ExtractionRequest, RequestMessage
from .compiled import Compiled, compiled
from .language import Language
from .reading import Reader

log = Log("extract")

KNOWN = ("en", "zh", "es", "de")
"""Languages that ship with the library."""
VERSION = 2
"""Raised with every change of what the code makes of the same tables."""
_KEPT = 16


class OfflineExtractor:
    """Reads messages by the examples that the predicates declare, in their languages. Safe to use from many threads.

    ``languages`` are codes (``"en"``, ``"zh"``, ``"es"``, ``"de"``) or ``Language`` tables of your own; by default all
    that ship. An example in another language is understood only where a clause is the example, word for word,
    with a short value at its end; ``unrecognised`` tells which these are.
    ``day_first`` and ``week_start`` say how dates are read where they could mean two days.

    What it proposes is asserted only where the words leave no doubt; a plan is planned; a question, a wish, a
    condition, a quotation, somebody else's words and what is said of strangers propose nothing.

    Raises InvalidValueError for a language it does not know.
    """

    name = "offline"

    def __init__(
        self,
        languages: Iterable[str | Language] | None = None,
        day_first: bool | None = None,
        week_start: Literal["monday", "sunday"] = "monday",
    ) -> None:
        if isinstance(languages, str):
            raise InvalidValueError(f"languages: give a list of codes, as in [{languages!r}]")
        self._languages = tuple(_language(each) for each in (KNOWN if languages is None else languages))
        if not self._languages:
            raise InvalidValueError("languages: give one at least, or None for all that ship")
        if week_start not in ("monday", "sunday"):
            raise InvalidValueError(f"week_start: give 'monday' or 'sunday', not {week_start!r}")
        self._day_first, self._week_start = day_first, week_start
        self._cache: OrderedDict[tuple[int, ...], tuple[tuple[Predicate, ...], Compiled]] = OrderedDict()
        self._lock = threading.Lock()

    @cached_property
    def prompt_digest(self) -> str:
        """What identifies its tables and their reading: the same digest, the same operations."""
        from . import lexicon

        digest = hashlib.sha256(f"{VERSION} {self._day_first} {self._week_start}".encode())
        for language in self._languages:
            digest.update(repr(language).encode())
        for name, table in sorted(vars(lexicon).items()):
            if isinstance(table, (frozenset, tuple)):
                digest.update(f"{name}={sorted(table)}".encode())
        return digest.hexdigest()[:16]

    def extract(self, request: ExtractionRequest) -> list[Operation]:
        """Give the operations that a request's messages propose, in their order. Each message stands alone.

        Raises ExtractorUnavailable where no predicate has an example that can be read: messages wait until one has.
        """
        patterns = self._patterns(request.predicates)
        if not patterns.by_word:
            raise ExtractorUnavailable(_told(request.predicates, patterns))
        return [
            operation
            for index, message in enumerate(request.messages)
            if message.role == "user"
            for operation in self._read(message, index, patterns)
        ]

    def unread(self, predicates: Iterable[Predicate]) -> tuple[tuple[str, str, str], ...]:
        """Give the examples that can't be read, as (predicate, example, why): for who writes examples."""
        return compiled(tuple(predicates), self._languages).unread

    def unrecognised(self, predicates: Iterable[Predicate]) -> tuple[tuple[str, str], ...]:
        """Give the examples whose language is not recognised, as (predicate, example).

        They are read narrowly: only at the beginning of a clause, word for word, with a value of at most three words
        that ends it. A pronoun or a common word of the language in the example helps: ``"yo bebo {value}"``.
        """
        return compiled(tuple(predicates), self._languages).unrecognised

    def _patterns(self, predicates: tuple[Predicate, ...]) -> Compiled:
        # By identity, since hashing every example of a registry costs more than reading a message; the predicates are
        # kept with their patterns, so that no id is used twice. A copy of a registry that is known is found by value.
        key = tuple(map(id, predicates))
        with self._lock:
            known = self._cache.get(key)
            if known is None:
                same = next((found for kept, found in self._cache.values() if kept == predicates), None)
                known = self._cache[key] = (predicates, same or compiled(predicates, self._languages))
                if not known[1].by_word:
                    log.caution("no examples", "no predicate has an example the offline extractor can read")
                if len(self._cache) > _KEPT:
                    self._cache.popitem(last=False)
            else:
                self._cache.move_to_end(key)
            return known[1]

    def _read(self, message: RequestMessage, index: int, patterns: Compiled) -> Iterator[Operation]:
        options: dict[str, Any] = {"day_first": self._day_first, "week_start": self._week_start}
        return Reader(message.content, message.said_at, patterns, options).operations(index)


_HELP = (
    "register('personal') brings predicates that have some, and register_predicate(name, "
    "examples=['I live in {value}'], update=True) gives one its own"
)


def _told(predicates: Sequence[Predicate], patterns: Compiled) -> str:
    """Say why nothing could be learnt, and what helps."""
    if not patterns.unread:
        has = "has examples" if predicates else "is registered"
        return f"no predicate {has}, and the offline extractor reads by examples alone: {_HELP}"
    name, example, why = patterns.unread[0]
    return f"the offline extractor can read none of the predicates' examples, such as {example!r} of {name}: {why}"


def _language(given: str | Language) -> Language:
    if isinstance(given, Language):
        return given
    if given not in KNOWN:
        raise InvalidValueError(
            f"languages: {given!r} has no table here; there are {', '.join(KNOWN)}, or give a Language of your own"
        )
    table: Language = import_module(f".languages.{given}", __package__).LANGUAGE
    return table


__all__: Sequence[str] = ("OfflineExtractor",)
