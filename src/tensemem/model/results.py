"""What the verbs return: frozen, comparable, printable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

from .fact import Fact, Statement
from .freshness import Freshness
from .profile import fill_model

M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of one proposed operation, with the reason for it.

    ``outcome`` is ``"admitted"``, ``"held"``, ``"planned"``, ``"refused"`` or ``"skipped"`` (nothing was proposed).
    ``reason`` is a code of the admission table, or tells what the claim did to its slot. ``operation`` is the
    proposal as it was made.
    """

    seq: int
    outcome: str
    reason: str = ""
    claim_id: str | None = None
    operation: Mapping[str, Any] = field(default_factory=dict)
    message: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """One value that changed: what the slot showed before and shows now, and why.

    ``kind`` is ``"began"``, ``"ended"`` or ``"moved"`` (the same value over other times). ``rev`` is the log entry
    that did it and ``why`` its kind.
    """

    rev: int
    kind: str
    subject: str
    predicate: str
    value: Any
    fact_id: str
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    why: str = ""
    seq: int = 0
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class AddResult:
    """Receipt of ``add``: where the messages stand in the log.

    ``seq`` is the last message's, ``seqs`` all of them. ``duplicate`` tells that nothing new was stored. ``settled``
    tells that extraction is done with them. ``redactions`` counts the secrets replaced, by kind.
    """

    seq: int
    seqs: tuple[int, ...]
    rev: int
    duplicate: bool = False
    settled: bool = False
    redactions: Mapping[str, int] = field(default_factory=dict)
    durability: str = "power"


@dataclass(frozen=True, slots=True)
class WriteResult:
    """Receipt of an explicit write or a correction: what it did to the state.

    ``current`` tells whether what was written is shown now; ``shown`` is the fact shown now in that slot, if any.
    ``changed`` tells whether any value changed and ``changes`` lists them. A write whose time has been overtaken by
    later evidence is kept, with ``current`` False.
    """

    seq: int
    rev: int
    fact_id: str | None
    fact_ids: tuple[str, ...] = ()
    changed: bool = False
    current: bool = False
    shown: Fact | None = None
    changes: tuple[Change, ...] = ()
    decisions: tuple[Decision, ...] = ()
    redactions: Mapping[str, int] = field(default_factory=dict)
    durability: str = "power"
    duplicate: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """The values of a scope at a moment, with how fresh they are, from one snapshot.

    ``version`` changes whenever the state may have; ``next_change_at`` is when it will change by itself.
    """

    user_id: str
    facts: tuple[Fact, ...]
    planned: tuple[Fact, ...]
    candidates: tuple[Fact, ...]
    rev: int
    version: str
    at: datetime
    next_change_at: datetime | None
    freshness: Freshness
    many: frozenset[str] = frozenset()

    @property
    def values(self) -> dict[str, Any]:
        """Give the values of subject ``user``: one → value, many → tuple; nothing held → absent."""
        return self._values_of("user")

    @property
    def by_subject(self) -> dict[str, dict[str, Any]]:
        """Give the values of every subject."""
        return {subject: self._values_of(subject) for subject in dict.fromkeys(fact.subject for fact in self.facts)}

    def get(self, predicate: str, default: Any = None) -> Any:
        """Give a value of subject ``user``, or the default."""
        return self.values.get(predicate, default)

    def fact(self, predicate: str, value: Any = None, *, subject: str = "user") -> Fact | None:
        """Give the fact shown for a predicate (for many-valued ones: of a value), or None."""
        for fact in self.facts:
            if (fact.predicate, fact.subject) == (predicate, subject) and value in (None, fact.value, fact.object):
                return fact
        return None

    def as_model(self, model: type[M]) -> M:
        """Give the values as an instance of a pydantic model; raises pydantic's ValidationError where they don't fit.

        Fields are read by predicate name; a nested model reads the subject of its field's name.
        """
        return fill_model(model, self.by_subject)

    def _values_of(self, subject: str) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for fact in self.facts:
            if fact.subject != subject:
                continue
            if fact.predicate in self.many:
                found[fact.predicate] = (*found.get(fact.predicate, ()), fact.value)
            else:
                found[fact.predicate] = fact.value
        return found

    def __str__(self) -> str:
        lines = [str(fact) for fact in self.facts] or ["nothing known"]
        if not self.freshness.is_current:
            lines.append(f"(not current: {self.freshness.pending} pending, {self.freshness.failed} failed)")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class History:
    """Every fact of a scope or slot in valid-time order, then those without dates; and the statements that took away.

    ``next`` is the cursor for ``after=`` where ``limit`` cut the list.
    """

    user_id: str
    facts: tuple[Fact, ...]
    retractions: tuple[Statement, ...]
    freshness: Freshness
    next: str | None = None

    def __iter__(self) -> Iterator[Fact]:
        return iter(self.facts)

    def __str__(self) -> str:
        return "\n".join(str(fact) for fact in self.facts) or "no history"


@dataclass(frozen=True, slots=True)
class Context:
    """Text for a prompt, with the facts it used and how fresh it is.

    ``text`` stays the same, byte for byte, while ``version`` does. ``omitted`` counts facts left out for the budget.
    """

    text: str
    facts_used: tuple[Fact, ...]
    omitted: int
    token_count: int
    version: str
    freshness: Freshness

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Step:
    """One link of an explanation: what happened, at which revision, with the words that did it."""

    kind: str
    rev: int
    seq: int
    said_at: datetime
    text: str
    claim_id: str | None = None
    quote: str = ""
    role: str = ""
    extractor: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a fact is shown, or not: its evidence, what it displaced, what displaced it, who corrected it and why."""

    fact: Fact
    steps: tuple[Step, ...]
    displaced: tuple[Fact, ...] = ()
    displaced_by: tuple[Fact, ...] = ()
    decisions: tuple[Decision, ...] = ()

    def __str__(self) -> str:
        return "\n".join([str(self.fact), *(f"  {step.kind}: {step.text}" for step in self.steps)])


@dataclass(frozen=True, slots=True)
class StateDiff:
    """The difference between two states: facts that would begin, end, or show another value."""

    added: tuple[Fact, ...] = ()
    removed: tuple[Fact, ...] = ()
    changed: tuple[tuple[Fact, Fact], ...] = ()
    proposals: tuple[Mapping[str, Any], ...] = ()
    decisions: tuple[Decision, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing would change."""
        return not (self.added or self.removed or self.changed)

    def __str__(self) -> str:
        lines = [f"+ {fact}" for fact in self.added] + [f"- {fact}" for fact in self.removed]
        lines += [f"~ {before} -> {after}" for before, after in self.changed]
        return "\n".join(lines) or "no difference"


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A fact or an episode that matches a query. ``score`` is comparable within one search only.

    ``corrected`` marks a message from which a fact was corrected: its text is not to be quoted as truth.
    """

    kind: str
    score: float
    text: str
    fact: Fact | None = None
    seq: int | None = None
    said_at: datetime | None = None
    role: str | None = None
    corrected: bool = False


@dataclass(frozen=True, slots=True)
class Proposal:
    """An unregistered predicate that extractors proposed: how often, and with which values."""

    predicate: str
    count: int
    examples: tuple[str, ...]
    cardinality: str = "one"


@dataclass(frozen=True, slots=True)
class Job:
    """A message that waits for extraction or failed: how often it was tried, and the last error."""

    user_id: str
    agent_id: str
    seq: int
    state: str
    attempts: int
    next_try_at: datetime | None
    error: str = ""


@dataclass(frozen=True, slots=True)
class ScopeInfo:
    """One scope with its size and how far its extraction is."""

    namespace: str
    user_id: str
    agent_id: str
    rev: int
    latest_seq: int
    pending: int
    failed: int


@dataclass(frozen=True, slots=True)
class RebuildReport:
    """What a rebuild or verification found: whether folding the log anew gives the very same projection."""

    identical: bool
    digest: str
    scopes: int
    entries: int
    different: tuple[str, ...] = ()
    seconds: float = 0.0
