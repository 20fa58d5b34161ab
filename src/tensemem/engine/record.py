"""Recording messages: what came in becomes entries, with secrets replaced and recalled text found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from ..core.admission import may_write
from ..core.registry import Registry
from ..core.subjects import USER, passes_for_user
from ..core.text import has_two_text_characters, is_valid_text
from ..core.values import check_metadata
from ..errors import (
    ClosedError,
    ContentTooLargeError,
    IdempotencyConflictError,
    InvalidValueError,
    OutcomeUnknownError,
    StoreBusyError,
    TensememError,
)
from ..logs import Log
from ..model.entry import Entry, EntryKind
from ..model.operation import Message
from ..model.predicate import DEFAULT_WRITERS
from ..model.results import AddResult
from ..model.scope import Scope
from ..ports import Head, Writer
from .core import Engine, check_size, check_text, content_digest, described, next_entry, plain_text
from .echo import is_only_recalled, recalled_spans
from .flow import Flow, Work, persistently
from .freshness import await_messages, wait_seconds
from .reproject import open_scope
from .rules import RULES, hashed, hashed_digest, newest_rule

log = Log("engine")

AGAIN = "the others not: send all of them again, and those that have an idempotency key or a time count once"

ROLES = ("user", "assistant", "system", "tool")


@dataclass(frozen=True, slots=True)
class Prepared:
    """A message checked and redacted, before any transaction."""

    role: str
    content: str
    said_at: Any
    session_id: str | None
    speaker: str | None
    source: str | None
    metadata: Mapping[str, Any] | None
    idempotency_key: str | None
    extract: bool
    redactions: dict[str, int] = field(default_factory=dict)


def prepare(engine: Engine, message: Message) -> Prepared:
    """Check a message and replace secrets in it. Raises InvalidValueError and ContentTooLargeError."""
    if message.role not in ROLES:
        raise InvalidValueError(f"role must be one of {', '.join(ROLES)}, not {described(message.role)}")
    text = text_of(message.content)
    if len(text) > engine.max_content or len(text.encode("utf-8", "replace")) > engine.max_content:
        raise ContentTooLargeError(f"the content is over {engine.max_content} bytes; split it, or raise max_content")
    why = is_valid_text(text)
    if why is not None:
        raise InvalidValueError(f"content {why}")
    content, counts = engine.redacted(text)
    metadata = message.metadata
    if metadata is not None:
        metadata = check_metadata(metadata)
        check_size(engine, "metadata", metadata)
        metadata, more = engine.redacted(metadata)
        for kind, number in more.items():
            counts[kind] = counts.get(kind, 0) + number
    if message.said_at is not None:
        engine.given_time(message.said_at, engine.now())
    check_speaker(message.speaker)
    labels = {name: _label(engine, name, getattr(message, name), counts) for name in _LABELS}
    key = None if message.idempotency_key is None else check_text("idempotency_key", message.idempotency_key)
    return Prepared(
        role=message.role, content=content, said_at=message.said_at, metadata=metadata, idempotency_key=key,
        extract=message.extract, redactions=counts, **labels,
    )  # fmt: skip


def check_speaker(speaker: object) -> None:
    """A speaker is somebody else than the user, and no display name may pass for the user."""
    is_name = isinstance(speaker, str) and is_valid_text(speaker) is None and speaker.strip() != ""
    if is_name and passes_for_user(str(speaker)) and speaker != USER:
        raise InvalidValueError(f"speaker {described(speaker)} would be the user; leave it out where the user speaks")


_LABELS = ("session_id", "speaker", "source")


def _label(engine: Engine, name: str, value: object, counts: dict[str, int]) -> str | None:
    """Check a short text that says where a message comes from, and replace secrets in it."""
    if value is None:
        return None
    clean, more = engine.redacted(check_text(name, value))
    for kind, number in more.items():
        counts[kind] = counts.get(kind, 0) + number
    return str(clean)


def text_of(content: object) -> str:
    """Give the text of content as chat APIs have it: text, None, or a list of parts; other parts are left out."""
    if content is None:
        return ""
    if isinstance(content, str):
        return plain_text(content)
    if isinstance(content, Sequence) and not isinstance(content, (bytes, bytearray)):
        return "\n".join(text for part in content if (text := _part_text(part)))
    raise InvalidValueError(f"content must be text, None or a list of parts, not {type(content).__name__}")


def _part_text(part: object) -> str:
    if isinstance(part, Mapping):
        part = part.get("text")
        return plain_text(part) if isinstance(part, str) else ""
    if isinstance(part, str):
        return plain_text(part)
    raise InvalidValueError(f"a content part must be a mapping or text, not {type(part).__name__}")


def messages_in(user_id: str, content: object, common: Mapping[str, Any]) -> list[Message]:
    """Give the messages in what ``add`` was given: one, or a list of ``{"role", "content"}``."""
    if isinstance(content, Sequence) and not isinstance(content, (str, bytes)):
        items = list(content)
        if items and all(isinstance(item, Mapping) and "role" in item for item in items):
            return [_listed(user_id, item, common, number) for number, item in enumerate(items)]
    return [Message(user_id, content, **common)]


_OWN = ("said_at", "session_id", "speaker", "source", "metadata", "idempotency_key")


def _listed(user_id: str, item: Mapping[str, Any], common: Mapping[str, Any], number: int) -> Message:
    """Give one message of a list; the list's idempotency key counts for each under a name of its own."""
    key = common.get("idempotency_key")
    if isinstance(key, str) and number:
        common = {**common, "idempotency_key": f"{key}#{number}"}
    own = {name: item[name] for name in _OWN if item.get(name) is not None}
    return Message(user_id, item.get("content"), **{**common, "role": item["role"], **own})


def store_messages(engine: Engine, scope: Scope, messages: Sequence[Prepared]) -> list[AddResult]:
    """Append messages of one scope in one transaction, all or none."""
    with engine.store.write() as tx:
        head, registry = open_scope(engine, tx, scope)
        now = engine.now()
        appending = Appending(tx, head.id)
        results = [_store(engine, appending, head, registry, message, now) for message in messages]
        appending.flush()
        tx.save_head(head)
    engine.wake()
    for result in results:
        engine.emit("added", scope=scope, seq=result.seq, duplicate=result.duplicate)
    return results


def store_many(engine: Engine, messages: Iterable[Message], batch: int, namespace: str) -> Iterator[AddResult]:
    """Append messages as they come, a transaction per batch and scope; results are in the order given."""
    if not isinstance(batch, int) or isinstance(batch, bool) or batch < 1:
        raise InvalidValueError("batch must be a number of messages of 1 or more")
    if not isinstance(messages, Iterable):
        raise InvalidValueError(f"add_many takes an iterable of Message objects, not {type(messages).__name__}")
    waiting: list[Message] = []
    for message in messages:
        waiting.append(message)
        if len(waiting) >= batch:
            some, waiting = waiting, []
            yield from store_batch(engine, some, namespace)
    yield from store_batch(engine, waiting, namespace)


def store_batch(engine: Engine, messages: Sequence[Message], namespace: str) -> list[AddResult]:
    """Append a batch, checked as a whole first; results are in the order given."""
    waiting: list[tuple[Scope, Prepared]] = []
    for message in messages:
        if not isinstance(message, Message):
            raise InvalidValueError(f"add_many takes Message objects, not {type(message).__name__}")
        waiting.append((engine.scope(message.user_id, message.agent_id, namespace), prepare(engine, message)))
    return _store_batch(engine, waiting)


def _store_batch(engine: Engine, waiting: Sequence[tuple[Scope, Prepared]]) -> list[AddResult]:
    by_scope: dict[Scope, list[int]] = {}
    for place, (scope, _) in enumerate(waiting):
        by_scope.setdefault(scope, []).append(place)
    results: dict[int, AddResult] = {}
    for scope, places in by_scope.items():
        own = [waiting[place][1] for place in places]
        try:
            found = persistently(partial(store_messages, engine, scope, own))  # each scope by itself: others are kept
        except StoreBusyError as error:
            if not results:
                raise
            raise OutcomeUnknownError(f"{len(results)} of {len(waiting)} messages were kept, {AGAIN}") from error
        results.update(zip(places, found, strict=True))
    return [results[place] for place in range(len(waiting))]


class Appending:
    """Entries on their way to the log, written together: before anything looks for one of them there."""

    def __init__(self, tx: Writer, scope_id: int) -> None:
        self.tx, self._scope_id = tx, scope_id
        self._entries: list[Entry] = []

    def append(self, entry: Entry) -> None:
        """Take one."""
        self._entries.append(entry)

    def flush(self) -> Writer:
        """Write what there is; gives the transaction, where all of it can be found now."""
        if len(self._entries) == 1:
            self.tx.append(self._scope_id, self._entries[0])
        elif self._entries:
            self.tx.append_many(self._scope_id, self._entries)
        self._entries = []
        return self.tx


def _store(engine: Engine, appending: Appending, head: Head, registry: Registry, m: Prepared, now: int) -> AddResult:
    tx = appending.tx
    said_at, is_given = engine.said_at(m.said_at, head, now)
    keys = _keys_of(m, said_at if is_given else None)
    known = known_seq(tx, head, keys)
    if known is not None:
        for key, digest in named_anew(tx, head, keys):
            tx.remember_key(head.id, key, known, digest)
        return _receipt(engine, appending.flush(), head, known, m, duplicate=True)
    reason = _skip_reason(engine, registry, m)
    spans = () if reason is not None else recalled_spans(tx, head.scope, registry, m.content)
    if reason is None and is_only_recalled(m.content, spans):
        reason = "echo_only"
    body = _body(engine, m, spans)
    entry = next_entry(head, EntryKind.MESSAGE, now=now, said_at=said_at, body=body)
    appending.append(entry)
    for key, digest in keys:
        tx.remember_key(head.id, key, entry.seq, digest)
    if reason is None:
        tx.add_pending(head.id, entry.seq)
        head.pending += 1
    else:
        skip = next_entry(head, EntryKind.SKIP, now=now, said_at=said_at, body={"reason": reason}, seq=entry.seq)
        appending.append(skip)
    return _receipt(engine, tx, head, entry.seq, m, duplicate=False, settled=reason is not None, rev=entry.rev)


def _keys_of(m: Prepared, said_at: int | None) -> list[tuple[str, str]]:
    """Give the keys under which a message is known again: its idempotency key, and its very words at a given time."""
    keys: list[tuple[str, str]] = []
    words = (m.role, m.content, m.session_id, m.speaker)
    if m.idempotency_key is not None:
        keys.append((key_name(m.idempotency_key), content_digest("message", *words, m.said_at)))
    if said_at is not None:
        keys.append((f"m:{content_digest(said_at, *words)}", ""))
    return keys


def key_name(idempotency_key: str) -> str:
    """Give the name an idempotency key is kept under; the key itself is not written."""
    return f"k:{content_digest(idempotency_key)}"


def known_seq(tx: Writer, head: Head, keys: Sequence[tuple[str, str]]) -> int | None:
    """Give the seq of the entry that carried one of the keys; raises IdempotencyConflictError on other content."""
    for key, digest in keys:
        found = tx.find_key(head.id, key)
        if found is not None:
            if found[1] != digest:
                raise IdempotencyConflictError
            return found[0]
    return _erased_seq(tx, head, keys)


def _erased_seq(tx: Writer, head: Head, keys: Sequence[tuple[str, str]]) -> int | None:
    """Give the seq of an entry that is known by no more than what its keys hash to."""
    if not keys or tx.find_key(head.id, RULES) is None:
        return None
    secret = newest_rule(tx, head)[1]
    for key, digest in keys:
        found = tx.find_key(head.id, hashed(secret, key))
        if found is not None:
            if found[1] != hashed_digest(secret, digest):
                raise IdempotencyConflictError
            return found[0]
    return None


def named_anew(tx: Writer, head: Head, keys: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Give the keys to keep for an entry that came again: of one that was erased, or whose text is gone, as hashes."""
    if _erased_seq(tx, head, keys) is None:
        return list(keys)
    secret = newest_rule(tx, head)[1]
    return [(hashed(secret, key), hashed_digest(secret, digest)) for key, digest in keys]


def _receipt(
    engine: Engine, tx: Writer, head: Head, seq: int, m: Prepared, *, duplicate: bool, settled: bool = False,
    rev: int = 0,
) -> AddResult:
    if duplicate:
        first = tx.episode(head.id, seq)
        is_erased = first is not None and first.kind is EntryKind.ERASURE
        settled = is_erased or bool(tx.settlements(head.id, seq))
        rev = head.rev if first is None else first.rev
    return AddResult(
        seq=seq, seqs=(seq,), rev=rev, duplicate=duplicate, settled=settled,
        redactions=m.redactions, durability=engine.store.durability,
    )  # fmt: skip


def _body(engine: Engine, m: Prepared, spans: Sequence[tuple[int, int]]) -> dict[str, Any]:
    body: dict[str, Any] = {"role": m.role, "content": m.content}
    optional = {
        "session": m.session_id,
        "speaker": m.speaker,
        "source": m.source,
        "metadata": m.metadata,
        "echo": [list(span) for span in spans],
        "zone": engine.zone if engine.zone != "UTC" else None,
        "subjects": "declared" if engine.declared_only else None,
    }
    body.update({name: value for name, value in optional.items() if value})
    return body


def _skip_reason(engine: Engine, registry: Registry, m: Prepared) -> str | None:
    """Tell why a message will not be extracted, whatever it repeats; None where it may teach."""
    if not m.extract or not engine.learns:
        return "not_learned"
    if not has_two_text_characters(m.content):
        return "no_user_text"
    source = m.source or m.role
    is_heard = any(may_write(predicate, m.role, source) for predicate in registry.predicates.values())
    return None if m.role in DEFAULT_WRITERS or is_heard else "no_user_text"


def merge_receipts(results: Sequence[AddResult]) -> AddResult:
    """Join the receipts of a list of messages into one."""
    last = results[-1]
    redactions: dict[str, int] = {}
    for result in results:
        for kind, number in result.redactions.items():
            redactions[kind] = redactions.get(kind, 0) + number
    return AddResult(
        seq=last.seq, seqs=tuple(result.seq for result in results), rev=max(result.rev for result in results),
        duplicate=all(result.duplicate for result in results), settled=all(result.settled for result in results),
        redactions=redactions, durability=last.durability,
    )  # fmt: skip


def add(engine: Engine, scope: Scope, content: object, common: Mapping[str, Any], wait: object) -> Flow[AddResult]:
    """Check, redact and append what ``add`` was given; then wait for its extraction, if asked to."""
    seconds = wait_seconds(wait)

    def append() -> AddResult:
        prepared = [prepare(engine, message) for message in messages_in(scope.user_id, content, common)]
        return merge_receipts(store_messages(engine, scope, prepared))

    result: AddResult = yield Work(append)
    if seconds is None or result.settled:
        return result
    try:
        yield from await_messages(engine, scope, result.seqs, seconds)
        settled: AddResult = yield Work(lambda: _settled_now(engine, scope, result))
    except ClosedError:
        return result
    except TensememError as error:  # it is logged all the same: whoever were told otherwise would add it again
        log.failure("wait ended", "waiting for what was added ended early", error=error)
        return result
    return settled


def _settled_now(engine: Engine, scope: Scope, result: AddResult) -> AddResult:
    with engine.store.read() as reader:
        head = reader.head(scope)
        settled = head is not None and all(reader.pending_row(head.id, seq) is None for seq in result.seqs)
    return replace(result, settled=settled)
