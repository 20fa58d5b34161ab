"""Exports and imports: everything moves, twice is once, what was broken off goes on, and others are left alone."""

from __future__ import annotations

import asyncio
import gzip
import io
import json
import os
import signal
import stat
import sys
import tracemalloc
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tensemem import AsyncMemory, ImportReport, Memory
from tensemem.engine import copying, filling, importing
from tensemem.engine.settle import MAX_ATTEMPTS
from tensemem.errors import (
    ClosedError,
    ConflictError,
    InvalidValueError,
    ReadOnlyError,
    StoreBusyError,
    StoreError,
    StoreRetryError,
)
from tests.copying.looking import kept, shown
from tests.copying.places import PAIRS, Places
from tests.copying.test_copying import CALM, NOON, Troubled, fill
from tests.moving.lines import changed, exported, kind_of, place_of
from tests.store.children import finish, start_child
from tests.store.every_kind import StoreKind


@pytest.mark.parametrize(("kind", "to"), PAIRS, ids=str)
def test_everything_moves(kind: StoreKind, to: StoreKind, places: Places) -> None:
    with (
        places.opened(kind, "source", llm=Troubled(), **CALM) as source,
        places.opened(to, "dest", llm=Troubled(), **CALM) as dest,
    ):
        fill(source)
        for _ in range(MAX_ATTEMPTS):  # the second message fails for good, the third waits behind it
            source.retry("bob", 2)
            source.flush("bob")
        source.add("bob", "I live in Rome")
        report = dest.import_(exported(source))
        assert (report.namespaces, report.scopes, report.imported, report.entries) == (1, 3, 3, len_of(source))
        assert kept(dest) == kept(source)
        for user in ("ann", "bob"):
            assert shown(dest, user) == shown(source, user)
        assert dest.verify().identical
        assert dest._engine.fence_tag == source._engine.fence_tag
        assert dest.set("ann", "lives_in", "Goa").fact_ids == source.set("ann", "lives_in", "Goa").fact_ids


def len_of(mem: Memory) -> int:
    size: int = mem.stats()["entries"]
    return size


def test_usage_moves(one: Memory, other: Memory) -> None:
    from tensemem.model.scope import Scope
    from tensemem.ports import UsageRow

    with one._engine.store.write() as tx:
        head = tx.head(Scope("default", "bob"))
        assert head is not None
        tx.add_usage(head.id, UsageRow("model", "m", 3, 30, 3, 5))
    for _ in range(2):
        other.import_(exported(one))
        assert other.stats()["usage"] == one.stats()["usage"] != []


def test_an_import_exports_the_same_lines(one: Memory, other: Memory) -> None:
    lines = exported(one)
    other.import_(lines)
    assert exported(other) == lines


def test_importing_twice_is_importing_once(one: Memory, other: Memory) -> None:
    lines = exported(one)
    other.import_(lines)
    before = kept(other)
    again = other.import_(lines)
    assert (again.entries, again.imported, again.unchanged) == (0, 0, 3)
    assert kept(other) == before


def test_a_newer_export_brings_what_is_new(one: Memory, other: Memory) -> None:
    other.import_(exported(one))
    one.register_predicate("diet", aliases=["food"])
    one.set("ann", "food", "vegan")
    one.flush("bob")
    report = other.import_(exported(one))
    assert (report.imported, report.unchanged) == (2, 1)
    assert kept(other) == kept(one)


def test_facts_of_yesterdays_registry_move_as_they_are(one: Memory, other: Memory) -> None:
    one.register_predicate("lives_in", type="enum", choices=["Delhi", "Pune"], update=True)
    other.import_(exported(one))
    assert kept(other) == kept(one)
    assert shown(other, "ann") == shown(one, "ann")


def test_a_memory_that_went_on_is_left_alone(one: Memory, other: Memory) -> None:
    lines = exported(one)
    other.import_(lines)
    other.set("ann", "lives_in", "Goa")
    before = kept(other)
    assert other.import_(lines).ahead == 1
    assert kept(other) == before


def test_another_memory_of_the_same_user_is_refused_and_the_others_come(one: Memory, other: Memory) -> None:
    other.import_(exported(one, user_id="ann"))
    other.set("ann", "lives_in", "Rome")
    one.set("ann", "lives_in", "Goa")
    before = other.digest("ann")
    with pytest.raises(ConflictError, match=r"the memory of 'ann' .* differ .*all others were imported$"):
        other.import_(exported(one))
    assert other.digest("ann") == before
    assert other.digest("bob") == one.digest("bob")


def test_another_registry_is_refused_with_all_that_rests_on_it(one: Memory, other: Memory) -> None:
    other.register_predicate("diet")
    with Memory(one._engine.store.location, namespace="tenant", **CALM) as tenant:
        tenant.register_predicate("diet")
        tenant.set("zoe", "diet", "vegan")
    with pytest.raises(ConflictError, match="the registry in namespace 'default' is another one"):
        other.import_(exported(one, every_namespace=True), every_namespace=True)
    assert other.scopes() == ()
    assert other.get("zoe", "diet", namespace="tenant") == "vegan"


# Parts


def test_a_user_or_one_agents_memory_of_them_may_be_chosen(one: Memory, tmp_path: Path) -> None:
    def names(name: str, lines: list[bytes], **options: Any) -> tuple[list[tuple[str, str]], ImportReport]:
        with Memory(tmp_path / name, **CALM) as mem:
            report = mem.import_(lines, **options)
            return [(info.user_id, info.agent_id) for info in mem.scopes()], report

    assert names("1.db", exported(one, user_id="ann"))[0] == [("ann", ""), ("ann", "guide")]
    assert names("2.db", exported(one, user_id="ann", agent_id=""))[0] == [("ann", "")]
    assert names("3.db", exported(one.for_user("ann", agent_id="guide")))[0] == [("ann", "guide")]  # type: ignore[arg-type]
    assert names("4.db", exported(one, user_id="an"))[0] == []
    found, report = names("5.db", exported(one), user_id="bob")
    assert (found, report.left_out, report.imported) == ([("bob", "")], 2, 1)


def test_other_namespaces_do_not_show_unless_asked_for(one: Memory, tmp_path: Path) -> None:
    with Memory(one._engine.store.location, namespace="tenant", **CALM) as tenant:
        tenant.register_predicate("secret_plan", description="of the tenant")
        tenant.set("zoe", "secret_plan", "vegan")
        assert b"ann" not in b"".join(exported(tenant))
        theirs = exported(tenant)
    assert b"secret_plan" not in b"".join(exported(one))
    both = exported(one, every_namespace=True)
    with Memory(tmp_path / "1.db", **CALM) as mem:
        report = mem.import_(both)
        assert (report.imported, report.left_out) == (3, 1)
        assert mem.scopes(namespace="tenant") == ()
        with pytest.raises(
            InvalidValueError, match="holds the namespace 'tenant', and this memory is one of 'default'"
        ):
            mem.import_(theirs)
        assert mem.import_(both, every_namespace=True).imported == 1
        assert mem.get("zoe", "secret_plan", namespace="tenant") == "vegan"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"agent_id": "guide"}, "name the user_id too"),
        ({"user_id": 3}, "user_id must be text"),
        ({"user_id": "\ud800"}, "without lone surrogates"),
        ({"namespace": "x", "every_namespace": True}, "not both"),
        ({"sign_key": "short"}, "eight bytes"),
        ({"sign_key": 12345678}, "text or bytes"),
        ({"sign_key": "\ud800" * 8}, "lone surrogates"),
    ],
)
def test_what_can_not_be_asked_for_is_refused(one: Memory, options: dict[str, Any], says: str) -> None:
    with pytest.raises(InvalidValueError, match=says):
        one.export(io.BytesIO(), **options)
    with pytest.raises(InvalidValueError, match=says):
        one.import_([], **options)


def test_what_is_no_place_is_refused(one: Memory, tmp_path: Path) -> None:
    with pytest.raises(InvalidValueError, match="dest must be"):
        one.export(3)
    with pytest.raises(InvalidValueError, match="source must be"):
        one.import_(3)
    with pytest.raises(StoreError, match="can't be read"):
        one.import_(tmp_path / "nothing")
    with pytest.raises(StoreError, match="is a folder"):
        one.export(tmp_path)
    with pytest.raises(StoreError, match="is the memory itself"):
        one.export(one._engine.store.location, overwrite=True)
    with pytest.raises(StoreError, match="can't be written"):
        one.export(tmp_path / "no" / "such" / "folder.jsonl")
    with pytest.raises(InvalidValueError, match="each line must be"):
        one.import_([3])


def test_who_is_closed_or_read_only_says_so(one: Memory, tmp_path: Path) -> None:
    lines = exported(one)
    with Memory(tmp_path / "source.db", read_only=True, clock=lambda: NOON) as reading:
        assert exported(reading) == lines
        with pytest.raises(ReadOnlyError):
            reading.import_(lines)
    with pytest.raises(ClosedError):
        reading.export(io.BytesIO())
    with pytest.raises(ClosedError):
        reading.import_(lines)


# Places


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


# Signed


def test_a_signed_export_needs_its_key(one: Memory, other: Memory) -> None:
    lines = exported(one, sign_key="a long secret")
    wrong: list[tuple[dict[str, Any], type[Exception], str]] = [
        ({}, InvalidValueError, "is signed; give its sign_key"),
        ({"sign_key": "another secret"}, StoreError, "line 1: the checksum is not right: the sign_key is another"),
    ]
    for options, error, says in wrong:
        with pytest.raises(error, match=says):
            other.import_(lines, **options)
    with pytest.raises(InvalidValueError, match="is not signed; leave sign_key out"):
        other.import_(exported(one), sign_key="a long secret")
    assert other.scopes() == ()
    assert other.import_(lines, sign_key="a long secret").imported == 3


# Broken off, and beside others


def test_an_import_broken_off_at_any_line_ends_the_same(
    one: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filling, "ROWS", 2)
    monkeypatch.setattr(importing, "SCRATCH_ENTRIES", 3)
    lines = exported(one)

    class CutError(Exception):
        pass

    def upto(number: int) -> Iterator[bytes]:
        yield from lines[:number]
        raise CutError

    for number in range(len(lines)):
        with Memory(tmp_path / f"{number}.db", **CALM) as mem:
            with pytest.raises(CutError):
                mem.import_(upto(number))
            mem.import_(lines)
            assert kept(mem) == kept(one)


def test_an_import_broken_off_while_it_writes_goes_on(
    one: Memory, other: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filling, "ROWS", 2)
    lines, told = exported(one), 0

    def cut(event: str, fields: Mapping[str, Any]) -> None:
        nonlocal told
        told += event == "importing"
        if event == "importing" and told == 3:
            raise KeyboardInterrupt

    other.on(cut)
    with pytest.raises(KeyboardInterrupt):
        other.import_(lines)
    with pytest.raises(StoreBusyError, match="not whole yet"):
        other.state("ann")
    other.import_(lines)
    assert kept(other) == kept(one)


KILLED = """
    import sys
    from tensemem import Memory
    from tensemem.engine import filling
    filling.ROWS = 50
    pauses = 0
    def tell(event, fields):
        global pauses
        pauses += event == "importing"
        if event == "importing" and pauses == int(sys.argv[3]):
            print("inside", flush=True)
            sys.stdin.readline()
    with Memory(sys.argv[2], worker=False) as mem:
        mem.on(tell)
        mem.import_(sys.argv[1])
    print("done", flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="there is no kill -9 here")
def test_a_killed_import_goes_on_where_it_stopped(one: Memory, tmp_path: Path) -> None:
    for number in range(120):
        one.set("ann", "lives_in", f"town {number}")
    one.export(tmp_path / "out.gz")
    path = tmp_path / "killed.db"
    for pauses in (1, 4):
        child = start_child(KILLED, tmp_path / "out.gz", path, pauses)
        assert child.stdout is not None
        assert child.stdout.readline() == "inside\n"
        os.kill(child.pid, signal.SIGKILL)
        child.communicate()
        with Memory(path, **CALM) as mem, pytest.raises(StoreBusyError, match="not whole"):
            mem.state("ann")
    assert finish(start_child(KILLED, tmp_path / "out.gz", path, 0)) == "done\n"
    with Memory(path, **CALM) as mem:
        assert kept(mem) == kept(one)
        assert mem.verify().identical
    assert {file.name for file in tmp_path.iterdir()} <= {
        "source.db", "source.db-wal", "source.db-shm", "out.gz", "killed.db"
    }  # fmt: skip


def test_what_is_written_meanwhile_is_in_or_not(one: Memory, other: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copying, "PAGE", 1)
    digest = one.digest("ann")

    def write(event: str, fields: Mapping[str, Any]) -> None:
        if event == "exported" and fields["scope"].user_id == "ann":
            one.register_predicate(f"diet{fields['scope'].agent_id}")
            one.set("bob", f"diet{fields['scope'].agent_id}", "vegan")
            one.set("ann", "lives_in", "Goa")

    one.on(write)
    lines = exported(one)
    assert [kind_of(line) for line in lines].count("registry") == 3
    assert other.import_(lines).imported == 3
    assert other.digest("ann") == digest != one.digest("ann")
    assert other.get("bob", "diet") == "vegan"
    assert other.verify().identical


def test_a_section_that_the_store_breaks_off_is_begun_again(
    one: Memory, other: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tensemem.engine import exporting

    turns = iter([True, False, False, True])

    def unsteady(*arguments: Any) -> Any:
        if next(turns, False):
            raise StoreRetryError
        return copying.keys_of(*arguments)

    monkeypatch.setattr(exporting, "keys_of", unsteady)
    lines = exported(one)
    assert [kind_of(line) for line in lines].count("void") == 2
    monkeypatch.undo()
    assert other.import_(lines).imported == 3
    assert kept(other) == kept(one)


# Size


@pytest.mark.slow
def test_memory_is_that_of_a_page_however_long_the_log(tmp_path: Path) -> None:
    entries = 20_000
    with Memory(tmp_path / "dest.db", durability="process", **CALM) as mem:
        tracemalloc.start()
        try:
            report = mem.import_(_long_export(entries))
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.reset_peak()
            out = _Counting()
            mem.export(out)
            again = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert report.entries == out.lines - 4 == entries
        assert out.size > 20_000_000
        assert max(peak, again) < 6_000_000


class _Counting(io.RawIOBase):
    lines = size = 0

    def write(self, data: Any) -> int:
        self.lines += 1
        self.size += len(data)
        return len(data)


def _long_export(entries: int) -> Iterator[bytes]:
    """Make the lines of one long log, and hold none of them: messages from which nothing is learnt."""
    from tensemem.engine.exportlines import LineWriter
    from tensemem.engine.rebuild import digest_of
    from tensemem.model.scope import Scope

    waiting: list[bytes] = []
    writer = LineWriter(waiting.append, None)
    scope, at = Scope("default", "ann"), 1_700_000_000_000_000
    writer.begin_header(line="export", format=1, made_at=at, signed=False, fence=None)
    last = {"seq": entries // 2, "last_said": at + entries // 2, "last_recorded": at + entries // 2}
    writer.begin(
        line="scope",
        namespace="default",
        user_id="ann",
        agent_id="",
        rev=entries,
        base_rev=0,
        base_seq=0,
        **last,
        registry_rev=0,
    )
    for seq in range(1, entries // 2 + 1):
        common = {"line": "entry", "seq": seq, "extraction": 0, "said_at": at + seq, "recorded_at": at + seq}
        body = {"role": "user", "content": f"message {seq} of somebody who talks " + "a lot and " * 200}
        writer.put(rev=2 * seq - 1, kind="message", body=body, **common)
        writer.put(rev=2 * seq, kind="skip", body={"reason": "not_learning"}, **common)
        yield from waiting
        waiting.clear()
    writer.end(line="end", entries=entries, digest=digest_of(scope, []))
    writer.end_all(line="whole", registries=0, scopes=1, entries=entries, lines=0)
    yield from waiting


# Awaited, and told


def test_awaited_memories_do_it_too(one: Memory, tmp_path: Path) -> None:
    async def moved() -> None:
        async with AsyncMemory(tmp_path / "source.db", read_only=True) as mem:
            await mem.export(tmp_path / "out.jsonl")
        async with AsyncMemory(tmp_path / "dest.db", worker=False) as mem:
            assert (await mem.import_(tmp_path / "out.jsonl")).imported == 3

    asyncio.run(moved())
    with Memory(tmp_path / "dest.db", **CALM) as mem:
        assert kept(mem) == kept(one)


def test_hooks_are_told_and_hear_no_text(one: Memory, other: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filling, "ROWS", 2)
    told: list[tuple[str, Mapping[str, Any]]] = []
    for mem in (one, other):
        mem.on(lambda event, fields: told.append((event, fields)))
    lines = exported(one)
    other.import_(lines)
    events = [event for event, _ in told]
    assert (events.count("exported"), events.count("imported"), "importing" in events) == (3, 3, True)
    assert "Delhi" not in repr(told)
    assert json.loads(lines[-1])["entries"] == sum(fields["entries"] for event, fields in told if event == "imported")


# Retention


def test_how_long_a_namespace_keeps_what_moves_with_it(one: Memory, other: Memory, tmp_path: Path) -> None:
    one.retain(texts="90d", facts={"lives_in": "1y"})
    with Memory(one._engine.store.location, namespace="bare", **CALM) as bare:
        bare.retain(texts="30d")  # and registers nothing
    assert [kind_of(line) for line in exported(one, user_id="ann")].count("policy") == 0
    lines = exported(one, every_namespace=True)
    assert [kind_of(line) for line in lines].count("policy") == 2
    other.import_(lines, every_namespace=True)
    assert other.retention() == one.retention()
    assert other.retention(namespace="bare") == one.retention(namespace="bare")
    other.retain(texts="10d")
    before = other.retention()
    other.import_(lines)
    assert other.retention() == before != one.retention()
    wrong = changed(lines, place_of(lines, "policy"), lambda line: line.update(policy={"texts": "soon"}))
    with Memory(tmp_path / "new.db", **CALM) as new, pytest.raises(StoreError, match="it is no policy"):
        new.import_(wrong, every_namespace=True)
