"""Random histories of one slot: many statements at few moments, real corrections, shuffled arrival.

``histories()`` yields a ``History``, which unpacks as ``(many, sts, fixes, undos)``. Entries get their seq in
the order they arrive; what they say may be older or newer than what arrived before. A correction is made
against a run of the timeline as known when it arrives, so a later arrival may change what it meets.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from hypothesis import strategies as st

from tests.oracle.fold import HORIZON, History, Run, St, correct_run, correct_statement, fold, undo

VALUES = ("A", "B", "C")
LAST_SAID = 99
LAST_START = 110
LAST_END = 120

# Few moments, so that ties, touching spans and spans of one moment are common; any moment now and then.
_FEW = (5, 10, 11, 20, 30, 31, 40, 50, 60, 75, 90)
_saids = st.one_of(st.sampled_from(_FEW), st.sampled_from(_FEW[::2]), st.integers(0, LAST_SAID))
_starts = st.one_of(st.sampled_from(_FEW), st.sampled_from(_FEW[::2]), st.integers(0, LAST_START))
_values = st.sampled_from(VALUES)

_FORMS = (
    *("present", "present", "present", "since", "since", "until", "since until", "imprecise"),
    *("period", "period", "row", "row", "past", "past until"),
    *("retract", "retract", "retract any", "past retract", "deny", "confirm", "confirm"),
)
_MANY_FORMS = (*_FORMS, "replace", "replace", "replace")


@st.composite
def histories(
    draw: st.DrawFn,
    *,
    many: bool | None = None,
    max_statements: int = 9,
    max_corrections: int = 3,
    ranks: bool = True,
) -> History:
    """A history of one slot: at least one statement, then more, corrections and reinstatements."""
    is_many = draw(st.booleans()) if many is None else many
    ttl = draw(st.sampled_from((None, None, None, 1, 5, 20)))
    rank_choices = draw(st.sampled_from(((0,), (0,), (0, 0, 1)))) if ranks else (0,)
    said = _episodes(many=is_many, ttl=ttl, ranks=rank_choices)
    kinds = {"said": said, "correction": _CORRECTIONS, "reinstatement": st.builds(_Reinstatement, _PICKS)}
    entry = st.sampled_from(("said",) * 9 + ("correction",) * 4 + ("reinstatement",)).flatmap(kinds.__getitem__)
    at_least = draw(st.sampled_from((0, 3, 6, 9, 12)))  # short ones alone would seldom be interesting
    entries = [draw(said), *draw(st.lists(entry, min_size=at_least, max_size=at_least + 4))]
    history = History(is_many)
    for seq, arrived in enumerate(entries, start=1):
        match arrived:
            case _Correction() if len(history.fixes) < max_corrections:
                history = _corrected(history, arrived, seq, ttl)
            case _Reinstatement():
                history = _reinstated(history, arrived, seq)
            case tuple():
                room = max_statements + len(history.fixes) - len(history.sts)
                new = (replace(one, seq=seq, index=index) for index, one in enumerate(arrived[:room]))
                history = history._replace(sts=(*history.sts, *new))
    return history


@st.composite
def _episodes(draw: st.DrawFn, *, many: bool, ttl: int | None, ranks: tuple[int, ...]) -> tuple[St, ...]:
    """What one entry states: nearly always one thing."""
    said = draw(_saids)
    rank = draw(st.sampled_from(ranks))
    one = statements(said, many=many, ttl=ttl)
    found = [draw(one)] + ([draw(one)] if draw(st.integers(0, 5)) == 5 else [])
    return tuple(replace(statement, rank=rank) for statement in found)


@st.composite
def statements(draw: st.DrawFn, said: int, *, many: bool, ttl: int | None = None) -> St:
    """One statement made at ``said``, in any of the forms of the design; its seq is for the caller to set."""
    form = draw(st.sampled_from(_MANY_FORMS if many else _FORMS))
    if form in ("deny", "confirm"):
        found = St(0, said, form, draw(_values))
    elif form == "replace":
        found = St(0, said, form, values=tuple(draw(st.lists(_values, max_size=3, unique=True))))
        found = replace(found, start=draw(st.sampled_from((None, None, draw(_before(said))))))
    elif form in ("retract", "retract any", "past retract"):
        found = St(0, said, "retract", None if form == "retract any" else draw(_values))
        found = replace(found, start=draw(st.sampled_from((None, draw(_before(said))))))
        if form == "past retract":  # speaks of one moment, like a row
            found = replace(found, start=draw(_starts))
            found = replace(found, through=found.start)
    else:
        found = draw(_spanned(form, said, draw(_values)))
    return _expiring(found, ttl)


@st.composite
def _spanned(draw: st.DrawFn, form: str, said: int, value: str) -> St:
    """A value with the span its form gives it."""
    plain = St(0, said, "value", value)
    match form:
        case "since":
            return replace(plain, start=draw(_before(said)))
        case "until" | "since until":
            end = draw(st.integers(said + 1, LAST_END))
            start = draw(_before(said)) if form == "since until" else said
            return replace(plain, start=start, through=end - 1, end=end)
        case "period" | "past":
            latest = said if form == "past" else LAST_END
            start = min(draw(_starts), max(latest - 1, 0))
            end = draw(st.integers(start + 1, max(latest, start + 1)))
            return replace(plain, start=start, through=end - 1, end=end)
        case "row":
            start = draw(_starts)
            return replace(plain, start=start, through=start)
        case "past until":
            last = draw(_before(max(said - 1, 0)))
            return replace(plain, start=last, through=last, end=last + 1)
        case "imprecise":
            start = draw(_before(said))
            return replace(plain, start=start, range_stop=draw(st.integers(start + 1, LAST_END)))
        case _:
            return plain


@st.composite
def _before(draw: st.DrawFn, moment: int) -> int:
    """A moment up to and with the one given."""
    return min(draw(_starts), moment)


def _expiring(found: St, ttl: int | None) -> St:
    if ttl is None or found.kind in ("retract", "deny"):
        return found
    through = found.said if found.through is None else found.through
    return replace(found, expires=min(through + ttl, HORIZON - 1))


# --- corrections: drawn without knowing the timeline, so that a failing history shrinks well -------------------


@dataclass(frozen=True)
class _Correction:
    """Which of the things shown then to correct, how, and when it is said."""

    pick: int
    how: str
    value: str
    moment: int
    delay: int | None  # after the newest statement; None: said at `moment`, an import from long ago


@dataclass(frozen=True)
class _Reinstatement:
    pick: int


_PICKS = st.integers(0, 11)
_CORRECTIONS = st.builds(
    _Correction,
    pick=_PICKS,
    how=st.sampled_from(("plain", "plain", "plain", "value", "value", "moved", "statement")),
    value=_values,
    moment=_saids,
    delay=st.sampled_from((1, 0, 5, 1, 1, None)),
)


def _corrected(history: History, wanted: _Correction, seq: int, ttl: int | None) -> History:
    """The history with a correction of something it shows, or of one of its retractions; else as it was."""
    folded = fold(*history[1:], many=history.many)
    newest = max([one.said for one in history.sts] + [fix.said for fix in history.fixes])
    said = wanted.moment if wanted.delay is None else newest + wanted.delay
    targets = [
        one.id
        for one in history.sts
        if one.kind in ("retract", "deny", "replace") and one.id not in folded.void_statements
    ]
    if wanted.how == "statement" and targets:
        return correct_statement(history, targets[wanted.pick % len(targets)], seq=seq, said=said)
    if not folded.runs:
        return history
    run = folded.runs[wanted.pick % len(folded.runs)]
    if wanted.how == "value":
        return correct_run(history, run, seq=seq, said=said, value=wanted.value, ttl=ttl)
    if wanted.how == "moved":
        return correct_run(history, run, seq=seq, said=said, start=_moved_start(run, wanted.moment), ttl=ttl)
    return correct_run(history, run, seq=seq, said=said)


def _moved_start(run: Run, moment: int) -> int:
    return moment if run.end is None else min(moment, run.end - 1)


def _reinstated(history: History, wanted: _Reinstatement, seq: int) -> History:
    """The history with one correction taken back, if there is one whose replacement nobody has touched."""
    folded = fold(*history[1:], many=history.many)
    touched = {part[0] for part in (*folded.void, *folded.bars)}
    undone = {entry.fix_seq for entry in history.undos}
    open_to_undo = [fix.seq for fix in history.fixes if fix.seq not in touched | undone]
    if not open_to_undo:
        return history
    return undo(history, open_to_undo[wanted.pick % len(open_to_undo)], seq=seq)
