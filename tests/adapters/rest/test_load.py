"""Fifty clients at once, by the means of `tools/serve_load.py`: everybody is answered, and everything is kept."""

from __future__ import annotations

from pathlib import Path

from tools import serve_load
from tools.serve_load_clients import Job, Tally, play

CLIENTS, REQUESTS = 50, 8


def test_fifty_clients_that_read_and_write_are_answered_and_nothing_is_lost(tmp_path: Path) -> None:
    db = str(tmp_path / "m.db")
    serve_load.prepare(db)
    with serve_load.served(db) as server:
        tally = play(Job(server.port, server.token, CLIENTS, requests=REQUESTS))
        assert server.end() == 0
    assert (tally.refusals, tally.broken) == ({}, 0)
    assert len(tally.reads) + len(tally.writes) == CLIENTS * REQUESTS
    kept = [texts for by_user in (tally.messages, tally.values) for texts in by_user.values()]
    assert sum(map(len, kept)) == len(tally.writes) > CLIENTS
    assert serve_load.lost(db, [tally]) == 0


def test_what_is_lost_is_counted(tmp_path: Path) -> None:
    db = str(tmp_path / "m.db")
    serve_load.prepare(db)
    assert serve_load.lost(db, [Tally(messages={"u1": ["a", "b"]}, values={"u1": ["Delhi"], "u2": ["Goa"]})]) == 4


def test_a_server_that_refuses_is_no_good_one(tmp_path: Path) -> None:
    db = str(tmp_path / "m.db")  # whose registry is empty
    with serve_load.served(db) as server:
        tally = play(Job(server.port, server.token, 5, requests=20))
    assert set(tally.refusals) == {"422"}
    assert not serve_load.report(5, tally, Tally(), serve_load.Looked([], None), 0, 0).is_good


def test_times_are_those_of_the_median_and_of_the_slowest_in_a_hundred() -> None:
    found = serve_load.Times.of([0.001] * 98 + [0.02] * 3)
    assert (found.count, found.p50, found.p99, found.ratio) == (101, 1.0, 20.0, 20.0)
    assert (serve_load.Times.of([]).ratio, serve_load.Times.of([0.5]).p50) == (0.0, 500.0)
