"""What is put into a log in the place of what is erased: entries at the same place that say nothing any more.

- An entry erased as a whole becomes an `erasure` that tells what kind it was.
- A message whose text goes stays a message, without its content. What was extracted from it is put anew: operations
  that were forgotten are nothing but a place; the others carry frozen findings, so that they make the same claims.
- A write loses its forgotten operations alike. A correction, reinstatement or review that carries a forgotten value is
  erased; one that also states another value instead goes on stating that, and corrects what nobody can read.

The number of an operation in its entry never changes, so the ids of all others stay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ..errors import InvalidValueError
from ..model.claim import GAP
from ..model.entry import Entry, EntryKind
from .admission import admit, forgotten_values
from .findings import GONE, LOST, PLACED, SEEN, frozen, raw_values
from .forgotten import Forgotten, SlotNames, slot_names, value_names
from .registry import Registry
from .rulings import said_of
from .said import Said

WORDS_GONE = "its words are gone"
"""Said of a malformed operation whose message's text went."""

_KEPT_OF_MESSAGE = ("role", "speaker", "zone", "source", "session", "subjects")
_KEPT_OF_EXTRACTION = ("extractor", "model", "prompt", "usage")


def erased(entry: Entry) -> Entry:
    """Give what is put in the place of an entry that is erased as a whole: its kind, and what it has cost."""
    body: dict[str, Any] = {"was": str(entry.body.get("was", entry.kind.value))}
    body.update({name: entry.body[name] for name in _KEPT_OF_EXTRACTION if name in entry.body})
    return replace(entry, kind=EntryKind.ERASURE, body=body)


def has_text(message: Entry) -> bool:
    """Tell whether a message still has its words."""
    return message.kind is EntryKind.MESSAGE and GONE not in message.body


def without_text(
    message: Entry, extractions: Iterable[Entry], registry: Registry, why: str, *,
    keep_quotes: bool = False, forgotten: Forgotten | None = None,
) -> list[Entry]:  # fmt: skip
    """Give a message without its text, and what was extracted from it without what ``forgotten`` covers.

    ``why`` says in a word why the text went: purged, or forgotten.
    """
    body = {name: message.body[name] for name in _KEPT_OF_MESSAGE if name in message.body}
    body[GONE] = message.body.get(GONE, why)
    found = [replace(message, body=body)]
    for extraction in extractions:
        said = said_of(extraction, message, forgotten)
        ops = [
            _without(operation, number, said, registry, keep_quotes)
            for number, operation in enumerate(extraction.body.get("ops", ()))
        ]
        found.append(replace(extraction, body={**extraction.body, "ops": ops}))
    return found


def _without(
    operation: Mapping[str, Any], number: int, said: Said, registry: Registry, keep_quotes: bool
) -> dict[str, Any]:
    if GONE in operation:
        return dict(operation)
    if "malformed" in operation:
        return {"malformed": WORDS_GONE}
    if is_forgotten(operation, number, said, registry):
        return {GONE: "forgotten"}
    return _with_lost(operation, number, said, registry, lambda places: frozen(
        operation, said, registry, keep_quote=keep_quotes, without=places
    ))  # fmt: skip


def _with_lost(
    operation: Mapping[str, Any], number: int, said: Said, registry: Registry,
    without: Callable[[Sequence[int]], dict[str, Any]],
) -> dict[str, Any]:  # fmt: skip
    """Give an operation without its forgotten values, and with their numbers among the others."""
    places = forgotten_values(operation, _names_of(operation, number, said, registry), said, registry)
    body = without(places)
    if places:
        body[LOST] = _lost_places(operation, places) if PLACED in operation else [
            number for number, value in enumerate(admit(operation, number, said, registry).claim.values, 1)
            if value is GAP
        ]  # fmt: skip
    return body


def _lost_places(operation: Mapping[str, Any], places: Sequence[int]) -> list[int]:
    """Give the numbers of values that were forgotten before, and of those at some places among the ones left."""
    lost = set(operation.get(LOST, ()))
    left = [number for number in range(1, len(raw_values(operation)) + len(lost) + 1) if number not in lost]
    return sorted(lost | {left[place] for place in places})


def _names_of(operation: Mapping[str, Any], number: int, said: Said, registry: Registry) -> SlotNames:
    ruling = admit(operation, number, replace(said, forgotten=None), registry)
    return slot_names(ruling.subject_key, str(operation.get("predicate", "")), registry)


def is_forgotten(operation: Mapping[str, Any], number: int, said: Said, registry: Registry) -> bool:
    """Tell whether an operation is forgotten as a whole."""
    return admit(operation, number, said, registry).claim.reason == "forgotten"


def is_touched(entry: Entry, message: Entry | None, registry: Registry, forgotten: Forgotten) -> bool:
    """Tell whether a write or extraction still holds anything that is forgotten."""
    said = said_of(entry, message, forgotten)
    for number, operation in enumerate(entry.body.get("ops", ())):
        if GONE in operation or "malformed" in operation:
            continue
        names = _names_of(operation, number, said, registry)
        if forgotten.covers_slot(names, said.seq, said.said_at):
            return True
        if forgotten_values(operation, names, said, registry):
            return True
    return False


def malformed_with(entry: Entry, says: Callable[[str], bool]) -> bool:
    """Tell whether a malformed operation of an extraction says any of some words."""
    return any("raw" in operation and says(str(operation["raw"])) for operation in entry.body.get("ops", ()))


def write_without(entry: Entry, registry: Registry, forgotten: Forgotten) -> Entry:
    """Give a write without its forgotten operations and values, and without what was noted beside them."""
    said = said_of(entry, None, forgotten)
    ops: list[dict[str, Any]] = []
    for number, operation in enumerate(entry.body.get("ops", ())):
        if GONE in operation or is_forgotten(operation, number, said, registry):
            ops.append({GONE: "forgotten"})
            continue
        ops.append(_with_lost(operation, number, said, registry, partial(_less, operation)))
    body = {name: value for name, value in entry.body.items() if name != "metadata"}
    return replace(entry, body={**body, "ops": ops})


def _less(operation: Mapping[str, Any], places: Sequence[int]) -> dict[str, Any]:
    kept = [value for place, value in enumerate(raw_values(operation)) if place not in places]
    return {**operation, "value": kept} if places else dict(operation)


def amendment_without(entry: Entry, registry: Registry, forgotten: Forgotten) -> Entry | None:
    """Give a correction, reinstatement or review without what is forgotten; None where it holds nothing of that."""
    body = entry.body
    try:
        subject_key = registry.subject(str(body.get("subject", "user")))[0]
    except InvalidValueError:
        subject_key = "user"
    predicate = str(body["predicate"])
    names = slot_names(subject_key, predicate, registry)
    if forgotten.covers_slot(names, entry.seq, entry.said_at):
        return erased(entry)

    def is_covered(held: Mapping[str, Any]) -> bool:
        if held.get("value") is None:
            return False
        keys = value_names(held["value"], registry.predicate(predicate), registry, str(body.get("zone", "UTC")))
        return forgotten.covers_value(names, keys, entry.seq, entry.said_at)

    new = body.get("new")
    is_old, is_new = is_covered(body), new is not None and is_covered(new)
    if is_old and entry.kind is EntryKind.REINSTATEMENT:  # it may hold up what is stated instead
        return wordless(entry)
    if is_old:
        return erased(entry) if new is None or is_new else unreadable(entry)
    if is_new:
        return replace(entry, body={name: body[name] for name in body if name not in ("new", "reason", "metadata")})
    return None


_KEPT_OF_CORRECTION = ("target", "subject", "predicate", "start", "end", "grain", "new", "sources", "source", "zone")


def unreadable(entry: Entry) -> Entry:
    """Give a correction that says no longer of what, but still what holds instead; an erasure where nothing does."""
    if entry.kind is not EntryKind.CORRECTION or "new" not in entry.body:
        return erased(entry)
    body = {name: entry.body[name] for name in _KEPT_OF_CORRECTION if name in entry.body}
    return replace(entry, body={**body, GONE: "forgotten"})


def wordless(reinstatement: Entry) -> Entry:
    """Give a reinstatement that says no longer of what; it goes on taking its correction back."""
    body = reinstatement.body
    return replace(reinstatement, body={name: body[name] for name in body if name not in ("value", "metadata")})


def has_quotes(extractions: Sequence[Entry]) -> bool:
    """Tell whether operations without their message's text still carry quotes."""
    return any("quote" in op.get(SEEN, ()) for one in extractions for op in one.body.get("ops", ()))
