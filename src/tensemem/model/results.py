"""What the verbs return: frozen, comparable, printable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from .display import fact_table, pictured, table
from .fact import Fact, Statement
from .freshness import Freshness
from .question import Question
from .receipts import AddResult, Change, Decision, WriteOutcome, WriteResult
from .retention import Retention, RetentionRun
from .scope import Scope
from .state import Shown, State

__all__ = [
    "AddResult",
    "BackupReport",
    "Change",
    "Context",
    "CopyReport",
    "Decision",
    "Explanation",
    "ExportReport",
    "History",
    "ImportReport",
    "Job",
    "LoggedMessage",
    "NotUnderstood",
    "Proposal",
    "Question",
    "RebuildReport",
    "ReextractPlan",
    "Reextraction",
    "Removal",
    "RestoreReport",
    "Retention",
    "RetentionRun",
    "ScopeInfo",
    "SearchHit",
    "Shown",
    "State",
    "StateDiff",
    "Step",
    "Upgrade",
    "WriteOutcome",
    "WriteResult",
]


@dataclass(frozen=True, slots=True)
class History:
    """Every fact of a scope or slot in valid-time order, then those without dates; and the statements that took away.

    ``next`` is the cursor for ``after=`` where ``limit`` cut the list. ``at`` is the moment of the read, of which each
    status speaks; two histories that differ in it alone are equal.
    """

    user_id: str
    facts: tuple[Fact, ...]
    retractions: tuple[Statement, ...]
    freshness: Freshness
    next: str | None = None
    at: datetime | None = field(default=None, compare=False)

    def __iter__(self) -> Iterator[Fact]:
        return iter(self.facts)

    def __str__(self) -> str:
        return "\n".join(str(fact) for fact in self.facts) or "no history"

    def _repr_html_(self) -> str:
        return pictured(self, fact_table(self.facts) + _statement_table(self.retractions))


def _statement_table(statements: tuple[Statement, ...]) -> str:
    """Give what took away as a table; empty where nothing did."""
    lines = [(one.said_at, one.kind, one.subject, one.predicate, one.value, one.quote) for one in statements]
    return table(("said", "statement", "subject", "predicate", "value", "quote"), lines) if lines else ""


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
    """Why a fact is shown, or not: its evidence, what it displaced, what displaced it, who corrected it and why.

    ``scope`` is whose fact it is, ``freshness`` how far the read lags behind its log.
    """

    fact: Fact
    steps: tuple[Step, ...]
    displaced: tuple[Fact, ...] = ()
    displaced_by: tuple[Fact, ...] = ()
    decisions: tuple[Decision, ...] = ()
    scope: Scope | None = None
    freshness: Freshness | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return "\n".join([str(self.fact), *(f"  {step.kind}: {step.text}" for step in self.steps)])

    def _repr_html_(self) -> str:
        lines = [(step.said_at, step.kind, step.role, step.text, step.quote, step.reason) for step in self.steps]
        return pictured(self, table(("said", "step", "by", "what", "quote", "reason"), lines, str(self.fact)))


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

    def _repr_html_(self) -> str:
        changed = [("~", before.predicate, f"{before.object} -> {after.object}") for before, after in self.changed]
        added = [("+", fact.predicate, fact.object) for fact in self.added]
        removed = [("-", fact.predicate, fact.object) for fact in self.removed]
        return pictured(self, table(("", "predicate", "value"), [*added, *removed, *changed]))


@dataclass(frozen=True, slots=True)
class Reextraction(StateDiff):
    """What another model makes of the same messages: the difference in state, and what it is made of.

    ``seqs`` are the messages that were read, ``failed_seqs`` those whose answer was bad: they keep the extraction they
    have. ``usage`` sums what the extractor says it used, bad answers included. ``applied`` tells whether it is
    written; what a dry run proposed is in ``extractions``, and can be written as it is:
    ``reextract(user_id, difference, dry_run=False)``.
    """

    scope: Scope | None = None
    seqs: tuple[int, ...] = ()
    failed_seqs: tuple[int, ...] = ()
    usage: Mapping[str, float] = field(default_factory=dict)
    applied: bool = False
    extractions: tuple[tuple[int, int, Mapping[str, Any]], ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class ReextractPlan:
    """What asking again would cost: messages, requests at most, and tokens of the messages' own text."""

    messages: int
    requests: int
    tokens: int


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
class LoggedMessage:
    """A message as the log has it, secrets replaced. ``said_at`` and ``recorded_at`` are in UTC.

    ``corrected`` marks one from which a fact was corrected: its text is not to be quoted as truth. ``gone`` says that
    there is no text any more, and why: "purged" or "forgotten".
    """

    seq: int
    role: str
    content: str
    said_at: datetime
    recorded_at: datetime
    session_id: str | None = None
    speaker: str | None = None
    source: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    corrected: bool = False
    gone: str = ""


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

    @property
    def cursor(self) -> str:
        """What ``jobs(after=...)`` takes to go on behind this one."""
        return f"{self.seq}.{len(self.agent_id)}.{self.agent_id}{self.user_id}"


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

    @property
    def cursor(self) -> str:
        """What ``scopes(after=...)`` takes to go on behind this one."""
        return f"{self.user_id}\0{self.agent_id}"


@dataclass(frozen=True, slots=True)
class RebuildReport:
    """What a rebuild or verification found: whether folding the log anew gives the very same projection."""

    identical: bool
    digest: str
    scopes: int
    entries: int
    different: tuple[str, ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Removal:
    """Receipt of what was removed, in rows: entries of logs, the episodes among them, what was made of them.

    ``texts`` are those of the search index, ``keys`` the idempotency and duplicate keys, ``pending`` the messages that
    were not extracted yet. ``scrubbed`` tells that what was removed is overwritten in the files of the memory too;
    where it is False, ``unscrubbed`` says why, and it is done as soon as that has passed. ``mentions`` are seqs of
    messages that still hold what was forgotten. ``limits`` are the keys to a served memory that were limited to the
    person, and name them no longer. ``elsewhere`` says, a sentence each, what copies out of reach may hold.
    """

    scopes: int = 0
    entries: int = 0
    episodes: int = 0
    claims: int = 0
    facts: int = 0
    texts: int = 0
    keys: int = 0
    pending: int = 0
    seconds: float = 0.0
    scrubbed: bool = True
    unscrubbed: str = ""
    mentions: tuple[int, ...] = ()
    elsewhere: tuple[str, ...] = ()
    limits: int = 0


@dataclass(frozen=True, slots=True)
class Upgrade:
    """What the tables of a database lack, or lacked, of those this version knows: ``steps`` by version, with titles.

    ``found`` is the version they had, 0 where there were none; ``applied`` tells whether the steps were run, and
    ``backup`` where a copy is of what was before.
    """

    location: str
    found: int
    known: int
    steps: tuple[tuple[int, str], ...]
    applied: bool
    backup: str | None = None


@dataclass(frozen=True, slots=True)
class CopyReport:
    """What a copy did: of the ``scopes`` looked at, how many got something, had it all, or had gone on since.

    ``entries`` is how many were appended to their logs. ``forgotten`` scopes were left out: the destination was told to
    forget them.
    """

    source: str
    destination: str
    namespaces: int
    scopes: int
    copied: int
    unchanged: int
    ahead: int
    entries: int
    seconds: float = 0.0
    forgotten: int = 0


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What an export wrote: how many namespaces, scopes and entries, in how many lines and bytes.

    ``size`` counts bytes before they are packed. ``checksum`` is that of the last line, which stands for all of it;
    ``signed`` tells whether it was made with a key.
    """

    source: str
    destination: str
    namespaces: int
    scopes: int
    entries: int
    lines: int
    size: int
    signed: bool
    checksum: str
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """What of another system's file was not taken: its line (or the number of the record in a list), and why."""

    line: int
    why: str


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did: of the ``scopes`` looked at, how many got something, had it all, or had gone on since.

    ``entries`` is how many were appended to their logs. ``left_out`` counts scopes that were not asked for,
    ``forgotten`` those that this memory was told to forget. Of other systems' files: ``duplicates`` counts what was
    there already, and ``not_understood`` tells, line by line, what was not taken.
    """

    source: str
    destination: str
    namespaces: int
    scopes: int
    imported: int
    unchanged: int
    ahead: int
    entries: int
    left_out: int = 0
    forgotten: int = 0
    duplicates: int = 0
    not_understood: tuple[NotUnderstood, ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class BackupReport:
    """What a backup holds, and that it was looked through: ``size`` in bytes, ``different`` as in a RebuildReport.

    Users named there have facts that are not what their log folds to, in the memory as in its backup.
    """

    source: str
    destination: str
    scopes: int
    entries: int
    size: int
    encrypted: bool
    different: tuple[str, ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class RestoreReport:
    """What was restored: ``schema_version`` is what the backup had, ``rebuilt`` whose facts were folded anew.

    ``forgotten`` counts the scopes that were left out, since they were forgotten after the backup was made. Where a
    server had memories already, ``scopes`` and ``entries`` count what was added to it, ``unchanged`` the scopes that
    had all of it, ``ahead`` those that had more.
    """

    backup: str
    destination: str
    scopes: int
    entries: int
    schema_version: int
    rebuilt: tuple[str, ...] = ()
    forgotten: int = 0
    unchanged: int = 0
    ahead: int = 0
    seconds: float = 0.0
