"""Every verb is reached over HTTP, and answers with what the same verb of a memory in this process gives."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tensemem import Freshness, Memory
from tensemem.access import Access
from tensemem.wire import SERVED, document, unwrap
from tests.adapters.rest.bench import Web, served
from tests.engine.bench import Clock, Told, lives
from tests.servers import needed

Row = tuple[str, dict[str, Any]]

# Each verb in an order in which each finds what it needs. {fact} is Bangalore's id, {held} a candidate's, {seq} the
# number of a message that waits.
TALK: tuple[Row, ...] = (
    ("register_predicate", {"name": "diet", "choices": ["vegan", "none"]}),
    ("register_entity", {"name": "Postgres", "aliases": ["pg"]}),
    ("register", {"source": '[predicates.hobby]\ncardinality = "many"\n'}),
    ("set", {"user_id": "ann", "predicate": "lives_in", "value": "Delhi", "said_at": "2026-01-05"}),
    ("set", {"user_id": "ann", "predicate": "lives_in", "value": "Bangalore", "said_at": "2026-03-01"}),
    ("record", {"user_id": "ann", "predicate": "lives_in", "value": "Oslo", "valid_from": "2019", "valid_to": "2020"}),
    ("add_value", {"user_id": "ann", "predicate": "languages", "value": "Rust"}),
    ("remove_value", {"user_id": "ann", "predicate": "languages", "value": "Rust"}),
    ("replace_values", {"user_id": "ann", "predicate": "languages", "values": ["Go", "C#"]}),
    ("confirm", {"user_id": "ann", "predicate": "lives_in"}),
    ("deny", {"user_id": "ann", "predicate": "languages", "value": "C#"}),
    ("retract", {"user_id": "ann", "predicate": "languages", "value": "Go"}),
    ("write", {"user_id": "ann", "operations": [{"op": "add", "predicate": "languages", "value": "SQL"}]}),
    ("add", {"user_id": "ann", "content": "They say I live in Lisbon"}),
    ("add_many", {"messages": [{"user_id": "bob", "content": "hello"}, {"user_id": "cleo", "content": "hi"}]}),
    ("jobs", {}),
    ("retry", {}),
    ("flush", {"user_id": "ann"}),
    ("state", {"user_id": "ann"}),
    ("get", {"user_id": "ann", "predicate": "languages"}),
    ("history", {"user_id": "ann", "predicate": "lives_in"}),
    ("explain", {"fact_id": "{fact}"}),
    ("decisions", {"user_id": "ann", "seq": 1}),
    ("changes", {"user_id": "ann"}),
    ("messages", {"user_id": "ann"}),
    ("context", {"user_id": "ann"}),
    ("search", {"user_id": "ann", "query": "Bangalore"}),
    ("questions", {"user_id": "ann"}),
    ("answer", {"question_id": "q-{held}", "answer": "no"}),
    ("correct", {"fact_id": "{fact}", "reason": "another Ann"}),
    ("reinstate", {"fact_id": "{fact}"}),
    ("preview", {"user_id": "ann", "messages_or_operations": [
        {"op": "set", "predicate": "lives_in", "value": "Rome"}]}),
    ("write", {"user_id": "ann", "operations": [
        {"op": "set", "predicate": "lives_in", "value": "Lisbon", "modality": "reported"}]}),
    ("review", {"fact_id": "{held}", "accept": False}),
    ("predicates", {}),
    ("proposals", {}),
    ("scopes", {}),
    ("stats", {}),
    ("digest", {"user_id": "ann"}),
    ("verify", {}),
    ("rebuild", {"user_id": "ann"}),
    ("doctor", {"quick": True}),
    ("plan_reextract", {"user_id": "ann"}),
    ("reextract", {"user_id": "ann"}),
    ("retain", {"texts": "90d", "keep_quotes": True, "facts": {"lives_in": "1y"}}),
    ("retention", {}),
    ("apply_retention", {}),
    ("dismiss", {"user_id": "bob", "seq": 1}),
    ("export", {}),
    ("import_", {}),
    ("backup", {}),
    ("purge", {"before": "2026-02-01"}),
    ("erase", {"user_id": "ann", "seq": 3}),
    ("forget", {"user_id": "ann", "predicate": "languages"}),
    ("forget", {"user_id": "ann"}),
)  # fmt: skip

CARRIED = {"export", "import_", "backup"}
"""Verbs whose bodies are no JSON: tests/adapters/rest/test_carrying.py has them."""

READS = tuple(row for row in TALK if SERVED[row[0]].method == "GET" and row[0] not in CARRIED)


def prepared(told: Told) -> None:
    told.answers["They say I live in Lisbon"] = [lives("Lisbon", quote="I live in Lisbon", modality="reported")]


def filled(web: Web, given: dict[str, Any]) -> dict[str, Any]:
    """Put ids in their places."""
    if not any("{" in value for value in given.values() if isinstance(value, str)):
        return given
    facts = web.ok("GET", "history", user_id="ann", predicate="lives_in")["facts"]
    known = {
        "fact": next(fact["id"] for fact in facts if fact["value"] == "Bangalore"),
        "held": next((fact["id"] for fact in facts if fact["status"] == "candidate"), ""),
    }
    return {name: value.format(**known) if isinstance(value, str) else value for name, value in given.items()}


def test_every_served_verb_has_a_row() -> None:
    assert {name for name, _ in TALK} == set(SERVED)


def test_every_verb_answers_with_a_result_of_its_type(web: Web, told: Told) -> None:
    prepared(told)
    talk(web)


def test_every_verb_answers_on_postgresql_too(told: Told, clock: Clock) -> None:
    pytest.importorskip("psycopg")
    prepared(told)
    url = needed("18").create_database()
    with Access.open(url) as keys, served(url, access=keys, clock=clock, llm=told) as web:
        _, token = keys.mint("", "admin")
        web.headers["authorization"] = f"Bearer {token}"
        web.ok("POST", "register_predicate", name="lives_in")
        web.ok("POST", "register_predicate", name="languages", cardinality="many")
        talk(web)
        seen = web.verb("GET", "state", user_id="dora").headers["etag"]
        given = {"user_id": "dora", "predicate": "lives_in", "value": "Oslo"}
        assert web.verb("POST", "set", headers={"if-match": seen}, **given).status_code == 200
        assert web.verb("POST", "set", headers={"if-match": seen}, **given).status_code == 412
        assert web.ok("GET", "state", user_id="dora")["values"] == {"lives_in": "Oslo"}


def counted(web: Web) -> Counter[str]:
    """How often each verb was called, as the server's metrics have it."""
    calls = re.compile(r'^tensemem_calls_total\{verb="(\w+)",outcome="ok"\} (\d+)', re.MULTILINE)
    found = calls.findall(web.get("/metrics").text)
    return Counter({verb: int(times) for verb, times in found})


def talk(web: Web) -> None:
    """Say it all."""
    exported = b""
    for name, given in TALK:
        verb = SERVED[name]
        asked = filled(web, given)
        before = counted(web)
        if name == "import_":
            answer = web.post(verb.path, content=exported, headers={"content-type": "application/x-ndjson"})
        else:
            answer = web.verb(verb.method, verb.path.removeprefix("/v1/"), **asked)
        assert answer.status_code == 200, (name, answer.text)
        assert counted(web) - before == {name: 1}
        if name == "export":
            exported = answer.content
        elif name != "backup":
            assert answer.headers["content-type"] == "application/json"
            unwrap(verb, answer.json())  # it can be read back, or this raises


def test_what_is_read_is_what_the_memory_itself_gives(web: Web, mem: Memory, told: Told, clock: Clock) -> None:
    prepared(told)
    for name, given in TALK[: TALK.index(("state", {"user_id": "ann"}))]:
        web.ok("POST" if SERVED[name].method == "POST" else "GET", name, **filled(web, given))
    seen = set()
    for name, given in READS:
        if name in ("doctor", "stats", "retention", "jobs"):
            continue  # which tell of the process as well, or of what the clock of the machine says
        arguments = filled(web, given)
        body = web.ok("GET", name, **arguments)
        assert unwrap(SERVED[name], body) == getattr(mem, name)(**arguments), name
        seen.add(name)
    assert len(seen) > 12


def test_stats_and_jobs_are_those_of_the_memory(web: Web, mem: Memory) -> None:
    mem.add("ann", "hello")
    assert web.ok("GET", "stats") == {**mem.stats(), "retention": None} or web.ok("GET", "stats")["pending"] == 1
    assert [(job["user_id"], job["seq"], job["state"]) for job in web.ok("GET", "jobs")["items"]] == [
        ("ann", 1, "waiting")
    ]


@pytest.mark.parametrize("user_id", ["a/b", "..", ".", "a b", "ä ö", "100%", "a&b=c", "a+b", "日本", "%2F", "u\u0300"])
def test_a_user_s_id_is_exactly_what_was_given(web: Web, user_id: str) -> None:
    web.ok("POST", "set", user_id=user_id, predicate="lives_in", value="Delhi")
    assert [info["user_id"] for info in web.ok("GET", "scopes")["items"]] == [user_id]
    for _ in range(2):
        assert web.ok("GET", "state", user_id=user_id)["values"] == {"lives_in": "Delhi"}
    web.ok("POST", "forget", user_id=user_id)
    assert web.ok("GET", "scopes")["items"] == []


def test_what_is_about_another_agent_or_namespace_is_apart(web: Web) -> None:
    for where in ({}, {"agent_id": "a1"}, {"namespace": "acme"}):
        if "namespace" in where:
            web.ok("POST", "register_predicate", name="lives_in", **where)
        web.ok("POST", "set", user_id="ann", predicate="lives_in", value=str(where), **where)
    for where in ({}, {"agent_id": "a1"}, {"namespace": "acme"}):
        for _ in range(2):
            assert web.ok("GET", "state", user_id="ann", **where)["values"] == {"lives_in": str(where)}
    layered = web.ok("GET", "state", user_id="ann", layers=["a1", ""])
    assert layered["values"] == {"lives_in": "{'agent_id': 'a1'}"}


def test_a_revision_and_a_time_are_told_apart(web: Web, clock: Clock) -> None:
    web.ok("POST", "set", user_id="ann", predicate="lives_in", value="Delhi")
    clock.advance(days=1)
    web.ok("POST", "set", user_id="ann", predicate="lives_in", value="Pune")
    for known_at, place in (("1", "Delhi"), ("2", "Pune"), ("time:2026", "Pune"), ("2026-06-01", "Delhi")):
        assert web.ok("GET", "state", user_id="ann", known_at=known_at)["values"] == {"lives_in": place}
    assert web.ok("GET", "state", user_id="ann", known_at="time:2025")["values"] == {}


def test_one_value_is_told_with_its_type_and_freshness(web: Web, mem: Memory) -> None:
    assert web.ok("GET", "get", user_id="ann", predicate="lives_in") == {
        "value": None, "value_type": None, "found": False, "freshness": document(Freshness(0, 0, 0, 0, (), True)),
    }  # fmt: skip
    mem.register_predicate("born", type="date")
    mem.set("ann", "born", "1990-05-01")
    mem.add("ann", "hello")
    answer = web.verb("GET", "get", user_id="ann", predicate="born")
    told = answer.json()
    assert told.pop("freshness") == document(mem.state("ann").freshness)
    assert told == {"value": "1990-05-01", "value_type": "date", "found": True}
    assert answer.headers["tensemem-current"] == "false"
    for predicate, values in (("languages", ["Go", "SQL"]), ("city", ["Delhi"])):
        for value in values:
            mem.add_value("ann", predicate, value)
        assert web.ok("GET", "get", user_id="ann", predicate=predicate)["found"]
    assert unwrap(SERVED["get"], web.ok("GET", "get", user_id="ann", predicate="languages")) == ("Go", "SQL")
    assert web.verb("GET", "get", user_id="ann", predicate="nothing").json()["type"].endswith("unknown-predicate")


def test_nobody_is_extracted_anew_by_whom_the_operator_did_not_name(path: Path, mem: Memory, clock: Clock) -> None:
    mem.add("ann", "I live in Goa")
    mem.flush("ann")
    with served(path, clock=clock) as web:
        answer = web.verb("POST", "reextract", user_id="ann")
        assert (answer.status_code, answer.json()["type"]) == (424, "urn:tensemem:problem:extractor")
        assert "--llm" in answer.json()["detail"]
        assert web.verb("POST", "reextract", user_id="ann", llm="fake").status_code == 400
    other = Told()
    other.answers["I live in Goa"] = [lives("Goa", quote="I live in Goa")]
    with served(path, clock=clock, rereader=other) as web:
        found = web.ok("POST", "reextract", user_id="ann")
        assert [fact["value"] for fact in found["added"]] == ["Goa"]
        assert web.ok("GET", "state", user_id="ann")["values"] == {}
        web.ok("POST", "reextract", user_id="ann", difference=found, dry_run=False)
        assert web.ok("GET", "state", user_id="ann")["values"] == {"lives_in": "Goa"}
        assert len(other.asked) == 1


def test_without_an_extractor_messages_stay_pending_and_answers_say_so(path: Path, mem: Memory, clock: Clock) -> None:
    with served(path, clock=clock) as web:
        receipt = web.ok("POST", "add", user_id="ann", content="I live in Goa", wait=5)
        assert receipt["settled"] is False
        answer = web.verb("GET", "state", user_id="ann", wait=5)
        assert answer.json()["freshness"]["reason"] == "no_extractor"
        assert answer.headers["tensemem-reason"] == "no_extractor"
        assert answer.headers["tensemem-pending"] == "1"
