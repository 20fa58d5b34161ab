"""Exports, imports and backups: however large, they pass through in pieces."""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
from abc import ABC, abstractmethod
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from tensemem import BackupReport
from tensemem.engine.leftovers import own_mark, sweep
from tensemem.wire import document

from .answers import USUAL, Headers, takes_gzip
from .calls import Call, Gone, refuse_long
from .pipes import PIECE, Pipe, Source
from .queries import parameters
from .refusals import Refusal
from .verbs import Verb, check_type

LINES = b"application/x-ndjson"
IMPORTED = ("application/x-ndjson", "application/jsonl", "application/json", "application/octet-stream")
PACKED = "application/gzip"
PREFIX = ".tensemem-"
"""How the name of a folder begins in which a backup is made; the mark of who makes it follows."""
LONGEST_REPORT = 3000
"""Bytes of a header in which users are named whose facts differ from their log; how many there are is told anyway."""


class _Lasting(Verb, ABC):
    """A verb that lasts, and of which only a few may be done at once."""

    async def __call__(self, call: Call) -> None:
        """Answer a request."""
        if call.is_head:
            raise Refusal("method-not-allowed", "its head is not known before all of it is", headers={b"allow": b"GET"})
        arguments, headers, namespace, user_id = await self.understood(call)
        with self.serving.one_more():
            await self.serving.recorded(
                call, self.served, (namespace, user_id), lambda: self._carry(call, arguments, headers)
            )

    @abstractmethod
    async def _carry(self, call: Call, arguments: dict[str, Any], headers: Headers) -> None:
        """Do it, and answer."""

    async def _begin(self, call: Call, headers: Headers) -> None:
        own = {name for name, _ in headers}
        usual = [header for header in USUAL if header[0] not in own]
        await call.send({"type": "http.response.start", "status": 200, "headers": [*usual, *headers]})

    async def _sent(self, call: Call, piece: bytes) -> None:
        """Send a piece; who takes none for too long is let go."""
        async with asyncio.timeout(self.serving.limits.sending_seconds):
            await call.send({"type": "http.response.body", "body": piece, "more_body": True})


class Export(_Lasting):
    """``export`` as lines, as they are written."""

    async def _carry(self, call: Call, arguments: dict[str, Any], headers: Headers) -> None:
        is_packed = takes_gzip(call)
        pipe = Pipe(self.serving.limits.sending_seconds, is_packed=is_packed)
        memory = self.serving.plain
        filling = self.serving.beside(lambda: pipe.filled(lambda: memory.export(pipe, **arguments)))
        work = asyncio.ensure_future(filling)
        try:
            piece = await pipe.take()
            if piece is None:
                await work  # raises what went wrong before anything was written
            coding = [(b"content-encoding", b"gzip")] if is_packed else []
            named = (b"content-disposition", b'attachment; filename="tensemem.jsonl"')
            await self._begin(call, [*headers, (b"content-type", LINES), named, *coding])
            while piece is not None:
                await self._sent(call, piece)
                piece = await pipe.take()
            await work
        finally:
            pipe.close()
            with suppress(Exception):
                await work
        await call.send({"type": "http.response.body", "body": b"", "more_body": False})


class Backup(_Lasting):
    """``backup`` as a file, which is made whole, beside the memory, before any of it is sent."""

    async def _carry(self, call: Call, arguments: dict[str, Any], headers: Headers) -> None:
        memory = self.serving.plain
        place = _folder(memory._engine.store.location)
        await self.serving.beside(lambda: sweep_copies(memory._engine.store.location))
        with tempfile.TemporaryDirectory(prefix=f"{PREFIX}{own_mark()}-", dir=place) as folder:
            path = Path(folder) / "backup.db"
            report = await self.serving.beside(lambda: memory.backup(path, **arguments))
            size = (b"content-length", b"%d" % path.stat().st_size)
            told = (b"tensemem-report", _report(report))
            named = (b"content-disposition", b'attachment; filename="tensemem-backup.db"')
            await self._begin(call, [*headers, (b"content-type", b"application/vnd.sqlite3"), size, named, told])
            with path.open("rb") as file:
                if os.name == "posix":  # a server that is killed while somebody takes it leaves no copy behind
                    path.unlink()
                while piece := await self.serving.beside(lambda: file.read(4 * PIECE)):
                    await self._sent(call, piece)
        await call.send({"type": "http.response.body", "body": b"", "more_body": False})


def _report(report: BackupReport) -> bytes:
    """Give what a backup holds for a header: without places on this machine, naming users as far as there is room."""
    told = {**document(replace(report, source="", destination="", different=())), "differing": len(report.different)}
    room = LONGEST_REPORT - len(json.dumps(told))
    for name in report.different:
        room -= len(json.dumps(name)) + 2
        if room < 0:
            break
        told["different"].append(name)
    return json.dumps(told).encode()


class Import(_Lasting):
    """``import_`` of a body that is read as it comes."""

    async def _given(self, call: Call) -> list[tuple[str, str]]:
        return parameters(call.query)

    async def _carry(self, call: Call, arguments: dict[str, Any], headers: Headers) -> None:
        check_type(call, (*IMPORTED, PACKED))
        limits = self.serving.limits
        refuse_long(call.header(b"content-length"), limits.imported)
        source = Source(limits.imported, is_packed=_is_packed(call))
        memory = self.serving.plain
        reading = self.serving.beside(lambda: source.read_by(lambda: memory.import_(source, **arguments)))
        work = asyncio.ensure_future(reading)
        try:
            more, pace = True, self.serving.pace()
            while more and not source.is_read:
                piece, more = await call.chunk(pace)
                await source.put(piece)
            source.end()
        except BaseException as error:
            source.end(error if isinstance(error, (Refusal, Gone)) else Gone())
            with suppress(Exception):
                await work
            raise
        await self.answer(call, arguments, await work, headers)


def _is_packed(call: Call) -> bool:
    coding = (call.header(b"content-encoding") or "identity").strip().lower()
    if coding not in ("identity", "gzip", "x-gzip"):
        raise Refusal("unsupported-media-type", "a body may be packed with gzip, and with nothing else")
    return coding != "identity" or (call.header(b"content-type") or "").strip().lower() == PACKED


def _folder(location: str) -> str:
    """Give the folder of a memory in a file, so that a copy lies where the memory does; of any other that of temporary
    files.
    """
    return os.path.dirname(location) if os.path.isfile(location) else tempfile.gettempdir()


def sweep_copies(location: str) -> None:
    """Remove the copies that killed servers left of this memory."""
    sweep(_folder(location), PREFIX)
