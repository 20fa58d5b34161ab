"""Several operations are written as one entry: from options, from a file, or from standard input."""

from __future__ import annotations

import json
from typing import Any

import pytest

MOVED = {"op": "set", "predicate": "lives_in", "value": "Bangalore", "since": "2026-01-10"}
SPEAKS = {"op": "add", "predicate": "languages", "value": "Go"}


@pytest.fixture
def fresh(cli: Any) -> Any:
    """A memory that knows some predicates and nobody yet."""
    cli.ok("register", "lives_in")
    cli.ok("register", "languages", "--many")
    cli.ok("register", "born_on", "--type", "date")
    return cli


def test_operations_are_one_entry(fresh: Any) -> None:
    ran = fresh.ok("write", "alice", "--op", json.dumps(MOVED), "--op", json.dumps(SPEAKS))
    assert "lives_in = Bangalore" in ran.out
    told = fresh.ok("state", "alice", "--json").json
    assert told["values"] == {"lives_in": "Bangalore", "languages": ["Go"]}
    assert (told["rev"], told["freshness"]["latest_seq"]) == (1, 1)


@pytest.mark.parametrize("by_file", [True, False])
def test_operations_come_one_a_line(fresh: Any, tmp_path: Any, by_file: bool) -> None:
    text = f"{json.dumps(MOVED)}\n\n{json.dumps(SPEAKS)}\n"
    (tmp_path / "ops.jsonl").write_text(text, encoding="utf-8")
    if by_file:
        told = fresh.ok("write", "alice", "--file", str(tmp_path / "ops.jsonl"), "--json").json
    else:
        told = fresh.ok("write", "alice", "-", "--json", input=text).json
    assert [change["value"] for change in told["changes"]] == ["Bangalore", "Go"]
    assert told["freshness"]["is_current"] is True


def test_one_that_is_refused_refuses_all(fresh: Any) -> None:
    bad = {"op": "set", "predicate": "unheard_of", "value": 1}
    ran = fresh("write", "alice", "--op", json.dumps(MOVED), "--op", json.dumps(bad))
    assert ran.code == 3
    assert fresh.ok("state", "alice", "--json").json["rev"] == 0


def test_a_value_may_say_its_type(fresh: Any) -> None:
    born = {"op": "set", "predicate": "born_on", "value": "1990-05-04", "value_type": "date"}
    fresh.ok("write", "alice", "--op", json.dumps(born))
    assert fresh.ok("get", "alice", "born_on").out == "1990-05-04\n"


def test_it_is_written_only_while_the_slot_is_as_it_was(fresh: Any) -> None:
    fresh.ok("write", "alice", "--op", json.dumps(MOVED))
    fresh.ok("set", "alice", "lives_in", "Goa")
    ran = fresh("write", "alice", "--op", json.dumps(MOVED), "--expected-rev", "1")
    assert ran.code == 3
    assert fresh.ok("get", "alice", "lives_in").out == "Goa\n"


def test_a_known_key_is_done_once(fresh: Any) -> None:
    line = ("write", "alice", "--op", json.dumps(SPEAKS), "--idempotency-key", "k", "--json")
    first, again = fresh.ok(*line).json, fresh.ok(*line).json
    assert (first["rev"], again["rev"], again["duplicate"]) == (1, 1, True)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ((), "one of these"),
        (("-", "--op", "{}"), "one of these"),
        (("words",), "is no operation"),
        (("--op", "{"), "no JSON"),
        (("--op", "[]"), "a JSON object"),
        (("--op", "{}"), "needs op and predicate"),
        (("--op", '{"op": "paint", "predicate": "languages"}'), "paint"),
        (("--op", '{"op": "set", "predicate": "p", "colour": 1}'), "colour"),
    ],
)
def test_what_is_no_operation_is_wrong_usage(fresh: Any, given: tuple[str, ...], why: str) -> None:
    ran = fresh("write", "alice", *given)
    assert (ran.code, ran.out) == (2, "")
    assert why in ran.err
    assert len(ran.err.splitlines()) == 1


def test_a_bad_line_is_named_and_nothing_is_written(fresh: Any) -> None:
    ran = fresh("write", "alice", "-", input=f"{json.dumps(MOVED)}\n\n{{}}\n")
    assert ran.code == 2
    assert "line 3: " in ran.err
    assert fresh("write", "alice", "-", input="\n").code == 2
    assert fresh.ok("scopes", "--json").json["scopes"] == []


def test_a_preview_takes_the_same_operations(fresh: Any) -> None:
    told = fresh.ok("preview", "alice", "--op", json.dumps(SPEAKS), "--json").json
    assert [fact["value"] for fact in told["added"]] == ["Go"]
    assert fresh("preview", "alice", "--op", '{"op": "paint", "predicate": "languages"}').code == 2
