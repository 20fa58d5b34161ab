"""How text goes to the server and comes back: escaped, see ``escapes``."""

from __future__ import annotations

from typing import Any

from psycopg.abc import Buffer
from psycopg.adapt import AdaptersMap
from psycopg.types.string import StrBinaryDumper, StrDumperUnknown, TextBinaryLoader, TextLoader

from .escapes import escaped, unescaped


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
