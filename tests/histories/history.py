"""One scope's final log beside all that was observed of it, with what the rules look up again and again."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

from tensemem.core.registry import Registry
from tensemem.model.entry import EPISODES, Entry, EntryKind
from tensemem.model.scope import Scope
from tests.histories.records import OK, REFUSED, STALE, Observed
from tests.histories.script import is_troubled

WRITES = frozenset({"write", "add", "amend"})
READS = frozenset({"state", "context", "history", "flush"})
DISMISS, EXTRACT = "dismiss", "extract"


@dataclass(frozen=True)
class History:
    """A scope's log, and the operations that concern it.

    ``asked_about`` tells when an extractor saw which text first. ``disturbed`` are those that somebody may have been
    asked about in vain, so that later ones may be extracted before them.
    """

    scope: Scope
    registry: Registry
    entries: Sequence[Entry]
    observed: Sequence[Observed]
    asked_about: Mapping[str, int]
    disturbed: AbstractSet[str] = frozenset()

    @property
    def user(self) -> str:
        """Whose log it is."""
        return self.scope.user_id

    @cached_property
    def writes(self) -> list[Observed]:
        """Operations that append an episode."""
        return [one for one in self.observed if one.verb in WRITES]

    @cached_property
    def reads(self) -> list[Observed]:
        """Reads that gave something."""
        return [one for one in self.observed if one.verb in READS and one.outcome == OK]

    @cached_property
    def by_op(self) -> dict[str, list[Entry]]:
        """The episodes each operation has left in the log."""
        return _grouped((op_of(entry), entry) for entry in self.episodes)

    @cached_property
    def by_name(self) -> dict[str, Observed]:
        """Every observation by its operation's name."""
        return {one.op: one for one in self.observed}

    @cached_property
    def episodes(self) -> list[Entry]:
        """The entries with a seq of their own."""
        return [entry for entry in self.entries if entry.kind in EPISODES]

    @cached_property
    def by_seq(self) -> dict[int, Entry]:
        """The same by their seq."""
        return {entry.seq: entry for entry in self.episodes}

    @cached_property
    def settlements(self) -> dict[int, list[Entry]]:
        """Extractions and skips, by their message's seq."""
        return _grouped((entry.seq, entry) for entry in self.entries if entry.kind not in EPISODES)

    @cached_property
    def begun(self) -> list[int]:
        """For each revision, the earliest moment at which it can have been in the log: index 0 is revision 1.

        It can't be there before whoever asked for it, or for an entry before it, had begun.
        """
        return list(accumulate((self._begun(entry) for entry in self.entries), max))

    def _begun(self, entry: Entry) -> int:
        if entry.kind is EntryKind.EXTRACTION:
            message = self.by_seq.get(entry.seq)
            return 0 if message is None else self.asked_about.get(str(message.body.get("content")), 0)
        asker = self.by_name.get(op_of(entry))
        return 0 if asker is None else asker.began

    @cached_property
    def _known(self) -> tuple[list[int], list[int], list[Observed]]:
        """Moments, the newest revision anybody knew of by then, and who knew it first."""
        told = sorted(((one.ended, rev, one) for one, rev in self._telling()), key=lambda known: known[:2])
        moments: list[int] = []
        revs: list[int] = []
        tellers: list[Observed] = []
        for ended, rev, one in told:
            if not revs or rev > revs[-1]:
                moments.append(ended)
                revs.append(rev)
                tellers.append(one)
        return moments, revs, tellers

    def _telling(self) -> Iterator[tuple[Any, int]]:
        for one in self.observed:
            if one.ended is not None and one.outcome in (OK, STALE):
                yield one, self.rev_told(one)

    def rev_told(self, one: Observed) -> int:
        """The revision that the log had reached, as an observation shows."""
        rev = int(one.told.get("rev", 0))
        if "fresh" in one.told:
            as_of, latest, _, _, failed, _ = one.told["fresh"]
            rev = max(rev, self._settled_to(as_of, failed))
            if latest in self.by_seq:
                rev = max(rev, self.by_seq[latest].rev)
        if one.told.get("settled") and one.told.get("seq") in self.settlements:
            rev = max(rev, self.settlements[one.told["seq"]][0].rev)
        return rev

    def _settled_to(self, as_of: int, failed: Sequence[int]) -> int:
        """The revision at which every message up to a seq was settled, but for those that had failed by then."""
        if not any(seq <= as_of for seq in failed):
            place = bisect_left(self._settled[0], as_of + 1)
            return self._settled[1][place - 1] if place else 0
        own = (made[0].rev for seq, made in self.settlements.items() if seq <= as_of and seq not in failed)
        return max(own, default=0)

    @cached_property
    def _settled(self) -> tuple[list[int], list[int]]:
        """The seqs of settled messages, and the revision at which each, and all before it, were."""
        seqs = sorted(self.settlements)
        return seqs, list(accumulate((self.settlements[seq][0].rev for seq in seqs), max))

    def known_before(self, moment: int) -> tuple[int, Observed | None]:
        """The newest revision that somebody knew of before a moment, and who; (0, None) where nobody did."""
        moments, revs, tellers = self._known
        place = bisect_left(moments, moment)
        return (revs[place - 1], tellers[place - 1]) if place else (0, None)

    def newest_by(self, moment: int) -> int:
        """The newest revision that can have been in the log at a moment."""
        return bisect_left(self.begun, moment + 1)

    def entry(self, rev: int) -> Entry | None:
        """The entry with a revision."""
        return self.entries[rev - 1] if 0 < rev <= len(self.entries) else None

    def refused(self) -> list[Observed]:
        """Operations refused with a definite error."""
        return [one for one in self.observed if one.outcome == REFUSED]


def op_of(entry: Entry) -> str:
    """The operation that an entry says it is of; "" where it says nothing."""
    return str((entry.body.get("metadata") or {}).get("op", ""))


def key_of(entry: Entry) -> str | None:
    """The idempotency key that an entry says it was asked for under."""
    found = (entry.body.get("metadata") or {}).get("key")
    return None if found is None else str(found)


def _grouped(pairs: Iterable[tuple[Any, Entry]]) -> dict[Any, list[Entry]]:
    found: dict[Any, list[Entry]] = defaultdict(list)
    for key, entry in pairs:
        found[key].append(entry)
    return dict(found)


def histories(
    registry: Registry, logs: Mapping[str, Sequence[Entry]], observed: Iterable[Observed], namespace: str = "default"
) -> list[History]:
    """Part what was observed by the user it is about; every user that was asked about has a history."""
    by_user: dict[str, list[Observed]] = {user: [] for user in logs}
    asked_about: dict[str, int] = {}
    disturbed: set[str] = set()
    for one in observed:
        if one.verb == EXTRACT:
            texts = one.asked["texts"]
            asked_about.update({text: min(one.began, asked_about.get(text, one.began)) for text in texts})
            if any(map(is_troubled, texts)):
                disturbed.update(texts)
        else:
            by_user.setdefault(one.user, []).append(one)
    return [
        History(Scope(namespace, user), registry, logs.get(user, ()), own, asked_about, disturbed)
        for user, own in by_user.items()
    ]
