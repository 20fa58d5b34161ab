"""What a type checker sees of tensemem.aio. Made by tools/make_facades.py; change the verbs instead."""

# fmt: off
import os
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from types import TracebackType
from typing import Any, Literal, Self

from .model.diagnosis import Diagnosis
from .model.freshness import Freshness
from .model.items import Items
from .model.operation import Message, Operation, When
from .model.predicate import Entity, Predicate, ValueType
from .model.question import Question
from .model.results import (
    AddResult,
    BackupReport,
    Change,
    Context,
    CopyReport,
    Decision,
    Explanation,
    ExportReport,
    History,
    ImportReport,
    Job,
    LoggedMessage,
    Proposal,
    RebuildReport,
    Reextraction,
    ReextractPlan,
    Removal,
    RestoreReport,
    Retention,
    ScopeInfo,
    SearchHit,
    State,
    StateDiff,
    WriteResult,
)
from .ports import Clock
from .verbs.awaited import AsyncScopedMemory
from .verbs.base import Base
from .verbs.keeping import Trust
from .verbs.reading import KnownAt, Seconds, Stale
from .verbs.turns import AsyncTurn
from .verbs.writing import Metadata

class AsyncMemory:
    """Memory for asyncio: every verb of Memory, to be awaited; the same arguments, results and errors."""

    def __init__(
        self, path: str | os.PathLike[str] | None = None, *, llm: Any = None, schema: Any = None,
        namespace: str | None = None, clock: Clock | None = None, tz: str = "UTC",
        durability: Literal["power", "process"] = "power", worker: bool = True, read_only: bool = False,
        redact: bool | Iterable[Any] | Callable[[str], str] = True, count_tokens: Callable[[str], int] | None = None,
        max_content: int = 1_048_576, subjects: Literal["open", "declared"] = "open", key: str | bytes | None = None,
        shred: bool | str | os.PathLike[str] = False, backup_before_upgrade: bool = True,
    ) -> None: ...

    @classmethod
    async def restore(
        cls, backup: str | os.PathLike[str], dest: str | os.PathLike[str], *, key: str | bytes | None = None,
        shred: bool | str | os.PathLike[str] = False, force: bool = False,
        on: Callable[[str, Mapping[str, Any]], None] | None = None,
    ) -> RestoreReport:
        """Put a backup where no memory is, or with ``force`` in the place of one; gives what it holds."""

    def for_user(self, user_id: str, *, agent_id: str = "", namespace: str | None = None) -> AsyncScopedMemory:
        """Give the same verbs bound to one scope; ids of other scopes are unknown to it. Not awaited."""

    def turn(
        self, user_id: str, content: Any, *, session_id: str | None = None, speaker: str | None = None,
        query: str | None = None, max_tokens: int | None = None,
        format: Literal["markdown", "xml", "json"] = "markdown", include_history: bool = False,
        wait: float | bool | None = None, on_stale: Literal["flag", "raise"] = "flag", said_at: When | None = None,
        source: str | None = None, metadata: Mapping[str, Any] | None = None, idempotency_key: str | None = None,
        agent_id: str = "", namespace: str | None = None,
    ) -> AsyncTurn:
        """Give one turn of a conversation, for a ``with`` block (``async with`` for an AsyncMemory)."""

    async def add(
        self, user_id: str, content: Any, *, role: str = "user", speaker: str | None = None,
        session_id: str | None = None, extract: bool = True, wait: Seconds = None, said_at: When | None = None,
        source: str | None = None, metadata: Metadata = None, idempotency_key: str | None = None, agent_id: str = "",
        namespace: str | None = None,
    ) -> AddResult:
        """Log a message, or a list of ``{"role", "content"}``; it is durable when this returns."""

    def add_many(
        self, messages: Iterable[Message] | AsyncIterable[Message], *, batch: int = 1000, namespace: str | None = None,
    ) -> AsyncIterator[AddResult]:
        """Log messages of any users as they come, a transaction per batch and scope; gives a receipt for each."""

    async def set(
        self, user_id: str, predicate: str, value: Any, *, subject: str = "user", since: When | None = None,
        until: When | None = None, expected_rev: int | str | None = None, said_at: When | None = None,
        source: str | None = None, metadata: Metadata = None, idempotency_key: str | None = None, agent_id: str = "",
        namespace: str | None = None,
    ) -> WriteResult:
        """State the present: the value holds now (since then, until then)."""

    async def record(
        self, user_id: str, predicate: str, value: Any, *, valid_from: When, valid_to: When | None = None,
        subject: str = "user", expected_rev: int | str | None = None, said_at: When | None = None,
        source: str | None = None, metadata: Metadata = None, idempotency_key: str | None = None, agent_id: str = "",
        namespace: str | None = None,
    ) -> WriteResult:
        """File a dated row: past, effective-dated or scheduled."""

    async def add_value(
        self, user_id: str, predicate: str, value: Any, *, subject: str = "user", since: When | None = None,
        until: When | None = None, expected_rev: int | str | None = None, said_at: When | None = None,
        source: str | None = None, metadata: Metadata = None, idempotency_key: str | None = None, agent_id: str = "",
        namespace: str | None = None,
    ) -> WriteResult:
        """Add one value to a many-valued attribute; on a single-valued one it sets."""

    async def remove_value(
        self, user_id: str, predicate: str, value: Any, *, subject: str = "user", since: When | None = None,
        expected_rev: int | str | None = None, said_at: When | None = None, source: str | None = None,
        metadata: Metadata = None, idempotency_key: str | None = None, agent_id: str = "", namespace: str | None = None,
    ) -> WriteResult:
        """Take one value out of a many-valued attribute; it held until now (until ``since``)."""

    async def replace_values(
        self, user_id: str, predicate: str, values: Sequence[Any], *, subject: str = "user", since: When | None = None,
        expected_rev: int | str | None = None, said_at: When | None = None, source: str | None = None,
        metadata: Metadata = None, idempotency_key: str | None = None, agent_id: str = "", namespace: str | None = None,
    ) -> WriteResult:
        """State that these values, and no others, hold now; an empty list clears."""

    async def retract(
        self, user_id: str, predicate: str, value: Any = None, *, subject: str = "user", since: When | None = None,
        expected_rev: int | str | None = None, said_at: When | None = None, source: str | None = None,
        metadata: Metadata = None, idempotency_key: str | None = None, agent_id: str = "", namespace: str | None = None,
    ) -> WriteResult:
        """Say that a value no longer holds (any value if none is named), from now or from ``since`` on."""

    async def deny(
        self, user_id: str, predicate: str, value: Any, *, subject: str = "user", expected_rev: int | str | None = None,
        said_at: When | None = None, source: str | None = None, metadata: Metadata = None,
        idempotency_key: str | None = None, agent_id: str = "", namespace: str | None = None,
    ) -> WriteResult:
        """Say that a value never held: everything stated for it so far is void."""

    async def confirm(
        self, user_id: str, predicate: str, value: Any = None, *, subject: str = "user",
        expected_rev: int | str | None = None, said_at: When | None = None, source: str | None = None,
        metadata: Metadata = None, idempotency_key: str | None = None, agent_id: str = "", namespace: str | None = None,
    ) -> WriteResult:
        """Say that what is shown still holds: newer evidence for it; a waiting candidate or plan is accepted."""

    async def write(
        self, user_id: str, operations: Sequence[Operation], *, expected_rev: int | str | None = None,
        said_at: When | None = None, source: str | None = None, metadata: Metadata = None,
        idempotency_key: str | None = None, agent_id: str = "", namespace: str | None = None,
    ) -> WriteResult:
        """Write several operations as one entry, all or none."""

    async def correct(
        self, fact_id: str, value: Any = None, *, valid_from: When | None = None, valid_to: When | None = None,
        reason: str | None = None, user_id: str | None = None, expected_rev: int | str | None = None,
        said_at: When | None = None, source: str | None = None, metadata: Metadata = None,
        idempotency_key: str | None = None, dry_run: bool = False, agent_id: str | None = None,
        namespace: str | None = None,
    ) -> WriteResult:
        """Say that a fact was never true; with ``value`` what was true instead, with times when it held."""

    async def reinstate(
        self, fact_id: str, *, user_id: str | None = None, expected_rev: int | str | None = None,
        said_at: When | None = None, source: str | None = None, metadata: Metadata = None,
        idempotency_key: str | None = None, dry_run: bool = False, agent_id: str | None = None,
        namespace: str | None = None,
    ) -> WriteResult:
        """Take a correction back, the value stated instead with it."""

    async def review(
        self, fact_id: str, accept: bool = True, *, user_id: str | None = None, expected_rev: int | str | None = None,
        said_at: When | None = None, source: str | None = None, metadata: Metadata = None,
        idempotency_key: str | None = None, dry_run: bool = False, agent_id: str | None = None,
        namespace: str | None = None,
    ) -> WriteResult:
        """Accept or reject a candidate or a plan; an accepted plan holds from its date, or from now."""

    async def answer(
        self, question_id: str, answer: Any, *, user_id: str | None = None, said_at: When | None = None,
        source: str | None = None, metadata: Metadata = None, idempotency_key: str | None = None,
        agent_id: str | None = None, namespace: str | None = None,
    ) -> WriteResult:
        """Settle a question of ``questions``: by "yes", "no", or the value that holds; all of it or nothing."""

    async def preview(
        self, user_id: str, messages_or_operations: Any, llm: Any = None, *, agent_id: str = "",
        namespace: str | None = None,
    ) -> StateDiff:
        """Tell what would happen if messages were said, or operations written, now; nothing is written."""

    async def state(
        self, user_id: str, *, at: When | None = None, known_at: KnownAt = None,
        predicates: Sequence[str] | None = None, subject: str | None = None, layers: Sequence[str] | None = None,
        min_seq: int | None = None, wait: Seconds = None, on_stale: Stale = "flag", agent_id: str = "",
        namespace: str | None = None,
    ) -> State:
        """Give the values that hold now, or at a moment (``at``), as known now or at a revision or time
        (``known_at``)."""

    async def get(
        self, user_id: str, predicate: str, default: Any = None, *, subject: str = "user", at: When | None = None,
        known_at: KnownAt = None, agent_id: str = "", namespace: str | None = None,
    ) -> Any:
        """Give one value (a tuple where the predicate is many-valued), or the default."""

    async def history(
        self, user_id: str, predicate: str | None = None, *, subject: str | None = "user",
        between: tuple[When, When] | None = None, known_at: KnownAt = None, limit: int | None = None,
        after: str | None = None, agent_id: str = "", namespace: str | None = None,
    ) -> History:
        """Give every fact of a slot (of all slots of a subject) in valid-time order, then those without dates."""

    async def explain(
        self, fact_id: str, *, user_id: str | None = None, agent_id: str | None = None, namespace: str | None = None,
    ) -> Explanation:
        """Answer why: the quote in its message, who said it, which extractor, the decisions, what it displaced, what
        displaced it, who corrected it and why. Raises UnknownFactError."""

    async def decisions(
        self, user_id: str, seq: int, *, agent_id: str = "", namespace: str | None = None,
    ) -> Items[Decision]:
        """Give what became of every operation of an episode, with reason codes; empty while it is pending."""

    async def context(
        self, user_id: str, query: str | None = None, *, max_tokens: int | None = None,
        format: Literal["markdown", "xml", "json"] = "markdown", include_history: bool = False,
        layers: Sequence[str] | None = None, at: When | None = None, known_at: KnownAt = None,
        min_seq: int | None = None, wait: Seconds = None, on_stale: Stale = "flag", agent_id: str = "",
        namespace: str | None = None,
    ) -> Context:
        """Give text for a prompt: what holds now, what is planned, what is in doubt; fenced, within a token budget."""

    async def questions(
        self, user_id: str, *, limit: int | None = None, agent_id: str = "", namespace: str | None = None,
    ) -> Items[Question]:
        """Give what is worth asking the user, in words ready to be said, the most pressing first."""

    async def search(
        self, user_id: str, query: str, *, limit: int = 10, after: str | None = None, include_history: bool = True,
        agent_id: str = "", namespace: str | None = None,
    ) -> Items[SearchHit]:
        """Give facts and episodes that hold the query's words, what is true now first."""

    async def messages(
        self, user_id: str, *, session_id: str | None = None, after: int = 0, before: int | None = None,
        limit: int | None = None, agent_id: str = "", namespace: str | None = None,
    ) -> Items[LoggedMessage]:
        """Give messages back as they were said, of every role or of one session, oldest first."""

    async def changes(
        self, user_id: str, after_rev: int = 0, *, limit: int | None = None, wait: Seconds = None, agent_id: str = "",
        namespace: str | None = None,
    ) -> Items[Change]:
        """Give every value that changed after a revision, in order, with the entry that did it."""

    async def register_predicate(
        self, name: str, cardinality: Literal["one", "many"] = "one", *, type: ValueType = "text",
        description: str = "", aliases: Sequence[str] = (), choices: Sequence[Any] | None = None,
        ttl: timedelta | str | None = None, review_after: timedelta | str | None = None,
        writers: Sequence[str] | None = None, trust: Trust = None, min_confidence: float | None = None,
        verbatim: bool | None = None, examples: Sequence[str] = (), update: bool = False, namespace: str | None = None,
    ) -> Predicate:
        """Register an attribute that may be remembered; the same definition again writes nothing."""

    async def register_entity(
        self, name: str, *, aliases: Sequence[str] = (), kind: str = "thing", namespace: str | None = None,
    ) -> Entity:
        """Register a thing and the names it goes by; new aliases join yesterday's facts too."""

    async def register(
        self, source: Any, *, update: bool = False, namespace: str | None = None,
    ) -> tuple[Predicate, ...]:
        """Register a whole profile: a pydantic model, several, or the path of a TOML file; all or none."""

    async def predicates(self, *, namespace: str | None = None) -> tuple[Predicate, ...]:
        """Give the registered predicates, by name."""

    async def proposals(self, *, namespace: str | None = None) -> tuple[Proposal, ...]:
        """Give the unregistered predicates that extractors proposed, with counts and examples."""

    async def flush(
        self, user_id: str | None = None, *, timeout: float = 10.0, agent_id: str = "", namespace: str | None = None,
    ) -> Freshness:
        """Settle what is waiting now (of one scope, or of all), each message tried once; gives the freshness then."""

    async def reextract(
        self, user_id: str, llm: Any, *, from_seq: int | None = None, since: Any = None, limit: int | None = None,
        dry_run: bool = True, agent_id: str = "", namespace: str | None = None,
    ) -> Reextraction:
        """Ask another extractor over the same messages; gives the difference in state, and writes only if told to."""

    async def plan_reextract(
        self, user_id: str, llm: Any, *, from_seq: int | None = None, since: Any = None, limit: int | None = None,
        agent_id: str = "", namespace: str | None = None,
    ) -> ReextractPlan:
        """Tell what ``reextract`` with the same arguments would cost: messages, requests at most, and tokens of
        text."""

    async def forget(
        self, user_id: str | None = None, *, predicate: str | None = None, subject: str | None = None,
        fact_id: str | None = None, agent_id: str | None = None, namespace: str | None = None,
    ) -> Removal:
        """Forget a person (``user_id`` alone); or of theirs a slot (``predicate``), all slots of a ``subject``, or the
        value that a fact shows (``fact_id`` alone, or with whose it is)."""

    async def erase(self, user_id: str, seq: int, *, agent_id: str = "", namespace: str | None = None) -> Removal:
        """Erase one episode: its content, what was extracted from it, and corrections of nothing but that."""

    async def purge(
        self, before: When, *, keep_quotes: bool = False, user_id: str | None = None, namespace: str | None = None,
    ) -> Removal:
        """Remove the texts of settled messages said before a moment; what was learned from them stays as it is."""

    async def jobs(
        self, user_id: str | None = None, *, limit: int = 10_000, after: str | None = None,
    ) -> tuple[Job, ...]:
        """Give the messages that wait or failed, with attempts and the last error; ``after`` is the last one's
        ``cursor``. Raises UnknownFactError for a cursor of nobody here."""

    async def retry(
        self, user_id: str | None = None, seq: int | None = None, *, agent_id: str = "", namespace: str | None = None,
    ) -> int:
        """Put failed or pausing messages back in the queue: one, those of a scope, or all; gives how many."""

    async def dismiss(self, user_id: str, seq: int, *, agent_id: str = "", namespace: str | None = None) -> None:
        """Settle a waiting or failed message without learning from it. Raises UnknownFactError, ConflictError."""

    async def retain(
        self, *, texts: timedelta | str | None = None, keep_quotes: bool = False,
        facts: Mapping[str, timedelta | str | None] | None = None, namespace: str | None = None,
    ) -> Retention:
        """Say how long the namespace keeps what; it takes the place of what was said before, and nothing keeps all."""

    async def retention(self, *, namespace: str | None = None) -> Retention:
        """Give how long the namespace keeps what, what the last run removed, and when the next one is due."""

    async def apply_retention(self, *, namespace: str | None = None) -> Retention:
        """Remove now what ``retain`` says is kept no longer, in this call; gives what it says, and what went."""

    async def stats(self) -> dict[str, Any]:
        """Give the sizes of the namespace (scopes, entries, facts, pending, failed) and where the memory is."""

    async def doctor(self, *, quick: bool = False, thorough: bool = False) -> Diagnosis:
        """Look at all that the memory stands on, and tell what is wrong and what to do; nothing is written."""

    async def scopes(
        self, prefix: str | None = None, *, limit: int = 100, after: str | None = None, namespace: str | None = None,
    ) -> tuple[ScopeInfo, ...]:
        """Give the namespace's scopes in order of user and agent; ``after`` is the last one's ``cursor``."""

    async def rebuild(self, user_id: str | None = None) -> RebuildReport:
        """Fold the log again, of one user or of all, and replace what differs; no extractor is asked."""

    async def verify(self, user_id: str | None = None) -> RebuildReport:
        """Fold the log again and tell whether it gives the same, without writing."""

    async def digest(self, user_id: str, *, agent_id: str = "", namespace: str | None = None) -> str:
        """Give the hash of a scope's facts: equal wherever the same was said, whatever the order of extraction."""

    async def copy_to(
        self, dest: str | os.PathLike[str] | Base, *, namespaces: Sequence[str] | None = None,
        prefix: str | None = None,
    ) -> CopyReport:
        """Copy whole memories to another store: a path, a URL, or another open memory; gives what was done."""

    async def rekey(self, key: str | bytes | None, *, timeout: float = 10.0) -> None:
        """Encrypt the file with another key, or for the first time; None takes the encryption away."""

    async def on(
        self, hook: Callable[[str, Mapping[str, Any]], None], *, calls: bool = False, content: bool = False,
    ) -> Callable[[], None]:
        """Call a hook with ``(event, fields)`` for logging and metrics; gives what takes it off again."""

    async def export(
        self, dest: Any, *, user_id: str | None = None, agent_id: str | None = None, namespace: str | None = None,
        every_namespace: bool = False, sign_key: str | bytes | None = None, overwrite: bool = False,
    ) -> ExportReport:
        """Write memories as lines of JSON: logs with ids, revisions and times, what waits, every idempotency key."""

    async def import_(
        self, source: Any, *, format: Literal["tensemem", "jsonl", "mem0"] = "tensemem",
        take: Literal["messages", "rows", "both"] | None = None, role: str = "user", label: str | None = None,
        predicate: str = "note", user_id: str | None = None, agent_id: str | None = None, namespace: str | None = None,
        every_namespace: bool = False, sign_key: str | bytes | None = None,
    ) -> ImportReport:
        """Read an export: a path, "-" for standard input, an open file, or an iterable of lines; gives what was
        done."""

    async def backup(
        self, dest: str | os.PathLike[str], *, key: str | bytes | None = None, overwrite: bool = False,
        verify: bool = True,
    ) -> BackupReport:
        """Write the whole memory to a file of its own, as of one moment, while others read and write."""

    async def close(self, *, timeout: float = 5.0) -> None:
        """Stop the worker, waiting some seconds for the message being extracted, and close the file."""

    async def __aenter__(self) -> Self: ...
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
