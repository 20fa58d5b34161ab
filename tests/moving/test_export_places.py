"""Where exports are written to and read from."""

from __future__ import annotations

import gzip
import io
import stat
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory
from tensemem.errors import InvalidValueError, StoreError
from tests.copying.filled import CALM
from tests.copying.looking import kept
from tests.moving.lines import exported


def test_a_file_is_its_owners_alone_and_never_overwritten_unless_told_so(one: Memory, tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    report = one.export(path)
    assert (report.destination, report.lines, report.size) == (str(path), len(exported(one)), path.stat().st_size)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    before = path.read_bytes()
    one.set("ann", "lives_in", "Goa")
    with pytest.raises(StoreError, match="exists; name another file, or pass overwrite=True"):
        one.export(path)
    assert path.read_bytes() == before
    one.export(path, overwrite=True)
    assert path.read_bytes() != before
    assert [file.name for file in tmp_path.iterdir() if "partial" in file.name] == []


def test_a_file_that_takes_text_alone_is_refused(one: Memory) -> None:
    with pytest.raises(InvalidValueError, match="a file opened for writing bytes"):
        one.export(io.StringIO())


def test_an_export_that_breaks_off_leaves_no_file(one: Memory, tmp_path: Path) -> None:
    def fail(event: str, fields: Mapping[str, Any]) -> None:
        if event == "exported":
            raise KeyboardInterrupt

    one.on(fail)
    with pytest.raises(KeyboardInterrupt):
        one.export(tmp_path / "out.jsonl")
    assert sorted(file.suffix for file in tmp_path.iterdir()) == [".db", ".db-shm", ".db-wal"]


def test_a_packed_file_is_read_whatever_its_name(one: Memory, other: Memory, tmp_path: Path) -> None:
    one.export(tmp_path / "out.jsonl.gz")
    packed = (tmp_path / "out.jsonl.gz").read_bytes()
    assert gzip.decompress(packed).splitlines(keepends=True) == exported(one)
    (tmp_path / "renamed").write_bytes(packed)
    other.import_(tmp_path / "renamed")
    assert kept(other) == kept(one)
    one.export(tmp_path / "again.gz")
    assert (tmp_path / "again.gz").read_bytes() == packed


def test_open_files_and_lines_of_text_are_read_too(one: Memory, tmp_path: Path) -> None:
    one.export(tmp_path / "out.jsonl")
    text = (tmp_path / "out.jsonl").read_text(encoding="utf-8")
    sources: list[Any] = [
        (tmp_path / "out.jsonl").open("rb"), (tmp_path / "out.jsonl").open(encoding="utf-8"), io.StringIO(text),
        io.BytesIO(text.encode()), text.splitlines(), iter(text.splitlines(keepends=True)),
    ]  # fmt: skip
    for number, source in enumerate(sources):
        with Memory(tmp_path / f"{number}.db", **CALM) as mem:
            mem.import_(source)
            assert kept(mem) == kept(one)
        if hasattr(source, "close"):
            source.close()
    with open(tmp_path / "text.jsonl", "w", encoding="utf-8") as out:
        one.export(out)
    assert (tmp_path / "text.jsonl").read_text(encoding="utf-8") == text


def test_standard_output_and_input_are_meant_by_a_dash(
    one: Memory, other: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(sys, "stdout", out)
    assert one.export("-").destination == "standard output"
    raw = out.buffer.getvalue()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))
    assert other.import_("-").source == "standard input"
    assert kept(other) == kept(one)
