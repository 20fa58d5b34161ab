"""A server answers as the OpenAPI document says: the story of its examples, told over HTTP, has the same answers."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from functools import partial
from typing import Any
from unittest import mock

import pytest

from tensemem import FakeExtractor
from tensemem.testing import FrozenClock
from tensemem.wire import SERVED, Served, encode, query_of, unwrap
from tensemem.wire.examples import shipped
from tests.wire.fitting import DOCUMENT, fits
from tools import make_openapi

NEEDED = ("starlette", "httpx2", "jsonschema", "tensemem.adapters.rest")
MISSING = [name for name in NEEDED if importlib.util.find_spec(name) is None]
pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}")


class Caller:
    """Stands for a memory: each verb is a request, and its answer is held against the document."""

    def __init__(self, web: Any) -> None:
        self.web = web
        self.called: set[str] = set()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return partial(self._call, SERVED[name])

    def export(self, dest: Any, **arguments: Any) -> None:
        dest.write(self._asked(SERVED["export"], arguments).content)

    def import_(self, source: Any, **arguments: Any) -> Any:
        served = SERVED["import_"]
        query = query_of(served, encode(served, arguments))
        headers = {"content-type": "application/x-ndjson"}
        answer = self.web.post(served.path, params=query, content=source.read(), headers=headers)
        return unwrap(served, self._as_told(served, answer).json())

    def _call(self, served: Served, *values: Any, **arguments: Any) -> Any:
        arguments.pop("llm", None)  # the server's own
        names = [parameter.name for parameter in served.parameters]
        given = dict(zip(names, values, strict=False)) | arguments
        return unwrap(served, self._asked(served, given).json())

    def _asked(self, served: Served, arguments: dict[str, Any]) -> Any:
        encoded = encode(served, arguments)
        if served.method == "GET":
            answer = self.web.get(served.path, params=query_of(served, encoded))
        else:
            answer = self.web.post(served.path, json=encoded)
        return self._as_told(served, answer)

    def _as_told(self, served: Served, answer: Any) -> Any:
        """Hold an answer against what the document says of it."""
        self.called.add(served.name)
        assert answer.status_code == 200, (served.name, answer.text)
        told = DOCUMENT["paths"][served.path][served.method.lower()]["responses"]["200"]
        media = answer.headers["content-type"]
        assert media in told["content"], (served.name, media)
        if media == "application/json":
            fits(told["content"][media]["schema"], answer.json())
        named = {name.lower() for name in told.get("headers", {})}
        ours = {name for name in answer.headers if name.startswith("tensemem-") or name in ("etag", "link")}
        assert ours <= named, served.name
        optional = {"link", "tensemem-reason", "preference-applied"}
        assert named <= ours | optional, served.name
        return answer


def test_the_examples_are_what_a_server_answers() -> None:
    from tests.adapters.rest.bench import served

    clock, other = FrozenClock(make_openapi.BEGINNING), FakeExtractor(make_openapi.OTHERS)
    alike = mock.patch("secrets.token_hex", make_openapi.always_the_same)
    with alike, served(":memory:", llm=FakeExtractor(make_openapi.HEARD), clock=clock, rereader=other) as web:
        caller = Caller(web)
        found = make_openapi.told(make_openapi.Story(caller, clock))
    assert caller.called == SERVED.keys() - {"doctor", "backup"}
    for name, example in shipped().items():
        assert found[name] == example, name


@pytest.mark.parametrize("path", sorted(path for path in DOCUMENT["paths"] if not path.startswith("/v1/")))
def test_what_a_server_says_of_itself_is_as_told(path: str) -> None:
    from tests.adapters.rest.bench import served

    with served(":memory:") as web:
        answer = web.get(path)
        assert answer.status_code == 200
        told = DOCUMENT["paths"][path]["get"]["responses"]["200"]["content"]
        media = answer.headers["content-type"].partition(";")[0]
        assert media in told
        if media == "application/json":
            fits(told[media]["schema"], answer.json())


@pytest.mark.parametrize(
    ("path", "media"),
    [
        ("/v1/history", "application/json"), ("/v1/history", "image/svg+xml"), ("/v1/changes", "application/json"),
        ("/v1/changes", "text/event-stream"),
    ],
)  # fmt: skip
def test_an_answer_has_the_media_type_asked_for_which_the_document_names(path: str, media: str) -> None:
    from tests.adapters.rest.bench import served

    told = DOCUMENT["paths"][path]["get"]["responses"]["200"]["content"]
    assert media in told
    if media == "text/event-stream":
        return  # it does not end by itself; the server's own tests read it
    with served(":memory:") as web:
        answer = web.get(path, params={"user_id": "u1"}, headers={"accept": media})
    assert answer.headers["content-type"] == media


REFUSED: list[tuple[str, str, dict[str, Any], int]] = [
    ("GET", "/v1/state", {}, 400),
    ("POST", "/v1/state", {}, 405),
    ("GET", "/v1/explain", {"params": {"fact_id": "0-1"}}, 404),
    ("GET", "/v1/get", {"params": {"user_id": "u1", "predicate": "nobody_knows"}}, 422),
    ("POST", "/v1/set", {"content": b"x", "headers": {"content-type": "text/plain"}}, 415),
    ("POST", "/v1/plan_reextract", {"json": {"user_id": "u1"}}, 424),
]


@pytest.mark.parametrize(("method", "path", "given", "status"), REFUSED)
def test_a_refusal_is_a_problem_that_the_document_names(
    method: str, path: str, given: dict[str, Any], status: int
) -> None:
    from tests.adapters.rest.bench import served

    with served(":memory:") as web:
        answer = web.request(method, path, **given)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    fits(DOCUMENT["components"]["schemas"]["Problem"], problem)
    assert problem["status"] == status
    told = next(iter(DOCUMENT["paths"][path].values()))["responses"]
    assert str(status) in told
    kind = problem["type"].rpartition(":")[2]
    assert f"`{kind}`" in DOCUMENT["components"]["responses"][f"Problem{status}"]["description"]
