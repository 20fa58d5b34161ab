"""The checker on tiny histories: a true one is explained, and each lie told in it is seen and named."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory, Operation
from tensemem.core.registry import Registry
from tensemem.model.entry import Entry
from tensemem.model.scope import Scope, registry_scope
from tests.histories.asker import Asker
from tests.histories.checker import check
from tests.histories.keeping import load_logs, registry_of, save_logs
from tests.histories.records import OK, REFUSED, STALE, UNKNOWN, Observed, Recorder, observed_in, read_observed
from tests.histories.script import MANY, ONE, Script
from tests.histories.violations import report, rules_of

Log = list[Entry]


@dataclass(frozen=True)
class Told:
    """A history that is true: what one process asked for, one thing after another, and the log it left."""

    registry: Registry
    log: Log
    observed: list[Observed]

    def rules(self) -> set[str]:
        """The rules that it breaks."""
        return rules_of(check(self.registry, {"ann": self.log}, self.observed))

    def without(self, op: str) -> Told:
        """The same, had nobody written down an operation."""
        return replace(self, observed=[one for one in self.observed if one.op != op])

    def changed(self, op: str, **fields: Any) -> Told:
        """The same, had an operation been observed otherwise."""
        return replace(self, observed=[replace(one, **fields) if one.op == op else one for one in self.observed])

    def told(self, op: str, **told: Any) -> Told:
        """The same, had an operation been told something else."""
        return self.changed(op, told={**self.of(op).told, **told})

    def fresh(self, op: str, place: int, value: Any) -> Told:
        """The same, had one number of a read's freshness been another."""
        fresh = list(self.of(op).told["fresh"])
        fresh[place] = value
        return self.told(op, fresh=fresh)

    def of(self, op: str) -> Observed:
        """An operation by its name."""
        return next(one for one in self.observed if one.op == op)

    def logged(self, change: Callable[[Log], Sequence[Entry]]) -> Told:
        """The same with another log."""
        return replace(self, log=list(change(list(self.log))))

    def entry(self, rev: int, **fields: Any) -> Told:
        """The same with one entry of the log otherwise."""
        return self.logged(lambda log: [replace(one, **fields) if one.rev == rev else one for one in log])


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Told:
    """One of everything, in a file of its own."""
    folder = tmp_path_factory.mktemp("story")
    recorder = Recorder(folder / "a.jsonl", "a")
    script = Script(lambda texts: recorder.began(recorder.new_name(), "extract", "", {"texts": texts}), is_willing=True)
    ticks = itertools.count()

    def clock() -> datetime:
        return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=next(ticks))

    with Memory(folder / "memory.db", llm=script, worker=False, clock=clock, durability="process") as mem:
        for name in ONE:
            mem.register_predicate(name)
        mem.register_predicate(MANY[0], "many")
        ask = Asker(mem, recorder)
        ask.write("ann", [Operation("set", "lives_in", "delhi")], op="first")
        ask.add("ann", "now diet rice", op="said")
        ask.state("ann")
        ask.flush("ann", 5)
        ask.state("ann")
        ask.write("ann", [Operation("set", "lives_in", "rome")], op="keyed", key="k")
        ask.write("ann", [Operation("set", "lives_in", "rome")], op="again", key="k")
        ask.write("ann", [Operation("set", "shoe_size", "9")], op="unknown")
        ask.write("ann", [Operation("set", "lives_in", "oslo")], op="guarded", expected=mem.state("ann").rev)
        ask.write("ann", [Operation("set", "lives_in", "lima")], op="refused", expected=1)
        fact = mem.state("ann").fact("lives_in")
        assert fact is not None
        ask.correct("ann", fact.id, "paris")
        ask.context("ann")
        ask.history("ann", "lives_in")
        ask.verify("ann")
        ask.add("ann", "now diet soup", op="waits")
        ask.state("ann", min_seq=99, on_stale="raise")
        ask.state("ann", known_at=4)
        with mem._engine.store.read() as reader:
            head, own = reader.head(Scope("default", "ann")), reader.head(registry_scope("default"))
            assert head is not None
            assert own is not None
            log, registry = list(reader.entries(head.id)), list(reader.entries(own.id))
    recorder.close()
    save_logs(folder, registry, {"ann": log})
    registry, logs = load_logs(folder)
    return Told(registry_of(registry), logs["ann"], _named(read_observed(folder)))


def _named(observed: list[Observed]) -> list[Observed]:
    """Name the reads by what they are and where they stand, as `state 1`."""
    counts: dict[str, int] = {}
    named: list[Observed] = []
    for one in observed:
        is_read = one.op.startswith("a-") and one.verb != "amend"
        counts[one.verb] = counts.get(one.verb, 0) + is_read
        named.append(replace(one, op=f"{one.verb} {counts[one.verb]}") if is_read else one)
    return named


def test_what_happened_is_explained(story: Told) -> None:
    assert report(check(story.registry, {"ann": story.log}, story.observed)) == ""
    outcomes = {one.op: one.outcome for one in story.observed}
    assert [outcomes[op] for op in ("first", "unknown", "refused", "state 3")] == [OK, REFUSED, REFUSED, STALE]
    assert story.of("again").told["duplicate"]
    assert story.of("state 1").told["fresh"] == [1, 2, 1, 0, [], False]


LIES: dict[str, tuple[str, Callable[[Told], Told]]] = {
    "an acknowledged write is not in the log":
        ("lost write", lambda told: told.logged(_dropping("guarded"))),
    "a retry is told of an entry that is not there":
        ("lost write", lambda told: told.told("again", seq=1, rev=1)),
    "a receipt names another revision":
        ("receipt", lambda told: told.told("guarded", rev=99)),
    "a receipt says settled and nothing is":
        ("receipt", lambda told: told.told("waits", settled=True)),
    "what was refused is in the log":
        ("refused but kept", lambda told: told.changed("guarded", outcome=REFUSED, told={"error": "StoreError"})),
    "an operation is in the log twice":
        ("twice", lambda told: told.logged(lambda log: [*log, _copy(log, "first")])),
    "one key has two entries":
        ("twice", lambda told: told.logged(lambda log: [*log, _copy(log, "keyed", tag="again")])),
    "an entry is nobody's":
        ("unasked", lambda told: told.without("first")),
    "an extraction is nobody's":
        ("unasked", lambda told: told.without("extract 1")),
    "an entry says something else than was asked":
        ("content", lambda told: told.entry(1, body={**told.log[0].body, "ops": []})),
    "an extraction says something else than was answered":
        ("content", lambda told: told.entry(3, body={**told.log[2].body, "ops": []})),
    "a condition did not hold":
        ("lost update", lambda told: told.changed("guarded", asked={**told.of("guarded").asked, "expected_rev": 1})),
    "a condition held and was refused":
        ("error", lambda told: told.changed("refused", asked={**told.of("refused").asked, "expected_rev": 5})),
    "an error that nothing explains":
        ("error", lambda told: told.told("refused", error="StoreCorruptError")),
    "a revision is missing":
        ("gap", lambda told: told.logged(lambda log: log[1:])),
    "a seq is missing":
        ("gap", lambda told: told.entry(4, seq=7)),
    "what was said later has an earlier time":
        ("clock", lambda told: told.entry(4, said_at=told.log[0].said_at)),
    "what was recorded later has an earlier time":
        ("clock", lambda told: told.entry(4, recorded_at=0)),
    "a message is settled twice":
        ("settled twice", lambda told: told.logged(lambda log: [*log, replace(log[2], rev=len(log) + 1)])),
    "what is settled is no message":
        ("settled", lambda told: told.logged(lambda log: [*log, replace(log[2], rev=len(log) + 1, seq=1)])),
    "a later message is extracted first":
        ("extraction order", lambda told: told.logged(_out_of_order)),
    "a write comes before what was known as it began":
        ("real time", lambda told: _swapped(told, "first", "guarded")),
    "a read shows less than was known as it began":
        ("stale read", lambda told: told.told("state 2", **_as_told(told, "state 1"))),
    "a read shows what nobody had asked for yet":
        ("read ahead", lambda told: told.changed("context 1", began=1, ended=2)),
    "as_of_seq goes back":
        ("as_of_seq", lambda told: told.fresh("context 1", 0, 1)),
    "a read shows other facts":
        ("read", lambda told: told.told("state 2", facts=told.of("state 1").told["facts"])),
    "a read shows nothing":
        ("read", lambda told: told.told("state 1", facts=[])),
    "the past has moved":
        ("read", lambda told: told.told("state 4", facts=[])),
    "a context shows other facts":
        ("read", lambda told: told.told("context 1", facts=told.of("state 1").told["facts"])),
    "a history lacks a fact":
        ("read", lambda told: told.told("history 1", facts=told.of("history 1").told["facts"][1:])),
    "a receipt shows what is not shown":
        ("read", lambda told: told.told("guarded", shown=told.of("first").told["shown"])),
    "two values are present":
        ("two present", lambda told: told.told("state 2", facts=[*told.of("state 2").told["facts"] * 2])),
    "latest_seq is of another snapshot":
        ("freshness", lambda told: told.fresh("state 1", 1, 1)),
    "what waits is not counted":
        ("freshness", lambda told: told.fresh("state 1", 2, 0)),
    "a message is called failed that is settled":
        ("freshness", lambda told: told.told("state 2", fresh=[2, 2, 0, 1, [2], False])),
    "a read is called current that is not":
        ("freshness", lambda told: told.fresh("state 1", 5, True)),
    "as_of_seq is too far":
        ("freshness", lambda told: told.fresh("state 1", 0, 2)),
    "a refused read tells of no revision there was":
        ("read", lambda told: told.fresh("state 3", 2, 7)),
    "one version shows two states":
        ("version", lambda told: told.told("state 2", version=told.of("state 1").told["version"])),
    "a rebuild found other facts":
        ("projection", lambda told: told.told("verify 1", identical=False)),
}  # fmt: skip


def _dropping(op: str) -> Callable[[Log], Log]:
    """A log from which one entry fell out, those behind it moving up."""

    def change(log: Log) -> Log:
        gone = next(entry for entry in log if _op(entry) == op)
        return [
            replace(one, rev=one.rev - (one.rev > gone.rev), seq=one.seq - (one.seq > gone.seq))
            for one in log if one is not gone
        ]  # fmt: skip

    return change


def _op(entry: Entry) -> Any:
    return (entry.body.get("metadata") or {}).get("op")


def _copy(log: Log, op: str, tag: str | None = None) -> Entry:
    """An entry once more, at the end; as that of another operation, if one is named."""
    first, newest = next(entry for entry in log if _op(entry) == op), log[-1]
    seq = max(entry.seq for entry in log) + 1
    metadata = {**first.body["metadata"], "op": tag or op}
    later = newest.said_at + 1
    return replace(
        first, rev=newest.rev + 1, seq=seq, said_at=later, recorded_at=later,
        body={**first.body, "metadata": metadata},
    )  # fmt: skip


def _out_of_order(log: Log) -> Log:
    """The second message is extracted before the first one, which the log has let wait."""
    said, extraction = log[1], log[2]
    body = {**said.body, "metadata": {"op": "waits"}}
    second = replace(said, rev=3, seq=3, said_at=said.said_at + 1, body=body)
    return [log[0], said, second, replace(extraction, rev=4, seq=3), replace(extraction, rev=5)]


def _swapped(told: Told, one: str, other: str) -> Told:
    """Two operations, had they been asked for in each other's time."""
    first, second = told.of(one), told.of(other)
    swapped = told.changed(one, began=second.began, ended=second.ended)
    return swapped.changed(other, began=first.began, ended=first.ended)


def _as_told(told: Told, op: str) -> dict[str, Any]:
    return dict(told.of(op).told)


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_is_seen(story: Told, lie: str) -> None:
    rule, tell = LIES[lie]
    assert rule in tell(story).rules()


def test_every_rule_has_a_lie_that_breaks_it() -> None:
    source = "".join(path.read_text() for path in Path(__file__).parent.glob("rules_*.py"))
    named = {piece.split('"')[1] for piece in source.split("Violation(")[1:] if piece.startswith('"')}
    assert named == {rule for rule, _ in LIES.values()}


def test_an_unknown_write_may_be_there_or_not(story: Told) -> None:
    unknown = story.changed("waits", outcome=UNKNOWN, ended=None, told={})
    assert unknown.rules() == set()
    gone = unknown.logged(lambda log: [entry for entry in log if _op(entry) != "waits"]).without("state 3")
    assert gone.rules() == set()


def test_operations_at_one_time_may_stand_in_any_order(story: Told) -> None:
    first, guarded = story.of("first"), story.of("guarded")
    both = {"began": first.began, "ended": guarded.ended}
    assert "real time" not in story.changed("first", **both).changed("guarded", **both).rules()


def test_who_was_killed_has_told_all_up_to_then(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "a.jsonl", "a")
    recorder.began("a-1", "write", "ann", {})
    recorder.ended("a-1", OK, {"seq": 1})
    recorder.began("a-2", "write", "ann", {})
    recorder.close()
    with (tmp_path / "a.jsonl").open("a") as file:
        file.write('{"op":"a-2","en')
    assert [(one.op, one.outcome) for one in read_observed(tmp_path)] == [("a-1", OK), ("a-2", UNKNOWN)]


def test_a_torn_line_in_the_middle_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"op":"a-1"\n{"op":"a-2","began":1}\n')
    with pytest.raises(json.JSONDecodeError):
        read_observed(tmp_path)


def test_a_report_tells_what_is_needed_and_no_more(story: Told) -> None:
    lie = story.told("state 2", facts=story.of("state 1").told["facts"])
    said = report(check(lie.registry, {"ann": lie.log}, lie.observed))
    assert said.startswith("read (ann): state 2 at revision 3: facts: ")
    assert "rice" in said
    assert "    log: rev 3 seq 2 extraction" in said
    assert len(said.splitlines()) <= 6
    many = [violation for violation in check(lie.registry, {"ann": lie.log}, lie.observed) for _ in range(9)]
    assert report(many, 2).splitlines()[-1].endswith("more")


def test_two_lines_make_an_observation() -> None:
    lines = [
        {"op": "a", "began": 5, "verb": "write", "user": "ann", "asked": {"kind": "write"}},
        {"op": "a", "ended": 9, "outcome": OK, "told": {"seq": 1}},
    ]
    assert observed_in(lines) == [Observed("a", "write", "ann", 5, {"kind": "write"}, OK, 9, {"seq": 1})]


