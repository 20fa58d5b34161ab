"""Exports, backups and imports of a served memory: files here, whole or not there, and the same reports."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tensemem import Client, Memory, Message, errors
from tensemem.client import carrying
from tests.client.bench import TOKEN, Pauses, Served, between, same, served


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("served")
    with Memory(folder / "m.db", durability="process") as mem:
        for namespace in ("default", "acme"):
            mem.register_predicate("lives_in", namespace=namespace)
            for name in ("ann", "bob ]}\n\"{"):
                mem.set(name, "lives_in", "Oslo \u2028 \x7f", namespace=namespace)
                list(mem.add_many([Message(name, f"hello {n}" * 50) for n in range(20)], namespace=namespace))
    with served(folder / "m.db") as running:
        yield running


@pytest.fixture
def client(server: Served) -> Iterator[Client]:
    with Client(server.url, TOKEN) as found:
        yield found


@pytest.fixture
def local(server: Served) -> Iterator[Memory]:
    """The file that is served, opened beside the server."""
    with Memory(Path(str(server.access.location).removesuffix("-access")), worker=False) as found:
        yield found


def plain(path: Path) -> bytes:
    """The lines of an export, but for when it was made."""
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return data.partition(b"\n")[2].rpartition(b'{"line":"whole"')[0]


@pytest.mark.parametrize(
    "part", [{}, {"user_id": "ann"}, {"namespace": "acme"}, {"every_namespace": True}, {"user_id": "nobody"}]
)
@pytest.mark.parametrize("name", ["all.jsonl", "all.jsonl.gz"])
def test_an_export_is_that_of_the_memory(
    client: Client, local: Memory, tmp_path: Path, part: dict[str, Any], name: str
) -> None:
    mine, theirs = tmp_path / "mine" / name, tmp_path / "theirs" / name
    for path in (mine, theirs):
        path.parent.mkdir()
    told, expected = client.export(mine, **part), local.export(theirs, **part)
    assert plain(mine) == plain(theirs)
    assert (told.destination, told.source) == (str(mine), client._setting.address.url)
    assert (told.scopes, told.entries, told.lines, told.size, told.signed) == (
        expected.scopes, expected.entries, expected.lines, expected.size, False,
    )  # fmt: skip
    assert told.namespaces == (expected.namespaces if expected.lines > 2 else 0)
    assert told.checksum == json.loads(_lines(mine)[-1])["checksum"]


def _lines(path: Path) -> list[bytes]:
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return data.splitlines()


def test_an_export_goes_to_an_open_file_too(client: Client, tmp_path: Path) -> None:
    into = io.BytesIO()
    report = client.export(into, user_id="ann")
    assert (report.destination, report.size) == ("an open file", len(into.getvalue()))
    with pytest.raises(errors.InvalidValueError, match="writing bytes"):
        client.export(io.StringIO())


@pytest.mark.parametrize("act", ["part", "busy", "cut"])
def test_an_export_that_breaks_off_is_asked_for_again(server: Served, tmp_path: Path, act: str) -> None:
    path = tmp_path / "all.jsonl"
    with between(server.url, act) as proxy, Client(proxy.url, TOKEN) as client:
        client._sender.sleep = Pauses()
        assert client.export(path).scopes == 2
        assert len(proxy.seen) == 2
        with Memory(":memory:") as mem:
            assert mem.import_(path).imported == 2
        proxy.script += [act] * 9
        with pytest.raises(errors.StoreError):
            client.export(tmp_path / "other.jsonl")
        assert [each.name for each in tmp_path.iterdir()] == ["all.jsonl"]
        proxy.script[:] = ["part"]
        with pytest.raises(errors.StoreError, match="broke off"):
            client.export(io.BytesIO())  # some of it is there already


def test_lines_without_their_end_are_no_export() -> None:
    whole = [b'{"line":"scope","namespace":"a"}', b'{"line":"whole","scopes":1,"entries":2,"checksum":"c"}', b""]
    told = carrying.Told()
    for piece in _in_pieces(b"\n".join(whole), 7):
        told.take(piece)
    told.end()
    assert (told.scopes, told.entries, told.lines, told.namespaces, told.checksum) == (1, 2, 2, {"a"}, "c")
    for text in (b"\n".join(whole[:1]) + b"\n", b"\n".join(whole[:2]), b"", b'{"line":"whole"'):
        broken = carrying.Told()
        broken.take(text)
        with pytest.raises(errors.StoreError, match="broke off"):
            broken.end()


def test_of_what_passes_little_is_held() -> None:
    told = carrying.Told()
    for _ in range(50):
        told.take(b"x" * 100_000)
    assert len(told._line) <= carrying.LONGEST_LOOKED_AT
    lines = io.BytesIO(b"\n".join([b"y" * 90_000] * 60))
    assert max(map(len, carrying.pieces(lines))) <= 2 * carrying.PIECE


def _in_pieces(data: bytes, size: int) -> Iterator[bytes]:
    return (data[start : start + size] for start in range(0, len(data), size))


# Backups


def test_a_backup_is_a_memory(client: Client, local: Memory, tmp_path: Path) -> None:
    path = tmp_path / "backup.db"
    report = client.backup(path)
    same(report, local.backup(tmp_path / "other.db"))
    assert (report.destination, report.size) == (str(path), path.stat().st_size)
    with Memory(path, worker=False) as mem:
        assert mem.digest("ann") == local.digest("ann")
    with pytest.raises(errors.StoreError, match="exists"):
        client.backup(path)
    assert client.backup(path, overwrite=True, verify=False).scopes == 4


def test_a_backup_that_breaks_off_leaves_no_file(server: Served, tmp_path: Path) -> None:
    with between(server.url, "part") as proxy, Client(proxy.url, TOKEN) as client:
        client._sender.sleep = Pauses()
        client.backup(tmp_path / "whole.db")
        proxy.script += ["part"] * 4
        with pytest.raises(errors.StoreError):
            client.backup(tmp_path / "half.db")
    assert [each.name for each in tmp_path.iterdir()] == ["whole.db"]


@pytest.mark.parametrize("bad", [{"key": "secret"}, {"dest": 7}])
def test_what_no_backup_can_be_made_with_is_refused(client: Client, tmp_path: Path, bad: dict[str, Any]) -> None:
    with pytest.raises(errors.InvalidValueError):
        client.backup(**{"dest": tmp_path / "b.db", **bad})


# Imports


@pytest.fixture
def exported(client: Client, tmp_path: Path) -> Path:
    client.export(tmp_path / "in.jsonl.gz")
    return tmp_path / "in.jsonl.gz"


@pytest.mark.parametrize("given", ["path", "file", "lines", "texts"])
def test_an_import_is_that_of_a_memory(exported: Path, tmp_path: Path, given: str) -> None:
    def source() -> Any:
        lines = _lines(exported)
        return {
            "path": exported, "file": io.BytesIO(b"\n".join(lines) + b"\n"), "lines": iter(lines),
            "texts": [line.decode() for line in lines],
        }[given]  # fmt: skip

    with served(tmp_path / "new.db") as server, Client(server.url, TOKEN) as client, Memory(":memory:") as mem:
        mine, theirs = client.import_(source()), mem.import_(source())
        same(mine, theirs)
        assert mine.source == theirs.source
        assert client.digest("ann") == mem.digest("ann")
        assert client.import_(source()).unchanged == 2


def test_what_another_system_remembered_is_taken_over(tmp_path: Path) -> None:
    dump = {"results": [{"id": "1", "memory": "Lives in Oslo", "user_id": "ann", "created_at": "2026-01-01T00:00:00Z"}]}
    rows = '{"user_id": "ann", "role": "user", "content": "I live in Rome.", "said_at": "2026-01-02"}\nnot JSON\n'
    with served(tmp_path / "new.db") as server, Client(server.url, TOKEN) as client, Memory(":memory:") as mem:
        for kind in (client, mem):
            kind.register_predicate("note", "many")
        for given in (dump, dump["results"]):
            same(*(kind.import_(given, format="mem0", take="rows") for kind in (client, mem)))
        for _ in range(2):
            same(*(kind.import_(io.StringIO(rows), format="jsonl", label="old") for kind in (client, mem)))
        assert client.digest("ann") == mem.digest("ann")


def test_an_import_that_breaks_off_is_made_again_from_a_file_alone(exported: Path, tmp_path: Path) -> None:
    with (
        served(tmp_path / "new.db") as server,
        between(server.url) as proxy,
        Client(proxy.url, TOKEN) as client,
    ):
        client._sender.sleep = Pauses()
        proxy.script += ["busy"]
        assert client.import_(exported).scopes == 2
        proxy.script += ["busy"]
        with pytest.raises(errors.StoreError):
            client.import_(iter(_lines(exported)))


def test_a_file_that_was_changed_is_refused(exported: Path, client: Client) -> None:
    lines = _lines(exported)
    wrong = [line.replace(b"hello 1", b"hello 2") for line in lines]
    for source, error in ((wrong, errors.StoreCorruptError), ([b"nonsense"], errors.TensememError)):
        with pytest.raises(error):
            client.import_(source)
    with pytest.raises(errors.StoreError, match="can't be read"):
        client.import_(exported.with_name("absent.jsonl"))


@pytest.mark.parametrize("name", ["export", "import_"])
def test_keys_to_sign_with_stay_here(client: Client, name: str) -> None:
    with pytest.raises(errors.InvalidValueError, match="sign"):
        getattr(client, name)("-", sign_key="a long enough key")
