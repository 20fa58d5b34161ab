"""Checking a log that comes from outside: numbers without gaps, times in order, bodies of the right shape.

What the library wrote itself passes; what somebody else wrote, or changed, is refused before anything is made of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..core.findings import GONE, LOST, PLACED, SEEN
from ..core.periods import parse_zone
from ..errors import TensememError
from ..model.entry import EPISODES, Entry, EntryKind
from ..model.moment import EARLIEST, LATEST
from ..model.operation import MODALITIES, OPS
from ..model.predicate import ROLES, VALUE_TYPES
from .exportreading import Line

REGISTERING = frozenset({EntryKind.PREDICATE, EntryKind.ENTITY})
_KINDS = {kind.value: kind for kind in EntryKind}
NO_SEQ = 0
"""The seq of what is no episode and speaks of none."""
_EXTRACTIONS = 10_000_000
"""More than anybody makes of one message."""


class LogCheck:
    """Takes the entries of one log in order, as lines, and gives them as what they are; raises BadLineError."""

    def __init__(self, *, is_registry: bool, after_rev: int = 0, after_seq: int = 0) -> None:
        self._is_registry = is_registry
        self.rev, self.seq = after_rev, after_seq
        self.last_said = self.last_recorded = -(2**62)

    def entry(self, line: Line) -> Entry:
        """Read the next entry."""
        kind = _KINDS.get(line.text("kind"))
        if kind is None or (kind in REGISTERING) is not self._is_registry:
            raise line.fault(f"{line.text('kind')[:40]!r} is no kind of entry in this log")
        body = line.fields.get("body")
        if not isinstance(body, dict):
            raise line.fault("body must be an object")
        entry = Entry(
            kind, line.integer("rev", 1), line.integer("seq"), line.integer("recorded_at", EARLIEST, LATEST),
            line.integer("said_at", EARLIEST, LATEST), line.integer("extraction", 0, _EXTRACTIONS), body,
        )  # fmt: skip
        self._check_place(line, entry)
        _check_body(line, kind, body)
        return entry

    def _check_place(self, line: Line, entry: Entry) -> None:
        if entry.rev != self.rev + 1:
            raise line.fault(f"revision {entry.rev} stands where {self.rev + 1} should: a gap, or another order")
        if entry.recorded_at < self.last_recorded:
            raise line.fault("it was recorded before the entry in front of it, which can't be")
        what = _what_of(entry)
        is_episode = what in EPISODES or self._is_registry
        if entry.seq == NO_SEQ and what is not None:
            raise line.fault("it has no seq")
        if is_episode and entry.seq != self.seq + 1:
            raise line.fault(f"seq {entry.seq} stands where {self.seq + 1} should")
        if not is_episode and entry.seq > self.seq:
            raise line.fault(f"it speaks of seq {entry.seq}, which was not said yet")
        if (entry.extraction > 0) is not (what is EntryKind.EXTRACTION):
            raise line.fault(f"extraction is {entry.extraction}, which a {entry.kind.value} can't have")
        self.rev, self.last_recorded = entry.rev, entry.recorded_at
        if is_episode:
            self.seq, self.last_said = entry.seq, max(self.last_said, entry.said_at)


def _what_of(entry: Entry) -> EntryKind | None:
    """Give what an entry is, or was before it was erased; None for the mark of a purge, which is no episode."""
    if entry.kind is not EntryKind.ERASURE:
        return entry.kind
    was = entry.body.get("was")
    if was == "texts" and entry.seq == NO_SEQ:
        return None
    if entry.extraction:
        return EntryKind.EXTRACTION
    return EntryKind.SKIP if was == EntryKind.SKIP.value else EntryKind.ERASURE


def unsettled_in(entries: Iterable[Entry]) -> set[int]:
    """Give the messages among whole episodes of which nothing was made yet; raises ValueError where that is no order.

    A message is extracted once or skipped, and may be extracted again, and again.
    """
    made: dict[int, int] = {}
    erased: set[int] = set()
    for entry in entries:
        what = _what_of(entry)
        if what is EntryKind.MESSAGE or (what is EntryKind.ERASURE and entry.body.get("was") == "message"):
            made[entry.seq] = 0
            erased |= {entry.seq} if what is EntryKind.ERASURE else set()
        elif what in (EntryKind.EXTRACTION, EntryKind.SKIP):
            before = made.get(entry.seq)
            if before is None:
                raise ValueError(f"revision {entry.rev}: seq {entry.seq} is no message")
            if entry.extraction not in (0, before + 1):
                raise ValueError(f"revision {entry.rev}: extraction {entry.extraction} follows {before}")
            made[entry.seq] = entry.extraction if entry.extraction else -1
    return {seq for seq, count in made.items() if count == 0} - erased


def _check_body(line: Line, kind: EntryKind, body: Mapping[str, Any]) -> None:
    needed, optional = _SHAPES.get(kind, ({}, {}))
    for name, is_right in needed.items():
        if name not in body or not is_right(body[name]):
            raise line.fault(f"the body of a {kind.value} needs a {name}, and of another form")
    for name, is_right in (_COMMON | optional).items():
        if body.get(name) is not None and not is_right(body[name]):
            raise line.fault(f"{name} in the body can't be of this form")
    zone = body.get("zone")
    try:
        parse_zone("UTC" if zone is None else zone)
    except TensememError as error:
        raise line.fault(f"zone: {error}") from None


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_named(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_role(value: object) -> bool:
    return isinstance(value, str) and value in ROLES


def _is_cardinality(value: object) -> bool:
    return isinstance(value, str) and value in {"one", "many"}


def _is_type(value: object) -> bool:
    return isinstance(value, str) and value in VALUE_TYPES


def _is_seconds(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value < 10**11


def _is_share(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


def _is_bool(value: object) -> bool:
    return isinstance(value, bool)


def _is_seq(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value < 2**62


def _is_moment(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and -(2**63) <= value < 2**63


def _are_operations(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, dict) and _is_operation(one) for one in value)


def _is_operation(operation: Mapping[str, Any]) -> bool:
    """Whether admission can rule on it: not only today, where its predicate may not be known, but always."""
    if GONE in operation or "malformed" in operation:
        return all(_is_text(operation.get(name, "")) for name in (GONE, "malformed", "raw"))
    if operation.get("op") not in OPS or not _is_text(operation.get("predicate")):
        return False
    fields = ((operation[name], is_right) for name, is_right in _OF_OPERATION.items() if name in operation)
    return all(is_right(field) for field, is_right in fields)


def _is_modality_or_null(value: object) -> bool:
    return value is None or value in MODALITIES


def _is_text_or_null(value: object) -> bool:
    return value is None or isinstance(value, str)


def _is_findings(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    quote = value.get("quote", ["", 0, 0])
    is_placed = isinstance(quote, list) and len(quote) == 3 and all(map(_is_moment, quote[1:]))
    return is_placed and _is_text(quote[0]) and all(_is_letters(value.get(name, [])) for name in ("words", "dropped"))


def _is_letters(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) and _LETTERS.fullmatch(one) for one in value)


def _is_numbers(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_seq, value)) and value == sorted(set(value))


def _is_spans(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(one, list) and len(one) == 2 and all(_is_moment(place) for place in one) for one in value
    )


def _is_ids(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(one, list) and 3 <= len(one) <= 4 and all(_is_moment(number) for number in one) for one in value
    )


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


Shape = dict[str, Callable[[object], bool]]

_LETTERS = re.compile("[asn]{4}")
_OF_OPERATION: Shape = {
    "subject": _is_text_or_null, "quote": _is_text_or_null, "modality": _is_modality_or_null,
    "confidence": lambda value: value is None or _is_share(value),
    **dict.fromkeys(("since", "until", "valid_from", "valid_to"), _is_text_or_null),
    SEEN: _is_findings, LOST: _is_numbers, PLACED: lambda value: value is True,
}  # fmt: skip
_COMMON: Shape = {"source": _is_text, "metadata": _is_object, "zone": _is_text, "subjects": _is_text}
_SLOT: Shape = {"target": _is_named, "predicate": _is_named}
_SHAPES: dict[EntryKind, tuple[Shape, Shape]] = {
    EntryKind.MESSAGE: (
        {"role": _is_role}, {"content": _is_text, "session": _is_text, "speaker": _is_text, "echo": _is_spans},
    ),
    EntryKind.WRITE: ({"ops": _are_operations}, {}),
    EntryKind.EXTRACTION: (
        {"ops": _are_operations}, {"extractor": _is_text, "model": _is_text, "prompt": _is_text, "usage": _is_object},
    ),
    EntryKind.SKIP: ({"reason": _is_text}, {}),
    EntryKind.CORRECTION: (
        {**_SLOT, "start": _is_moment},
        {"subject": _is_text, "end": _is_moment, "shown": _is_ids, "sources": _is_texts, "statement": _is_text,
         "new": _is_object, "reason": _is_text},
    ),
    EntryKind.REINSTATEMENT: ({**_SLOT, "corrects": _is_seq}, {"subject": _is_text}),
    EntryKind.REVIEW: ({**_SLOT, "accept": _is_bool}, {"subject": _is_text}),
    EntryKind.ERASURE: (
        {}, {"was": _is_text, "marks": _is_texts, "earlier": _is_seq, "of": _is_seq, "usage": _is_object},
    ),
    EntryKind.PREDICATE: (
        {"name": _is_named},
        {"aliases": _is_texts, "examples": _is_texts, "writers": _is_texts, "description": _is_text,
         "cardinality": _is_cardinality, "type": _is_type, "ttl": _is_seconds, "review_after": _is_seconds,
         "min_confidence": _is_share, "verbatim": _is_bool},
    ),
    EntryKind.ENTITY: ({"name": _is_named}, {"aliases": _is_texts, "kind": _is_text}),
}  # fmt: skip
"""What a body must have, and what it may have besides; what stands beside these is kept as it is."""
