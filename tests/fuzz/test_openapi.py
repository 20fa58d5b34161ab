"""A real server, asked everything that its own OpenAPI document allows, and much that it does not: never a 500.

Every operation is tried with the document's examples, with values at the edges of each schema and beyond them, and with
random ones; the same each time. Some names are then put right, so that not every request ends at an unknown one.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator, MutableMapping
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tensemem import Memory, __version__
from tensemem.access import Access
from tensemem.wire import openapi
from tests.adapters.rest.bench import Server, server

EXAMPLES = int(os.environ.get("TENSEMEM_FUZZ_EXAMPLES", "6"))
LONGEST_WAIT = 0.01
CHECKS = [
    not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance,
    response_headers_conformance,
]  # fmt: skip
USERS, PREDICATES = ("ann", "bob"), ("lives_in", "languages", "born", "weight")


def prepared(path: Path) -> dict[str, tuple[Any, ...]]:
    """Make a memory that has something of everything; gives ids that are known in it, by the parameter's name."""
    with Memory(path, worker=False, durability="process") as mem:
        mem.register_predicate("lives_in", aliases=["city"])
        mem.register_predicate("languages", "many")
        mem.register_predicate("born", type="date")
        mem.register_predicate("weight", type="number")
        for user in USERS:
            mem.add(user, "I live in Delhi")
            mem.set(user, "lives_in", "Delhi")
            mem.set(user, "lives_in", "Bangalore")
            mem.set(user, "born", "1990-05-17")
            mem.add_value(user, "languages", "English")
        facts = tuple(fact.id for user in USERS for fact in mem.history(user).facts)
    return {"user_id": USERS, "predicate": PREDICATES, "fact_id": facts, "seq": (1, 2), "namespace": ("default",)}


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Any, ...]]:
    return prepared(tmp_path_factory.getbasetemp() / "fuzzed.db")


@pytest.fixture(scope="module")
def running(known: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with server(tmp_path_factory.getbasetemp() / "fuzzed.db", "--llm", "offline") as started:
        yield started


@pytest.fixture(scope="module")
def token(known: object, tmp_path_factory: pytest.TempPathFactory) -> str:
    with Access.open(f"{tmp_path_factory.getbasetemp() / 'fuzzed.db'}-access") as keys:
        return keys.mint("the fuzzer", "admin")[1]


@schemathesis.serializer("application/x-ndjson", "application/gzip")
def written(_: Any, value: Any) -> dict[str, Any]:
    """Send what an import is given as it is: nothing of it has to be an export, nor packed."""
    return {"data": value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")}


def document() -> Any:
    """Give the document as this tree serves it, for schemathesis."""
    config = schemathesis.Config()
    config.projects.default.generation.update(max_examples=EXAMPLES, deterministic=True, database="none")
    return schemathesis.openapi.from_dict(openapi(__version__), config=config)


schema = document()


@schema.parametrize()
@settings(
    max_examples=EXAMPLES, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck)
)
def test_what_the_document_allows_and_what_it_does_not_never_ends_in_a_500(
    case: Any, running: Server, token: str, known: dict[str, tuple[Any, ...]]
) -> None:
    for part in (case.query, case.body):
        if isinstance(part, MutableMapping):
            put_right(part, known)
    case.headers.pop("Prefer", None)
    headers = {"authorization": f"Bearer {token}"}
    case.call_and_validate(base_url=running.url, checks=CHECKS, headers=headers, timeout=30)


def put_right(given: MutableMapping[str, Any], known: dict[str, tuple[Any, ...]]) -> None:
    """Put known names in the place of three in four unknown ones, and let nothing wait for long."""
    for name, names in known.items():
        chance = zlib.crc32(repr(given.get(name)).encode())
        if isinstance(given.get(name), str | int) and chance % 4:
            given[name] = names[chance // 4 % len(names)]
    if isinstance(given.get("wait"), int | float):
        given["wait"] = min(given["wait"], LONGEST_WAIT)


def test_the_server_lives_on_and_remembers(running: Server, token: str) -> None:
    """Runs behind the others: what they did has not taken the server down."""
    import httpx2

    headers = {"authorization": f"Bearer {token}"}
    for path in ("/readyz", "/v1/scopes", "/v1/doctor"):
        assert httpx2.get(f"{running.url}{path}", headers=headers, timeout=60).status_code == 200
