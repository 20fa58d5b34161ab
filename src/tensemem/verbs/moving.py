"""Moving: exports, imports and backups."""

from __future__ import annotations

import os
from typing import Any, Literal

from ..engine import adopting, backing, exporting, importing
from ..engine.exportlines import signing_key
from ..errors import InvalidValueError
from ..model.results import BackupReport, ExportReport, ImportReport
from .base import Base


class Moving(Base):
    """The verbs that take a memory elsewhere."""

    def export(
        self, dest: Any, *, user_id: str | None = None, agent_id: str | None = None, namespace: str | None = None,
        every_namespace: bool = False, sign_key: str | bytes | None = None, overwrite: bool = False,
    ) -> ExportReport:  # fmt: skip
        """Write memories as lines of JSON: logs with ids, revisions and times, what waits, every idempotency key.

        ``dest`` is a path (packed where it ends in .gz), "-" for standard output, or a file opened for writing bytes.
        All users of the namespace, or one, all agents or one; of all namespaces, if told so. Each scope is told as of
        one moment, while others write. ``sign_key`` makes its checksums such that only who has it can make them.
        Gives what was written. Raises StoreError where the file exists and ``overwrite`` is not given, or can't be
        written, and InvalidValueError.
        """
        part = exporting.part_of(self._wanted(namespace, every_namespace), user_id, agent_id)
        return self._run(exporting.export(self._engine, dest, part, signing_key(sign_key), overwrite=overwrite))

    def import_(
        self, source: Any, *, format: Literal["tensemem", "jsonl", "mem0"] = "tensemem",
        take: Literal["messages", "rows", "both"] | None = None, role: str = "user", label: str | None = None,
        predicate: str = "note", user_id: str | None = None, agent_id: str | None = None,
        namespace: str | None = None, every_namespace: bool = False, sign_key: str | bytes | None = None,
    ) -> ImportReport:  # fmt: skip
        """Read an export: a path, "-" for standard input, an open file, or an iterable of lines; gives what was done.

        Each memory is put together apart, its log folded anew, and compared with its digest and checksum, before any
        of it is written here. Imported again it changes nothing, and goes on where it was broken off. A memory that
        has gone on here is left as it is. Raises, when all that is right was imported, DamagedExportError for lines
        that are not as they were written, and ConflictError where another log of a scope is here; and at once
        NewerExportError, StoreBusyError, ReadOnlyError, and InvalidValueError (a signed export needs its
        ``sign_key``).

        ``format="jsonl"`` reads another engine's lines of messages and facts, ``"mem0"`` what its ``get_all()`` or
        ``history()`` gave (a file, or the result itself). ``take="messages"`` adds them to be learned from,
        ``"rows"`` files them with their dates, ``"both"`` does that and keeps the messages unlearned; left out it is
        both, and of mem0 messages. ``role`` is who speaks where the file does not say, ``label`` their source,
        ``predicate`` what a text is a value of, ``user_id`` whose they are. What was not understood is in the report,
        line by line.
        """
        part = exporting.part_of(self._wanted(namespace, every_namespace), user_id, agent_id)
        if format != "tensemem":
            if every_namespace or sign_key is not None:
                raise InvalidValueError("every_namespace and sign_key are of exports of tensemem")
            origin = adopting.origin_of(
                self._engine, part, format=format, take=take, role=role, label=label, predicate=predicate
            )
            return self._run(adopting.adopt(self._engine, source, origin))
        return self._run(importing.import_lines(self._engine, source, part, signing_key(sign_key)))

    def backup(
        self, dest: str | os.PathLike[str], *, key: str | bytes | None = None, overwrite: bool = False,
        verify: bool = True,
    ) -> BackupReport:  # fmt: skip
        """Write the whole memory to a file of its own, as of one moment, while others read and write.

        The file is compact, has nothing in it that was overwritten or removed, is its owner's alone, and is encrypted
        as the memory is; of a memory on a server it is a copy, encrypted with ``key`` if one is given. It has its name
        once it is whole, was looked through, and is on the disk; ``verify=False`` leaves out folding every log again.
        Gives what it holds. Raises StoreError where the file exists and ``overwrite`` is not given, or can't be
        written, and StoreCorruptError for a memory that is damaged.
        """
        made = backing.backup(self._engine, dest, key=key, overwrite=overwrite, verify=verify)
        return self._run(made)

    def _wanted(self, namespace: str | None, every: object) -> str | None:
        if every and namespace is not None:
            raise InvalidValueError("name a namespace, or ask for every one; not both")
        if every:
            self._engine.check_whole("every_namespace=True")
        return None if every else self._namespace(namespace)
