"""Taking over what another system remembers: as messages in somebody's words, or as dated rows.

Each record has an idempotency key made of what it says, so that a file that is imported again, or that was broken off,
leaves each of them once. One that can't be taken is told with its line, and the others come.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any

from ..errors import ClosedError, InvalidValueError, StoreError, TensememError
from ..model.jsontext import encode
from ..model.operation import Message, Operation
from ..model.results import ImportReport, NotUnderstood
from ..model.scope import Scope
from .core import Engine, check_text
from .exporting import Part
from .exportreading import ExportReader
from .flow import Flow, Work, persistently
from .foreign import FORMATS, TAKEN, Manner, Record, Refusal, Row, Words, json_lines, mem0_dump, mem0_records
from .inlets import inlet
from .outside import ROLES
from .record import store_batch
from .write import Request, write

BATCH = 200
"""Records that are taken in one go."""
MOST_TOLD = 1_000
"""Records that are not taken and are told one by one; more are counted."""


@dataclass(frozen=True, slots=True)
class Origin:
    """What is known of a file beside what stands in it."""

    format: str
    label: str
    manner: Manner
    part: Part


@dataclass(slots=True)
class Taking:
    """What was taken so far."""

    scopes: dict[Scope, int] = field(default_factory=dict)
    new: int = 0
    duplicates: int = 0
    left_out: int = 0
    refusals: list[NotUnderstood] = field(default_factory=list)
    more: int = 0

    def refuse(self, line: int, why: str) -> None:
        """Note what was not taken."""
        if len(self.refusals) < MOST_TOLD:
            self.refusals.append(NotUnderstood(line, why))
        else:
            self.more += 1

    def count(self, scope: Scope, *, is_new: bool) -> None:
        """Note what was taken."""
        self.scopes[scope] = self.scopes.get(scope, 0) + is_new
        self.new += is_new
        self.duplicates += not is_new


def origin_of(
    engine: Engine, part: Part, *, format: str, take: str | None, role: str, label: str | None, predicate: str
) -> Origin:
    """Check how a file is to be read; raises InvalidValueError."""
    if format not in FORMATS:
        raise InvalidValueError(f"format must be one of {', '.join(FORMATS)}, not {str(format)[:40]!r}")
    taken = take if take is not None else "messages" if format == "mem0" else "both"
    if taken not in TAKEN:
        raise InvalidValueError(f"take must be one of {', '.join(TAKEN)}, not {str(take)[:40]!r}")
    if role not in set(ROLES.values()):
        raise InvalidValueError(f"role must be one of {', '.join(sorted(set(ROLES.values())))}, not {str(role)[:40]!r}")
    manner = Manner(taken, role, engine.zone, check_text("predicate", predicate))
    return Origin(format, format if label is None else check_text("label", label), manner, part)


def adopt(engine: Engine, source: Any, origin: Origin) -> Flow[ImportReport]:
    """Read another system's file into this memory; gives what was done, and what was not understood."""
    engine.check_open()
    began = time.monotonic()
    taking = Taking()
    with ExitStack() as stack:
        name, records = _records(source, origin, stack)
        while True:
            some: list[Record] = yield Work(lambda: list(islice(records, BATCH)))
            if not some:
                break
            yield Work(partial(_take, engine, some, origin, taking))
    if taking.new:
        engine.wake()
    if taking.more:
        taking.refusals.append(NotUnderstood(0, f"and {taking.more} more"))
    imported = sum(count > 0 for count in taking.scopes.values())
    return ImportReport(
        source=name, destination=engine.store.location, namespaces=1, scopes=len(taking.scopes), imported=imported,
        unchanged=len(taking.scopes) - imported, ahead=0, entries=taking.new, left_out=taking.left_out,
        duplicates=taking.duplicates, not_understood=tuple(taking.refusals),
        seconds=round(time.monotonic() - began, 3),
    )  # fmt: skip


def _records(source: Any, origin: Origin, stack: ExitStack) -> tuple[str, Iterator[Record]]:
    manner = origin.manner
    if origin.format == "mem0" and _is_given(source):
        return "what was given", mem0_records(source, manner)
    lines = stack.enter_context(inlet(source))
    reader = ExportReader(lines.stream, lines.name, None)
    if origin.format == "mem0":
        return lines.name, mem0_records(mem0_dump(reader, lines.name), manner)
    return lines.name, json_lines(reader, manner)


def _is_given(source: Any) -> bool:
    """Tell whether a source is what mem0's calls return, and not a file of it."""
    return isinstance(source, Mapping) or (
        isinstance(source, Sequence)
        and not isinstance(source, (str, bytes))
        and all(isinstance(one, Mapping) for one in source)
    )


def _take(engine: Engine, some: Sequence[Record], origin: Origin, taking: Taking) -> None:
    """Take some records; done again it takes none of them twice."""
    words: list[tuple[Words, Scope]] = []
    for record in some:
        if isinstance(record, Refusal):
            taking.refuse(record.line, record.why)
            continue
        try:
            scope = _scope_of(engine, record, origin.part)
        except TensememError as error:
            taking.refuse(record.line, str(error))
            continue
        if not origin.part.has(scope):
            taking.left_out += 1
        elif isinstance(record, Words):
            words.append((record, scope))
        else:
            _take_words(engine, words, origin, taking)  # first: what is said keeps its order
            words = []
            _take_row(engine, record, scope, origin, taking)
    _take_words(engine, words, origin, taking)


def _scope_of(engine: Engine, record: Words | Row, part: Part) -> Scope:
    user = part.user_id if record.user is None else record.user
    if user is None:
        raise InvalidValueError("it does not say whose memory it is; name the user_id")
    return engine.scope(user, record.agent or part.agent_id or "", part.namespace)


def _take_words(engine: Engine, words: Sequence[tuple[Words, Scope]], origin: Origin, taking: Taking) -> None:
    if not words:
        return
    messages = [_message(one, scope, origin) for one, scope in words]
    namespace = origin.part.namespace or engine.namespace
    try:
        found = store_batch(engine, messages, namespace)
    except (StoreError, ClosedError):
        raise
    except TensememError as error:
        if len(words) == 1:
            taking.refuse(words[0][0].line, str(error))
            return
        for one in words:  # which of them can't be taken?
            _take_words(engine, [one], origin, taking)
        return
    for (_, scope), result in zip(words, found, strict=True):
        taking.count(scope, is_new=not result.duplicate)


def _message(one: Words, scope: Scope, origin: Origin) -> Message:
    return Message(
        scope.user_id, one.text, role=one.role, said_at=one.at, session_id=one.session, source=origin.label,
        metadata=_metadata(one, origin), idempotency_key=_key(one, scope, origin), agent_id=scope.agent_id,
        extract=origin.manner.take == "messages",
    )  # fmt: skip


def _take_row(engine: Engine, one: Row, scope: Scope, origin: Origin, taking: Taking) -> None:
    operation = Operation(
        "set", one.predicate, one.value, subject=one.subject, valid_from=one.valid_from, valid_to=one.valid_to
    )
    request = Request(
        said_at=one.at, source=origin.label, metadata=_metadata(one, origin), idempotency_key=_key(one, scope, origin)
    )
    try:
        result = persistently(lambda: write(engine, scope, [operation], request))
    except (StoreError, ClosedError):
        raise
    except TensememError as error:
        taking.refuse(one.line, str(error))
    else:
        taking.count(scope, is_new=not result.duplicate)


def _metadata(one: Words | Row, origin: Origin) -> dict[str, Any]:
    return {"imported_from": origin.format, **({"id": one.id} if one.id else {})}


def _key(one: Words | Row, scope: Scope, origin: Origin) -> str:
    """Give a key made of what a record says and how it is taken: the same whenever the same file comes again."""
    said: tuple[Any, ...] = (one.text, one.role, one.session) if isinstance(one, Words) else (
        one.subject, one.predicate, one.value, str(one.valid_from), str(one.valid_to)
    )  # fmt: skip
    parts = [origin.format, origin.label, origin.manner.take, scope.tag, one.id, str(one.at), *said]
    return f"import:{hashlib.blake2b(encode(parts).encode(), digest_size=16).hexdigest()}"
