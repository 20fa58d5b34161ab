"""Text with NUL in it, which PostgreSQL keeps in no column: it goes there escaped, and comes back as it was.

NUL becomes U+0001 U+0001, and U+0001 becomes U+0001 U+0002; nothing else changes. So texts sort and begin with each
other in the database just as they do here, and a person who looks into it sees them as they are.
"""

from __future__ import annotations

from typing import Any

from psycopg.abc import Buffer
from psycopg.adapt import AdaptersMap
from psycopg.types.string import StrBinaryDumper, StrDumperUnknown, TextBinaryLoader, TextLoader

_ESCAPES = {"\0": "\1\1", "\1": "\1\2"}
_TABLE = str.maketrans(_ESCAPES)


def escaped(text: str) -> str:
    """Give a text as a column can keep it."""
    return text.translate(_TABLE) if "\0" in text or "\1" in text else text


def unescaped(text: str) -> str:
    """Give a text as it was."""
    return text.replace("\1\1", "\0").replace("\1\2", "\1") if "\1" in text else text


class _Dumper(StrDumperUnknown):
    def dump(self, obj: str) -> Buffer | None:
        return super().dump(escaped(obj))


class _BinaryDumper(StrBinaryDumper):
    def dump(self, obj: str) -> Buffer | None:
        return super().dump(escaped(obj))


class _Loader(TextLoader):
    def load(self, data: Buffer) -> Any:
        return unescaped(str(data, "utf-8"))


class _BinaryLoader(TextBinaryLoader):
    def load(self, data: Buffer) -> Any:
        return unescaped(str(data, "utf-8"))


def register(adapters: AdaptersMap) -> None:
    """Have a connection escape what it sends and give back what was meant."""
    for dumper in (_BinaryDumper, _Dumper):  # the last one is the usual one, as it is without us
        adapters.register_dumper(str, dumper)
    for loader in (_Loader, _BinaryLoader):
        adapters.register_loader("text", loader)
