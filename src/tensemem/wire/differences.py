"""What a dry run of ``reextract`` found, sent back to be written: looked at as what a stranger sends is.

In one process it is what the engine itself made. From outside it may be anything, and what is in it becomes entries of
the log, which must be read for ever.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..core.findings import PLACED
from ..core.operations import encode_operation
from ..errors import ExtractorOutputError, InvalidValueError
from ..extract.answers import Malformed, read_answer
from ..model.results import Reextraction
from .forms import shown

MOST = 1000
"""Proposals that an extraction may have, as of an extractor's answer."""
LARGEST = 2**53 - 1
"""The largest whole number that every reader of JSON keeps exactly; seqs, revisions and limits are smaller."""

_TEXTS = ("extractor", "model", "prompt")
_OF_MALFORMED = frozenset({"malformed", "raw"})


def checked(found: Reextraction) -> Reextraction:
    """Give a difference whose extractions can be entries of a log. Raises InvalidValueError, which says what is not."""
    extractions: list[tuple[int, int, Mapping[str, Any]]] = []
    for number, (seq, extraction, body) in enumerate(found.extractions):
        place = f"extractions[{number}]"
        if not (0 < seq <= LARGEST and 0 < extraction <= LARGEST):
            raise InvalidValueError(f"{place}: no message has such a seq, or such an extraction")
        extractions.append((seq, extraction, _checked_body(place, body)))
    return replace(found, extractions=tuple(extractions))


def _checked_body(place: str, body: Mapping[str, Any]) -> dict[str, Any]:
    for name in body:
        if name not in (*_TEXTS, "ops", "usage"):
            raise InvalidValueError(f"{place}: {shown(name)} is no field of an extraction")
    for name in _TEXTS:
        if not isinstance(body.get(name, "x"), str) or not body.get(name, "x"):
            raise InvalidValueError(f"{place}.{name}: give text")
    if "extractor" not in body:
        raise InvalidValueError(f"{place}: the field extractor is missing")
    if not isinstance(body.get("usage", {}), Mapping):
        raise InvalidValueError(f"{place}.usage: give an object")
    proposals = body.get("ops")
    if not isinstance(proposals, list) or len(proposals) > MOST:
        raise InvalidValueError(f"{place}.ops: give a list of at most {MOST} proposals")
    ops = [_checked_proposal(f"{place}.ops[{number}]", proposal) for number, proposal in enumerate(proposals)]
    return {**body, "ops": ops}


def _checked_proposal(place: str, proposal: Any) -> dict[str, Any]:
    """Give a proposal as the log has it, whose fields may come as null, say; what was malformed is kept as text.

    Refuses what an extractor could not have proposed.
    """
    if isinstance(proposal, Mapping) and "malformed" in proposal:
        if proposal.keys() - _OF_MALFORMED or not all(isinstance(text, str) for text in proposal.values()):
            raise InvalidValueError(f"{place}: what was malformed is told by two texts, malformed and raw")
        return {"malformed": proposal["malformed"], "raw": proposal.get("raw", "")}
    try:
        (found,) = read_answer([_as_answered(proposal)], 1)
    except ExtractorOutputError as error:
        raise InvalidValueError(f"{place}: {error}") from None
    if isinstance(found, Malformed):
        raise InvalidValueError(f"{place}: {found.why}")
    return encode_operation(found)


def _as_answered(proposal: Any) -> Any:
    """Give a proposal without the mark that the log puts on it."""
    if isinstance(proposal, Mapping) and proposal.get(PLACED) is True:
        return {name: value for name, value in proposal.items() if name != PLACED}
    return proposal
