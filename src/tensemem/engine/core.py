"""The engine: what every verb needs, and the checks they share."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from ..core.periods import parse_period
from ..core.registry import Registry
from ..core.secrets import Redaction, redact_value
from ..core.sizes import is_larger
from ..core.text import is_valid_text
from ..errors import (
    ClosedError,
    ContentTooLargeError,
    FutureTimestampError,
    InvalidScopeError,
    InvalidTimeError,
    InvalidValueError,
)
from ..extract.calling import CallableExtractor
from ..logs import Log
from ..model.entry import Entry, EntryKind
from ..model.moment import EARLIEST, LATEST, SECOND, to_moment
from ..model.scope import Scope, registry_scope
from ..ports import Clock, Head, Reader, Store
from .kept import UNREAD_SECONDS, KeptStates

if TYPE_CHECKING:
    from .watching import Watcher

log = Log("hooks")

MAX_NAME = 512
CHECKED_SCOPES = 4096
"""How many scopes' names are known to be in order, at a time."""
FUTURE_ALLOWED = 5 * 60 * SECOND
DAY = 86_400 * SECOND


def described(value: object) -> str:
    """Show an argument in a message; what is not text only by its type, for its repr may be anything."""
    if not isinstance(value, str):
        return f"a value of type {type(value).__name__}"
    return repr(value if len(value) <= 60 else value[:60] + "…")


@dataclass(slots=True)
class Engine:
    """A store, a clock, and the options of one open memory. Verbs are functions that take one."""

    store: Store
    clock: Clock
    namespace: str
    zone: str
    redact: Callable[[str], Redaction]
    extractor: CallableExtractor | None
    learns: bool
    max_content: int
    declared_only: bool
    count_tokens: Callable[[str], int]
    fence_tag: str
    operational_clock: Callable[[], int]
    is_pinned: bool = False
    wake: Callable[[], None] = lambda: None
    strike: Callable[[str, str], int] = lambda _namespace, _user_id: 0
    """Takes a forgotten person's name out of the keys that are kept beside the memory; gives how many named it."""
    closed: bool = False
    hooks: list[Callable[[str, Mapping[str, Any]], None]] = field(default_factory=list)
    watchers: list[Watcher] = field(default_factory=list)
    registries: dict[str, Registry] = field(default_factory=dict)
    kept_since: int = 0
    states: KeptStates = field(default_factory=KeptStates)
    unreleased: set[str] = field(default_factory=set)
    """Owners of leases that could not be given back, since the store was out of order: nobody is to wait for them."""
    scopes: dict[tuple[str, str, str], Scope] = field(default_factory=dict)

    def now(self) -> int:
        """The clock's present, in microseconds."""
        when = self.clock()
        if not isinstance(when, datetime) or when.tzinfo is None:
            raise InvalidTimeError("the clock must give aware datetimes")
        moment = to_moment(when)
        if not EARLIEST + DAY < moment < LATEST - DAY:
            raise InvalidTimeError("the clock is at the edge of the calendar; set it right")
        return moment

    def scope(self, user_id: object, agent_id: object = "", namespace: object = None) -> Scope:
        """Check and give a scope; raises InvalidScopeError."""
        self.check_open()
        names = self.namespace if namespace is None else namespace
        if type(names) is str and type(user_id) is str and type(agent_id) is str:
            known = self.scopes.get((names, user_id, agent_id))
            if known is not None:
                return known
        _check_name("user_id", user_id)
        _check_name("agent_id", agent_id, may_be_empty=True)
        _check_name("namespace", names)
        found = Scope(_plain(names), _plain(user_id), _plain(agent_id))
        self.check_namespace(found.namespace)
        if len(self.scopes) >= CHECKED_SCOPES:
            self.scopes.clear()
        self.scopes[found.namespace, found.user_id, found.agent_id] = found
        return found

    def check_namespace(self, name: str) -> None:
        """Refuse another namespace than the one this memory is pinned to; whether there is such a one is not told."""
        if self.is_pinned and name != self.namespace:
            raise InvalidScopeError(
                f"this memory is pinned to namespace {described(self.namespace)} and knows no other; open one with "
                "namespace=... for each tenant, or one without it for all of them"
            )

    def check_whole(self, verb: str) -> None:
        """Refuse what concerns a whole store where the memory is pinned to one of its namespaces."""
        if self.is_pinned:
            raise InvalidScopeError(
                f"this memory is pinned to namespace {described(self.namespace)}, and {verb} concerns all there are; "
                "open the memory without namespace=... for that"
            )

    @property
    def worked_namespace(self) -> str | None:
        """The one namespace whose messages this memory's worker takes; None where it takes those of all."""
        return self.namespace if self.is_pinned else None

    def check_open(self) -> None:
        """Raise ClosedError after close(). Every verb begins here: now and then, what is kept too long is dropped."""
        if self.closed:
            raise ClosedError
        self.states.sweep(UNREAD_SECONDS)

    def registry(self, reader: Reader, namespace: str, rev: int) -> Registry:
        """Give a namespace's registry at a revision; kept, since it rarely changes.

        What a transaction read may be taken back, and another registry then get the same revision: so nothing is kept
        across a rollback. Whoever sees a revision asked for the number of rollbacks after it was committed, or inside
        the transaction it is part of.
        """
        rollbacks = self.store.rollbacks
        if rollbacks != self.kept_since:
            self.registries.clear()
            self.kept_since = rollbacks
        known = self.registries.get(namespace)
        if known is None or known.rev != rev:
            known = registry_at(reader, namespace, rev)
            self.registries[namespace] = known
        return known

    def said_at(self, given: object, head: Head, now: int) -> tuple[int, bool]:
        """Give when a statement was made, and whether the caller said so.

        Without a time it is the clock, always later than the last one of the scope. Raises InvalidTimeError and
        FutureTimestampError.
        """
        if given is None:
            return max(now, head.last_said + 1), False
        return self.given_time(given, now), True

    def given_time(self, given: object, now: int) -> int:
        """Read a said_at the caller gave."""
        moment = parse_period(given, self.zone, name="said_at").start
        if moment > now + FUTURE_ALLOWED:
            raise FutureTimestampError
        return moment

    def redacted(self, value: Any) -> tuple[Any, dict[str, int]]:
        """Replace secrets in text, or in every text of a JSON value; give counts by kind."""
        clean, counts = redact_value(value, self.redact)
        return clean, dict(counts)

    def emit(self, event: str, **fields: Any) -> None:
        """Tell the hooks what happened; a hook that fails is logged and does no harm."""
        for hook in tuple(self.hooks):
            try:
                hook(event, fields)
            except (Exception, SystemExit) as error:
                log.failure("hook failed", "a hook failed on %s", event, error=error)


def _check_name(name: str, value: object, *, may_be_empty: bool = False) -> None:
    if not isinstance(value, str):
        raise InvalidScopeError(f"{name} must be text, not {type(value).__name__}")
    if may_be_empty and value == "":
        return
    if not value.strip():
        raise InvalidScopeError(f"{name} must not be blank")
    if len(value) > MAX_NAME:
        raise InvalidScopeError(f"{name} is longer than {MAX_NAME} characters")
    why = is_valid_text(value)
    if why is not None:
        raise InvalidScopeError(f"{name} {why}")


def _plain(name: object) -> str:
    return str.__str__(name) if isinstance(name, str) else ""


def registry_at(reader: Reader, namespace: str, rev: int) -> Registry:
    """Read a namespace's registry from its log, as of a revision."""
    head = reader.head(registry_scope(namespace)) if rev else None
    entries: list[Entry] = [] if head is None else list(reader.entries(head.id, 0, rev))
    return Registry.build(entries)


def system_clock() -> datetime:
    """The machine's clock, in UTC."""
    return datetime.now(UTC)


def plain_text(value: str) -> str:
    """Give a text as itself: a subclass of str may answer differently to those who look at it."""
    return str.__str__(value)


def check_text(name: str, value: object, *, limit: int = MAX_NAME) -> str:
    """Check a short text argument; raises InvalidValueError."""
    if not isinstance(value, str):
        raise InvalidValueError(f"{name} must be text, not {type(value).__name__}")
    value = plain_text(value)
    if not value.strip():
        raise InvalidValueError(f"{name} must not be blank")
    if len(value) > limit:
        raise InvalidValueError(f"{name} is longer than {limit} characters")
    why = is_valid_text(value)
    if why is not None:
        raise InvalidValueError(f"{name} {why}")
    return value


def check_size(engine: Engine, name: str, value: Any) -> None:
    """Refuse what has more bytes than a message may have; raises ContentTooLargeError."""
    if is_larger(value, engine.max_content):
        raise ContentTooLargeError(f"{name} is over {engine.max_content} bytes; give less of it, or raise max_content")


def next_entry(
    head: Head,
    kind: EntryKind,
    *,
    now: int,
    said_at: int,
    body: Mapping[str, Any],
    seq: int = 0,
    extraction: int = 0,
) -> Entry:
    """Make the next entry of a log and move its head on; episodes get the next seq unless one is given."""
    head.rev += 1
    if seq == 0:
        head.seq += 1
        seq = head.seq
        head.last_said = max(head.last_said, said_at)
    head.last_recorded = max(now, head.last_recorded)
    return Entry(kind, head.rev, seq, head.last_recorded, said_at, extraction, body)


def content_digest(*parts: Any) -> str:
    """Give a digest of what a request carries, to tell a retry from another request under the same key."""
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def check_seq(seq: object) -> int:
    """Check a seq given to a verb; raises InvalidValueError."""
    if not isinstance(seq, int) or isinstance(seq, bool) or not 0 <= seq < 2**62:
        raise InvalidValueError("seq must be a number of an episode: an integer of 1 or more")
    return seq


def check_limit(limit: object, most: int = 100_000) -> int:
    """Check how many results are wanted; raises InvalidValueError."""
    if not isinstance(limit, int) or isinstance(limit, bool) or not 1 <= limit <= most:
        raise InvalidValueError(f"limit must be an integer from 1 to {most}")
    return limit
