"""One run of the command line: which memory it opens, how, and in which form it shows what it got."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, tzinfo
from functools import cached_property
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import click

from tensemem import Freshness, Memory, errors
from tensemem.wire import document

from .._keys import is_file, keys_of
from .documents import json_text
from .text import Look, counted, is_terminal, look_of, say, write

DEFAULT_FILE = "tensemem.db"
CA = "TENSEMEM_CA"
OTHERS = "a server asks the extractor that it was started with; leave --llm out"
BETWEEN = 0.1
"""Seconds between two looks at a count."""


@dataclass
class Session:
    """What the options before the command say, and what commands share."""

    db: str = DEFAULT_FILE
    namespace: str = "default"
    tz: str = "UTC"
    as_json: bool = False
    is_named: bool = False
    is_pinned: bool = False
    ca: str | None = None
    """A file with the certificates that a server is trusted by."""
    logs: bool = False
    """Whether what the library logs is written to standard error already."""

    @property
    def tenant(self) -> str | None:
        """The namespace that was named, which pins the memory to it; None where none was."""
        return self.namespace if self.is_pinned else None

    @property
    def zone(self) -> tzinfo:
        """The zone in which times without an offset are read, and all times are shown to people."""
        return UTC if self.tz == "UTC" else ZoneInfo(self.tz)

    @cached_property
    def look(self) -> Look:
        """What standard output takes."""
        return look_of(sys.stdout)

    @contextmanager
    def reading(self) -> Iterator[Memory]:
        """Open the memory for reading; a missing file is an error, never made."""
        if self.is_served:
            with self._served() as client:
                yield client
            return
        self.must_exist()
        with Memory(self.db, namespace=self.tenant, tz=self.tz, read_only=True, **keys_of(self.db)) as mem:
            yield mem

    @contextmanager
    def writing(self, *, llm: Any = None, makes_file: bool = False, background: bool = False) -> Iterator[Memory]:
        """Open the memory for writing; a missing file is made only by what can begin a memory.

        Where a file is made, or one is kept from before, standard error says which.
        """
        if self.is_served:
            self._refuse_extractor(llm, background)
            with self._served() as client:
                yield client
            return
        if not makes_file:
            self.must_exist()
        is_new, kept = self.is_missing(), self._kept()
        with Memory(
            self.db, llm=llm, namespace=self.tenant, tz=self.tz, worker=background, **keys_of(self.db)
        ) as mem:
            self.tell_made(is_new)
            for copy in sorted(self._kept() - kept):
                self.note(f"brought the tables up to date; {copy} has all as it was: remove it once all is well")
            yield mem

    @property
    def is_served(self) -> bool:
        """Whether the memory is one that a server holds: ``--db http://127.0.0.1:7340``."""
        return self.db.startswith(("http://", "https://"))

    @contextmanager
    def _served(self) -> Iterator[Any]:
        """Give a client of the server, which has a memory's verbs; its token is in the environment."""
        with self._client() as client:
            yield client

    def _client(self) -> Any:
        from .served import QuietClient, trusted_by

        try:
            return QuietClient(self.db, namespace=self.tenant, verify=trusted_by(self.ca))
        except ImportError as error:
            raise errors.StoreUnsupportedError(str(error)) from error

    def must_be_here(self, command: str) -> None:
        """Raise InvalidValueError where a server holds the memory: the command is run where that server runs."""
        if self.is_served:
            raise errors.InvalidValueError(
                f"'tensemem {command}' is run at the server's machine, with --db as the server itself has it"
            )

    def extractor(self, llm: Any, why: str) -> Any:
        """Give who is to be asked: whom --llm named, or nobody where a server asks its own; ``why`` anybody must be."""
        if self.is_served:
            if llm is not None:
                raise errors.InvalidValueError(OTHERS)
            return None
        if llm is None or llm is False:
            raise click.UsageError(f"{why}: give --llm")
        return llm

    def _refuse_extractor(self, llm: Any, background: bool) -> None:
        if llm is not None and llm is not False:
            raise errors.InvalidValueError(OTHERS)
        if background:
            raise errors.InvalidValueError("a server has a worker of its own; start it with --llm")

    def _kept(self) -> set[str]:
        """Give the copies beside the file that upgrades have kept; what is forgotten later is still in them."""
        from tensemem.store.sqlite.saving import copies_of

        with suppress(OSError, ValueError, RuntimeError):
            if is_file(self.db):
                return {copy.path for copy in copies_of(str(self._path()))}
        return set()

    def _path(self) -> Path:
        return Path(self.db).expanduser().absolute()

    def is_missing(self) -> bool:
        """Tell whether the memory's name is that of a file which is not there."""
        # What names no file is left to Memory: to keep in working storage, or to refuse.
        return is_file(self.db) and bool(self.db.strip("\0 ")) and not self._exists()

    def _exists(self) -> bool:
        try:
            return self._path().exists()
        except (OSError, ValueError, RuntimeError):
            return True

    def must_exist(self) -> None:
        """Raise StoreError where there is no memory yet."""
        if self.is_missing():
            raise errors.StoreError(
                f"there is no memory at {self._path()}; 'tensemem register' and 'tensemem add' make one, "
                "--db or $TENSEMEM_DB names another"
            )

    def tell_made(self, is_new: bool) -> None:
        """Say on standard error that the memory's file was made, where it was missing before."""
        if is_new:
            self.note(f"made {self._path()}")

    def show(self, value: object, lines: Iterable[str], **more: object) -> None:
        """Print a result: its lines for people, or one JSON document with ``more`` fields beside its own.

        A value that has no fields must be a mapping, or it is the document.
        """
        if not self.as_json:
            for line in lines:
                say(line)
            return
        found = document(value)
        if more:
            found = {**found, **document(more)}
        is_narrow = not (getattr(sys.stdout, "encoding", None) or "ascii").lower().startswith("utf")
        say(json_text(found, ascii_only=is_narrow))

    def freshness(self, mem: Memory, user: str, agent_id: str = "", *, known_at: Any = None) -> Freshness:
        """Give how far a scope's extraction is, or was as known at a moment, without reading its values."""
        return mem.state(user, agent_id=agent_id, predicates=[], subject="user", known_at=known_at).freshness

    def note(self, text: str) -> None:
        """Say something beside the result, on standard error."""
        say(f"tensemem: {text}", err=True)

    def is_withheld(self, fresh: Freshness, required: bool) -> bool:
        """Tell whether an answer must not be given, since it is stale and the current one is required; says so."""
        if not required or fresh.is_current:
            return False
        if self.as_json:
            self.show({"stale": True, "freshness": fresh}, ())
        self.tell_freshness(fresh)
        return True

    def tell_freshness(self, fresh: Freshness, *, known_at: object = None) -> None:
        """Say on standard error how far a read lags behind the log; nothing where it is current."""
        if not fresh.is_current:
            self.note(freshness_line(fresh, is_past=known_at is not None))

    @contextmanager
    def progress(self, mem: Memory, word: str, *events: str) -> Iterator[None]:
        """Count a memory's events on standard error while work goes on, where a person looks at it."""
        if not is_terminal(sys.stderr):
            yield
            return
        done, shown_at = 0, float("-inf")

        def count(event: str, _fields: Mapping[str, Any]) -> None:
            nonlocal done, shown_at
            if event in events:
                done += 1
                if time.monotonic() - shown_at >= BETWEEN:
                    shown_at = time.monotonic()
                    write(f"\r{word} {done}", err=True)

        mem.on(count)
        try:
            yield
        finally:
            write("\r" + " " * (len(word) + 1 + len(str(done))) + "\r", err=True)


def freshness_line(fresh: Freshness, *, is_past: bool = False) -> str:
    """Say in one line what a read does not know yet, and what helps."""
    parts = []
    if fresh.pending:
        helps = "" if is_past else _HELP.get(fresh.reason or "", "")
        parts.append(f"{counted(fresh.pending, 'message')} pending{helps}")
    if fresh.failed:
        seqs = ", ".join(str(seq) for seq in fresh.failed_seqs[:5]) + (", …" if fresh.failed > 5 else "")
        helps = "" if is_past else "; see 'tensemem jobs'"
        parts.append(f"{fresh.failed} failed (seq {seqs}{helps})")
    if not parts:
        parts.append(f"the newest seq is {fresh.latest_seq}, and a later one was asked for")
    return ("as known then: " if is_past else "not current: ") + ", ".join(parts)


_HELP = {
    "no_extractor": " (nobody extracts; run 'tensemem worker' or 'tensemem flush' with --llm)",
    "extracting": " (being extracted)",
    "retrying": " (tried before; see 'tensemem jobs')",
}


pass_session = click.make_pass_decorator(Session)
