"""Whatever is read of a scope says how far it lags behind the log: in the headers, and beside what was read."""

from __future__ import annotations

from typing import Any

import pytest

from tensemem import Freshness, Memory
from tensemem.engine import explain, freshness, history, state
from tensemem.wire import SERVED, document, read
from tests.adapters.rest.bench import Web

ASKED: dict[str, dict[str, Any]] = {
    "state": {"predicates": ["lives_in"]}, "get": {"predicate": "lives_in"}, "history": {},
    "explain": {"fact_id": "{fact}"}, "decisions": {"seq": 1}, "context": {}, "questions": {},
    "search": {"query": "Delhi"}, "messages": {}, "changes": {},
}  # fmt: skip
"""Every read of a scope, with what it needs besides the user."""

OF_NO_MOMENT = {"digest": "a hash that copies are compared by, which nobody takes for the present"}


def ask(web: Web, name: str) -> Any:
    fact = web.ok("GET", "state", user_id="ann")["facts"][0]["id"]
    given = {key: fact if value == "{fact}" else value for key, value in ASKED[name].items()}
    answer = web.verb("GET", name, user_id="ann", **given)
    assert answer.status_code == 200, answer.text
    return answer


def in_headers(answer: Any) -> tuple[bool, int, int, int, int]:
    told = answer.headers
    as_of, latest, pending, failed = (
        int(told[f"tensemem-{name}"]) for name in ("as-of-seq", "latest-seq", "pending", "failed")
    )
    return told["tensemem-current"] == "true", as_of, latest, pending, failed


def test_every_read_of_a_scope_is_tried_here() -> None:
    reads = {one.name for one in SERVED.values() if one.method == "GET" and one.reach in ("scope", "ids")}
    assert reads - {"export"} == set(ASKED) | set(OF_NO_MOMENT)


@pytest.mark.parametrize("name", ASKED)
def test_it_stands_in_the_headers_and_in_the_body(web: Web, mem: Memory, name: str) -> None:
    mem.set("ann", "lives_in", "Delhi")
    assert in_headers(ask(web, name)) == (True, 1, 1, 0, 0)
    mem.add("ann", "I moved")
    answer = ask(web, name)
    assert in_headers(answer) == (False, 1, 2, 1, 0)
    assert answer.headers["tensemem-reason"] == "no_extractor"
    assert read(Freshness, answer.json()["freshness"]) == mem.state("ann").freshness


@pytest.mark.parametrize("name", ASKED)
def test_it_is_of_the_same_snapshot_whatever_is_written_meanwhile(
    web: Web, mem: Memory, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    mem.set("ann", "lives_in", "Delhi")
    before, real = ask(web, name), freshness.freshness_of
    written: list[int] = []

    def late(*given: Any) -> Freshness:
        if not written:
            written.append(mem.add("ann", "Delhi was long ago").seq)
        return real(*given)

    fact = web.ok("GET", "state", user_id="ann")["facts"][0]["id"]
    for module in (state, explain, history):
        monkeypatch.setattr(module, "freshness_of", late)
    given = {key: fact if value == "{fact}" else value for key, value in ASKED[name].items()}
    meanwhile = web.verb("GET", name, user_id="ann", **given)
    assert written == [2]
    assert in_headers(meanwhile) == (True, 1, 1, 0, 0)
    assert _timeless(meanwhile.json()) == _timeless(before.json())
    assert in_headers(web.verb("GET", name, user_id="ann", **given)) == (False, 1, 2, 1, 0)


def _timeless(told: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in told.items() if name not in ("at", "text", "token_count")}


def test_what_is_read_in_this_process_says_it_too(mem: Memory) -> None:
    mem.set("ann", "lives_in", "Delhi")
    mem.add("ann", "I moved")
    fresh = mem.state("ann").freshness
    found = (
        mem.changes("ann"), mem.changes("ann", limit=1), mem.messages("ann"), mem.questions("ann"),
        mem.decisions("ann", 1), mem.search("ann", "Delhi"), mem.search("ann", " "),
        mem.explain(mem.state("ann").facts[0].id),
    )  # fmt: skip
    assert [one.freshness for one in found] == [fresh] * len(found)
    assert document(mem.changes("ann")) == [document(change) for change in mem.changes("ann")]
