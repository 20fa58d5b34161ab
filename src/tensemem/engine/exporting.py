"""Exporting: a copy of whole memories into lines.

Each scope is told as of one snapshot, a line for each entry, so that no more than a page of it is in memory. A section
that the store breaks off is said to be void, and begun again.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..core.text import is_valid_text
from ..errors import InvalidValueError
from ..model.jsontext import decode
from ..model.results import ExportReport
from ..model.scope import Scope, registry_scope
from ..ports import Head, Reader
from .copying import PAGE, keys_of
from .core import Engine
from .exportlines import (
    END,
    FORMAT,
    HEADER,
    POLICY,
    REGISTRY,
    SCOPE,
    WHOLE,
    LineWriter,
    entry_line,
    key_line,
    pending_line,
    usage_line,
)
from .flow import Flow, Work
from .outlets import outlet
from .rebuild import digest_of
from .retention import policy_of
from .verifying import kept_slots
from .whole import refuse_unfinished


@dataclass(frozen=True, slots=True)
class Part:
    """What is to be told: one namespace or all of them, in it all users, or one, or one agent's memory of one."""

    namespace: str | None
    user_id: str | None = None
    agent_id: str | None = None

    def has(self, scope: Scope) -> bool:
        """Tell whether a scope is a part of it."""
        return (
            self.namespace in (None, scope.namespace)
            and self.user_id in (None, scope.user_id)
            and self.agent_id in (None, scope.agent_id)
        )


def part_of(namespace: str | None, user_id: object, agent_id: object) -> Part:
    """Check what a caller wants told; raises InvalidValueError."""
    for name, value in (("user_id", user_id), ("agent_id", agent_id)):
        if value is not None and (not isinstance(value, str) or is_valid_text(value) is not None):
            raise InvalidValueError(f"{name} must be text without lone surrogates")
    if user_id is None and agent_id:
        raise InvalidValueError("agent_id says whose memory of a user; name the user_id too")
    user = None if user_id is None else str(user_id)
    return Part(namespace, user, None if user is None or agent_id is None else str(agent_id))


@dataclass(slots=True)
class Told:
    """What was told so far."""

    namespaces: int = 0
    scopes: int = 0
    registries: int = 0
    entries: int = 0
    registry_rev: int = 0


def export(engine: Engine, dest: Any, part: Part, key: bytes | None, *, overwrite: bool) -> Flow[ExportReport]:
    """Write lines to a path, to standard output ("-") or to an open file; gives what was written.

    A path is written under another name, and gets its own when all of it has reached the disk.
    """
    engine.check_open()
    began = time.monotonic()
    told = Told()
    with outlet(dest, overwrite=overwrite, beside=engine.store.location) as out:
        lines = LineWriter(out.write, key)
        names: list[str] = yield Work(partial(_begin, engine, lines, part, key))
        for name in names:
            yield from _namespace(engine, lines, name, part, told)
        checksum = lines.end_all(
            line=WHOLE, registries=told.registries, scopes=told.scopes, entries=told.entries, lines=lines.lines + 1
        )
    return ExportReport(
        source=engine.store.location, destination=out.name, namespaces=told.namespaces, scopes=told.scopes,
        entries=told.entries, lines=lines.lines, size=lines.size, signed=key is not None, checksum=checksum,
        seconds=round(time.monotonic() - began, 3),
    )  # fmt: skip


def _begin(engine: Engine, lines: LineWriter, part: Part, key: bytes | None) -> list[str]:
    with engine.store.read() as reader:
        known, fence = reader.namespaces(), reader.meta("fence")
    lines.begin_header(line=HEADER, format=FORMAT, made_at=engine.now(), signed=key is not None, fence=fence)
    return [name for name in sorted(known, key=str.encode) if part.namespace in (None, name)]


def _namespace(engine: Engine, lines: LineWriter, name: str, part: Part, told: Told) -> Flow[None]:
    told.namespaces += 1
    told.registry_rev = 0
    told.registry_rev = yield Work(partial(_tell_registry, engine, lines, name, part, told))
    cursor: tuple[str, str] | None = None
    while True:
        scopes: list[Scope] = yield Work(partial(_page, engine, name, part.user_id or "", cursor))
        for scope in filter(part.has, scopes):
            done: int | None = yield Work(partial(_tell_scope, engine, lines, scope, told))
            if done is not None:
                told.scopes += 1
                told.entries += done
                engine.emit("exported", scope=scope, entries=done)
        if len(scopes) < PAGE or (part.user_id is not None and scopes[-1].user_id > part.user_id):
            return
        cursor = (scopes[-1].user_id, scopes[-1].agent_id)


def _page(engine: Engine, name: str, prefix: str, cursor: tuple[str, str] | None) -> list[Scope]:
    with engine.store.read() as reader:
        return [head.scope for head in reader.scopes(name, prefix, cursor, PAGE)]


def _tell_registry(engine: Engine, lines: LineWriter, name: str, part: Part, told: Told) -> int:
    with engine.store.read() as reader:
        head = reader.head(registry_scope(name))
        policy = policy_of(reader, name) if part.user_id is None else None
        return 0 if head is None or not (head.rev or policy) else _registry(reader, lines, head, told, policy)


def _registry(reader: Reader, lines: LineWriter, head: Head, told: Told, policy: str | None = None) -> int:
    """Tell what a registry has beyond what was told of it, and how long what is kept; gives its revision."""
    lines.begin(line=REGISTRY, namespace=head.scope.namespace, after_rev=told.registry_rev, rev=head.rev)
    count = 0
    for entry in reader.entries(head.id, told.registry_rev, head.rev):
        lines.put(**entry_line(entry))
        count += 1
    if policy is not None:
        lines.put(line=POLICY, policy=decode(policy))
    lines.end(line=END, entries=count)
    told.registries += 1
    return head.rev


def _tell_scope(engine: Engine, lines: LineWriter, scope: Scope, told: Told) -> int | None:
    """Tell one scope as of one snapshot; gives how many entries it has, None where nothing was ever said in it."""
    with engine.store.read() as reader:
        head = reader.head(scope)
        if head is None or head.rev == head.base_rev:
            return None
        refuse_unfinished(head)
        registry = reader.head(registry_scope(scope.namespace))
        if registry is not None and registry.rev > told.registry_rev:  # it has grown since the namespace was begun
            told.registry_rev = _registry(reader, lines, registry, told)
        return _scope(engine, reader, lines, head)


def _scope(engine: Engine, reader: Reader, lines: LineWriter, head: Head) -> int:
    names = head.scope
    lines.begin(
        line=SCOPE, namespace=names.namespace, user_id=names.user_id, agent_id=names.agent_id, rev=head.rev,
        seq=head.seq, base_rev=head.base_rev, base_seq=head.base_seq, last_said=head.last_said,
        last_recorded=head.last_recorded, registry_rev=head.registry_rev,
    )  # fmt: skip
    count = 0
    for entry in reader.entries(head.id, 0, head.rev):
        lines.put(**entry_line(entry))
        count += 1
        if count % PAGE == 0:
            engine.emit("exporting", scope=names, rev=entry.rev, of=head.rev)
    for key in keys_of(reader, head.id):
        lines.put(**key_line(*key))
    for row in reader.pending(head.id):
        lines.put(**pending_line(row))
    for used in reader.usage_of(head.id):
        lines.put(**usage_line(used))
    digest = digest_of(names, kept_slots(reader, head, claims=False))
    lines.end(line=END, entries=count, digest=digest)
    return count
