"""Ids as text: the scope's tag, then where the claim stands in its log; a run away from home adds its start."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..model.claim import ClaimId

_ID = re.compile(r"([0-9a-f]{16})-(\d{1,15})-(\d{1,9})-(\d{1,9})(?:-(\d{1,9}))?(?:@(-?\d{1,19}))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Reference:
    """A parsed id: the scope's tag, the claim, and the run's start where the id names one."""

    tag: str
    claim: ClaimId
    start: int | None = None


def format_id(tag: str, claim: ClaimId, start: int | None = None) -> str:
    """Give a claim's id as text."""
    part = f"-{claim.part}" if claim.part else ""
    where = "" if start is None else f"@{start}"
    return f"{tag}-{claim.seq}-{claim.extraction}-{claim.number}{part}{where}"


def parse_id(text: str) -> Reference | None:
    """Read an id; None where it has not the form of one."""
    match = _ID.fullmatch(text)
    if match is None:
        return None
    tag, seq, extraction, number, part, start = match.groups()
    claim = ClaimId(int(seq), int(extraction), int(number), int(part or 0))
    return Reference(tag, claim, None if start is None else int(start))
