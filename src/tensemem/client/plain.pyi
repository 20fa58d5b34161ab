"""What a type checker sees of tensemem.client.plain. Made by tools/make_facades.py; change the verbs instead."""

# fmt: off
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from types import TracebackType
from typing import Any, Literal, NoReturn, Self

from ..model.diagnosis import Diagnosis
from ..model.freshness import Freshness
from ..model.items import Items
from ..model.operation import Message, Operation, When
from ..model.predicate import Entity, Predicate, ValueType
from ..model.question import Question
from ..model.results import (
    AddResult,
    BackupReport,
    Change,
    Context,
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
    Retention,
    ScopeInfo,
    SearchHit,
    State,
    StateDiff,
    WriteResult,
)
from ..verbs.base import Base
from ..verbs.keeping import Trust
from ..verbs.reading import KnownAt, Seconds, Stale
from ..verbs.scoped import ScopedMemory, Verb
from ..verbs.turns import Turn
from ..verbs.writing import Metadata
from .address import DEFAULT_RETRIES, DEFAULT_TIMEOUT
from .calling import Setting
from .sending import Sender

class Client:
    """A memory that a server holds (``tensemem serve``): the verbs of Memory, with the same results and errors."""

    _setting: Setting
    _sender: Sender
    def __init__(
        self, url: str, token: str | None = None, *, namespace: str | None = None, timeout: float = DEFAULT_TIMEOUT,
        verify: Any = True, retries: int = DEFAULT_RETRIES, insecure: bool = False,
    ) -> None: ...

    @classmethod
    def restore(
        cls, backup: str | os.PathLike[str], dest: str | os.PathLike[str], *, key: str | bytes | None = None,
        shred: bool | str | os.PathLike[str] = False, force: bool = False,
        on: Callable[[str, Mapping[str, Any]], None] | None = None,
    ) -> NoReturn:
        """Put a backup where no memory is, or with ``force`` in the place of one; gives what it holds."""

    def for_user(self, user_id: str, *, agent_id: str = "", namespace: str | None = None) -> ScopedMemory:
        """Give the same verbs bound to one scope; ids of other scopes are unknown to it. Nothing is asked yet."""

    def turn(
        self, user_id: str, content: Any, *, session_id: str | None = None, speaker: str | None = None,
        query: str | None = None, max_tokens: int | None = None,
        format: Literal["markdown", "xml", "json"] = "markdown", include_history: bool = False,
        wait: float | bool | None = None, on_stale: Literal["flag", "raise"] = "flag", said_at: When | None = None,
        source: str | None = None, metadata: Mapping[str, Any] | None = None, idempotency_key: str | None = None,
        agent_id: str = "", namespace: str | None = None,
    ) -> Turn:
        """Give one turn of a conversation, for a ``with`` block (``async with`` for an AsyncMemory)."""

    def add(
        self, user_id: str, content: Any, *, role: str = "user", speaker: str | None = None,
        session_id: str | None = None, extract: bool = True, wait: Seconds = None, said_at: When | None = None,
        source: str | None = None, metadata: Metadata = None, idempotency_key: str | None = None, agent_id: str = "",
        namespace: str | None = None,
    ) -> AddResult:
        """Log a message, or a list of ``{"role", "content"}``; it is durable when this returns."""

    def add_many(
        self, messages: Iterable[Message], *, batch: int = 1000, namespace: str | None = None,
    ) -> Iterator[AddResult]:
        """Log messages of any users as they come, a transaction per batch and scope; gives a receipt for each."""

    def set(
        self, user_id: str, predicate: str, value: Any, *, subject: str = "user", since: When | None = None,
        until: When | None = None, expected_rev: int | str | None = None, said_at: When | None = None,
        source: str | None = None, metadata: Metadata = None, idempotency_key: str | None = None, agent_id: str = "",
        namespace: str | None = None,
    ) -> WriteResult:
        """State the present: the value holds now (since then, until then)."""

    def record(
        self, user_id: str, predicate: str, value: Any, *, valid_from: When, valid_to: When | None = None,
        subject: str = "user", expected_rev: int | str | None = None, said_at: When | None = None,
        source: str | None = None, metadata: Metadata = None, idempotency_key: str | None = None, agent_id: str = "",
        namespace: str | None = None,
    ) -> WriteResult:
        """File a dated row: past, effective-dated or scheduled."""

    def add_value(
        self, user_id: str, predicate: str, value: Any, *, subject: str = "user", since: When | None = None,
        until: When | None = None, expected_rev: int | str | None = None, said_at: When | None = None,
        source: str | None = None, metadata: Metadata = None, idempotency_key: str | None = None, agent_id: str = "",
        namespace: str | None = None,
    ) -> WriteResult:
        """Add one value to a many-valued attribute; on a single-valued one it sets."""

    def remove_value(
        self, user_id: str, predicate: str, value: Any, *, subject: str = "user", since: When | None = None,
        expected_rev: int | str | None = None, said_at: When | None = None, source: str | None = None,
        metadata: Metadata = None, idempotency_key: str | None = None, agent_id: str = "", namespace: str | None = None,
    ) -> WriteResult:
        """Take one value out of a many-valued attribute; it held until now (until ``since``)."""

    def replace_values(
        self, user_id: str, predicate: str, values: Sequence[Any], *, subject: str = "user", since: When | None = None,
        expected_rev: int | str | None = None, said_at: When | None = None, source: str | None = None,
        metadata: Metadata = None, idempotency_key: str | None = None, agent_id: str = "", namespace: str | None = None,
    ) -> WriteResult:
        """State that these values, and no others, hold now; an empty list clears."""

    def retract(
        self, user_id: str, predicate: str, value: Any = None, *, subject: str = "user", since: When | None = None,
        expected_rev: int | str | None = None, said_at: When | None = None, source: str | None = None,
        metadata: Metadata = None, idempotency_key: str | None = None, agent_id: str = "", namespace: str | None = None,
    ) -> WriteResult:
        """Say that a value no longer holds (any value if none is named), from now or from ``since`` on."""

    def deny(
        self, user_id: str, predicate: str, value: Any, *, subject: str = "user", expected_rev: int | str | None = None,
        said_at: When | None = None, source: str | None = None, metadata: Metadata = None,
        idempotency_key: str | None = None, agent_id: str = "", namespace: str | None = None,
    ) -> WriteResult:
        """Say that a value never held: everything stated for it so far is void."""

    def confirm(
        self, user_id: str, predicate: str, value: Any = None, *, subject: str = "user",
        expected_rev: int | str | None = None, said_at: When | None = None, source: str | None = None,
        metadata: Metadata = None, idempotency_key: str | None = None, agent_id: str = "", namespace: str | None = None,
    ) -> WriteResult:
        """Say that what is shown still holds: newer evidence for it; a waiting candidate or plan is accepted."""

    def write(
        self, user_id: str, operations: Sequence[Operation], *, expected_rev: int | str | None = None,
        said_at: When | None = None, source: str | None = None, metadata: Metadata = None,
        idempotency_key: str | None = None, agent_id: str = "", namespace: str | None = None,
    ) -> WriteResult:
        """Write several operations as one entry, all or none."""

    def correct(
        self, fact_id: str, value: Any = None, *, valid_from: When | None = None, valid_to: When | None = None,
        reason: str | None = None, user_id: str | None = None, expected_rev: int | str | None = None,
        said_at: When | None = None, source: str | None = None, metadata: Metadata = None,
        idempotency_key: str | None = None, dry_run: bool = False, agent_id: str | None = None,
        namespace: str | None = None,
    ) -> WriteResult:
        """Say that a fact was never true; with ``value`` what was true instead, with times when it held."""

    def reinstate(
        self, fact_id: str, *, user_id: str | None = None, expected_rev: int | str | None = None,
        said_at: When | None = None, source: str | None = None, metadata: Metadata = None,
        idempotency_key: str | None = None, dry_run: bool = False, agent_id: str | None = None,
        namespace: str | None = None,
    ) -> WriteResult:
        """Take a correction back, the value stated instead with it."""

    def review(
        self, fact_id: str, accept: bool = True, *, user_id: str | None = None, expected_rev: int | str | None = None,
        said_at: When | None = None, source: str | None = None, metadata: Metadata = None,
        idempotency_key: str | None = None, dry_run: bool = False, agent_id: str | None = None,
        namespace: str | None = None,
    ) -> WriteResult:
        """Accept or reject a candidate or a plan; an accepted plan holds from its date, or from now."""

    def answer(
        self, question_id: str, answer: Any, *, user_id: str | None = None, said_at: When | None = None,
        source: str | None = None, metadata: Metadata = None, idempotency_key: str | None = None,
        agent_id: str | None = None, namespace: str | None = None,
    ) -> WriteResult:
        """Settle a question of ``questions``: by "yes", "no", or the value that holds; all of it or nothing."""

    def preview(
        self, user_id: str, messages_or_operations: Any, llm: Any = None, *, agent_id: str = "",
        namespace: str | None = None,
    ) -> StateDiff:
        """Tell what would happen if messages were said, or operations written, now; nothing is written."""

    def state(
        self, user_id: str, *, at: When | None = None, known_at: KnownAt = None,
        predicates: Sequence[str] | None = None, subject: str | None = None, layers: Sequence[str] | None = None,
        min_seq: int | None = None, wait: Seconds = None, on_stale: Stale = "flag", agent_id: str = "",
        namespace: str | None = None,
    ) -> State:
        """Give the values that hold now, or at a moment (``at``), as known now or at a revision or time
        (``known_at``)."""

    def get(
        self, user_id: str, predicate: str, default: Any = None, *, subject: str = "user", at: When | None = None,
        known_at: KnownAt = None, agent_id: str = "", namespace: str | None = None,
    ) -> Any:
        """Give one value (a tuple where the predicate is many-valued), or the default."""

    def history(
        self, user_id: str, predicate: str | None = None, *, subject: str | None = "user",
        between: tuple[When, When] | None = None, known_at: KnownAt = None, limit: int | None = None,
        after: str | None = None, agent_id: str = "", namespace: str | None = None,
    ) -> History:
        """Give every fact of a slot (of all slots of a subject) in valid-time order, then those without dates."""

    def explain(
        self, fact_id: str, *, user_id: str | None = None, agent_id: str | None = None, namespace: str | None = None,
    ) -> Explanation:
        """Answer why: the quote in its message, who said it, which extractor, the decisions, what it displaced, what
        displaced it, who corrected it and why. Raises UnknownFactError."""

    def decisions(self, user_id: str, seq: int, *, agent_id: str = "", namespace: str | None = None) -> Items[Decision]:
        """Give what became of every operation of an episode, with reason codes; empty while it is pending."""

    def context(
        self, user_id: str, query: str | None = None, *, max_tokens: int | None = None,
        format: Literal["markdown", "xml", "json"] = "markdown", include_history: bool = False,
        layers: Sequence[str] | None = None, at: When | None = None, known_at: KnownAt = None,
        min_seq: int | None = None, wait: Seconds = None, on_stale: Stale = "flag", agent_id: str = "",
        namespace: str | None = None,
    ) -> Context:
        """Give text for a prompt: what holds now, what is planned, what is in doubt; fenced, within a token budget."""

    def questions(
        self, user_id: str, *, limit: int | None = None, agent_id: str = "", namespace: str | None = None,
    ) -> Items[Question]:
        """Give what is worth asking the user, in words ready to be said, the most pressing first."""

    def search(
        self, user_id: str, query: str, *, limit: int = 10, after: str | None = None, include_history: bool = True,
        agent_id: str = "", namespace: str | None = None,
    ) -> Items[SearchHit]:
        """Give facts and episodes that hold the query's words, what is true now first."""

    def messages(
        self, user_id: str, *, session_id: str | None = None, after: int = 0, before: int | None = None,
        limit: int | None = None, agent_id: str = "", namespace: str | None = None,
    ) -> Items[LoggedMessage]:
        """Give messages back as they were said, of every role or of one session, oldest first."""

    def changes(
        self, user_id: str, after_rev: int = 0, *, limit: int | None = None, wait: Seconds = None, agent_id: str = "",
        namespace: str | None = None,
    ) -> Items[Change]:
        """Give every value that changed after a revision, in order, with the entry that did it."""

    def register_predicate(
        self, name: str, cardinality: Literal["one", "many"] = "one", *, type: ValueType = "text",
        description: str = "", aliases: Sequence[str] = (), choices: Sequence[Any] | None = None,
        ttl: timedelta | str | None = None, review_after: timedelta | str | None = None,
        writers: Sequence[str] | None = None, trust: Trust = None, min_confidence: float | None = None,
        verbatim: bool | None = None, examples: Sequence[str] = (), update: bool = False, namespace: str | None = None,
    ) -> Predicate:
        """Register an attribute that may be remembered; the same definition again writes nothing."""

    def register_entity(
        self, name: str, *, aliases: Sequence[str] = (), kind: str = "thing", namespace: str | None = None,
    ) -> Entity:
        """Register a thing and the names it goes by; new aliases join yesterday's facts too."""

    def register(self, source: Any, *, update: bool = False, namespace: str | None = None) -> tuple[Predicate, ...]:
        """Register a whole profile: a pydantic model, several, or the path of a TOML file; all or none."""

    def predicates(self, *, namespace: str | None = None) -> tuple[Predicate, ...]:
        """Give the registered predicates, by name."""

    def proposals(self, *, namespace: str | None = None) -> tuple[Proposal, ...]:
        """Give the unregistered predicates that extractors proposed, with counts and examples."""

    def flush(
        self, user_id: str | None = None, *, timeout: float = 10.0, agent_id: str = "", namespace: str | None = None,
    ) -> Freshness:
        """Settle what is waiting now (of one scope, or of all), each message tried once; gives the freshness then."""

    def reextract(
        self, user_id: str, llm: Any, *, from_seq: int | None = None, since: Any = None, limit: int | None = None,
        dry_run: bool = True, agent_id: str = "", namespace: str | None = None,
    ) -> Reextraction:
        """Ask another extractor over the same messages; gives the difference in state, and writes only if told to."""

    def plan_reextract(
        self, user_id: str, llm: Any, *, from_seq: int | None = None, since: Any = None, limit: int | None = None,
        agent_id: str = "", namespace: str | None = None,
    ) -> ReextractPlan:
        """Tell what ``reextract`` with the same arguments would cost: messages, requests at most, and tokens of
        text."""

    def forget(
        self, user_id: str | None = None, *, predicate: str | None = None, subject: str | None = None,
        fact_id: str | None = None, agent_id: str | None = None, namespace: str | None = None,
    ) -> Removal:
        """Forget a person (``user_id`` alone); or of theirs a slot (``predicate``), all slots of a ``subject``, or the
        value that a fact shows (``fact_id`` alone, or with whose it is)."""

    def erase(self, user_id: str, seq: int, *, agent_id: str = "", namespace: str | None = None) -> Removal:
        """Erase one episode: its content, what was extracted from it, and corrections of nothing but that."""

    def purge(
        self, before: When, *, keep_quotes: bool = False, user_id: str | None = None, namespace: str | None = None,
    ) -> Removal:
        """Remove the texts of settled messages said before a moment; what was learned from them stays as it is."""

    def jobs(self, user_id: str | None = None, *, limit: int = 10_000, after: str | None = None) -> tuple[Job, ...]:
        """Give the messages that wait or failed, with attempts and the last error; ``after`` is the last one's
        ``cursor``. Raises UnknownFactError for a cursor of nobody here."""

    def retry(
        self, user_id: str | None = None, seq: int | None = None, *, agent_id: str = "", namespace: str | None = None,
    ) -> int:
        """Put failed or pausing messages back in the queue: one, those of a scope, or all; gives how many."""

    def dismiss(self, user_id: str, seq: int, *, agent_id: str = "", namespace: str | None = None) -> None:
        """Settle a waiting or failed message without learning from it. Raises UnknownFactError, ConflictError."""

    def retain(
        self, *, texts: timedelta | str | None = None, keep_quotes: bool = False,
        facts: Mapping[str, timedelta | str | None] | None = None, namespace: str | None = None,
    ) -> Retention:
        """Say how long the namespace keeps what; it takes the place of what was said before, and nothing keeps all."""

    def retention(self, *, namespace: str | None = None) -> Retention:
        """Give how long the namespace keeps what, what the last run removed, and when the next one is due."""

    def apply_retention(self, *, namespace: str | None = None) -> Retention:
        """Remove now what ``retain`` says is kept no longer, in this call; gives what it says, and what went."""

    def stats(self) -> dict[str, Any]:
        """Give the sizes of the namespace (scopes, entries, facts, pending, failed) and where the memory is."""

    def doctor(self, *, quick: bool = False, thorough: bool = False) -> Diagnosis:
        """Look at all that the memory stands on, and tell what is wrong and what to do; nothing is written."""

    def scopes(
        self, prefix: str | None = None, *, limit: int = 100, after: str | None = None, namespace: str | None = None,
    ) -> tuple[ScopeInfo, ...]:
        """Give the namespace's scopes in order of user and agent; ``after`` is the last one's ``cursor``."""

    def rebuild(self, user_id: str | None = None) -> RebuildReport:
        """Fold the log again, of one user or of all, and replace what differs; no extractor is asked."""

    def verify(self, user_id: str | None = None) -> RebuildReport:
        """Fold the log again and tell whether it gives the same, without writing."""

    def digest(self, user_id: str, *, agent_id: str = "", namespace: str | None = None) -> str:
        """Give the hash of a scope's facts: equal wherever the same was said, whatever the order of extraction."""

    def copy_to(
        self, dest: str | os.PathLike[str] | Base, *, namespaces: Sequence[str] | None = None,
        prefix: str | None = None,
    ) -> NoReturn:
        """Copy whole memories to another store: a path, a URL, or another open memory; gives what was done."""

    def rekey(self, key: str | bytes | None, *, timeout: float = 10.0) -> NoReturn:
        """Encrypt the file with another key, or for the first time; None takes the encryption away."""

    def on(
        self, hook: Callable[[str, Mapping[str, Any]], None], *, calls: bool = False, content: bool = False,
    ) -> NoReturn:
        """Call a hook with ``(event, fields)`` for logging and metrics; gives what takes it off again."""

    def export(
        self, dest: Any, *, user_id: str | None = None, agent_id: str | None = None, namespace: str | None = None,
        every_namespace: bool = False, sign_key: str | bytes | None = None, overwrite: bool = False,
    ) -> ExportReport:
        """Write memories as lines of JSON: logs with ids, revisions and times, what waits, every idempotency key."""

    def import_(
        self, source: Any, *, format: Literal["tensemem", "jsonl", "mem0"] = "tensemem",
        take: Literal["messages", "rows", "both"] | None = None, role: str = "user", label: str | None = None,
        predicate: str = "note", user_id: str | None = None, agent_id: str | None = None, namespace: str | None = None,
        every_namespace: bool = False, sign_key: str | bytes | None = None,
    ) -> ImportReport:
        """Read an export: a path, "-" for standard input, an open file, or an iterable of lines; gives what was
        done."""

    def backup(
        self, dest: str | os.PathLike[str], *, key: str | bytes | None = None, overwrite: bool = False,
        verify: bool = True,
    ) -> BackupReport:
        """Write the whole memory to a file of its own, as of one moment, while others read and write."""

    def watch(
        self, user_id: str, *, after_rev: int = 0, patience: float = 300.0, agent_id: str = "",
        namespace: str | None = None,
    ) -> Iterator[Change]:
        """Give every value that changes after a revision, as it happens, each once and in order, without end."""

    def close(self, *, timeout: float = 5.0) -> None:
        """Close the connections; nothing is waited for. Closing twice is fine."""

    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

def scope_of(setting: Setting, user_id: str, agent_id: str, namespace: str | None) -> tuple[str, str, Any]:
    """Give the names of a scope. Without a namespace that is the server's own. Raises InvalidScopeError."""

def shown(client: object, setting: Setting, is_closed: bool) -> str:
    """Show a client, without its token."""

def give_verbs(kind: type, makers: Sequence[tuple[Iterable[str], Callable[[str, Verb], Verb]]]) -> None:
    """Give a class the verbs that it has not of its own."""
