"""Requests that are not as they should be: each is refused with a problem that says what to do, and none is a 500."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tensemem import Memory
from tensemem.adapters.rest import Limits
from tests.adapters.rest.bench import Web, served
from tests.engine.bench import revs

SET = {"user_id": "ann", "predicate": "lives_in", "value": "Delhi"}
JSON = {"content-type": "application/json"}


def kind(answer: Any) -> str:
    """The kind of a problem, which every refusal is."""
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    body = answer.json()
    assert body["status"] == answer.status_code
    assert body["title"]
    assert body["detail"]
    found: str = body["type"].removeprefix("urn:tensemem:problem:")
    return found


BODIES: dict[str, tuple[bytes, int]] = {
    "no JSON": (b"{", 400),
    "no UTF-8": (b'{"user_id": "\xff"}', 400),
    "no object": (b"[1]", 400),
    "text": (b'"x"', 400),
    "a name twice": (b'{"user_id": "a", "user_id": "b", "predicate": "lives_in", "value": "x"}', 400),
    "an unknown name": (b'{"user_id": "a", "predicate": "lives_in", "value": "x", "nonsense": 1}', 400),
    "nothing": (b"", 400),
    "another type": (b'{"user_id": 3, "predicate": "lives_in", "value": "x"}', 400),
    "half a surrogate pair": (b'{"user_id": "ann", "predicate": "lives_in", "value": "\\ud800"}', 400),
    "NUL": (b'{"user_id": "a\\u0000b", "predicate": "lives_in", "value": "x"}', 400),
    "NaN": (b'{"user_id": "ann", "predicate": "lives_in", "value": NaN}', 400),
    "infinity": (b'{"user_id": "ann", "predicate": "lives_in", "value": 1e999}', 400),
    "a huge number": (b'{"user_id": "ann", "predicate": "lives_in", "value": ' + b"9" * 5000 + b"}", 400),
    "a huge revision": (json.dumps({**SET, "expected_rev": 10**30}).encode(), 400),
    "a negative revision": (json.dumps({**SET, "expected_rev": -1}).encode(), 400),
    "a version that is none": (json.dumps({**SET, "expected_rev": "3.x"}).encode(), 400),
    "deep": (b'{"user_id": "ann", "predicate": "lives_in", "value": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", 400),
    "deep behind flat": (b'{"a": [' + b"[],{}," * 500 + b"[" * 65 + b"]" * 65 + b"]}", 400),
    "brackets that close too often": (b'{"a": ' + b"]" * 500 + b"[" * 500 + b"}", 400),
    "deep objects": (b'{"a":' * 5000 + b"1" + b"}" * 5000, 400),
    "brackets that don't match": (b"[" * 100, 400),
    "a blank user": (json.dumps({**SET, "user_id": " "}).encode(), 400),
    "a long user": (json.dumps({**SET, "user_id": "x" * 600}).encode(), 400),
    "an unknown predicate": (json.dumps({**SET, "predicate": "nothing"}).encode(), 422),
    "a far time": (json.dumps({**SET, "said_at": "99999-01-01"}).encode(), 400),
    "a time to come": (json.dumps({**SET, "said_at": "2031-01-01"}).encode(), 400),
    "deep metadata": (json.dumps({**SET, "metadata": json.loads('{"a":' * 60 + "1" + "}" * 60)}).encode(), 200),
}


@pytest.mark.parametrize("case", BODIES)
def test_a_body_that_is_not_as_it_should_be_is_refused_and_nothing_is_written(
    web: Web, mem: Memory, case: str
) -> None:
    body, status = BODIES[case]
    before = revs(mem)
    answer = web.post("/v1/set", content=body, headers=JSON)
    assert answer.status_code == status, answer.text
    if status != 200:
        kind(answer)
        assert revs(mem) == before


QUERIES = (
    "user_id=%ff", "user_id=%", "user_id=%zz", "user_id=a&user_id=b", "user_id=ann&nonsense=1", "user_id=ann&min_seq=x",
    "user_id=ann&min_seq=" + "9" * 400, "user_id=ann&wait=inf", "user_id=ann&wait=nan", "user_id=ann&wait=-1",
    "user_id=ann&wait=1e400", "user_id=ann&known_at=" + "9" * 30, "user_id=ann&known_at=yesterday", "user_id=", "",
    "user_id=a%00b", "user_id=ann&at=0000", "user_id=ann&on_stale=maybe", "user_id=ann&subject=", "user_id=%ED%A0%80",
    "&".join(["user_id=a"] * 2000), "user_id=ann&predicates=nothing&predicates=%00", "USER_ID=ann",
)  # fmt: skip


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: query[:40])
def test_a_query_that_is_not_as_it_should_be_is_refused(web: Web, query: str) -> None:
    answer = web.get(f"/v1/state?{query}")
    assert answer.status_code in (400, 422), answer.text
    kind(answer)


@pytest.mark.parametrize(
    ("verb", "query"),
    [
        ("context", "user_id=ann&max_tokens=1e999"), ("context", "user_id=ann&max_tokens=-3"),
        ("decisions", "user_id=ann&seq=" + "9" * 18), ("decisions", "user_id=ann&seq=0"),
        ("scopes", "limit=0"), ("scopes", "limit=99999999999"), ("scopes", "after=%00"), ("scopes", "prefix=%00"),
        ("search", "user_id=ann&query=%00"), ("search", "user_id=ann&query="), ("messages", "user_id=ann&after=99"),
        ("history", "user_id=ann&between=2020"), ("history", "user_id=ann&between=2026&between=2025"),
        ("history", "user_id=ann&after=nothing"),
        ("explain", "fact_id=nothing"), ("explain", "fact_id=" + "x" * 10_000), ("changes", "user_id=ann&after_rev=-1"),
        ("jobs", "user_id=%00"), ("questions", "user_id=ann&limit=0"), ("digest", "user_id=nobody"),
        ("export", "user_id=%00"), ("export", "agent_id=a1"), ("doctor", "quick=maybe"), ("backup", "verify=perhaps"),
    ],
    ids=str,
)  # fmt: skip
def test_no_query_is_answered_with_a_500(web: Web, verb: str, query: str) -> None:
    answer = web.get(f"/v1/{verb}?{query}")
    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400:
        kind(answer)


def test_what_is_not_there_is_not_found(web: Web) -> None:
    for path in ("/v1/nothing", "/v1/", "/v1", "/v1/copy_to", "/v1/rekey", "/v1/restore", "/v1/close", "/v1/on",
                 "/v1/state/", "/v2/state", "/nothing", "/studio/../app.py", "/studio/%2e%2e/app.py", "/studio/.hidden",
                 "/studio/a%00b", "/V1/state"):  # fmt: skip
        answer = web.get(path)
        assert (answer.status_code, kind(answer)) == (404, "not-found"), path


def test_another_method_than_a_path_s_own_is_refused_and_says_which_it_is(web: Web) -> None:
    for method, path, allowed in (
        ("GET", "/v1/set", "POST"), ("POST", "/v1/state", "GET, HEAD"), ("DELETE", "/v1/state", "GET, HEAD"),
        ("PUT", "/v1/set", "POST"), ("PATCH", "/v1/set", "POST"), ("POST", "/healthz", "GET, HEAD"),
        ("DELETE", "/openapi.json", "GET, HEAD"), ("HEAD", "/v1/export", "GET"), ("OPTIONS", "/v1/state", "GET, HEAD"),
    ):  # fmt: skip
        answer = web.request(method, path, params={"user_id": "ann"} if path == "/v1/state" else None)
        assert (answer.status_code, answer.headers["allow"]) == (405, allowed), (method, path)
        if method != "HEAD":
            assert kind(answer) == "method-not-allowed"


@pytest.mark.parametrize(
    "media",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/json", "", None],
)
def test_a_body_of_another_media_type_is_refused(web: Web, mem: Memory, media: str | None) -> None:
    before = revs(mem)
    headers = {} if media is None else {"content-type": media}
    answer = web.post("/v1/set", content=json.dumps(SET).encode(), headers=headers)
    assert (answer.status_code, kind(answer)) == (415, "unsupported-media-type")
    assert revs(mem) == before


def test_json_may_say_that_it_is_utf_8(web: Web) -> None:
    for media in ("application/json; charset=utf-8", 'application/json; charset="UTF-8"', "Application/JSON"):
        answer = web.post("/v1/set", content=json.dumps(SET).encode(), headers={"content-type": media})
        assert answer.status_code == 200, answer.text


def test_a_packed_body_is_refused_but_by_import(web: Web) -> None:
    answer = web.post("/v1/set", content=b"\x1f\x8b", headers={**JSON, "content-encoding": "gzip"})
    assert (answer.status_code, kind(answer)) == (415, "unsupported-media-type")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"", "damaged-export"), (b"\x00\xff", "damaged-export"), (b'{"user_id": "ann"}\n', "damaged-export"),
        (b"[" * 100_000, "damaged-export"), (b'{"line":"export","format":999}\n', "newer-export"),
        (b'{"line":"export","format":' + b"9" * 5000 + b"}\n", "damaged-export"),
    ],
    ids=["nothing", "bytes", "something else", "deep", "a newer format", "a huge format"],
)  # fmt: skip
def test_what_is_no_export_is_refused_and_no_fault_of_the_server_s(
    web: Web, mem: Memory, body: bytes, expected: str
) -> None:
    before = revs(mem)
    answer = web.post("/v1/import", content=body, headers={"content-type": "application/x-ndjson"})
    assert (answer.status_code, kind(answer)) == (422, expected)
    assert "othing was imported" in answer.json()["detail"]
    assert revs(mem) == before


def test_parameters_of_a_post_stand_in_its_body(web: Web) -> None:
    answer = web.post("/v1/set?user_id=ann", json=SET)
    assert (answer.status_code, kind(answer)) == (400, "bad-request")


def test_a_verb_that_needs_nothing_needs_no_body(web: Web) -> None:
    assert web.post("/v1/verify").status_code == 200
    assert web.post("/v1/verify", content=b"", headers=JSON).status_code == 200
    assert web.post("/v1/verify", content=b" \n", headers=JSON).status_code == 200


def test_a_message_of_70_kilobytes_is_stored_and_a_body_over_the_limit_is_not(
    path: Any, mem: Memory, clock: Any
) -> None:
    text = "I live in Goa. " * 5000
    with served(path, clock=clock, limits=Limits(body=100_000)) as web:
        assert web.ok("POST", "add", user_id="ann", content=text)["seq"] == 1
        assert mem.messages("ann")[0].content == text
        answer = web.verb("POST", "add", user_id="ann", content=text * 2)
        assert (answer.status_code, kind(answer)) == (413, "too-large")
        answer = web.post("/v1/add", content=(b"x" * 1000 for _ in range(200)), headers=JSON)  # of no length told
        assert (answer.status_code, kind(answer)) == (413, "too-large")
        assert len(mem.messages("ann")) == 1


def test_content_over_the_memory_s_own_limit_is_told_as_such(path: Any, mem: Memory, clock: Any) -> None:
    with served(path, clock=clock, max_content=1000) as web:
        answer = web.verb("POST", "add", user_id="ann", content="x" * 2000)
        assert (answer.status_code, kind(answer)) == (413, "content-too-large")


def test_a_length_that_is_no_number_is_refused(web: Web) -> None:
    for length in ("-5", "x", "1, 1", "9" * 40):
        answer = web.post("/v1/set", content=b"{}", headers={**JSON, "content-length": length})
        assert answer.status_code in (400, 413), length
        kind(answer)


def test_twenty_reads_write_nothing(web: Web, mem: Memory, path: Any) -> None:
    mem.set("ann", "lives_in", "Delhi")
    web.ok("GET", "search", user_id="ann", query="Delhi")  # brings the index up to date
    before = revs(mem), mem.stats()["entries"]
    for _ in range(20):
        for verb in ("state", "history", "context", "changes", "messages", "questions"):
            web.ok("GET", verb, user_id="ann")
    assert (revs(mem), mem.stats()["entries"]) == before


def test_what_nobody_foresaw_is_a_500_without_its_words(
    web: Web, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("a secret of Ann's")

    monkeypatch.setattr("tensemem.engine.listing.messages", fail)
    answer = web.verb("GET", "messages", user_id="ann")
    assert (answer.status_code, kind(answer)) == (500, "internal")
    assert "secret" not in answer.text + caplog.text
    assert "ZeroDivisionError" in caplog.text


def test_every_answer_keeps_a_browser_from_making_more_of_it(web: Web) -> None:
    for path in ("/v1/state?user_id=ann", "/v1/state", "/healthz", "/metrics"):
        answer = web.get(path)
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "server" not in answer.headers


def test_the_head_of_an_answer_is_that_of_its_whole(web: Web) -> None:
    web.ok("POST", "set", **SET)
    for path in ("/v1/history?user_id=ann", "/v1/state?user_id=ann", "/healthz"):
        for _ in range(2):
            whole, head = web.get(path), web.head(path)
            assert head.content == b""
            assert head.status_code == 200
            assert head.headers["content-type"] == whole.headers["content-type"]
