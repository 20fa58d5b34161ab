"""The trial: chats go into a memory of their own, and everything that came of them is told."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from .. import vocabulary
from ..engine.core import system_clock
from ..errors import InvalidValueError, StoreError
from ..memory import Memory
from ..model.operation import Message
from ..ports import Clock
from .asking import Counted
from .collecting import decisions_of, slots_of, unknown_of
from .findings import Cost, Findings, Input
from .old import Dump, OldReading, read_dump
from .people import People
from .playing import Played, Progress
from .readers import recognise
from .surveying import Survey, dated, survey
from .values import Source, opened

VOCABULARIES = {"personal": vocabulary.PERSONAL, "project": vocabulary.PROJECT}
"""Ready schemas by name."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a trial is run; ``limit`` is at most how many messages, ``keep`` a new file for the memory that is made."""

    schemas: tuple[str, ...] = ("personal", "project")
    user: str | None = None
    limit: int | None = None
    keep: str | None = None
    zone: str = "UTC"
    clock: Clock | None = None


def _no_progress(_word: str, _done: int, _total: int) -> None:
    pass


def run(
    files: Sequence[str], extractor: Any, options: Options | None = None, *, old: str | None = None,
    progress: Progress = _no_progress,
) -> Findings:  # fmt: skip
    """Read chats (``-`` is standard input) and tell what a memory makes of them; nothing else is written.

    ``extractor`` is an object or a callable as Memory takes it; ``old`` names a dump of another store. An extractor
    that stops answering ends the reading early, and ``stopped`` says so. Raises InvalidValueError for files that can't
    be read, InvalidScopeError for a user who can't be one, StoreError where ``keep`` exists, and ExtractorError for
    what is no extractor.
    """
    chosen = options or Options()
    clock = chosen.clock or system_clock
    now = clock()
    if not files and old is None:
        raise InvalidValueError("name at least one file with chats, or a dump of another store")
    counted = Counted(extractor)
    with opened(tuple(files), now) as sources, _home(chosen.keep) as home:
        surveys = _surveys(sources, chosen, now)
        dump = None if old is None else _dump(old, chosen, now)
        if not any(one.messages for one in surveys) and dump is None:
            raise InvalidValueError(_nothing_read(surveys))
        with _memory(home / "chats.db" if chosen.keep is None else Path(chosen.keep), counted, chosen, clock) as mem:
            if chosen.user is not None:
                mem.for_user(chosen.user)  # who can't be one is refused before anything is read
            played = Played(mem, progress, to_read=sum(one.roles.get("user", 0) for one in surveys))
            inputs = tuple(_logged(one, played, chosen, now) for one in surveys)
            return _told(_Trial(played, counted, inputs, chosen, now), dump, home, clock)


@dataclass(frozen=True, slots=True)
class _Trial:
    played: Played
    counted: Counted
    inputs: tuple[Input, ...]
    options: Options
    now: datetime


@contextmanager
def _home(keep: str | None) -> Iterator[Path]:
    if keep is not None and Path(keep).expanduser().exists():
        raise StoreError(f"{keep} exists; --keep wants a new file, so that it spoils nothing")
    with tempfile.TemporaryDirectory(prefix="tensemem-try-") as folder:
        yield Path(folder)


def _surveys(sources: Sequence[Source], options: Options, now: datetime) -> list[Survey]:
    found, left = [], options.limit
    for source in sources:
        found.append(survey(source, recognise(source, options.zone), now, left))
        if left is not None:
            left = max(0, left - found[-1].messages)
    return found


def _dump(old: str, options: Options, now: datetime) -> Dump:
    with opened((old,), now) as (source,):
        return read_dump(source, options.zone, now)


def _nothing_read(surveys: Sequence[Survey]) -> str:
    faults = [fault for one in surveys for fault in one.faults]
    if not faults:
        return "there is no message in what was given"
    first = faults[0]
    more = f"; {len(faults) - 1} more like it" if len(faults) > 1 else ""
    return f"no message could be read: {first.file}:{first.line}: {first.why}{more}"


def _memory(path: Path, extractor: Any, options: Options, clock: Clock) -> Memory:
    mem = Memory(
        path.expanduser(), llm=extractor, worker=False, durability="process", tz=options.zone, clock=clock
    )
    try:
        for schema in options.schemas:
            mem.register(VOCABULARIES.get(schema, schema), update=True)
    except BaseException:
        mem.close()
        raise
    return mem


def _logged(found: Survey, played: Played, options: Options, now: datetime) -> Input:
    """Log the messages of a source; gives what became of them."""
    people = People(found, options.user)
    others = 0

    def messages() -> Iterator[tuple[Message, str]]:
        nonlocal others
        for said, at in dated(found, now):
            user = people.user_of(said)
            if user is None:
                others += 1
                continue
            session = f"{found.source.name}:{said.session or 0}"[:200]
            message = Message(
                user, said.text, said.role, said_at=at, session_id=session, speaker=people.speaker_of(said)
            )
            yield message, f"{found.source.name}:{said.line}"

    duplicates = played.play(messages())
    return Input(
        found.source.name, found.form.name, found.messages, found.undated, _dating(found), found.first, found.last,
        people.main_name, people.taken(), others, duplicates, found.faulty, tuple(found.faults),
    )  # fmt: skip


def _dating(found: Survey) -> str:
    """Say how dates were read and messages without a time got one; empty where nothing was assumed."""
    return "; ".join(part for part in (found.form.note, _undated(found)) if part)


def _undated(found: Survey) -> str:
    if not found.undated:
        return ""
    ahead = f" ({found.ahead} of them dated in the future)" if found.ahead else ""
    if found.first is None:
        return f"no times: a minute apart, the last at {found.source.written_at:%Y-%m-%d %H:%M} UTC{ahead}"
    return f"{found.undated} without a time, placed beside the dated one before or after{ahead}"


def _told(trial: _Trial, dump: Dump | None, home: Path, clock: Clock) -> Findings:
    played, options = trial.played, trial.options
    slots = slots_of(played)
    admitted, refusals = decisions_of(played)
    cost = _cost([played], trial.counted, sum(one.messages for one in trial.inputs))
    users = tuple(scope.user_id for scope in played.scopes())
    old, redactions, stopped = None, dict(played.redactions), played.stopped
    if dump is not None:
        with _memory(home / "old.db", trial.counted, options, clock) as other:
            theirs = Played(other, played.progress, to_read=len(dump.notes), stopped=played.stopped)
            reading = OldReading(dump, theirs, users, options.user)
            reading.read()
            old = reading.compared(slots, has_chats=bool(trial.inputs))
            cost = _cost([played, theirs], trial.counted, cost.messages)
            stopped = theirs.stopped
    statuses: dict[str, int] = {}
    for slot in slots:
        for fact in slot.facts:
            statuses[fact.status] = statuses.get(fact.status, 0) + 1
    return Findings(
        str(trial.counted.name), str(getattr(trial.counted, "model", None) or ""), options.schemas, trial.now,
        options.zone, trial.inputs, users, slots, statuses, admitted, refusals, unknown_of(played.mem), old, cost,
        redactions, stopped, options.keep or "",
    )  # fmt: skip


def _cost(played: Sequence[Played], counted: Counted, messages: int) -> Cost:
    usage = [row for one in played for row in one.mem.stats()["usage"]]
    given = sum(row["input_tokens"] for row in usage)
    answered = sum(row["output_tokens"] for row in usage)
    is_estimated = not (given or answered)
    return Cost(
        messages, sum(one.extracted + len(one.unanswered) for one in played),
        max(counted.requests, sum(row["calls"] for row in usage)), counted.tokens if is_estimated else given, answered,
        is_estimated, sum(len(one.unanswered) for one in played), sum(one.unread() for one in played),
        tuple(dict.fromkeys(error for one in played for error in one.errors()))[:5],
    )  # fmt: skip
