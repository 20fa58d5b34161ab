"""Whatever verbs give is the same again after it was a document: ``read`` is the inverse of ``document``."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensemem import Memory, Message, Operation, RetentionRun, State
from tensemem.errors import InvalidValueError, TensememError
from tensemem.testing import FrozenClock
from tensemem.wire import SERVED, document, read
from tensemem.wire.forms import form_of, value_of
from tests.engine.bench import Told, lives
from tests.laws.playing import USER, Player
from tests.laws.scenarios import Scenario, scenarios
from tests.laws.test_told_alike import all_told
from tests.settings import law_settings, some_settings
from tests.wire.going_round import alike, answer_comes_back, comes_back, overhearing, sent

UNICODE = st.text(st.characters(codec="utf-8"), min_size=1, max_size=40)
HOSTILE = st.sampled_from(
    [
        "\u202egnp.exe", "a\x1b[31m", "\x7f\x85\u2028", "</script>", "\u2066x\u2069", "\ufb00", '"\\', "e\u0301",
        "\U000e0041x", "\U0001f469\u200d\U0001f467", "\ufeff", "\xa0x", "null", "1e400", "\u0130",
    ]
)  # fmt: skip
NUMBERS = st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | UNICODE,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(UNICODE, inner, max_size=3),
    max_leaves=6,
)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "text": UNICODE | HOSTILE | st.decimals(allow_nan=False, allow_infinity=False, places=2) | st.integers(),
    "entity": UNICODE | HOSTILE,
    "number": st.integers(-(2**200), 2**200)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.decimals(allow_nan=False, allow_infinity=False),
    "bool": st.booleans(),
    "date": st.dates(),
    "datetime": st.datetimes(timezones=st.just(UTC)),
    "duration": st.timedeltas(min_value=timedelta(microseconds=1), max_value=timedelta(days=3_000_000)),
    "json": JSON,
    "enum": st.sampled_from(["red", "green", 3, 2.5]),
}
TYPES = sorted(VALUES)


@st.composite
def operations(draw: st.DrawFn) -> Operation:
    """A statement about one of the attributes, of any type, in any of the ways that states a value."""
    type_, many = draw(st.sampled_from(TYPES)), draw(st.booleans())
    op = draw(st.sampled_from(["set", "add", "remove", "retract", "deny"]))
    subject = draw(st.sampled_from(["user", "user.wife", "Acme"]))
    since = draw(st.none() | st.dates(date(2020, 1, 1), date(2025, 12, 31)))
    times = {} if op == "deny" else {"since": since}
    return Operation(op, _name(type_, many), draw(VALUES[type_]), subject=subject, **times)  # type: ignore[arg-type]


def _name(type_: str, many: bool) -> str:
    return f"{type_}_{'many' if many else 'one'}"


def registered(mem: Memory) -> None:
    for type_ in TYPES:
        for many in (False, True):
            choices = ["red", "green", 3, 2.5] if type_ == "enum" else None
            mem.register_predicate(_name(type_, many), "many" if many else "one", type=type_, choices=choices)  # type: ignore[arg-type]


@law_settings
@given(statements=st.lists(operations(), min_size=1, max_size=8))
def test_values_of_every_type_come_back_exactly(statements: list[Operation]) -> None:
    with Memory(":memory:", clock=FrozenClock(), redact=False) as mem:
        registered(mem)
        heard = overhearing(mem)
        for one in statements:
            try:
                mem.write("u1", [one])
            except TensememError:
                continue
            mem.get("u1", one.predicate, subject=one.subject)
            mem.history("u1", one.predicate, subject=one.subject)
        state = mem.state("u1")
        mem.changes("u1")
        mem.questions("u1")
        mem.state("u1", at="2021")
        for fact in state.facts:
            mem.explain(fact.id)
        mem.search("u1", "red", limit=99)
        mem.preview("u1", [Operation("set", "date_one", "2026-01-01")])
        heard.all_come_back()


@some_settings
@given(scenario=scenarios(rereads=True))
def test_all_that_is_told_of_a_history_comes_back(scenario: Scenario) -> None:
    with Player(scenario) as player:
        heard = overhearing(player.mem)
        player.play_all()
        all_told(player)
        for fact in player.facts():
            player.mem.get(USER, fact.predicate, subject=fact.subject)
        heard.all_come_back()


def test_every_verb_gives_what_comes_back(tmp_path: Path) -> None:
    clock, told = FrozenClock("2026-03-01"), Told()
    told.answers["I live in Delhi"] = [lives("Delhi"), Operation("set", "pet", "a cat", quote="I live")]
    with Memory(tmp_path / "a.db", llm=told, worker=False, clock=clock) as mem:
        heard = overhearing(mem)
        call_every_verb(mem, told, clock, tmp_path)
        mem.add_many([Message("u3", "hello"), Message("u4", "hi")])
        assert sorted(set(heard.all_come_back())) == sorted(SERVED.keys() - {"add_many"})
        answer_comes_back("add_many", tuple(mem.add_many([Message("u3", "hello again")])))


def call_every_verb(mem: Memory, told: Told, clock: FrozenClock, folder: Path) -> None:
    mem.register("personal")
    mem.register_predicate("lives_in", ttl="900d", review_after=timedelta(days=30), trust={"crm": 2}, update=True)
    mem.register_predicate("languages", "many", trust=["crm", "user"], update=True)
    mem.register_predicate("born", type="date", update=True)
    mem.register_entity("PostgreSQL", aliases=["Postgres"], kind="database")
    mem.retain(texts="900d", facts={"*": None, "lives_in": "30d"})
    mem.add("u1", "I live in Delhi", metadata={"a": [1, {"b": None}]}, session_id="s", source="crm")
    mem.add("u1", "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH is my key", extract=False)
    mem.add("u1", "later", wait=0)
    mem.flush("u1", timeout=5)
    born = mem.set("u1", "born", date(1990, 5, 17), metadata={"n": 1.5})
    mem.record("u1", "lives_in", "Paris", valid_from="2015", valid_to="2017")
    mem.add_value("u1", "languages", "Hindi")
    mem.remove_value("u1", "languages", "Hindi")
    mem.replace_values("u1", "languages", ["Go", "Tamil"])
    mem.retract("u1", "languages", "Go")
    mem.deny("u1", "languages", "Basque")
    mem.confirm("u1", "lives_in")
    mem.write("u1", [Operation("set", "born", "1990-05-18"), Operation("add", "languages", "Urdu")])
    fixed = mem.correct(born.fact_id or "", "1990-05-19", reason="a typing error")
    mem.reinstate(born.fact_id or "")
    mem.preview("u1", [Operation("set", "lives_in", "Pune")])
    told.answers["later"] = [Operation("set", "lives_in", "Rome", quote="later", modality="planned")]
    mem.reextract("u1", told, dry_run=False)
    mem.plan_reextract("u1", told)
    clock.advance("200d")
    for question in mem.questions("u1"):
        mem.answer(question.id, "no")
    told.answers["perhaps Oslo"] = [Operation("set", "lives_in", "Oslo", quote="perhaps", confidence=0.1)]
    mem.add("u1", "perhaps Oslo")
    told.answers["broken"] = ValueError("no")
    mem.add("u1", "broken")
    mem.flush()
    read_everything(mem, fixed.fact_id or "")
    waiting = mem.state("u1").candidates + mem.state("u1").planned
    told.answers["in doubt"] = [Operation("set", "lives_in", "Bonn", quote="in doubt", modality="planned")]
    mem.add("u1", "in doubt")
    mem.flush()
    for fact in mem.state("u1").planned + waiting:
        try:
            mem.review(fact.id, False)
        except TensememError:
            continue
    mem.retry()
    mem.dismiss("u1", mem.jobs()[0].seq)
    mem.erase("u1", 1)
    mem.purge("2026-02")
    mem.apply_retention()
    mem.export(folder / "export.jsonl")
    mem.import_(folder / "export.jsonl")
    mem.backup(folder / "backup.db")
    mem.rebuild()
    mem.forget("u2")


def read_everything(mem: Memory, fact_id: str) -> None:
    mem.state("u1")
    mem.get("u1", "born")
    mem.get("u1", "languages")
    mem.get("u1", "lives_in", at="1999")
    mem.history("u1", limit=2)
    mem.explain(fact_id)
    mem.decisions("u1", 1)
    mem.context("u1", "Delhi", include_history=True)
    mem.search("u1", "Delhi")
    mem.messages("u1")
    mem.changes("u1")
    mem.predicates()
    mem.proposals()
    mem.jobs()
    mem.retention()
    mem.stats()
    mem.doctor(quick=True)
    mem.scopes()
    mem.verify()
    mem.digest("u1")


def test_moments_of_other_zones_are_told_with_their_offset() -> None:
    there = timezone(timedelta(hours=5, minutes=30))
    for zone in (UTC, there, UTC):
        moment = datetime(2026, 1, 1, 12, 30, 0, 1, tzinfo=UTC).astimezone(zone)
        run = RetentionRun(moment, moment)
        assert document(run)["began_at"] == moment.isoformat()
        comes_back(RetentionRun, run)


def test_what_a_dry_run_found_can_be_sent_and_written() -> None:
    told = Told()
    with Memory(":memory:", llm=told, worker=False, clock=FrozenClock()) as mem:
        mem.register_predicate("lives_in")
        mem.add("u1", "I live in Delhi", wait=0)
        mem.flush()
        told.answers["I live in Delhi"] = [lives("Delhi")]
        difference = mem.reextract("u1", told)
        comes_back(SERVED["reextract"].returns, difference)
        mem.reextract("u1", read(SERVED["reextract"].returns, sent(document(difference))), dry_run=False)
        assert mem.state("u1").values == {"lives_in": "Delhi"}


def test_operations_and_messages_come_back_where_times_are_text() -> None:
    comes_back(Operation, Operation("set", "born", date(1990, 5, 17), since="2026", confidence=0.5, message=3))
    comes_back(Operation, Operation("set", "seen", datetime(2026, 1, 1, tzinfo=UTC), valid_from="2015"))
    comes_back(Message, Message("u1", [{"type": "text", "text": "hi"}], metadata={"a": 1}, said_at="2026-01-01"))


@pytest.mark.parametrize(
    ("value", "form"),
    [
        ("", "text"), (True, "bool"), (1, "number"), (1.0, "number"), (Decimal("0.1"), "decimal"),
        (Decimal("1E+400"), "decimal"), (Decimal("-7"), "decimal"), (date.min, "date"),
        (datetime(1, 1, 1, tzinfo=UTC), "datetime"), (timedelta(0), "duration"),
        (timedelta(microseconds=1), "duration"),
        ([1, [2]], "json"), ({"a": None}, "json"), (None, None), ((date.max, 5, None), ["date", "number", None]),
    ],
)  # fmt: skip
def test_a_form_says_how_a_value_is_read(value: Any, form: Any) -> None:
    assert form_of(value) == form
    assert alike(value_of(form, sent(document(value))), value)


def a_state() -> Any:
    with Memory(":memory:", clock=FrozenClock()) as mem:
        mem.register_predicate("born", type="date")
        mem.set("u1", "born", "1990-05-17")
        return sent(document(mem.state("u1")))


def test_fields_that_a_newer_server_tells_are_passed_over() -> None:
    data = a_state()
    data["mood"] = 5
    data["facts"][0]["colour"] = "red"
    assert read(State, data) == read(State, a_state())


@pytest.mark.parametrize(
    ("path", "value", "why"),
    [
        (("rev",), "1", "rev: give a whole number, not '1'"),
        (("rev",), True, "rev: give a whole number, not a bool"),
        (("freshness",), None, "freshness: give an object, not null"),
        (("freshness", "is_current"), 1, "freshness.is_current: give true or false, not a int"),
        (("facts",), {}, "facts: give a list, not a dict"),
        (("facts", 0, "valid_from"), "2026-01-01", r"facts\[0\].valid_from: '2026-01-01' has no offset"),
        (("facts", 0, "valid_from"), "soon", r"facts\[0\].valid_from: 'soon' is no time"),
        (("facts", 0, "value"), "soon", r"facts\[0\].value: 'soon' is no date"),
        (("facts", 0, "value"), None, r"facts\[0\].value: null is no date"),
        (("facts", 0, "status"), "new", r"facts\[0\].status: 'new' is not known here"),
        (("facts", 0, "evidence", 0, "seq"), None, r"facts\[0\].evidence\[0\].seq: give a whole number, not null"),
        (("facts", 0, "confidence"), "1", r"facts\[0\].confidence: give a number"),
    ],
)
def test_what_is_no_document_is_refused_with_its_place(path: tuple[Any, ...], value: Any, why: str) -> None:
    data = a_state()
    place = data
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    with pytest.raises(InvalidValueError, match=why):
        read(State, data)


def test_what_lacks_a_field_is_refused_with_its_name() -> None:
    data = a_state()
    del data["facts"][0]["subject"]
    with pytest.raises(InvalidValueError, match=r"facts\[0\]: the field subject is missing"):
        read(State, data)
