"""The evidence rule and correction, worked out moment by moment.

This is the oracle: slow, plain and independent of the library. Time is the integers ``0..horizon``; the last
of them stands for *for ever*, so every finite end must be smaller. Nothing here reasons about intervals: a
claim is a set of moments, painting is a loop over moments, and a run is read off at the end.

``timeline`` gives the runs, ``fold`` the reasons too; ``correct_run``, ``correct_statement`` and ``undo`` add
an entry to a ``History``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

HORIZON = 130

Statement = tuple[int, int]  # (seq, index): the id of a statement
Part = tuple[int, int, str]  # (seq, index, value): what one statement says of one value


@dataclass(frozen=True)
class St:
    """One admitted statement of one slot.

    ``kind`` is value, retract, deny, confirm or replace. A retract with ``value=None`` retracts any value.
    Spans default to ``start = through = said``. ``end`` is a stated end, ``expires`` one that is not stated
    (ttl). ``range_stop`` makes the start imprecise: the true one lies in ``[start, range_stop)``.
    """

    seq: int
    said: int
    kind: str
    value: str | None = None
    values: tuple[str, ...] = ()
    rank: int = 0
    index: int = 0
    start: int | None = None
    through: int | None = None
    end: int | None = None
    range_stop: int | None = None
    expires: int | None = None

    @property
    def id(self) -> Statement:
        return (self.seq, self.index)

    @property
    def order(self) -> tuple[int, int, int, int]:
        """Statement order."""
        return (self.rank, self.said, self.seq, self.index)


@dataclass(frozen=True)
class Fix:
    """A correction: of ``value`` over ``[start, end)`` (``end=None``: open), or of the statement ``target``.

    Its replacement, if it has one, is an ordinary ``St`` with the same seq.
    """

    seq: int
    said: int
    value: str | None = None
    start: int = 0
    end: int | None = None
    target: Statement | None = None


@dataclass(frozen=True)
class Undo:
    """A reinstatement: the correction ``fix_seq`` and its replacement are as if never made."""

    seq: int
    fix_seq: int


class Run(NamedTuple):
    """A maximal run of one value over ``[start, end)``; ``end=None`` means still."""

    value: str
    start: int
    end: int | None


class History(NamedTuple):
    """The whole log of one slot, in no particular order."""

    many: bool
    sts: tuple[St, ...] = ()
    fixes: tuple[Fix, ...] = ()
    undos: tuple[Undo, ...] = ()

    def known_at(self, seq: int) -> History:
        """What the log held when entry ``seq`` was its newest."""
        return History(
            self.many,
            tuple(st for st in self.sts if st.seq <= seq),
            tuple(fix for fix in self.fixes if fix.seq <= seq),
            tuple(undo for undo in self.undos if undo.seq <= seq),
        )


@dataclass(frozen=True)
class Folded:
    """The outcome: the runs, who supports each, and what has been done to the parts of statements."""

    runs: tuple[Run, ...]
    support: dict[Run, frozenset[Statement]]
    through: dict[Run, int]  # the latest moment any supporter of the run vouches for
    void: frozenset[Part]  # voided by a correction (not: by a denial)
    void_statements: frozenset[Statement]  # voided by their own id, or REPLACEs that lost all they brought
    bars: dict[Part, frozenset[int]]
    brought: dict[Statement, frozenset[str]]  # what each REPLACE newly brought in


def timeline(
    sts: Iterable[St],
    fixes: Iterable[Fix] = (),
    undos: Iterable[Undo] = (),
    *,
    many: bool,
    horizon: int = HORIZON,
) -> list[Run]:
    """The runs of the slot, sorted by start, then value. A single-valued slot never has two at one moment."""
    return list(fold(sts, fixes, undos, many=many, horizon=horizon).runs)


def fold(
    sts: Iterable[St],
    fixes: Iterable[Fix] = (),
    undos: Iterable[Undo] = (),
    *,
    many: bool,
    horizon: int = HORIZON,
) -> Folded:
    """The timeline with its reasons. The order in which the arguments list things does not matter."""
    undone = {undo.fix_seq for undo in undos}
    log = sorted((st for st in sts if st.seq not in undone), key=lambda st: st.order)
    slot = _Slot(many, horizon, log)
    for fix in sorted((fix for fix in fixes if fix.seq not in undone), key=lambda fix: fix.seq):
        slot.correct(fix)
    return slot.outcome()


# --- correction ------------------------------------------------------------------------------------------


@dataclass
class _Slot:
    """The statements of a slot in statement order, and what the corrections so far have done to them."""

    many: bool
    horizon: int
    log: list[St]
    void: set[Part] = field(default_factory=set)
    void_statements: set[Statement] = field(default_factory=set)
    bars: dict[Part, set[int]] = field(default_factory=dict)
    brought: dict[Statement, frozenset[str]] = field(default_factory=dict)

    def correct(self, fix: Fix) -> None:
        """Apply one correction over all claims stated before it, known then or learned since."""
        before = [st for st in self.log if _stated_before(st, fix)]
        # What a REPLACE brought in is judged as it stood when no correction had yet counted it.
        for st in before:
            if st.kind == "replace" and st.id not in self.brought:
                self.brought[st.id] = self.newly_brought(st, before)
        if fix.target is not None:
            self.void_statements.update(_same_statements(fix.target, before))
        else:
            self.correct_value(fix, before)

    def correct_value(self, fix: Fix, before: list[St]) -> None:
        assert fix.value is not None
        interval = self.moments(fix.start, fix.end)
        painted = self.paint(fix.value, before)
        for claim in painted.claims:
            if not claim.is_value or claim.value != fix.value:
                continue
            vouched = set(range(claim.start, claim.through + 1))
            if not vouched & interval:
                continue  # only what shows can touch it, below
            if vouched <= interval and painted.support(claim.part) <= interval:
                self.void.add(claim.part)
            else:
                self.bar(claim.part, interval)
        while True:
            painted = self.paint(fix.value, before)
            showing = {
                part
                for moment in interval
                if painted.shown[moment].value == fix.value
                for part in painted.shown[moment].by
            }
            if not showing:
                self.void_spent(fix.value, before)
                return
            for part in showing:
                self.bar(part, interval)

    def void_spent(self, value: str, before: list[St]) -> None:
        """A claim barred from every moment it vouches for, by several corrections, that shows nowhere: void."""
        painted = self.paint(value, before)
        for claim in painted.claims:
            vouched = set(range(claim.start, claim.through + 1))
            is_meant = claim.is_value and claim.value == value and vouched <= self.bars.get(claim.part, set())
            if is_meant and not painted.support(claim.part):
                self.void.add(claim.part)

    def bar(self, part: Part, interval: set[int]) -> None:
        self.bars.setdefault(part, set()).update(interval)

    def moments(self, start: int, end: int | None) -> set[int]:
        """``[start, end)`` as a set."""
        return set(range(start, self.horizon + 1 if end is None else min(end, self.horizon + 1)))

    # --- what is void, among a given set of statements ----------------------------------------------------

    def newly_brought(self, replace: St, among: list[St]) -> frozenset[str]:
        """The values of a REPLACE that were not in at its start, going by what was stated before it.

        Where a correction counts the REPLACE, ``among`` is all that the correction counts: its own replacement
        was not there when the REPLACE was stated, whatever its rank.
        """
        earlier = [st for st in among if st.order < replace.order]
        start = _start(replace)
        return frozenset(value for value in replace.values if self.paint(value, earlier).shown[start].value != value)

    def is_denied(self, st: St, value: str, among: list[St]) -> bool:
        return any(
            deny.kind == "deny"
            and deny.value == value
            and deny.order > st.order
            and deny.id not in self.void_statements
            for deny in among
        )

    def is_void_part(self, st: St, value: str, among: list[St]) -> bool:
        return (*st.id, value) in self.void or self.is_denied(st, value, among)

    def is_void_replace(self, st: St, among: list[St]) -> bool:
        brought = self.brought[st.id] if st.id in self.brought else self.newly_brought(st, among)
        return bool(brought) and all(self.is_void_part(st, value, among) for value in brought)

    def is_live(self, st: St, value: str | None, among: list[St]) -> bool:
        """Is this statement evidence about ``value``? ``None``: as a retraction, void only by its own id."""
        if st.id in self.void_statements:
            return False
        if st.kind == "replace" and self.is_void_replace(st, among):
            return False
        return value is None or not self.is_void_part(st, value, among)

    # --- painting -----------------------------------------------------------------------------------------

    def paint(self, value: str, among: list[St]) -> _Painted:
        """Paint the timeline that ``value`` is part of from the statements ``among`` (in statement order)."""
        painted = _Painted([_Cell() for _ in range(self.horizon + 1)])
        live: list[_Claim] = []
        for st in among:
            line = _read(st, value if self.many else None)
            if line is None:
                continue
            is_value, said_value = line
            claim = self.resolve(st, is_value, said_value, live, painted)
            painted.claims.append(claim)
            ignored = st.kind == "confirm" and painted.shown[st.said].value != st.value
            if ignored or not self.is_live(st, said_value if is_value else None, among):
                continue
            self.paint_claim(claim, live, painted)
            live.append(claim)
        return painted

    def resolve(self, st: St, is_value: bool, value: str | None, live: list[_Claim], painted: _Painted) -> _Claim:
        """The claim with the span it has, given what is painted so far."""
        part: Part = (*st.id, value if value is not None else "")
        if not is_value:  # a retraction covers its start and all that follows
            return _Claim(st, part, False, value, _start(st), _through(st), None, None)
        if st.kind == "confirm":
            end = st.end if st.end is not None else self.confirmed_end(st, painted)
            return _Claim(st, part, True, value, st.said, st.said, end, _first(end, st.expires))
        claim = _Claim(st, part, True, value, _start(st), _through(st), st.end, _first(st.end, st.expires))
        if st.range_stop is None:
            return claim
        return claim.starting(self.narrowed_start(claim, st.range_stop, live))

    def confirmed_end(self, st: St, painted: _Painted) -> int | None:
        """The stated end of the claim that shows the value as a CONFIRM is said: the latest-stated one."""
        cell = painted.shown[st.said]
        if cell.value != st.value:
            return None
        return next(claim.end for claim in painted.claims if claim.part == cell.by[-1])

    def narrowed_start(self, claim: _Claim, range_stop: int, live: list[_Claim]) -> int:
        """Just after the last start or through, inside the range, of evidence against it or a retraction."""
        marks = [
            mark
            for x in live
            if _is_against(x, claim) or not x.is_value
            for mark in (x.start, x.through)
            if claim.start <= mark < range_stop and mark < claim.through and mark not in self.bars.get(x.part, ())
        ]
        return min(max(marks) + 1 if marks else claim.start, claim.through)

    def paint_claim(self, claim: _Claim, live: list[_Claim], painted: _Painted) -> None:
        region = self.covered(claim)
        for x in live:
            if _is_against(x, claim) and x.st.rank == claim.st.rank:
                region -= self.protected(x, claim)
        for moment in region:
            cell = painted.shown[moment]
            if claim.is_value:
                if cell.value == claim.value:
                    cell.by.append(claim.part)  # same value: all of them support it
                else:
                    cell.value, cell.by = claim.value, [claim.part]
            elif cell.value is not None and claim.value in (None, cell.value):
                cell.value, cell.by = None, []

    def covered(self, claim: _Claim) -> set[int]:
        return self.moments(claim.start, claim.stop) - self.bars.get(claim.part, set())

    def protected(self, x: _Claim, claim: _Claim) -> set[int]:
        """The moments at which ``x``, stated earlier, is later than the moment ``claim`` vouches for."""
        if x.start > claim.through:
            begin = x.start
        elif x.end is None and x.through > claim.through:
            begin = x.through
        else:
            return set()
        return {moment for moment in self.covered(x) if moment >= begin}

    # --- reading off --------------------------------------------------------------------------------------

    def outcome(self) -> Folded:
        for st in self.log:
            if st.kind == "replace" and st.id not in self.brought:
                self.brought[st.id] = self.newly_brought(st, self.log)
        runs: list[Run] = []
        support: dict[Run, frozenset[Statement]] = {}
        through: dict[Run, int] = {}
        values = sorted(_values(self.log))
        for value in values if self.many else values[:1]:
            painted = self.paint(value, self.log)
            spans = {claim.part: claim for claim in painted.claims}
            for run, parts in _runs(painted.shown):
                runs.append(run)
                support[run] = frozenset((seq, index) for seq, index, _ in parts)
                through[run] = max(spans[part].through for part in parts)
        lost = {st.id for st in self.log if st.kind == "replace" and self.is_void_replace(st, self.log)}
        return Folded(
            tuple(sorted(runs, key=lambda run: (run.start, run.value))),
            support,
            through,
            frozenset(self.void),
            frozenset(self.void_statements | lost),
            {part: frozenset(barred) for part, barred in self.bars.items()},
            self.brought,
        )


@dataclass
class _Cell:
    """What one moment shows, and which claims show it, in statement order."""

    value: str | None = None
    by: list[Part] = field(default_factory=list)


@dataclass
class _Painted:
    shown: list[_Cell]
    claims: list[_Claim] = field(default_factory=list)  # void and ignored ones too

    def support(self, part: Part) -> set[int]:
        return {moment for moment, cell in enumerate(self.shown) if part in cell.by}


@dataclass(frozen=True)
class _Claim:
    """A statement's part in one timeline: a value, or a retraction (of ``value``; ``None``: of any)."""

    st: St
    part: Part
    is_value: bool
    value: str | None
    start: int
    through: int
    end: int | None  # the stated end
    stop: int | None  # where it ceases to cover: the stated end or the expiry

    def starting(self, start: int) -> _Claim:
        return _Claim(self.st, self.part, True, self.value, start, self.through, self.end, self.stop)


def _same_statements(target: Statement, before: list[St]) -> list[Statement]:
    """The statement, and others of its episode that say the very same."""
    one = next(st for st in before if st.id == target)
    return [st.id for st in before if _said(st) == _said(one)]


def _said(st: St) -> St:
    """What a statement says, whatever its place in the episode; the values of a REPLACE are a set."""
    return replace(st, index=0, values=tuple(sorted(st.values)))


def _stated_before(st: St, fix: Fix) -> bool:
    """Smaller seq, or said earlier; what has the seq of the correction is its own replacement."""
    return st.seq != fix.seq and (st.seq < fix.seq or st.said < fix.said)


def _read(st: St, only: str | None) -> tuple[bool, str | None] | None:
    """How a statement reads: (is it a value, which value). ``only``: in the timeline of that value alone."""
    if st.kind == "deny":
        return None  # paints nothing
    if st.kind == "replace":
        assert only is not None, "in a single-valued slot a REPLACE is a value statement"
        return (only in st.values, only)
    if st.kind == "retract":
        return (False, st.value) if only is None or st.value in (None, only) else None
    return (True, st.value) if only is None or st.value == only else None


def _is_against(x: _Claim, claim: _Claim) -> bool:
    """Is ``x`` evidence against ``claim``? Within one timeline."""
    if claim.is_value:
        if x.is_value:
            return x.value != claim.value
        return x.value in (None, claim.value)
    return x.is_value and claim.value in (None, x.value)


def _start(st: St) -> int:
    return st.said if st.start is None else st.start


def _through(st: St) -> int:
    return st.said if st.through is None else st.through


def _first(a: int | None, b: int | None) -> int | None:
    return b if a is None else a if b is None else min(a, b)


def _values(log: Iterable[St]) -> set[str]:
    named = {st.value for st in log if st.value is not None}
    return named.union(*(st.values for st in log))


def _runs(shown: Sequence[_Cell]) -> list[tuple[Run, set[Part]]]:
    found: list[tuple[Run, set[Part]]] = []
    last = len(shown) - 1
    start = 0
    for moment in range(1, len(shown) + 1):
        if moment <= last and shown[moment].value == shown[start].value:
            continue
        value = shown[start].value
        if value is not None:
            parts = {part for cell in shown[start:moment] for part in cell.by}
            found.append((Run(value, start, None if moment > last else moment), parts))
        start = moment
    return found


# --- making corrections ----------------------------------------------------------------------------------


def correct_run(
    history: History,
    run: Run,
    *,
    seq: int | None = None,
    said: int | None = None,
    value: str | None = None,
    start: int | None = None,
    end: int | None = None,
    ttl: int | None = None,
    horizon: int = HORIZON,
) -> History:
    """The history with one more entry: a correction of ``run``, which the history shows.

    ``value`` also states a replacement over the run; ``start`` or ``end`` alone keep the value and move its
    times. The replacement vouches no further than the corrected run did. Seq and said default to the next.
    """
    folded = fold(*history[1:], many=history.many, horizon=horizon)
    assert run in folded.support, f"{run} is not shown"
    seq = _next_seq(history) if seq is None else seq
    said = _next_said(history) if said is None else said
    fix = Fix(seq, said, run.value, run.start, run.end)
    if value is None and start is None and end is None:
        return history._replace(fixes=(*history.fixes, fix))
    first = run.start if start is None else start
    stop = run.end if end is None else end
    through = max(first, min(folded.through[run], horizon if stop is None else stop - 1))
    replacement = St(
        seq,
        said,
        "value",
        run.value if value is None else value,
        start=first,
        through=through,
        end=stop,
        expires=None if ttl is None else min(through + ttl, horizon - 1),
    )
    return history._replace(sts=(*history.sts, replacement), fixes=(*history.fixes, fix))


def correct_statement(
    history: History, target: Statement, *, seq: int | None = None, said: int | None = None
) -> History:
    """The history with one more entry: a retraction, denial or REPLACE voided by its own id."""
    fix = Fix(
        _next_seq(history) if seq is None else seq,
        _next_said(history) if said is None else said,
        target=target,
    )
    return history._replace(fixes=(*history.fixes, fix))


def undo(history: History, fix_seq: int, *, seq: int | None = None) -> History:
    """The history with one more entry: the correction ``fix_seq`` taken back."""
    entry = Undo(_next_seq(history) if seq is None else seq, fix_seq)
    return history._replace(undos=(*history.undos, entry))


def _next_seq(history: History) -> int:
    return max((entry.seq for part in history[1:] for entry in part), default=0) + 1


def _next_said(history: History) -> int:
    said = [st.said for st in history.sts] + [fix.said for fix in history.fixes]
    return max(said, default=0) + 1
