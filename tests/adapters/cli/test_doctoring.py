"""doctor: what is wrong and what to do, for people and for programs, with an exit code, whatever the state."""

from __future__ import annotations

import os
from typing import Any

import pytest

from tensemem import Memory


def test_a_memory_in_order_exits_with_0(cli: Any) -> None:
    cli.ok("register", "lives_in")
    os.chmod(cli.db.parent, 0o700)
    ran = cli("doctor")
    assert ran.code == 0, ran
    assert ran.out.splitlines()[-1] == "all is in order"
    assert "● digests: " in ran.out or "* digests: " in ran.out


def test_what_has_to_be_seen_to_exits_with_1_and_is_named(cli: Any) -> None:
    cli.ok("add", "ann", "I live in Delhi")
    ran = cli("doctor", "--quick")
    assert ran.code == 1
    assert ran.out.splitlines()[-1] == "to be seen to: waiting"
    assert "run `tensemem worker --llm …`" in ran.out
    assert "Delhi" not in ran.out


@pytest.mark.parametrize("state", ["missing", "damaged", "folder"])
def test_what_does_not_work_exits_with_3_and_no_traceback(cli: Any, state: str) -> None:
    if state == "damaged":
        cli.db.write_bytes(b"\xa5" * 5000)
    elif state == "folder":
        cli.db.mkdir()
    ran = cli("doctor")
    assert ran.code == 3
    assert "Traceback" not in ran.out + ran.err
    assert "error: " in ran.out
    ran = cli("doctor", "--json")
    assert ran.code == 3
    assert ran.json["level"] == "error"
    assert any(finding["level"] == "error" and finding["todo"] for finding in ran.json["findings"])


def test_it_looks_at_all_namespaces(cli: Any) -> None:
    with Memory(cli.db, worker=False, namespace="other") as mem:
        mem.add("ann", "hello")
    assert "1 message waiting" in cli("doctor").out


def test_a_look_is_quick_or_thorough(cli: Any) -> None:
    cli.ok("register", "lives_in")
    assert cli("doctor", "--quick", "--all").code == 2
    assert "integrity_check" in cli("doctor", "--all").out
    assert "integrity" not in cli("doctor", "--quick").out


def test_stats_are_told_as_prometheus_reads_them(cli: Any) -> None:
    cli.ok("add", "ann", "hello")
    lines = cli.ok("stats", "--prometheus").out.splitlines()
    assert "tensemem_pending_messages 1" in lines
    assert "tensemem_entries 1" in lines
    assert cli("stats", "--prometheus", "--json").code == 2
