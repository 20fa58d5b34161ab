"""What a slot's row says of its history, so that reads need not fold it: from when on it is in order; is it whole?

Both say less than they might where that is not certain, never more: a slot without its marks is folded and told the
same.
"""

from __future__ import annotations

from itertools import groupby

from ..core.fold import SlotFold, SlotLog
from ..model.claim import Amendment, Claim, ClaimKind, Correction, Outcome

_BEFORE_ALL = -(2**62)


def ordered_from(log: SlotLog) -> int:
    """Give the last revision at which something else was said than one thing, of a later time than all before it.

    Behind it each entry began the runs that start where its claim does, and ended those that end there.
    """
    last, reached, said, seq, is_odd = 0, _BEFORE_ALL, _BEFORE_ALL, 0, False
    for rev, group in groupby(sorted((*log.claims, *log.amendments), key=_rev), key=_rev):
        stated = list(group)
        one = stated[0]
        is_alone = isinstance(one, Claim) and len(stated) == 1 and not is_odd and _is_plain(one, many=log.many)
        if not is_alone or _moments(one)[0] <= reached or one.said_at <= said or _seq(one) <= seq:
            last = rev
        for one in stated:
            reached = max(reached, *_moments(one))
            said = max(said, one.said_at)
            seq = max(seq, _seq(one))
            is_odd = is_odd or (isinstance(one, Claim) and (one.rank != 0 or one.outcome is not Outcome.ADMITTED))
    return last


def _rev(one: Claim | Amendment) -> int:
    return one.rev


def _seq(one: Claim | Amendment) -> int:
    return one.id.seq if isinstance(one, Claim) else one.seq


def _is_plain(claim: Claim, *, many: bool) -> bool:
    if claim.outcome is not Outcome.ADMITTED or claim.rank or claim.end is not None or claim.range_stop is not None:
        return False
    if many and claim.kind is ClaimKind.REPLACE:
        return True
    return claim.kind in (ClaimKind.VALUE, ClaimKind.RETRACT) and not (many and claim.key is None)


def _moments(one: Claim | Amendment) -> list[int]:
    """Give the moments at which what was stated may change what shows."""
    if isinstance(one, Claim):
        return [one.start, one.through] if one.end is None else [one.start, one.through, one.end]
    found: list[int] = [one.said_at]
    if isinstance(one, Correction):
        found += [one.start, one.start if one.end is None else one.end]
        found += [] if one.replacement is None else _moments(one.replacement)
    return found


def is_whole_history(log: SlotLog, fold: SlotFold) -> bool:
    """Tell whether a slot's history is its runs, each with a date, and what took away from it, all in force."""
    return not (
        log.amendments
        or fold.candidates
        or fold.plans
        or fold.rejected
        or fold.denied
        or fold.overridden
        or fold.undated
        or any(claim.outcome is not Outcome.ADMITTED for claim in log.claims)
        or any(run.unknown_start for run in fold.runs)
        or not all(stated.in_force for stated in fold.statements)
    )
