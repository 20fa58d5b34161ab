"""Reading the lines of an export, section by section, and refusing what is not as it was written.

A section that is damaged is passed over up to the next one, with the number of the line that is at fault. Nothing is
held but one line.
"""

from __future__ import annotations

import hmac
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, NoReturn, Protocol

from ..errors import DamagedExportError, InvalidValueError, NewerExportError
from ..model.jsontext import encode
from .exportlines import (
    END,
    FORMAT,
    HEADER,
    LONGEST_LINE,
    REGISTRY,
    SCOPE,
    VOID,
    WHOLE,
    Hash,
    new_hash,
    split_checksum,
)

STARTS = tuple(f'{{"line":"{kind}"'.encode() for kind in (REGISTRY, SCOPE, WHOLE))
DEEPEST = 200
"""Objects and lists inside each other: what the library writes has some ten, metadata what the caller gave."""
_BLOCK = 1 << 16


class ByteLines(Protocol):
    """What gives lines of bytes: a file, or what is made to look like one."""

    def readline(self, limit: int, /) -> bytes: ...


class BadLineError(Exception):
    """A line that can't be taken: its number, and why."""

    def __init__(self, number: int, why: str) -> None:
        super().__init__(f"line {number}: {why}")
        self.number = number


class VoidError(Exception):
    """The section is begun again behind this line."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line with its number; ``fields`` is what it says."""

    number: int
    fields: dict[str, Any]

    @property
    def kind(self) -> str:
        """What it says it is."""
        return str(self.fields.get("line", ""))[:40]

    def fault(self, why: str) -> BadLineError:
        """Give the error that says what is wrong with it."""
        return BadLineError(self.number, why)

    def text(self, name: str) -> str:
        """Give a field that is text; raises BadLineError."""
        value = self.fields.get(name)
        if not isinstance(value, str):
            raise self.fault(f"{name} must be text")
        return value

    def integer(self, name: str, least: int = 0, most: int = 2**62) -> int:
        """Give a field that is a whole number within bounds; raises BadLineError."""
        value = self.fields.get(name)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise self.fault(f"{name} must be a whole number from {least} to {most}")
        return value


_FOREIGN = " What another system wrote needs its format: mem0 or jsonl."


class ExportReader:
    """Reads an export: first its header, then its sections, each to be read or skipped before the next."""

    def __init__(self, stream: ByteLines, name: str, key: bytes | None) -> None:
        self._stream, self._name, self._key = stream, name, key
        self._checksums = new_hash(key)
        self._again: bytes | None = None
        self._broken = ""
        self._is_doubtful = False
        self.number = 0
        self.counts = {REGISTRY: 0, SCOPE: 0}

    def header(self) -> dict[str, Any]:
        """Give what the header says; raises DamagedExportError, NewerExportError, and InvalidValueError for the key."""
        raw = self._first_line()
        try:
            line = Line(1, parsed(1, raw))
        except BadLineError as error:
            self._refuse(str(error), _FOREIGN)
        version = line.fields.get("format")
        if line.kind != HEADER or not isinstance(version, int) or isinstance(version, bool) or version < 1:
            self._refuse("line 1: it is no header of an export", _FOREIGN)
        if version > FORMAT:
            raise NewerExportError(
                f"{self._name} has format {version}, written by a newer tensemem; this one knows formats up to "
                f"{FORMAT}. Upgrade the library; nothing was imported."
            )
        if (line.fields.get("signed") is True) != (self._key is not None):
            why = "is not signed; leave sign_key out" if self._key else "is signed; give its sign_key"
            raise InvalidValueError(f"{self._name} {why}")
        if not isinstance(line.fields.get("fence", ""), (str, type(None))):
            self._refuse("line 1: fence must be text")
        try:
            self.take_checksum(line, raw, new_hash(self._key))
        except BadLineError as error:
            self._refuse(str(error))
        return line.fields

    def next_section(self) -> Section | None:
        """Give the next section; None behind the line that says that this was all.

        Raises BadLineError where something else stands there, or nothing. After it, ``skip`` goes on.
        """
        raw = self.next()
        if raw is None:
            raise BadLineError(self.number, self._broken or "the file ends here, and is not whole: it is cut off")
        line = Line(self.number, parsed(self.number, raw))
        if line.kind in (REGISTRY, SCOPE):
            return Section(self, line, new_hash(self._key), raw)
        if line.kind != WHOLE:
            raise line.fault(f"a section was expected, not a line {line.kind!r}")
        self._end(line, raw)
        return None

    def skip(self) -> bool:
        """Go to where the next section begins; tells whether there is one. What was passed over is in doubt."""
        self._is_doubtful = True
        while True:
            try:
                raw = self.next()
            except BadLineError:
                continue
            if raw is None:
                return False
            if raw.startswith(STARTS):
                self.push_back(raw)
                return True

    def next(self) -> bytes | None:
        """Give the next line, None at the end; raises BadLineError for one that is too long."""
        if self._again is not None:
            raw, self._again = self._again, None
            return raw
        raw = self._read(LONGEST_LINE + 1)
        if not raw:
            return None
        self.number += 1
        if len(raw) > LONGEST_LINE and not raw.endswith(b"\n"):
            while (more := self._read(_BLOCK)) and not more.endswith(b"\n"):
                pass
            raise BadLineError(self.number, f"it is longer than {LONGEST_LINE // 1024 // 1024} MiB")
        return raw

    def push_back(self, raw: bytes) -> None:
        """Give a line that was read once more."""
        self._again = raw

    def ending(self) -> BadLineError:
        """Give the error for a file that ends in the middle of a section."""
        return BadLineError(self.number, self._broken or "the file ends in the middle of this section: it is cut off")

    def _read(self, limit: int) -> bytes:
        try:
            return self._stream.readline(limit)
        except (EOFError, zlib.error, OSError) as error:
            self._broken = f"behind this line the file can't be read, since it is cut off or damaged ({error})"
            return b""

    def _first_line(self) -> bytes:
        try:
            raw = self.next()
        except BadLineError as error:
            self._refuse(str(error))
        if raw is None:
            self._refuse(self._broken or "it is empty")
        return raw.removeprefix(b"\xef\xbb\xbf")

    def _refuse(self, why: str, hint: str = "") -> NoReturn:
        raise DamagedExportError(
            f"{self._name} is no export of tensemem, or is damaged: {why}. Nothing was imported.{hint}"
        )

    def take_checksum(self, line: Line, raw: bytes, hashed: Hash) -> None:
        """Compare a section's checksum; raises BadLineError."""
        parts = split_checksum(raw)
        if parts is None:
            raise line.fault("it has no checksum at its end")
        hashed.update(parts[0])
        if not hmac.compare_digest(hashed.hexdigest(), parts[1]):
            other = "the sign_key is another one, or " if self._key else ""
            raise line.fault(f"the checksum is not right: {other}something up to here was changed or is missing")
        if line.kind != WHOLE:
            self._checksums.update(parts[1].encode())

    def _end(self, line: Line, raw: bytes) -> None:
        if not self._is_doubtful:
            counts = {REGISTRY: line.integer("registries"), SCOPE: line.integer("scopes")}
            if counts != self.counts:
                raise line.fault(
                    f"of {counts[SCOPE]} memories and {counts[REGISTRY]} registries, "
                    f"{self.counts[SCOPE]} and {self.counts[REGISTRY]} are there"
                )
            self.take_checksum(line, raw, self._checksums)
        if self.next() is not None:
            raise BadLineError(self.number, "there is more behind the line that says that this was all")


@dataclass(slots=True)
class Section:
    """One log: its first line, and the others as they come; behind them ``end`` is what its last line says."""

    reader: ExportReader
    first: Line
    hashed: Hash
    raw: bytes
    end: Line = field(init=False)

    def rows(self) -> Iterator[Line]:
        """Give the lines between the first and the last; raises BadLineError, and VoidError where it begins anew.

        When it ends, the checksum was compared.
        """
        self.hashed.update(self.raw)
        while True:
            raw = self.reader.next()
            if raw is None:
                raise self.reader.ending()
            if raw.startswith(STARTS):
                self.reader.push_back(raw)
                raise BadLineError(self.reader.number, "another section begins, and this one has not ended")
            line = Line(self.reader.number, parsed(self.reader.number, raw))
            if line.kind == VOID:
                raise VoidError
            if line.kind == END:
                self.reader.take_checksum(line, raw, self.hashed)
                self.reader.counts[self.first.kind] += 1
                self.end = line
                return
            self.hashed.update(raw)
            yield line


def parsed(number: int, raw: bytes) -> dict[str, Any]:
    """Read a line of JSON; raises BadLineError for what is none, or could not be written again."""
    try:
        text = raw.decode()
        value = _DECODER.decode(text)
        if _MAY_BE_HALF.search(text) is not None:
            encode(value).encode()
    except UnicodeDecodeError as error:
        raise BadLineError(number, f"it is not UTF-8 at byte {error.start + 1}") from None
    except UnicodeEncodeError:
        raise BadLineError(number, "it holds half a character (a lone surrogate)") from None
    except (ValueError, RecursionError) as error:
        why = "it is nested too deep" if isinstance(error, RecursionError) else getattr(error, "msg", str(error))
        raise BadLineError(number, f"it is no JSON: {why}") from None
    if not isinstance(value, dict):
        raise BadLineError(number, "it is no JSON object")
    if raw.count(b"{") + raw.count(b"[") > DEEPEST and _depth(value) > DEEPEST:
        raise BadLineError(number, f"it is nested deeper than {DEEPEST}")
    return value


_MAY_BE_HALF = re.compile(r"\\u[dD]")


def _depth(value: Any) -> int:
    """Tell how deep a value is nested, level by level, so that no depth is too much."""
    depth, level = 0, [value]
    while level:
        depth += 1
        inner = [one for each in level for one in (each.values() if isinstance(each, dict) else each)]
        level = [one for one in inner if isinstance(one, (dict, list))]
    return depth


def _finite(text: str) -> float:
    value = float(text)
    if not isfinite(value):
        raise ValueError(f"{text[:20]} is no number that can be kept")
    return value


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is no JSON")


_DECODER = json.JSONDecoder(parse_float=_finite, parse_constant=_no_constant)
