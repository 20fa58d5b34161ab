"""Exports, imports and backups: between files here and a server, in pieces, so that little is ever held."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..engine.exportlines import REGISTRY, SCOPE, WHOLE
from ..engine.inlets import STANDARD, inlet
from ..engine.outlets import new_file, outlet
from ..errors import InvalidScopeError, InvalidValueError, StoreError
from ..model.results import BackupReport, ExportReport, ImportReport
from ..wire import SERVED, read
from .arguments import prepared
from .calling import Setting
from .requests import Answer, Request, request_of, result_of
from .sending import Sender

PIECE = 256 * 1024
REPORT = "tensemem-report"
"""The header in which a server tells what a backup holds."""
LINES = "application/x-ndjson"


def export(setting: Setting, sender: Sender, arguments: dict[str, Any]) -> ExportReport:
    """Write an export that a server sends to where ``dest`` says."""
    dest, sign_key, overwrite = (arguments.pop(name) for name in ("dest", "sign_key", "overwrite"))
    if sign_key is not None:
        raise InvalidValueError("a server signs nothing: export at the machine, or leave sign_key out")
    request = _request(setting, "export", arguments)
    return sender.repeated(
        lambda: _exported(setting, sender, request, dest, overwrite=overwrite), is_repeatable=_is_path(dest)
    )


def _exported(setting: Setting, sender: Sender, request: Request, dest: Any, *, overwrite: bool) -> ExportReport:
    began = time.monotonic()
    told = Told()
    with outlet(dest, overwrite=overwrite, beside="") as out, sender.streaming(request) as response:
        for piece in response.iter_bytes(PIECE):
            told.take(piece)
            out.write(piece)
        told.end()
    return ExportReport(
        source=setting.address.url, destination=out.name, namespaces=len(told.namespaces), scopes=told.scopes,
        entries=told.entries, lines=told.lines, size=told.size, signed=False, checksum=told.checksum,
        seconds=round(time.monotonic() - began, 3),
    )  # fmt: skip


class Told:
    """What the lines of an export say of themselves, as they pass. The last one says that these were all."""

    def __init__(self) -> None:
        self.lines = self.size = self.scopes = self.entries = 0
        self.checksum = ""
        self.namespaces: set[str] = set()
        self._line = bytearray()
        self._last = b""

    def take(self, piece: bytes) -> None:
        """Look at the next bytes. Of a long line only the beginning is kept."""
        self.size += len(piece)
        *whole, rest = piece.split(b"\n")
        for part in whole:
            self._keep(part)
            self._look()
        self._keep(rest)

    def _keep(self, part: bytes) -> None:
        room = LONGEST_LOOKED_AT - len(self._line)
        self._line += part[:room] if room > 0 else b""

    def _look(self) -> None:
        self.lines += 1
        self._last = bytes(self._line)
        self._line.clear()
        if self._last.startswith(_NAMING):
            self.namespaces.add(json.loads(self._last)["namespace"])

    def end(self) -> None:
        """Read the last line. Raises StoreError where it is not that of a whole export."""
        found = json.loads(self._last) if self._last.startswith(_ENDING) and not self._line else None
        if found is None:
            raise StoreError("the export broke off before its last line; ask for it again")
        self.scopes, self.entries, self.checksum = found["scopes"], found["entries"], found["checksum"]


LONGEST_LOOKED_AT = 16 * 1024
"""Bytes of a line that names a scope, a namespace, or ends an export: names have bounds."""
_NAMING = tuple(f'{{"line":"{kind}",'.encode() for kind in (REGISTRY, SCOPE))
_ENDING = f'{{"line":"{WHOLE}",'.encode()


def backup(setting: Setting, sender: Sender, arguments: dict[str, Any]) -> BackupReport:
    """Write a backup that a server sends to a file of its own; it has its name once it is whole."""
    dest, key, overwrite = (arguments.pop(name) for name in ("dest", "key", "overwrite"))
    if key is not None:
        raise InvalidValueError("a server's backup is encrypted as its memory is; leave key out")
    if not isinstance(dest, (str, os.PathLike)):
        raise InvalidValueError("dest must be a path")
    path = os.path.abspath(os.path.expanduser(os.fspath(dest)))
    request = _request(setting, "backup", arguments)
    return sender.repeated(lambda: _backed_up(setting, sender, request, path, overwrite=overwrite))


def _backed_up(setting: Setting, sender: Sender, request: Request, path: str, *, overwrite: bool) -> BackupReport:
    began = time.monotonic()
    size = 0
    with new_file(path, overwrite=overwrite, beside="") as file, sender.streaming(request) as response:
        for piece in response.iter_bytes(PIECE):
            size += len(piece)
            file.write(piece)
        report = _report_in(response.headers, size)
    seconds = round(time.monotonic() - began, 3)
    return replace(report, source=setting.address.url, destination=path, seconds=seconds)


def _report_in(headers: Mapping[str, str], size: int) -> BackupReport:
    try:
        found = read(BackupReport, json.loads(headers[REPORT]))
    except (KeyError, ValueError, InvalidValueError):
        raise StoreError("the server does not tell what the backup holds: is it of another version?") from None
    if found.size != size:
        raise StoreError(f"{size} bytes of a backup of {found.size} came; ask for it again")
    return found


def import_(setting: Setting, sender: Sender, arguments: dict[str, Any]) -> ImportReport:
    """Send what ``source`` holds to a server, which takes it in; gives what was done."""
    source, sign_key = arguments.pop("source"), arguments.pop("sign_key")
    if sign_key is not None:
        raise InvalidValueError("a signed export is imported at the machine, where its key is; leave sign_key out")
    request = replace(_request(setting, "import_", arguments), headers={"Content-Type": LINES})
    if arguments["format"] == "mem0" and _is_given(source):
        return sender.repeated(lambda: _imported(sender, request, "what was given", iter([_body_of(source)])))
    return sender.repeated(lambda: _import_from(sender, request, source), is_repeatable=_is_path(source))


def _import_from(sender: Sender, request: Request, source: Any) -> ImportReport:
    with inlet(source) as found:
        return _imported(sender, replace(request, is_repeatable=_is_path(source)), found.name, pieces(found.stream))


def _imported(sender: Sender, request: Request, name: str, body: Iterator[bytes]) -> ImportReport:
    with sender.streaming(request, body) as response:
        answer = Answer(response.status_code, response.headers, response.read())
    report: ImportReport = result_of(request, answer)
    return replace(report, source=name)


def _is_given(source: Any) -> bool:
    """Tell whether a source is what mem0's calls return, and not a file of it."""
    is_list = isinstance(source, Sequence) and not isinstance(source, (str, bytes))
    return isinstance(source, Mapping) or (is_list and all(isinstance(one, Mapping) for one in source))


def _body_of(given: Any) -> bytes:
    try:
        return json.dumps(given if isinstance(given, Mapping) else list(given)).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidValueError(f"that is nothing mem0 returns: {error}") from None


def pieces(stream: Any) -> Iterator[bytes]:
    """Give lines in pieces that are worth sending."""
    waiting: list[bytes] = []
    size = 0
    while line := stream.readline(PIECE):
        waiting.append(line)
        size += len(line)
        if size >= PIECE:
            yield b"".join(waiting)
            waiting, size = [], 0
    if waiting:
        yield b"".join(waiting)


def _request(setting: Setting, name: str, arguments: dict[str, Any]) -> Request:
    given = prepared(name, arguments, setting.namespace)
    if name == "backup" and setting.namespace is not None:
        raise InvalidScopeError(
            "this client is pinned to a namespace, and a backup concerns all there are; make one without namespace=..."
        )
    return request_of(SERVED[name], given, setting.timeout)


def _is_path(place: Any) -> bool:
    return isinstance(place, (str, os.PathLike)) and place != STANDARD


CARRIED: Mapping[str, Callable[[Setting, Sender, dict[str, Any]], Any]] = {
    "export": export, "import_": import_, "backup": backup,
}  # fmt: skip
"""Verbs whose files stay here, by name."""
