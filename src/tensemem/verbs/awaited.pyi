"""What a type checker sees of tensemem.verbs.awaited. Made by tools/make_facades.py; change the verbs instead."""

# fmt: off
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ..model.freshness import Freshness
from ..model.items import Items
from ..model.operation import Operation, When
from ..model.question import Question
from ..model.results import (
    AddResult,
    Change,
    Context,
    Decision,
    Explanation,
    ExportReport,
    History,
    ImportReport,
    LoggedMessage,
    Reextraction,
    ReextractPlan,
    Removal,
    SearchHit,
    State,
    StateDiff,
    WriteResult,
)
from .reading import KnownAt, Seconds, Stale
from .scoped import ScopedHandle
from .tools import AwaitedTools
from .turns import AsyncTurn
from .writing import Metadata

class AsyncScopedMemory(AwaitedTools, ScopedHandle):
    """The verbs of an AsyncMemory bound to one scope, to be awaited; ids of other scopes are unknown to it."""

    def turn(
        self, content: Any, *, session_id: str | None = None, speaker: str | None = None, query: str | None = None,
        max_tokens: int | None = None, format: Literal["markdown", "xml", "json"] = "markdown",
        include_history: bool = False, wait: float | bool | None = None, on_stale: Literal["flag", "raise"] = "flag",
        said_at: When | None = None, source: str | None = None, metadata: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
    ) -> AsyncTurn:
        """Give one turn of a conversation, for a ``with`` block (``async with`` for an AsyncMemory)."""

    async def add(
        self, content: Any, *, role: str = "user", speaker: str | None = None, session_id: str | None = None,
        extract: bool = True, wait: Seconds = None, said_at: When | None = None, source: str | None = None,
        metadata: Metadata = None, idempotency_key: str | None = None,
    ) -> AddResult:
        """Log a message, or a list of ``{"role", "content"}``; it is durable when this returns."""

    async def set(
        self, predicate: str, value: Any, *, subject: str = "user", since: When | None = None,
        until: When | None = None, expected_rev: int | str | None = None, said_at: When | None = None,
        source: str | None = None, metadata: Metadata = None, idempotency_key: str | None = None,
    ) -> WriteResult:
        """State the present: the value holds now (since then, until then)."""

    async def record(
        self, predicate: str, value: Any, *, valid_from: When, valid_to: When | None = None, subject: str = "user",
        expected_rev: int | str | None = None, said_at: When | None = None, source: str | None = None,
        metadata: Metadata = None, idempotency_key: str | None = None,
    ) -> WriteResult:
        """File a dated row: past, effective-dated or scheduled."""

    async def add_value(
        self, predicate: str, value: Any, *, subject: str = "user", since: When | None = None,
        until: When | None = None, expected_rev: int | str | None = None, said_at: When | None = None,
        source: str | None = None, metadata: Metadata = None, idempotency_key: str | None = None,
    ) -> WriteResult:
        """Add one value to a many-valued attribute; on a single-valued one it sets."""

    async def remove_value(
        self, predicate: str, value: Any, *, subject: str = "user", since: When | None = None,
        expected_rev: int | str | None = None, said_at: When | None = None, source: str | None = None,
        metadata: Metadata = None, idempotency_key: str | None = None,
    ) -> WriteResult:
        """Take one value out of a many-valued attribute; it held until now (until ``since``)."""

    async def replace_values(
        self, predicate: str, values: Sequence[Any], *, subject: str = "user", since: When | None = None,
        expected_rev: int | str | None = None, said_at: When | None = None, source: str | None = None,
        metadata: Metadata = None, idempotency_key: str | None = None,
    ) -> WriteResult:
        """State that these values, and no others, hold now; an empty list clears."""

    async def retract(
        self, predicate: str, value: Any = None, *, subject: str = "user", since: When | None = None,
        expected_rev: int | str | None = None, said_at: When | None = None, source: str | None = None,
        metadata: Metadata = None, idempotency_key: str | None = None,
    ) -> WriteResult:
        """Say that a value no longer holds (any value if none is named), from now or from ``since`` on."""

    async def deny(
        self, predicate: str, value: Any, *, subject: str = "user", expected_rev: int | str | None = None,
        said_at: When | None = None, source: str | None = None, metadata: Metadata = None,
        idempotency_key: str | None = None,
    ) -> WriteResult:
        """Say that a value never held: everything stated for it so far is void."""

    async def confirm(
        self, predicate: str, value: Any = None, *, subject: str = "user", expected_rev: int | str | None = None,
        said_at: When | None = None, source: str | None = None, metadata: Metadata = None,
        idempotency_key: str | None = None,
    ) -> WriteResult:
        """Say that what is shown still holds: newer evidence for it; a waiting candidate or plan is accepted."""

    async def write(
        self, operations: Sequence[Operation], *, expected_rev: int | str | None = None, said_at: When | None = None,
        source: str | None = None, metadata: Metadata = None, idempotency_key: str | None = None,
    ) -> WriteResult:
        """Write several operations as one entry, all or none."""

    async def correct(
        self, fact_id: str, value: Any = None, *, valid_from: When | None = None, valid_to: When | None = None,
        reason: str | None = None, expected_rev: int | str | None = None, said_at: When | None = None,
        source: str | None = None, metadata: Metadata = None, idempotency_key: str | None = None, dry_run: bool = False,
    ) -> WriteResult:
        """Say that a fact was never true; with ``value`` what was true instead, with times when it held."""

    async def reinstate(
        self, fact_id: str, *, expected_rev: int | str | None = None, said_at: When | None = None,
        source: str | None = None, metadata: Metadata = None, idempotency_key: str | None = None, dry_run: bool = False,
    ) -> WriteResult:
        """Take a correction back, the value stated instead with it."""

    async def review(
        self, fact_id: str, accept: bool = True, *, expected_rev: int | str | None = None, said_at: When | None = None,
        source: str | None = None, metadata: Metadata = None, idempotency_key: str | None = None, dry_run: bool = False,
    ) -> WriteResult:
        """Accept or reject a candidate or a plan; an accepted plan holds from its date, or from now."""

    async def answer(
        self, question_id: str, answer: Any, *, said_at: When | None = None, source: str | None = None,
        metadata: Metadata = None, idempotency_key: str | None = None,
    ) -> WriteResult:
        """Settle a question of ``questions``: by "yes", "no", or the value that holds; all of it or nothing."""

    async def preview(self, messages_or_operations: Any, llm: Any = None) -> StateDiff:
        """Tell what would happen if messages were said, or operations written, now; nothing is written."""

    async def state(
        self, *, at: When | None = None, known_at: KnownAt = None, predicates: Sequence[str] | None = None,
        subject: str | None = None, layers: Sequence[str] | None = None, min_seq: int | None = None,
        wait: Seconds = None, on_stale: Stale = "flag",
    ) -> State:
        """Give the values that hold now, or at a moment (``at``), as known now or at a revision or time
        (``known_at``)."""

    async def get(
        self, predicate: str, default: Any = None, *, subject: str = "user", at: When | None = None,
        known_at: KnownAt = None,
    ) -> Any:
        """Give one value (a tuple where the predicate is many-valued), or the default."""

    async def history(
        self, predicate: str | None = None, *, subject: str | None = "user", between: tuple[When, When] | None = None,
        known_at: KnownAt = None, limit: int | None = None, after: str | None = None,
    ) -> History:
        """Give every fact of a slot (of all slots of a subject) in valid-time order, then those without dates."""

    async def explain(self, fact_id: str) -> Explanation:
        """Answer why: the quote in its message, who said it, which extractor, the decisions, what it displaced, what
        displaced it, who corrected it and why. Raises UnknownFactError."""

    async def decisions(self, seq: int) -> Items[Decision]:
        """Give what became of every operation of an episode, with reason codes; empty while it is pending."""

    async def context(
        self, query: str | None = None, *, max_tokens: int | None = None,
        format: Literal["markdown", "xml", "json"] = "markdown", include_history: bool = False,
        layers: Sequence[str] | None = None, at: When | None = None, known_at: KnownAt = None,
        min_seq: int | None = None, wait: Seconds = None, on_stale: Stale = "flag",
    ) -> Context:
        """Give text for a prompt: what holds now, what is planned, what is in doubt; fenced, within a token budget."""

    async def questions(self, *, limit: int | None = None) -> Items[Question]:
        """Give what is worth asking the user, in words ready to be said, the most pressing first."""

    async def search(
        self, query: str, *, limit: int = 10, after: str | None = None, include_history: bool = True,
    ) -> Items[SearchHit]:
        """Give facts and episodes that hold the query's words, what is true now first."""

    async def messages(
        self, *, session_id: str | None = None, after: int = 0, before: int | None = None, limit: int | None = None,
    ) -> Items[LoggedMessage]:
        """Give messages back as they were said, of every role or of one session, oldest first."""

    async def changes(self, after_rev: int = 0, *, limit: int | None = None, wait: Seconds = None) -> Items[Change]:
        """Give every value that changed after a revision, in order, with the entry that did it."""

    async def flush(self, *, timeout: float = 10.0) -> Freshness:
        """Settle what is waiting now (of one scope, or of all), each message tried once; gives the freshness then."""

    async def reextract(
        self, llm: Any, *, from_seq: int | None = None, since: Any = None, limit: int | None = None,
        dry_run: bool = True,
    ) -> Reextraction:
        """Ask another extractor over the same messages; gives the difference in state, and writes only if told to."""

    async def plan_reextract(
        self, llm: Any, *, from_seq: int | None = None, since: Any = None, limit: int | None = None,
    ) -> ReextractPlan:
        """Tell what ``reextract`` with the same arguments would cost: messages, requests at most, and tokens of
        text."""

    async def forget(
        self, *, predicate: str | None = None, subject: str | None = None, fact_id: str | None = None,
    ) -> Removal:
        """Forget a person (``user_id`` alone); or of theirs a slot (``predicate``), all slots of a ``subject``, or the
        value that a fact shows (``fact_id`` alone, or with whose it is)."""

    async def erase(self, seq: int) -> Removal:
        """Erase one episode: its content, what was extracted from it, and corrections of nothing but that."""

    async def retry(self, seq: int | None = None) -> int:
        """Put failed or pausing messages back in the queue: one, those of a scope, or all; gives how many."""

    async def dismiss(self, seq: int) -> None:
        """Settle a waiting or failed message without learning from it. Raises UnknownFactError, ConflictError."""

    async def digest(self) -> str:
        """Give the hash of a scope's facts: equal wherever the same was said, whatever the order of extraction."""

    async def export(
        self, dest: Any, *, every_namespace: bool = False, sign_key: str | bytes | None = None, overwrite: bool = False,
    ) -> ExportReport:
        """Write memories as lines of JSON: logs with ids, revisions and times, what waits, every idempotency key."""

    async def import_(
        self, source: Any, *, format: Literal["tensemem", "jsonl", "mem0"] = "tensemem",
        take: Literal["messages", "rows", "both"] | None = None, role: str = "user", label: str | None = None,
        predicate: str = "note", every_namespace: bool = False, sign_key: str | bytes | None = None,
    ) -> ImportReport:
        """Read an export: a path, "-" for standard input, an open file, or an iterable of lines; gives what was
        done."""
