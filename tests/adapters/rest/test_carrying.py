"""Exports, imports and backups pass through in pieces; what is cut off, damaged or too much is told as such."""

from __future__ import annotations

import asyncio
import gzip
import io
import json
import os
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tensemem import AsyncMemory, BackupReport, Memory
from tensemem.adapters.rest import Limits, app
from tensemem.adapters.rest.app import unguarded
from tensemem.adapters.rest.carrying import LONGEST_REPORT, _report
from tensemem.adapters.rest.pipes import PIECE, WAITING, Pipe, Source
from tensemem.adapters.rest.refusals import Refusal
from tensemem.engine.leftovers import own_mark
from tensemem.errors import InvalidValueError, StoreError
from tests.adapters.rest.bench import Web, served
from tests.adapters.rest.test_requests import kind
from tests.engine.bench import Clock
from tests.engine.test_leftovers import dead_mark

LINES = {"content-type": "application/x-ndjson"}


def furnished(mem: Memory, users: int = 3) -> bytes:
    for number in range(users):
        mem.set(f"u{number}", "lives_in", f"place {number}")
        mem.add(f"u{number}", "hello " * 50, extract=False)
    out = io.BytesIO()
    mem.export(out)
    return out.getvalue()


def lines_of(content: bytes) -> list[Any]:
    """Lines without what differs from run to run: where they stand, and the checksums over that."""
    found = [json.loads(line) for line in content.splitlines()]
    return [{name: value for name, value in line.items() if name not in ("checksum", "made_at")} for line in found]


def test_an_export_is_the_memory_s_own(web: Web, mem: Memory) -> None:
    whole = furnished(mem)
    answer = web.get("/v1/export")
    assert answer.headers["content-type"] == "application/x-ndjson"
    assert lines_of(answer.content) == lines_of(whole)
    one = io.BytesIO()
    mem.export(one, user_id="u1")
    assert lines_of(web.get("/v1/export?user_id=u1").content) == lines_of(one.getvalue())


def test_an_export_is_packed_for_who_takes_it_packed(web: Web, mem: Memory) -> None:
    furnished(mem)
    with web.stream("GET", "/v1/export", headers={"accept-encoding": "gzip"}) as answer:
        raw = b"".join(answer.iter_raw())
        assert answer.headers["content-encoding"] == "gzip"
    plain = web.get("/v1/export", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert lines_of(gzip.decompress(raw)) == lines_of(plain.content)


@pytest.mark.parametrize("way", ["whole", "in pieces", "packed", "packed in two members", "a packed file"])
def test_an_import_is_read_as_it_comes(tmp_path: Path, mem: Memory, clock: Clock, way: str) -> None:
    whole = furnished(mem, 40)
    ways: dict[str, tuple[Any, dict[str, str]]] = {
        "whole": (whole, LINES),
        "in pieces": (iter([whole[at : at + 777] for at in range(0, len(whole), 777)]), LINES),
        "packed": (gzip.compress(whole), {**LINES, "content-encoding": "gzip"}),
        "packed in two members": (
            gzip.compress(whole[:5000]) + gzip.compress(whole[5000:]), {**LINES, "content-encoding": "gzip"}
        ),
        "a packed file": (gzip.compress(whole), {"content-type": "application/gzip"}),
    }  # fmt: skip
    body, headers = ways[way]
    with served(tmp_path / "other.db", clock=clock) as web:
        report = web.post("/v1/import", content=body, headers=headers)
        assert report.status_code == 200, report.text
        assert (report.json()["imported"], report.json()["scopes"]) == (40, 40)
        assert web.ok("GET", "digest", user_id="u7")["value"] == mem.digest("u7")
        again = web.post("/v1/import", content=whole, headers=LINES).json()
        assert (again["imported"], again["unchanged"]) == (0, 40)


def test_parameters_of_an_import_stand_in_its_query(tmp_path: Path, mem: Memory, clock: Clock) -> None:
    whole = furnished(mem)
    with served(tmp_path / "other.db", clock=clock) as web:
        report = web.post("/v1/import?user_id=u1", content=whole, headers=LINES).json()
        assert report["imported"] == 1
        assert web.ok("GET", "state", user_id="u1")["values"] == {"lives_in": "place 1"}
        rows = b'{"user_id": "z", "predicate": "lives_in", "value": "Oslo", "valid_from": "2020-01-01"}\n'
        adopted = web.post("/v1/import?format=jsonl&take=rows", content=rows, headers=LINES)
        assert adopted.status_code == 200, adopted.text
        assert web.ok("GET", "get", user_id="z", predicate="lives_in")["value"] == "Oslo"


WRONG: dict[str, tuple[bytes, dict[str, str], int]] = {
    "nothing": (b"", LINES, 422),
    "no export": (b"hello\n", LINES, 422),
    "no gzip": (b"hello\n", {**LINES, "content-encoding": "gzip"}, 400),
    "cut short": (gzip.compress(b'{"line": "export"}\n' * 1000)[:-20], {**LINES, "content-encoding": "gzip"}, 422),
    "packed otherwise": (b"x", {**LINES, "content-encoding": "br"}, 415),
    "another media type": (b"x", {"content-type": "text/plain"}, 415),
    "one long line": (b"x" * 300_000, LINES, 422),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_no_export_is_refused_and_nothing_is_written(web: Web, mem: Memory, case: str) -> None:
    body, headers, status = WRONG[case]
    answer = web.post("/v1/import", content=body, headers=headers)
    assert answer.status_code == status, (kind(answer), answer.text)
    assert mem.scopes() == ()


def test_more_than_the_limit_is_refused_packed_or_not(path: Path, mem: Memory, clock: Clock) -> None:
    with served(path, clock=clock, limits=Limits(imported=100_000)) as web:
        large: list[tuple[Any, dict[str, str]]] = [
            (b"x" * 200_000, LINES),
            (iter([b"x" * 1000] * 200), LINES),
            (gzip.compress(b"x" * 10_000_000), {**LINES, "content-encoding": "gzip"}),
        ]
        for body, headers in large:
            answer = web.post("/v1/import", content=body, headers=headers)
            assert (answer.status_code, kind(answer)) == (413, "too-large")
        assert web.get("/healthz").status_code == 200


def test_a_backup_is_a_memory_that_can_be_opened(web: Web, mem: Memory, tmp_path: Path, path: Path) -> None:
    furnished(mem)
    answer = web.get("/v1/backup")
    assert int(answer.headers["content-length"]) == len(answer.content)
    (tmp_path / "backup.db").write_bytes(answer.content)
    with Memory(tmp_path / "backup.db", worker=False) as copy:
        assert copy.digest("u1") == mem.digest("u1")
    assert not list(path.parent.glob(".tensemem-*")), "what it was made in is gone"


@pytest.mark.skipif(os.name != "posix", reason="a file that is open can't be removed here")
def test_a_backup_that_is_being_sent_is_no_copy_that_a_killed_server_leaves(
    path: Path, mem: Memory, clock: Clock
) -> None:
    """Or what is forgotten afterwards would still stand in it, beside the memory."""
    found: list[list[str]] = []

    async def take() -> None:
        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Any) -> None:
            if message.get("more_body"):
                found.append([one.name for one in path.parent.rglob("backup.db")])

        async with AsyncMemory(path, clock=clock, worker=False) as memory:
            scope = {
                "type": "http", "method": "GET", "path": "/v1/backup", "query_string": b"", "headers": [], "state": {},
            }  # fmt: skip
            await unguarded(memory)(scope, receive, send)

    asyncio.run(take())
    assert found
    assert found == [[]] * len(found)


def test_only_so_many_are_under_way_at_once(path: Path, mem: Memory, clock: Clock) -> None:
    with served(path, clock=clock, limits=Limits(carried=1)) as web:
        serving: Any = web.application.serving  # type: ignore[attr-defined]
        with serving.one_more():
            for method, url in (("GET", "/v1/export"), ("GET", "/v1/backup"), ("POST", "/v1/import")):
                answer = web.request(method, url)
                assert (answer.status_code, kind(answer)) == (503, "unavailable")
                assert answer.headers["retry-after"] == "1"
        assert web.get("/v1/export").status_code == 200
        assert serving.carried == 0


def test_what_an_export_is_refused_for_is_told_before_anything_is_sent(web: Web) -> None:
    for query in ("agent_id=a1", "user_id=%00", "every_namespace=true&namespace=acme"):
        answer = web.get(f"/v1/export?{query}")
        assert answer.status_code == 400
        kind(answer)


def test_whoever_takes_an_export_no_further_lets_go_of_who_writes_it() -> None:
    async def take_one() -> None:
        pipe = Pipe(30.0, is_packed=False)
        refused = threading.Event()

        def write() -> None:
            try:
                for _ in range(10 * WAITING):
                    pipe.write(b"x" * PIECE)
            except StoreError:
                refused.set()
                raise

        work = asyncio.ensure_future(asyncio.to_thread(pipe.filled, write))
        assert await pipe.take() == b"x" * PIECE
        pipe.close()
        with pytest.raises(StoreError, match="no further"):
            await work
        assert refused.is_set()

    asyncio.run(take_one())


def test_no_more_than_a_few_pieces_wait_to_be_taken() -> None:
    async def look() -> None:
        pipe = Pipe(0.05, is_packed=False)
        with pytest.raises(StoreError):
            await asyncio.to_thread(pipe.filled, lambda: [pipe.write(b"x" * PIECE) for _ in range(100)])
        assert pipe._pieces.qsize() == WAITING + 1  # and the end

    asyncio.run(look())


def test_a_source_gives_lines_whatever_the_pieces_are() -> None:
    whole = b"".join(b"line %d %b\n" % (number, b"x" * number) for number in range(300)) + b"the last has no end"

    async def read(size: int, packed: bool) -> list[bytes]:
        source = Source(10**9, is_packed=packed)
        found: list[bytes] = []

        def take() -> None:
            while line := source.readline(50):
                found.append(line)

        work = asyncio.create_task(asyncio.to_thread(source.read_by, take))
        data = gzip.compress(whole) if packed else whole
        for at in range(0, len(data), size):
            await source.put(data[at : at + size])
        source.end()
        await work
        return found

    plain = io.BytesIO(whole)
    expected = list(iter(lambda: plain.readline(50), b""))
    for size in (1, 7, 1000, 10**6):
        for packed in (False, True):
            assert asyncio.run(read(size, packed)) == expected


def test_a_source_that_ends_too_early_says_so_to_who_reads() -> None:
    async def read() -> None:
        source = Source(1000, is_packed=False)
        reading = asyncio.to_thread(source.read_by, lambda: [source.readline() for _ in range(3)])
        work = asyncio.create_task(reading)
        await source.put(b"one\n")
        source.end(Refusal("bad-request", "it did not come in time"))
        with pytest.raises(Refusal):
            await work

    asyncio.run(read())


def test_what_a_killed_server_left_of_a_backup_goes_when_one_starts_and_when_one_is_made(
    mem: Memory, path: Path, clock: Clock
) -> None:
    dead = dead_mark()

    def leave() -> Path:
        left = path.parent / f".tensemem-{dead}-abcd"
        left.mkdir()
        (left / "backup.db").write_bytes(b"half of it")
        return left

    living = path.parent / f".tensemem-{own_mark()}-abcd"
    living.mkdir()
    left = leave()
    with served(path, clock=clock) as web:
        assert web.verb("GET", "stats").status_code == 200
        assert not left.exists()
        left = leave()
        assert web.verb("GET", "backup").status_code == 200
        assert not left.exists()
    assert living.exists()


def test_the_header_of_a_backup_names_as_many_users_as_there_is_room_for() -> None:
    names = tuple(f"{number}-{'ü' * 400}" for number in range(500))
    report = BackupReport("/secret/m.db", "/secret/copy.db", 500, 9, 1, False, names, 0.5)
    told = _report(report)
    assert len(told) <= LONGEST_REPORT
    found = json.loads(told)
    assert (found["differing"], found["source"], found["destination"]) == (500, "", "")
    assert tuple(found["different"]) == names[: len(found["different"])]
    few = json.loads(_report(replace(report, different=("ann", "bob"))))
    assert (few["different"], few["differing"]) == (["ann", "bob"], 2)


def test_the_address_of_a_next_page_that_is_too_long_for_a_header_is_left_out(mem: Memory, web: Web) -> None:
    for number in range(3):
        mem.add("ann", f"hello {number}", extract=False)
    short = web.verb("GET", "search", user_id="ann", query="hello", limit=1)
    long = web.verb("GET", "search", user_id="ann", query="hello " * 1000, limit=1)
    assert 'rel="next"' in short.headers["link"]
    assert "link" not in long.headers
    assert long.json()["next"] is not None


def test_an_application_without_keys_is_refused(path: Path) -> None:
    memory = AsyncMemory(path, worker=False)
    with pytest.raises(InvalidValueError, match="access must be the keys"):
        app(memory, access=None)  # type: ignore[arg-type]
    asyncio.run(memory.close())
