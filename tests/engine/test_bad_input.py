"""Whatever a verb is given, it answers with an error of the library's own, and a refusal leaves no entry."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from tensemem import Memory, Message, Operation
from tensemem.errors import InvalidTimeError, TensememError
from tests.engine.bench import day, lives, opened, revs, speaks

Call = Callable[[Memory, Any], Any]


def cyclic_list() -> list[Any]:
    found: list[Any] = []
    found.append(found)
    return found


def cyclic_dict() -> dict[str, Any]:
    found: dict[str, Any] = {}
    found["self"] = found
    return found


def deep() -> Any:
    found: Any = "x"
    for _ in range(5_000):
        found = [found]
    return found


class Odd:
    """A thing that is nothing the library knows, and says so badly."""

    def __repr__(self) -> str:
        raise RuntimeError("no repr")

    def __str__(self) -> str:
        raise RuntimeError("no str")


def fact_id(mem: Memory) -> str:
    return mem.state("ann").facts[0].id


NOTHING = [None, "", " ", "\t\n", "\u200b", "\ufeff"]
UNSTORABLE = ["a\0b", "\ud800", "\udfff and more"]
WRONG = [7, 1.5, b"bytes", ["list"], {"a": 1}, object(), Odd(), lives]
TIMES = [
    "garbage", "2026-13-45", "2026-02-30", "2026-01-01T25:00", "10:00", "yesterday", "", " ", "2026-01-01T00:00+99:00",
    "2026-06-01 10:00 Mars", 7, 1.5, True, b"2026", [], {}, object(), Odd(), float("nan"), timedelta(days=1), "99999",
    "0000-01-01", "-2026", "２０２６-１３-４５", "2026\0", "\ud800",
]  # fmt: skip
METADATA = [
    ["x"], "text", 7, {1: 2}, {"a": object()}, {"a": Odd()}, {"a": float("nan")}, {"a": float("inf")}, cyclic_dict(),
    {"a": cyclic_list()}, {"a": deep()}, {"a": "\0"}, {"\0": "a"}, {"a": "\ud800"}, {"a": b"x"}, {"a": {1, 2}},
    {("a",): 1}, {None: 1},
]  # fmt: skip
KEYS = ["", " ", "\0", "\ud800", "x" * 513, 7, b"k", ["k"]]

# Every verb that writes, each with all it needs besides what is spoilt.
WRITING: dict[str, Callable[..., Any]] = {
    "add": lambda mem, **o: mem.add("ann", "hello there", **o),
    "set": lambda mem, **o: mem.set("ann", "lives_in", "Pune", **o),
    "record": lambda mem, **o: mem.record("ann", "lives_in", "Pune", valid_from="2025", **o),
    "add_value": lambda mem, **o: mem.add_value("ann", "languages", "Go", **o),
    "remove_value": lambda mem, **o: mem.remove_value("ann", "languages", "Go", **o),
    "replace_values": lambda mem, **o: mem.replace_values("ann", "languages", ["Go"], **o),
    "retract": lambda mem, **o: mem.retract("ann", "lives_in", **o),
    "deny": lambda mem, **o: mem.deny("ann", "lives_in", "Pune", **o),
    "confirm": lambda mem, **o: mem.confirm("ann", "lives_in", **o),
    "write": lambda mem, **o: mem.write("ann", [speaks("Go")], **o),
    "correct": lambda mem, **o: mem.correct(fact_id(mem), **o),
    "reinstate": lambda mem, **o: mem.reinstate(gone(mem), **o),
    "review": lambda mem, **o: mem.review(mem.state("ann").candidates[0].id, **o),
}  # fmt: skip


def gone(mem: Memory) -> str:
    return next(fact.id for fact in mem.history("ann", "languages") if str(fact.status) == "corrected")


@pytest.fixture
def known(mem: Memory) -> Memory:
    """Something is known, something waits, and something was corrected."""
    mem.register_predicate("age", type="number")
    mem.register_predicate("born", type="date")
    mem.register_predicate("seen", type="datetime")
    mem.register_predicate("nap", type="duration")
    mem.register_predicate("vegan", type="bool")
    mem.register_predicate("plan", choices=["free", "paid"])
    mem.register_predicate("extra", type="json")
    mem.set("ann", "lives_in", "Delhi")
    wrong = mem.add_value("ann", "languages", "Rust").fact_id
    assert wrong is not None
    mem.correct(wrong)
    mem.write("ann", [speaks("SQL", modality="reported")])
    return mem


def all_refused(mem: Memory, call: Call, given: list[Any]) -> None:
    """Each is refused by an error of the library's own, whose text can be encoded, and leaves the logs as they were."""
    before = revs(mem)
    wrong: list[str] = []
    for bad in given:
        try:
            call(mem, bad)
        except TensememError as error:
            str(error).encode()
        except Exception as error:
            wrong.append(f"{ids(bad)} ended in {type(error).__name__}")
        else:
            wrong.append(f"{ids(bad)} was taken")
        if revs(mem) != before:
            wrong.append(f"{ids(bad)} is in the log")
            before = revs(mem)
    assert not wrong


def ids(given: Any) -> str:
    try:
        return repr(given)[:20]
    except Exception:
        return "odd"


@pytest.mark.parametrize("verb", WRITING)
def test_what_is_no_time_is_refused_as_said_at(known: Memory, verb: str) -> None:
    all_refused(known, lambda mem, when: WRITING[verb](mem, said_at=when), TIMES)


@pytest.mark.parametrize("verb", WRITING)
def test_what_is_no_metadata_is_refused(known: Memory, verb: str) -> None:
    all_refused(known, lambda mem, metadata: WRITING[verb](mem, metadata=metadata), METADATA)


@pytest.mark.parametrize("verb", WRITING)
@pytest.mark.parametrize("name", ["idempotency_key", "source"])
def test_what_is_no_label_is_refused(known: Memory, verb: str, name: str) -> None:
    all_refused(known, lambda mem, key: WRITING[verb](mem, **{name: key}), KEYS)


# --- times of operations ------------------------------------------------------------------------------------------

TIMED: dict[str, Call] = {
    "since of set": lambda mem, when: mem.set("ann", "lives_in", "Pune", since=when),
    "until of set": lambda mem, when: mem.set("ann", "lives_in", "Pune", until=when),
    "valid_from of record": lambda mem, when: mem.record("ann", "lives_in", "Pune", valid_from=when),
    "valid_to of record": lambda mem, when: mem.record("ann", "lives_in", "Pune", valid_from="2025", valid_to=when),
    "since of add_value": lambda mem, when: mem.add_value("ann", "languages", "Go", since=when),
    "until of add_value": lambda mem, when: mem.add_value("ann", "languages", "Go", until=when),
    "since of remove_value": lambda mem, when: mem.remove_value("ann", "languages", "Go", since=when),
    "since of replace_values": lambda mem, when: mem.replace_values("ann", "languages", ["Go"], since=when),
    "since of retract": lambda mem, when: mem.retract("ann", "lives_in", since=when),
    "valid_from of write": lambda mem, when: mem.write("ann", [lives("Pune", valid_from=when)]),
    "valid_from of correct": lambda mem, when: mem.correct(fact_id(mem), valid_from=when),
    "valid_to of correct": lambda mem, when: mem.correct(fact_id(mem), valid_to=when),
    "at of state": lambda mem, when: mem.state("ann", at=when),
    "at of get": lambda mem, when: mem.get("ann", "lives_in", at=when),
    "at of context": lambda mem, when: mem.context("ann", at=when),
    "between of history": lambda mem, when: mem.history("ann", between=(when, "2026")),
    "end of between": lambda mem, when: mem.history("ann", between=("2025", when)),
}  # fmt: skip


@pytest.mark.parametrize("place", TIMED)
def test_what_is_no_time_is_refused_wherever_a_time_stands(known: Memory, place: str) -> None:
    all_refused(known, TIMED[place], TIMES)


KNOWN_AT: dict[str, Call] = {
    "state": lambda mem, when: mem.state("ann", known_at=when),
    "get": lambda mem, when: mem.get("ann", "lives_in", known_at=when),
    "history": lambda mem, when: mem.history("ann", known_at=when),
    "context": lambda mem, when: mem.context("ann", known_at=when),
}


@pytest.mark.parametrize("verb", KNOWN_AT)
def test_known_at_is_a_revision_or_a_time(known: Memory, verb: str) -> None:
    all_refused(known, KNOWN_AT[verb], [-1, True, 1.5, *(when for when in TIMES if not isinstance(when, int))])


@pytest.mark.parametrize(
    "when", [datetime.min, datetime.max, "0001-01-01", "9999-12-31", day(0).replace(tzinfo=None)]  # noqa: DTZ901
)
def test_times_at_the_ends_of_time_do_no_harm(known: Memory, when: Any) -> None:
    for place, call in TIMED.items():
        before = revs(known)
        try:
            call(known, when)
        except TensememError:
            assert revs(known) == before, place
    assert known.verify().identical
    known.state("ann", at=when)
    known.history("ann")


@pytest.mark.parametrize("hours", [-23, 14, 23])
def test_times_near_the_ends_of_time_in_other_zones_do_no_harm(known: Memory, hours: int) -> None:
    zone = timezone(timedelta(hours=hours))
    for when in (datetime.min.replace(tzinfo=zone), datetime.max.replace(tzinfo=zone)):
        for place, call in TIMED.items():
            before = revs(known)
            try:
                call(known, when)
            except TensememError:
                assert revs(known) == before, place
    assert known.verify().identical


# --- values, names ------------------------------------------------------------------------------------------------

VALUED: dict[str, Call] = {
    "set": lambda mem, value: mem.set("ann", "lives_in", value),
    "record": lambda mem, value: mem.record("ann", "lives_in", value, valid_from="2025"),
    "add_value": lambda mem, value: mem.add_value("ann", "languages", value),
    "remove_value": lambda mem, value: mem.remove_value("ann", "languages", value),
    "replace_values": lambda mem, value: mem.replace_values("ann", "languages", ["Go", value]),
    "deny": lambda mem, value: mem.deny("ann", "lives_in", value),
    "write": lambda mem, value: mem.write("ann", [speaks("Go"), lives(value)]),
    "preview": lambda mem, value: refused_in_preview(mem.preview("ann", [lives(value)])),
}  # fmt: skip


def refused_in_preview(diff: Any) -> None:
    """A preview tells what would be refused."""
    if all(decision.outcome == "refused" for decision in diff.decisions):
        raise TensememError


NO_TEXT = [*NOTHING, *UNSTORABLE, b"x", object(), Odd(), [], {}, float("nan"), float("inf"), True, cyclic_list()]


@pytest.mark.parametrize("verb", VALUED)
def test_what_is_no_text_value_is_refused(known: Memory, verb: str) -> None:
    all_refused(known, VALUED[verb], NO_TEXT)


TYPED = {
    "age": ["old", "", "1,5", "1_000", True, [1], {}, float("nan"), float("inf"), "1e999999", "٣٫٥.1", Odd(), object()],
    "born": ["yesterday", "2026", "2026-13-01", "2026-02-30", 7, day(0), True, [], object(), Odd()],
    "seen": ["yesterday", "2026-01-01", "2026", 7, True, [], "2026-01-01T99:00", object(), Odd()],
    "nap": ["long", "", 7, True, "-", "P", [], object(), Odd(), "1e400d"],
    "vegan": ["perhaps", "", 7, 1, 0, [], {}, object(), Odd()],
    "plan": ["gold", "", 7, True, [], object(), Odd()],
    "extra": [
        object(), Odd(), {1: 2}, float("nan"), {"a": float("inf")}, cyclic_list(), cyclic_dict(), b"x", deep(), "\ud800"
    ],
}  # fmt: skip


@pytest.mark.parametrize("predicate", TYPED)
def test_what_is_not_of_the_type_is_refused(known: Memory, predicate: str) -> None:
    all_refused(known, lambda mem, value: mem.set("ann", predicate, value), TYPED[predicate])
    both: Call = lambda mem, value: mem.write("ann", [lives("Pune"), Operation("set", predicate, value)])  # noqa: E731
    all_refused(known, both, TYPED[predicate])


def test_a_value_over_the_size_is_refused_or_kept_whole(known: Memory) -> None:
    before = revs(known)
    try:
        known.set("ann", "lives_in", "x" * 3_000_000)
    except TensememError:
        assert revs(known) == before
    else:
        assert len(known.get("ann", "lives_in")) == 3_000_000


NAMED: dict[str, Call] = {
    "set": lambda mem, name: mem.set("ann", name, "x"),
    "record": lambda mem, name: mem.record("ann", name, "x", valid_from="2025"),
    "add_value": lambda mem, name: mem.add_value("ann", name, "x"),
    "remove_value": lambda mem, name: mem.remove_value("ann", name, "x"),
    "replace_values": lambda mem, name: mem.replace_values("ann", name, ["x"]),
    "retract": lambda mem, name: mem.retract("ann", name),
    "deny": lambda mem, name: mem.deny("ann", name, "x"),
    "confirm": lambda mem, name: mem.confirm("ann", name, "x"),
    "confirm what is shown": lambda mem, name: mem.confirm("ann", name),
    "write": lambda mem, name: mem.write("ann", [Operation("set", name, "x")]),
    "get": lambda mem, name: mem.get("ann", name),
    "register_predicate": lambda mem, name: mem.register_predicate(name),
}  # fmt: skip


@pytest.mark.parametrize("verb", NAMED)
def test_what_names_no_known_predicate_is_refused(known: Memory, verb: str) -> None:
    unknown = [] if verb == "register_predicate" else ["unknown"]
    all_refused(known, NAMED[verb], [*unknown, "x" * 129, "!!!", *NOTHING, *UNSTORABLE, *WRONG])


SUBJECTS: dict[str, Call] = {
    "set": lambda mem, name: mem.set("ann", "lives_in", "x", subject=name),
    "record": lambda mem, name: mem.record("ann", "lives_in", "x", valid_from="2025", subject=name),
    "retract": lambda mem, name: mem.retract("ann", "lives_in", subject=name),
    "confirm": lambda mem, name: mem.confirm("ann", "lives_in", subject=name),
    "write": lambda mem, name: mem.write("ann", [lives("x", subject=name)]),
    "get": lambda mem, name: mem.get("ann", "lives_in", subject=name),
    "history": lambda mem, name: mem.history("ann", subject=name),
}  # fmt: skip


@pytest.mark.parametrize("verb", SUBJECTS)
def test_what_names_no_subject_is_refused(known: Memory, verb: str) -> None:
    names = ["x" * 513, *NOTHING, *UNSTORABLE, *WRONG]
    all_refused(known, SUBJECTS[verb], [name for name in names if name is not None or verb not in ("get", "history")])


MESSAGES: dict[str, tuple[Call, list[Any]]] = {
    "content": (
        lambda mem, bad: mem.add("ann", bad),
        [7, 1.5, b"x", object(), Odd(), {"a": 1}, *UNSTORABLE, [7], [["x"]], [object()]],
    ),
    "content in a list": (
        lambda mem, bad: mem.add("ann", [{"role": "user", "content": "x"}, {"role": "user", "content": bad}]),
        [7, 1.5, b"x", object(), Odd(), {"a": 1}, *UNSTORABLE, [7], [["x"]], [object()]],
    ),
    "content in a batch": (
        lambda mem, bad: list(mem.add_many([Message("ann", "x"), Message("ann", bad)])),
        [7, 1.5, b"x", object(), Odd(), {"a": 1}, *UNSTORABLE, [7], [["x"]], [object()]],
    ),
    "session_id": (lambda mem, bad: mem.add("ann", "hello", session_id=bad), KEYS),
    "speaker": (lambda mem, bad: mem.add("ann", "hello", speaker=bad), KEYS),
    "speaker in a batch": (
        lambda mem, bad: list(mem.add_many([Message("ann", "x"), Message("ann", "y", speaker=bad)])), KEYS
    ),
    "role": (
        lambda mem, bad: mem.add("ann", "hello", role=bad), ["boss", "", "User", None, 7, ["user"], b"user", "\0"]
    ),
    "messages": (
        lambda mem, bad: list(mem.add_many(bad)),
        [7, None, "text", [7], ["text"], [None], [{"content": "x"}], [Message(7, "x")], [Message("", "x")],  # type: ignore[arg-type]
         [Message("ann", "x", agent_id=7)]],  # type: ignore[arg-type]
    ),
    "batch": (lambda mem, bad: list(mem.add_many([Message("ann", "x")], batch=bad)), [0, -1, "1", 1.5, True, None]),
    "operations": (
        lambda mem, bad: mem.write("ann", bad),
        [None, 7, "set", {}, lives("Pune"), [7], [None], [{"op": "set"}], [lives], iter([])],
    ),
}  # fmt: skip


@pytest.mark.parametrize("place", MESSAGES)
def test_what_is_no_message_and_no_operation_is_refused(known: Memory, place: str) -> None:
    all_refused(known, *MESSAGES[place])


BAD_FIELDS: dict[str, list[Any]] = {
    "op": ["boost", "", None, 7, "SET", ["set"]],
    "modality": ["sure", "", None, 7, ["asserted"]],
    "confidence": ["high", None, -0.1, 1.1, float("nan"), True, [1], 10**400],
    "quote": [7, None, b"x", "\ud800", "\0"],
    "message": ["x", 1.5, 99, -1],
}


@pytest.mark.parametrize(("field", "bad"), [(f, b) for f, some in BAD_FIELDS.items() for b in some], ids=ids)
def test_an_operation_with_a_bad_field_is_refused_or_does_no_harm(known: Memory, field: str, bad: Any) -> None:
    fields: dict[str, Any] = {"op": "set", "predicate": "lives_in", "value": "Pune", field: bad}
    before = revs(known)
    try:
        known.write("ann", [speaks("Go"), Operation(**fields)])
    except TensememError:
        assert revs(known) == before
    assert known.verify().identical


AMENDING: dict[str, tuple[Call, list[Any]]] = {
    "values": (
        lambda mem, bad: mem.replace_values("ann", "languages", bad),
        [None, "Go", 7, {"a": 1}, object(), b"x", ["Go", None], [[]], [object()]],
    ),
    "reason": (lambda mem, bad: mem.correct(fact_id(mem), reason=bad), ["", " ", "\0", "\ud800", 7, b"x", ["x"]]),
    "value": (
        lambda mem, bad: mem.correct(fact_id(mem), bad),
        [*UNSTORABLE, b"x", object(), Odd(), [], {}, float("nan"), "", " ", True],
    ),
}


@pytest.mark.parametrize("place", AMENDING)
def test_what_corrects_nothing_is_refused(known: Memory, place: str) -> None:
    all_refused(known, *AMENDING[place])


# --- reading ------------------------------------------------------------------------------------------------------

READING: dict[str, tuple[Call, list[Any]]] = {
    "predicates": (lambda mem, bad: mem.state("ann", predicates=bad), ["lives_in", 7, [7], [None], ["\0"], object()]),
    "subject": (lambda mem, bad: mem.state("ann", subject=bad), ["", " ", "\0", "\ud800", 7, b"x", "x" * 513]),
    "min_seq": (lambda mem, bad: mem.state("ann", min_seq=bad), [-1, "1", 1.5, True, [1]]),
    "on_stale": (lambda mem, bad: mem.state("ann", on_stale=bad), ["ignore", "", None, 7, True, ["flag"]]),
    "on_stale of context": (lambda mem, bad: mem.context("ann", on_stale=bad), ["ignore", None, 7]),
    "query of context": (lambda mem, bad: mem.context("ann", bad), [7, b"x", ["x"], object()]),
    "max_tokens": (lambda mem, bad: mem.context("ann", max_tokens=bad), [-1, "1", 1.5, True, float("inf")]),
    "format": (lambda mem, bad: mem.context("ann", format=bad), ["html", "", None, 7, ["json"]]),
    "query": (lambda mem, bad: mem.search("ann", bad), [None, 7, b"x", ["x"], object()]),
    "limit of search": (lambda mem, bad: mem.search("ann", "x", limit=bad), [0, -1, "1", 1.5, True, None]),
    "after of search": (lambda mem, bad: mem.search("ann", "x", after=bad), [7, b"x", ["x"]]),
    "limit of history": (lambda mem, bad: mem.history("ann", limit=bad), [0, -1, "1", 1.5, True]),
    "after of history": (lambda mem, bad: mem.history("ann", after=bad), ["x", "", 7, ["x"]]),
    "between": (lambda mem, bad: mem.history("ann", between=bad), ["2026", 7, (), ("2026",), ("2026", "2027", "2028")]),
    "predicate of history": (lambda mem, bad: mem.history("ann", bad), [7, b"x", ["x"], object()]),
    "prefix of scopes": (lambda mem, bad: mem.scopes(bad), [7, b"x", ["x"], object()]),
    "limit of scopes": (lambda mem, bad: mem.scopes(limit=bad), [0, -1, "1", 1.5, True, None]),
    "after of scopes": (lambda mem, bad: mem.scopes(after=bad), [7, b"x", ["x"], object()]),
    "seq of retry": (lambda mem, bad: mem.retry("ann", bad), ["1", 1.5, ["x"], object()]),
    "seq of dismiss": (lambda mem, bad: mem.dismiss("ann", bad), ["1", 1.5, None, ["x"], object()]),
    "user of jobs": (lambda mem, bad: mem.jobs(bad), [7, "", " ", b"x", ["x"], object()]),
    "user of rebuild": (lambda mem, bad: mem.rebuild(bad), [7, "", " ", b"x", ["x"], object()]),
    "user of verify": (lambda mem, bad: mem.verify(bad), [7, "", " ", b"x", ["x"], object()]),
    "user of flush": (lambda mem, bad: mem.flush(bad), [7, "", " ", b"x", ["x"], object()]),
    "user of retry": (lambda mem, bad: mem.retry(bad), [7, "", " ", b"x", ["x"], object()]),
}  # fmt: skip


@pytest.mark.parametrize("place", READING)
def test_what_cannot_be_read_by_is_refused(known: Memory, place: str) -> None:
    all_refused(known, *READING[place])


REVERSED: dict[str, Callable[[Memory], Any]] = {
    "history": lambda mem: mem.history("ann", between=("2026", "2025")),
    "a page of a history": lambda mem: mem.history("ann", "lives_in", between=("2026-02-02", "2026-02-01"), limit=2),
    "a history of nobody": lambda mem: mem.history("nobody", between=("2026", "2025")),
    "set": lambda mem: mem.set("ann", "lives_in", "Rome", since="2025", until="2024"),
    "record": lambda mem: mem.record("ann", "lives_in", "Rome", valid_from="2025", valid_to="2024"),
    "add_value": lambda mem: mem.add_value("ann", "languages", "Go", since="2025", until="2024"),
    "write": lambda mem: mem.write("ann", [Operation("set", "lives_in", "x", valid_from="2025", valid_to="2024")]),
    "correct": lambda mem: mem.correct(
        mem.history("ann", "lives_in").facts[0].id, "Rome", valid_from="2025", valid_to="2024"
    ),
}


@pytest.mark.parametrize("place", REVERSED)
def test_an_interval_that_ends_before_it_begins_is_refused(known: Memory, place: str) -> None:
    with pytest.raises(InvalidTimeError, match="lies before"):
        REVERSED[place](known)


def test_an_interval_of_one_moment_or_day_is_one(known: Memory) -> None:
    for pair in (("2026-02-01", "2026-02-01"), ("2026-02-01T10:00Z", "2026-02-01T10:00Z")):
        assert known.history("ann", between=pair).user_id == "ann"


# --- the registry -------------------------------------------------------------------------------------------------

DEFINITIONS: dict[str, list[Any]] = {
    "cardinality": ["two", "", None, 7, ["one"]],
    "type": ["colour", "", None, 7, ["text"]],
    "description": [None, 7, "\0", "\ud800", "x" * 5000],
    "aliases": ["text", 7, None, [7], [""], ["\0"], ["lives_in"]],
    "choices": ["text", 7, [], [""], ["a", "A"], [object()]],
    "ttl": ["long", "", -1, "-1d", timedelta(0), timedelta(-1), 7, True, float("nan")],
    "review_after": ["long", "", "-1d", timedelta(0), 7, True],
    "writers": ["user", 7, [], [""], [7]],
    "trust": [7, "hr", {"hr": "high"}, {"hr": True}, {7: 1}, ["", "x"]],
    "min_confidence": ["high", -0.1, 1.1, True, float("nan")],
    "verbatim": ["yes", 1, 0],
    "examples": ["text", 7, [7], ["\0"]],
}


@pytest.mark.parametrize("name", DEFINITIONS)
def test_what_defines_no_predicate_is_refused(known: Memory, name: str) -> None:
    all_refused(known, lambda mem, bad: mem.register_predicate("fresh", **{name: bad}), DEFINITIONS[name])
    assert "fresh" not in {predicate.name for predicate in known.predicates()}


def test_what_names_no_entity_is_refused(known: Memory) -> None:
    names = [*NOTHING, *UNSTORABLE, *WRONG, "user", "my wife", "x" * 513]
    all_refused(known, lambda mem, name: mem.register_entity(name), names)
    all_refused(known, lambda mem, name: mem.register_entity("Good", aliases=[name]), names)


def test_what_describes_no_profile_is_refused(known: Memory) -> None:
    all_refused(known, lambda mem, bad: mem.register(bad), [None, 7, "no-such.toml", b"x", object(), int, ["x"]])


# --- opening ------------------------------------------------------------------------------------------------------

OPENING: dict[str, list[Any]] = {
    "durability": ["full", "", None, 7],
    "tz": ["Mars", "", None, 7, "UTC\0"],
    "subjects": ["closed", "", None, 7],
    "max_content": [0, -1, "1", 1.5, True, None],
    "namespace": ["", " ", "\0", "\ud800", 7, "x" * 513],
    "clock": [7, "now"],
    "llm": ["openai:gpt", 7, True, int, object()],
    "redact": [7, [7]],
}


@pytest.mark.parametrize("name", OPENING)
def test_what_cannot_be_opened_with_is_refused(known: Memory, name: str) -> None:
    all_refused(known, lambda _, bad: opened(**{name: bad}).close(), OPENING[name])


@pytest.mark.of_files
def test_what_names_no_file_is_refused(known: Memory) -> None:
    paths = ["", " ", "a\0b", 7, b"x", ["x"], "postgresql://localhost/x", "http://x"]
    all_refused(known, lambda _, path: opened(path).close(), paths)


def test_a_clock_without_a_zone_is_refused() -> None:
    with pytest.raises(TensememError), opened(clock=lambda: datetime(2026, 1, 1)) as mem:  # noqa: DTZ001
        mem.set("ann", "lives_in", "Delhi")
