"""Headers that say how a verb is to be called: keys, versions, waits, pages; each is heeded, or refused in words."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from tensemem import Memory
from tensemem.access.answers import _ANSWER_HEADERS
from tensemem.ports import PendingRow
from tensemem.wire import SERVED, openapi
from tests.adapters.rest.bench import Web, served
from tests.adapters.rest.test_requests import kind
from tests.engine.bench import Clock, Told, lives, revs

FITTING: dict[str, Any] = {
    "user_id": "ann", "content": "x", "messages": [], "predicate": "lives_in", "value": "Delhi", "valid_from": "2020",
    "values": [], "operations": [], "fact_id": "x", "question_id": "x", "answer": "no", "messages_or_operations": [],
    "name": "diet", "source": "personal", "seq": 1, "before": "2020-01-01",
}  # fmt: skip
"""Something that fits, for every parameter that must be given."""
SET = {"user_id": "ann", "predicate": "lives_in", "value": "Delhi"}


def test_a_write_under_a_key_is_done_once_whichever_way_the_key_is_given(web: Web, mem: Memory) -> None:
    first = web.verb("POST", "set", headers={"idempotency-key": "k"}, **SET).json()
    for headers, more in (
        ({"idempotency-key": "k"}, {}), ({"idempotency-key": '"k"'}, {}), ({}, {"idempotency_key": "k"}),
        ({"idempotency-key": "k"}, {"idempotency_key": "k"}),
    ):  # fmt: skip
        again = web.verb("POST", "set", headers=headers, **SET, **more).json()
        assert (again["seq"], again["duplicate"]) == (first["seq"], True)
    assert revs(mem)[0] == 1
    other = web.verb("POST", "set", headers={"idempotency-key": "k"}, **{**SET, "value": "Pune"})
    assert (other.status_code, kind(other)) == (422, "idempotency-conflict")


def test_two_keys_that_differ_and_one_that_is_empty_are_refused(web: Web, mem: Memory) -> None:
    for headers, more in (
        ({"idempotency-key": "k"}, {"idempotency_key": "other"}), ({"idempotency-key": ""}, {}),
        ({"idempotency-key": '""'}, {}),
    ):  # fmt: skip
        answer = web.verb("POST", "set", headers=headers, **SET, **more)
        assert (answer.status_code, kind(answer)) == (400, "bad-request")
    assert revs(mem)[0] == 0


def test_many_messages_have_keys_of_their_own_and_none_of_the_request(web: Web, mem: Memory) -> None:
    """One key of a request would be each message's at its place: of another request with it, another message's."""
    sent = [{"user_id": user, "content": "hello", "idempotency_key": "k"} for user in ("ann", "bob")]
    answer = web.verb("POST", "add_many", headers={"idempotency-key": "k"}, messages=sent)
    assert (answer.status_code, kind(answer)) == (400, "bad-request")
    assert "give each message its own" in answer.json()["detail"]
    assert not mem.messages("ann")
    told = [one["duplicate"] for _ in range(2) for one in web.ok("POST", "add_many", messages=sent)["items"]]
    assert told == [False, False, True, True]


@pytest.mark.parametrize("name", [name for name, one in SERVED.items() if one.method == "POST" and one.takes == "json"])
def test_a_key_is_heeded_or_refused_and_the_description_says_which(web: Web, name: str) -> None:
    """A path that says nothing of the header refuses it, before anything else that is wrong with the arguments."""
    headers = openapi("0")["paths"][SERVED[name].path]["post"].get("parameters", [])
    is_told = {"$ref": "#/components/parameters/IdempotencyKey"} in headers
    given = {one.name: FITTING[one.name] for one in SERVED[name].parameters if one.required}
    answer = web.verb("POST", name.rstrip("_"), headers={"idempotency-key": ""}, **given)
    assert (answer.status_code, kind(answer)) == (400, "bad-request")
    assert ("is empty" in answer.json()["detail"]) == is_told
    assert is_told == ("idempotency_key" in inspect.signature(getattr(Memory, name)).parameters)


def test_a_write_is_made_only_while_the_state_has_the_version_it_expects(web: Web, mem: Memory) -> None:
    empty = web.verb("GET", "state", user_id="ann").headers["etag"]
    assert web.verb("POST", "set", headers={"if-match": empty}, **SET).status_code == 200
    for headers, more in (({"if-match": empty}, {}), ({}, {"expected_rev": empty.strip('"')})):
        answer = web.verb("POST", "set", headers=headers, **{**SET, "value": "Pune"}, **more)
        assert (answer.status_code, kind(answer)) == (412, "state-changed")
    fact = web.ok("GET", "state", user_id="ann")["facts"][0]["id"]
    answer = web.verb("POST", "correct", headers={"if-match": empty}, fact_id=fact)
    assert (answer.status_code, kind(answer)) == (412, "state-changed")
    assert revs(mem)[0] == 1
    context = web.verb("GET", "context", user_id="ann").headers["etag"]
    assert web.verb("POST", "correct", headers={"if-match": context}, fact_id=fact).status_code == 200


@pytest.mark.parametrize(
    ("tag", "status"),
    [('W/"1.2."', 412), ("1.2.", 400), ('"1.2.", "3.2."', 400), ('"nonsense"', 400), ("", 400), ('"1.2.+1.2."', 400)],
)
def test_a_tag_that_can_t_be_checked_is_refused_and_nothing_is_written(
    web: Web, mem: Memory, tag: str, status: int
) -> None:
    answer = web.verb("POST", "set", headers={"if-match": tag}, **SET)
    assert answer.status_code == status, answer.text
    kind(answer)
    assert revs(mem)[0] == 0


def test_any_state_at_all_is_fine_where_that_is_what_is_expected(web: Web) -> None:
    assert web.verb("POST", "set", headers={"if-match": "*"}, **SET).status_code == 200


def test_what_can_t_be_made_conditional_is_refused_and_not_done_all_the_same(web: Web, mem: Memory) -> None:
    for verb, given in (("add", {"user_id": "ann", "content": "x"}), ("forget", {"user_id": "ann"})):
        answer = web.verb("POST", verb, headers={"if-match": '"0.2."'}, **given)
        assert (answer.status_code, kind(answer)) == (400, "bad-request")
    answer = web.verb("POST", "set", headers={"if-match": '"0.2."'}, **SET, expected_rev=0)
    assert (answer.status_code, kind(answer)) == (400, "bad-request")
    assert revs(mem)[0] == 0


def test_a_version_with_a_moment_is_a_tag_too(web: Web, mem: Memory, clock: Clock) -> None:
    mem.record("ann", "lives_in", "Pune", valid_from="2026-06-02")
    seen = web.verb("GET", "state", user_id="ann").headers["etag"]
    clock.advance(days=2)
    answer = web.verb("POST", "set", headers={"if-match": seen}, **SET)
    assert (answer.status_code, kind(answer)) == (412, "state-changed")


@pytest.mark.parametrize("verb", ["state", "context"])
def test_who_has_an_answer_is_told_anew_when_its_freshness_is_another(web: Web, mem: Memory, verb: str) -> None:
    """A message is given up without an entry in the log, so under the same version."""
    mem.set("ann", "lives_in", "Delhi")
    mem.add("ann", "hello")
    seen = web.verb("GET", verb, user_id="ann")
    assert web.verb("GET", verb, headers={"if-none-match": seen.headers["etag"]}, user_id="ann").status_code == 304
    with mem._engine.store.write() as tx:
        head = tx.head(mem._engine.scope("ann"))
        assert head is not None
        head.pending, head.failed = 0, 1
        tx.save_head(head)
        tx.save_pending(PendingRow(head.id, 2, "failed"))
    again = web.verb("GET", verb, headers={"if-none-match": seen.headers["etag"]}, user_id="ann")
    assert again.status_code == 200
    assert again.json()["version"] == seen.json()["version"]
    assert again.json()["freshness"]["failed"] == 1
    assert web.verb("POST", "set", headers={"if-match": seen.headers["etag"]}, **SET).status_code == 200


@pytest.mark.parametrize("asked", [{"at": "2020-01-01"}, {"known_at": "1"}, {"layers": ["", "shop"]}])
def test_the_tag_of_another_read_is_weak_and_refused_with_words_that_say_which_one_is_needed(
    web: Web, mem: Memory, asked: dict[str, Any]
) -> None:
    mem.set("ann", "lives_in", "Delhi")
    seen = web.verb("GET", "state", user_id="ann", **asked).headers["etag"]
    assert seen.startswith('W/"')
    answer = web.verb("GET", "state", headers={"if-none-match": seen}, user_id="ann", **asked)
    assert answer.status_code == 304
    answer = web.verb("POST", "set", headers={"if-match": seen}, **SET)
    assert (answer.status_code, kind(answer)) == (412, "precondition-failed")
    assert "without at, known_at and layers" in answer.json()["detail"]


def test_a_preferred_wait_is_applied_where_the_verb_can_wait(path: Any, mem: Memory, clock: Clock) -> None:
    told = Told()
    told.answers["I moved"] = [lives("Goa", quote="I moved")]
    mem.set("ann", "lives_in", "Delhi")
    with served(path, clock=clock, llm=told, worker=True) as web:
        answer = web.verb("POST", "add", headers={"prefer": "wait=20"}, user_id="ann", content="I moved")
        assert answer.headers["preference-applied"] == "wait=20"
        assert answer.json()["settled"] is True
        for prefer in ("wait=20", "respond-async, wait=20", "wait = 20; x=1"):
            answer = web.verb("GET", "state", headers={"prefer": prefer}, user_id="ann")
            assert answer.headers["preference-applied"] == "wait=20"
        for prefer, verb in (
            ("wait=x", "state"), ("return=minimal", "state"), ("wait=5", "history"), ("wait=-1", "state"),
        ):  # fmt: skip
            assert "preference-applied" not in web.verb("GET", verb, headers={"prefer": prefer}, user_id="ann").headers
        answer = web.verb("GET", "state", headers={"prefer": "wait=20"}, user_id="ann", wait=0)
        assert "preference-applied" not in answer.headers
        answer = web.verb("GET", "state", headers={"prefer": "wait=999999"}, user_id="ann")
        assert answer.headers["preference-applied"] == "wait=60"


def test_a_message_whose_extraction_fails_is_not_told_to_be_settled(path: Any, mem: Memory, clock: Clock) -> None:
    told = Told()
    told.answers["nonsense"] = ValueError("no")
    with served(path, clock=clock, llm=told) as web:
        added = web.ok("POST", "add", user_id="ann", content="nonsense", wait=1)
        assert added["settled"] is False
        assert web.ok("GET", "jobs", user_id="ann")["items"][0]["seq"] == added["seq"]


def test_a_stale_read_that_must_not_be_is_a_problem_that_carries_the_freshness(web: Web, mem: Memory) -> None:
    mem.add("ann", "hello")
    answer = web.verb("GET", "state", user_id="ann", on_stale="raise")
    assert (answer.status_code, kind(answer)) == (409, "stale-memory")
    assert answer.json()["freshness"]["pending"] == 1
    assert answer.headers["tensemem-pending"] == "1"


def pages(web: Web, verb: str, **given: Any) -> list[Any]:
    """Follow a list to its end by the links of its answers; each has as many items as asked for."""
    found, url = [], None
    answer = web.verb("GET", verb, **given)
    while True:
        body = answer.json()
        items = body["items"] if "items" in body else body["facts"]
        found += items
        link = answer.headers.get("link")
        assert (link is None) == (body["next"] is None)
        if link is None:
            return found
        url = link.removeprefix("<").removesuffix('>; rel="next"')
        answer = web.get(url)
        assert answer.status_code == 200, answer.text


def test_every_list_with_a_cursor_can_be_followed_to_its_end_by_its_links(web: Web, mem: Memory) -> None:
    for number in range(7):
        mem.set("ann", "lives_in", f"place & {number}")
        mem.add("ann", f"hello {number} & so on", extract=False)
        mem.set(f"ü/{number}", "lives_in", "Oslo", agent_id="a b")
    assert len(pages(web, "scopes", limit=3)) == 8
    assert [info["user_id"] for info in pages(web, "scopes", limit=3)] == [info.user_id for info in mem.scopes()]
    assert [one["value"] for one in pages(web, "history", user_id="ann", limit=2)] == [
        fact.value for fact in mem.history("ann").facts
    ]
    assert [one["rev"] for one in pages(web, "changes", user_id="ann", limit=2)] == [
        change.rev for change in mem.changes("ann")
    ]
    found = pages(web, "messages", user_id="ann", limit=2)
    assert sorted(one["seq"] for one in found) == [message.seq for message in mem.messages("ann")]
    assert len(pages(web, "search", user_id="ann", query="hello place", limit=3)) == len(
        mem.search("ann", "hello place", limit=100)
    )


def test_a_page_of_another_origin_may_read_every_header_that_an_answer_has_of_its_own(web: Web, mem: Memory) -> None:
    exposed = {name.strip().lower() for name in _ANSWER_HEADERS.split(",")}
    mem.add("ann", "hello")
    for number in range(3):
        mem.set("ann", "lives_in", f"place {number}")
    own: set[str] = set()
    paths = (
        "/v1/state?user_id=ann", "/v1/changes?user_id=ann&limit=1", "/v1/backup", "/v1/state?on_stale=raise",
        "/v1/export", "/v1/set", "/nowhere", "/metrics", "/openapi.json", "/v1/state?user_id=ann&known_at=never",
    )  # fmt: skip
    for path in paths:
        own |= set(web.get(path).headers)
    assert {"tensemem-reason", "content-disposition", "allow", "etag", "link"} <= own
    assert own - READABLE - TO_THE_BROWSER <= exposed
    assert {"www-authenticate", "retry-after", "mcp-session-id", "preference-applied"} <= exposed


READABLE = {"cache-control", "content-length", "content-type"}
"""What every page may read."""
TO_THE_BROWSER = {
    "content-security-policy", "cross-origin-embedder-policy", "cross-origin-opener-policy", "date",
    "permissions-policy", "cross-origin-resource-policy", "referrer-policy", "transfer-encoding", "vary",
    "x-accel-buffering",
    "x-content-type-options", "x-frame-options", "connection",
}  # fmt: skip
"""What is said to a browser, or to what stands between, and not to a page."""
