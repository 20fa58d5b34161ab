"""What must hold of reads: each shows what the log up to its revision folds to, and says truly how far that is."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from tensemem.model.entry import Entry
from tests.histories.history import READS, History
from tests.histories.prefix import Prefix, sorted_facts
from tests.histories.records import OK, STALE, Observed
from tests.histories.violations import Violation


def read_violations(history: History) -> Iterator[Violation]:
    """Walk through the log once and hold each observation against the state at its revision."""
    at_rev: dict[int, list[Observed]] = defaultdict(list)
    at_seq: dict[int, list[Observed]] = defaultdict(list)
    for one in history.observed:
        if one.outcome == OK and "rev" in one.told and not one.told.get("duplicate"):
            at_rev[one.told["rev"]].append(one)
        elif (one.outcome == OK and one.verb in ("history", "flush")) or one.outcome == STALE:
            at_seq[one.told["fresh"][1]].append(one)
        elif one.outcome == OK and one.told.get("identical") is False:
            yield Violation("projection", history.user, f"{one.op}: the facts were not those of the log", (one,))
    prefix = Prefix(history.scope, history.registry)
    yield from _at(history, prefix, at_rev.pop(0, []), at_seq)
    for entry in history.entries:
        prefix.append(entry)
        yield from _at(history, prefix, at_rev.pop(entry.rev, []), at_seq)
    for one in (*_rest(at_rev), *_rest(at_seq)):
        if one.verb in READS:
            says = f"{one.op} shows what the log shows at no revision"
            yield Violation("read", history.user, says, (one,))


def version_violations(history: History) -> Iterator[Violation]:
    """Two reads of all there is that have one version show the same."""
    first: dict[str, Observed] = {}
    for one in history.reads:
        if one.verb != "state" or one.asked.get("predicates") is not None or one.asked.get("known_at") is not None:
            continue
        other = first.setdefault(one.told["version"], one)
        if any(one.told[name] != other.told[name] for name in ("facts", "planned", "candidates")):
            says = f"{other.op} and {one.op} show different facts under version {one.told['version']}"
            yield Violation("version", history.user, says, (other, one))


def _rest(waiting: dict[int, list[Observed]]) -> list[Observed]:
    return [one for some in waiting.values() for one in some]


def _at(
    history: History, prefix: Prefix, exact: list[Observed], at_seq: dict[int, list[Observed]]
) -> Iterator[Violation]:
    for one in exact:
        yield from _one(history, prefix, one)
    waiting = at_seq.get(prefix.seq)
    if waiting:
        at_seq[prefix.seq] = [one for one in waiting if not _may_be(history, prefix, one)]


def _one(history: History, prefix: Prefix, one: Observed) -> Iterator[Violation]:
    match one.verb:
        case "state":
            yield from _two_present(history, one)
            yield from _state(history, prefix, one)
        case "context":
            if not _is_context(prefix, one):
                yield _differs(history, prefix, one, "facts_used are not those of the log")
        case _:
            yield from _receipt(history, prefix, one)
            return
    wrong = wrong_freshness(prefix, one)
    if wrong is not None:
        yield Violation("freshness", history.user, f"{one.op}: {wrong}", (one,), _newest(history, prefix))


def _two_present(history: History, one: Observed) -> Iterator[Violation]:
    """A single-valued slot shows one value."""
    held = Counter((fact[0], fact[1]) for fact in one.told["facts"] if fact[1] not in history.registry.many_names)
    for (_, predicate), count in held.items():
        if count > 1:
            yield Violation("two present", history.user, f"{one.op} shows {count} values of {predicate}", (one,))


def _state(history: History, prefix: Prefix, one: Observed) -> Iterator[Violation]:
    if one.told["at"] < prefix.last_said:
        yield _differs(history, prefix, one, f"it speaks of {one.told['at']}, before what was said last")
    wanted = prefix.shown(one.told["at"], one.asked.get("predicates"))
    shown = one.told["facts"], one.told["planned"], one.told["candidates"]
    for name, is_shown, should in zip(
        ("facts", "planned", "candidates"), shown, (wanted.facts, wanted.planned, wanted.candidates), strict=True
    ):
        if is_shown != should:
            extra = [fact for fact in is_shown if fact not in should]
            absent = [fact for fact in should if fact not in is_shown]
            yield _differs(history, prefix, one, f"{name}: shown but not so {extra}, so but not shown {absent}")


def _differs(history: History, prefix: Prefix, one: Observed, says: str) -> Violation:
    says = f"{one.op} at revision {prefix.rev}: {says}"
    return Violation("read", history.user, says, (one,), _newest(history, prefix))


def _newest(history: History, prefix: Prefix) -> tuple[Entry, ...]:
    entry = history.entry(prefix.rev)
    return () if entry is None else (entry,)


def _is_context(prefix: Prefix, one: Observed) -> bool:
    """A context does not say of which moment it is: of one not before what was said last."""
    used = [fact[:6] for fact in one.told["facts"]]
    for moment in _moments(prefix):
        found = prefix.shown(moment)
        shown = sorted([*found.facts, *found.planned, *found.candidates], key=lambda told: (told[:4], str(told[4:6])))
        if [fact[:6] for fact in shown] == used:
            return True
    return False


def _moments(prefix: Prefix) -> list[int]:
    """The moments, from the last time said on, at which something begins or ends."""
    bounds = {prefix.last_said}
    for predicate in prefix.registry.predicates.values():
        for run in prefix.runs(predicate.name):
            bounds.update(when for when in run[2:4] if when is not None and when > prefix.last_said)
    return sorted(bounds)


def _receipt(history: History, prefix: Prefix, one: Observed) -> Iterator[Violation]:
    """What a receipt says is shown is a run of the slot in the state that the write made."""
    shown = one.told.get("shown")
    if shown is not None and shown[2:6] not in prefix.runs(shown[1]):
        yield _differs(history, prefix, one, f"the receipt shows {shown}, the log has {prefix.runs(shown[1])}")


def wrong_freshness(prefix: Prefix, one: Observed) -> str | None:
    """Say what is wrong with the freshness that came with a read at a revision; None where it is true."""
    as_of, latest, pending, failed, failed_seqs, is_current = one.told["fresh"]
    if latest != prefix.seq:
        return f"latest_seq is {latest}, the log's is {prefix.seq}"
    if failed != len(failed_seqs) or not set(failed_seqs) <= prefix.unsettled.keys():
        return f"failed are {failed_seqs}, unsettled {sorted(prefix.unsettled)}"
    if pending + failed != len(prefix.unsettled):
        return f"{pending} pending and {failed} failed, unsettled {sorted(prefix.unsettled)}"
    waiting = prefix.unsettled.keys() - set(failed_seqs)
    if as_of != (min(waiting) - 1 if waiting else prefix.seq):
        return f"as_of_seq is {as_of}, waiting {sorted(waiting)}, latest {latest}"
    min_seq = one.asked.get("min_seq")
    upto = prefix.seq if min_seq is None else min_seq
    should = upto <= prefix.seq and not any(seq <= upto for seq in prefix.unsettled)
    if is_current != should:
        return f"is_current is {is_current} up to {upto}, unsettled {sorted(prefix.unsettled)}"
    return None


def _may_be(history: History, prefix: Prefix, one: Observed) -> bool:
    """Whether an observation without a revision is explained by this one."""
    known, _ = history.known_before(one.began)
    if prefix.rev < known or (one.ended is not None and prefix.rev > history.newest_by(one.ended)):
        return False
    if wrong_freshness(prefix, one) is not None:
        return False
    return one.verb != "history" or sorted_facts(one.told["facts"]) == prefix.history(one.asked["predicate"])
