"""The doctor: looks at everything a memory stands on and says what is wrong and what to do, whatever state it is in.

Every look is by itself: one that fails is a finding, and the others are done all the same. Nothing is written. What is
found tells numbers and places, never what is remembered or of whom.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

from .._version import __version__
from ..errors import (
    InvalidValueError,
    ReadOnlyError,
    SchemaTooNewError,
    StoreBusyError,
    StoreCorruptError,
    StoreKeyError,
    StoreUnsupportedError,
    TensememError,
)
from ..model.diagnosis import Diagnosis, Finding
from ..model.moment import SECOND, to_datetime
from . import ledger, wiring
from .condition import MOST_NAMESPACES, Condition, condition_of
from .core import Engine
from .rebuild import rebuild
from .retention import kept, shown
from .sampling import all_of, sample_of
from .upgrading import upgrade

LONG_WAIT = 900
"""Seconds a message may wait while somebody extracts before that is worth a warning."""
CLOCK_BACK = 5 * SECOND
"""Microseconds that the log may be ahead of the clock, or the server's clock of this machine's."""

Findings = Iterator[Finding]


def diagnose(engine: Engine, *, quick: bool = False, thorough: bool = False) -> Diagnosis:
    """Look at an open memory; ``quick`` leaves out what takes long, ``thorough`` folds every log again.

    What waits and what is folded is that of all namespaces, or of the one the memory is pinned to.
    """
    engine.check_open()
    if quick and thorough:
        raise InvalidValueError("a diagnosis is quick or thorough, not both")
    began = time.monotonic()
    names = [engine.namespace] if engine.is_pinned else _namespaces(engine)
    found = list(_of_open(engine, names, quick=quick, thorough=thorough))
    return Diagnosis(engine.store.location, tuple(found), round(time.monotonic() - began, 3))


def diagnose_at(
    path: str | os.PathLike[str] | None, *, key: str | bytes | None = None,
    shred: bool | str | os.PathLike[str] = False, namespace: str | None = None, quick: bool = False,
    thorough: bool = False,
) -> Diagnosis:  # fmt: skip
    """Look at the memory at a path or URL, whether it can be opened or not: at all namespaces, or at one."""
    began = time.monotonic()
    location, found = _place_of(path)
    if not any(finding.level == "error" and finding.name in ("file", "path") for finding in found):
        try:
            engine = _opened(path, key, shred, namespace)
        except Exception as error:  # whatever it is, it is what is to be told
            found += [*_versions(), _older(path, key) or Finding("opening", "error", *_told(error))]
        else:
            try:
                location = engine.store.location
                found = [*diagnose(engine, quick=quick, thorough=thorough).findings]
            finally:
                engine.store.close()
    else:
        found += _versions()
    return Diagnosis(location, tuple(found), round(time.monotonic() - began, 3))


def _place_of(path: str | os.PathLike[str] | None) -> tuple[str, list[Finding]]:
    """Give where a memory is, and what is found of its files without opening them."""
    try:
        text = wiring.resolve_path(path)
        if wiring.is_postgres(text):
            return _without_secrets(text), []
        location = wiring.file_of(text)
    except Exception as error:
        return "(unknown)", [Finding("path", "error", *_told(error))]
    if location == ":memory:":
        todo = "name a file or a URL: --db, $TENSEMEM_DB"
        return location, [Finding("file", "error", "':memory:' keeps nothing", todo)]
    from ..store.sqlite.file_checkup import examine_files

    return location, list(_guarded("file", lambda: examine_files(location)))


def _older(path: str | os.PathLike[str] | None, key: str | bytes | None) -> Finding | None:
    """Tell that what could not be opened is only of an older version, where that is so."""
    try:
        lacks = upgrade(path, dry_run=True, key=key)
    except Exception:  # then it is something else, and what opening said tells more
        return None
    if not lacks.found or not lacks.steps:
        return None
    found = f"version {lacks.found} of {lacks.known}: it can't be looked into before it is brought up to date"
    return Finding("schema", "warning", found, "tensemem migrate (opening a file for writing does the same)")


def _without_secrets(url: str) -> str:
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.partition('?')[0].rpartition('@')[2]}"


def _opened(
    path: str | os.PathLike[str] | None, key: str | bytes | None, shred: bool | str | os.PathLike[str],
    namespace: str | None,
) -> Engine:  # fmt: skip
    return wiring.open_engine(
        path, llm=None, namespace=namespace, clock=None, tz="UTC", durability="power", read_only=True, redact=True,
        count_tokens=None, max_content=1, subjects="open", key=key, shred=shred, examines=True,
    )  # fmt: skip


def _namespaces(engine: Engine) -> list[str]:
    try:
        with engine.store.read() as reader:
            return reader.namespaces()
    except TensememError:
        return [engine.namespace]  # the looks that follow tell what is wrong


def _of_open(engine: Engine, names: list[str], *, quick: bool, thorough: bool) -> Findings:
    yield from _versions()
    yield from _guarded("store", lambda: engine.store.examine(thorough=thorough, quick=quick))
    yield from _guarded("durability", lambda: _durability(engine))
    state: list[Condition] = []
    yield from _guarded("log", lambda: _read_condition(engine, names, state))
    for condition in state:
        yield from _extent(condition)
        yield from _work(condition)
        yield from _workers(condition)
        yield from _clock(engine, condition)
        yield from _wholeness(condition)
        yield from _removals(condition)
    yield from _guarded("ledger", lambda: _ledger(engine))
    yield from _guarded("retention", lambda: _retention(engine, names[:MOST_NAMESPACES]))
    if not quick:
        yield from _guarded("sizes", lambda: _sizes(engine))
        yield from _guarded("digests", lambda: _digests(engine, names, thorough=thorough))


def _guarded(name: str, look: Callable[[], Findings]) -> Findings:
    """Give what a look finds; what it raises, wherever it does, is a finding too."""
    try:
        yield from look()
    except Exception as error:
        yield Finding(name, "error", *_told(error))


def _told(error: BaseException) -> tuple[str, str]:
    """Give what an error says, where it is one of ours, and what to do about it."""
    if not isinstance(error, TensememError):
        return f"this could not be looked at: {type(error).__name__}", "tell the authors: it is a fault of tensemem"
    return str(error), next((todo for kind, todo in _HELPS if isinstance(error, kind)), "")


_HELPS: tuple[tuple[type[TensememError], str], ...] = (
    (StoreCorruptError, "keep the file as it is, restore a backup beside it; `tensemem copy` copies what can be read"),
    (SchemaTooNewError, "upgrade tensemem here"),
    (StoreKeyError, "check $TENSEMEM_KEY; without the key nobody can read it; one that never had a key is damaged"),
    (StoreUnsupportedError, "install what it names"),
    (ReadOnlyError, "run as the user the files belong to, or name a server that takes writes"),
    (StoreBusyError, "see what keeps it: another process, a long transaction, or a server that can't be reached"),
    (InvalidValueError, "correct the path, the URL or the key"),
    (TensememError, "do what it says"),
)


def _versions() -> Findings:
    python = f"Python {platform.python_version()} on {platform.system()}"
    yield Finding("versions", "ok", f"tensemem {__version__}, {python}")


def _durability(engine: Engine) -> Findings:
    match engine.store.durability:
        case "none":
            yield Finding("durability", "note", "nothing outlives this process", "name a file: Memory(path)")
        case "process":
            found = "what was acknowledged survives a killed process, but not a power failure"
            yield Finding("durability", "note", found, "durability='power' does, on a server that flushes")
        case _:
            yield Finding("durability", "ok", "what was acknowledged survives a power failure")


def _read_condition(engine: Engine, names: list[str], state: list[Condition]) -> Findings:
    state.append(condition_of(engine, names))
    return iter(())


def _extent(now: Condition) -> Findings:
    if now.looked_at < now.namespaces:
        found = f"{now.looked_at} of {now.namespaces} were looked at for what follows"
        yield Finding("namespaces", "note", found, "look at others by memories that are pinned to them")


def _work(now: Condition) -> Findings:
    waits = f"{_counted(now.pending, 'message')} waiting, the oldest for {_span(now.oldest_seconds)}"
    if now.pending and not now.live_workers:
        todo = "open the memory with llm=…, or run `tensemem worker --llm …`"
        yield Finding("waiting", "warning", f"{waits}, and nobody extracts", todo)
    elif now.pending and now.oldest_seconds > LONG_WAIT:
        todo = "`tensemem jobs` tells the last errors; where there are none, more workers help"
        yield Finding("waiting", "warning", f"{waits}, though somebody extracts", todo)
    elif now.pending:
        yield Finding("waiting", "ok", f"{waits}, and are being extracted")
    else:
        yield Finding("waiting", "ok", "no message waits")
    if now.failed:
        todo = "`tensemem jobs` tells why; then `tensemem retry`, or `tensemem dismiss`"
        yield Finding("failed", "warning", f"{_counted(now.failed, 'message')} given up", todo)
    else:
        yield Finding("failed", "ok", "no message was given up")


def _workers(now: Condition) -> Findings:
    said = f"{_counted(now.live_workers, 'worker')} alive"
    if now.dead_workers or now.dead_leases:
        found = f"{said}; {now.dead_workers} gone without signing off, with {_counted(now.dead_leases, 'lease')}"
        yield Finding("workers", "note", found, "nothing: what is gone counts for nothing, and is cleared by the next")
    else:
        yield Finding("workers", "ok", said)


def _clock(engine: Engine, now: Condition) -> Findings:
    ahead = engine.store.clock_ahead
    if abs(ahead) > CLOCK_BACK:
        which = "ahead of" if ahead > 0 else "behind"
        found = f"the server's clock is {_span(abs(ahead) / SECOND)} {which} this machine's"
        yield Finding("clock", "warning", found, "have both follow one time service (NTP)")
    elif now.ahead > CLOCK_BACK:
        found = f"the newest entry was recorded {_span(now.ahead / SECOND)} ahead of the clock: it was put back"
        todo = "set the clock right; entries keep their order, and times stand still until it has caught up"
        yield Finding("clock", "warning", found, todo)
    else:
        yield Finding("clock", "ok", "the log is not ahead of it")


def _wholeness(now: Condition) -> Findings:
    if now.unfinished:
        found = f"{now.unfinished} being copied here and not whole: nobody can use them"
        yield Finding("unfinished copies", "warning", found, "run the same copy again: it goes on where it stopped")


def _removals(now: Condition) -> Findings:
    if now.removals:
        found = f"{now.removals} forgotten, out of reach, and not all of their rows removed yet"
        yield Finding("removals", "warning", found, "open the memory for writing: that goes on with it")
    elif now.is_scrub_due:
        found = "what was forgotten is removed, and may still be read in the write-ahead log"
        yield Finding("removals", "warning", found, "end what has been reading for long; then it is overwritten")
    else:
        yield Finding("removals", "ok", "what was forgotten is removed")


def _ledger(engine: Engine) -> Findings:
    if engine.store.ledger is None:
        return
    only_in_file, only_in_table = ledger.missing(engine.store)
    if only_in_file:
        found = f"{_counted(len(only_in_file), 'line')} unknown to this file: is it an older copy?"
        yield Finding("ledger", "warning", found, "open the memory for writing: that forgets it here, too")
    elif only_in_table:
        found = f"{_counted(len(only_in_table), 'line')} missing in {os.path.basename(engine.store.ledger)}"
        yield Finding("ledger", "warning", found, "open the memory for writing: that writes them there again")
    else:
        yield Finding("ledger", "ok", "the file beside the memory has all that was forgotten")


def _retention(engine: Engine, names: list[str]) -> Findings:
    now, asked, late, failed = to_datetime(engine.now()), 0, 0, 0
    with engine.store.read() as reader:
        for name in names:
            found = shown(kept(reader, name), engine.now())
            asked += not found.is_empty
            last = found.last_run
            failed += 0 if last is None else last.failed
            newest = None if last is None else last.ended_at or last.began_at
            late += found.next_run_at is not None and found.next_run_at <= now and is_long_ago(newest, now)
    said = f"{_counted(asked, 'namespace')} with a policy"
    if late:
        found_ = f"{said}, {late} of which nobody has followed for a day"
        yield Finding("retention", "warning", found_, "run a worker, or `tensemem purge --due`")
    elif failed:
        found_ = f"{said}; {failed} memories could not be done"
        yield Finding("retention", "warning", found_, "`tensemem stats` tells more")
    else:
        yield Finding("retention", "ok", said)


def is_long_ago(newest: datetime | None, now: datetime) -> bool:
    """Tell whether a run is longer ago than a worker that runs would let it be; one that never was is."""
    return newest is None or now - newest > timedelta(days=1)


def _sizes(engine: Engine) -> Findings:
    with engine.store.read() as reader:
        holds = reader.sizes_hold()
    if holds:
        yield Finding("sizes", "ok", "what stats tells is what there is")
    else:
        yield Finding("sizes", "warning", "what stats tells is not what there is", "`tensemem rebuild` counts anew")


def _digests(engine: Engine, names: list[str], *, thorough: bool) -> Findings:
    scopes, of = all_of(engine, names) if thorough else sample_of(engine, names)
    report = rebuild(engine, scopes, write=False)
    said = f"{report.scopes} of {of} memories, {report.entries} entries, folded again"
    if report.identical:
        todo = "" if thorough else "`tensemem doctor --all` folds every one"
        yield Finding("digests", "ok", f"{said}: what is shown is what the log says", todo)
    else:
        found = f"{said}: {len(report.different)} do not show what their log says"
        yield Finding("digests", "error", found, "`tensemem verify` names them, `tensemem rebuild` makes them anew")


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _span(seconds: float) -> str:
    for unit, size in (("days", 86_400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} seconds"
