"""What a key may do is told to whoever shows it: the same that is refused or not when it is tried."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory
from tensemem.access import Access
from tensemem.wire import SERVED
from tests.adapters.rest.bench import TOKEN, served
from tests.engine.bench import Clock

NAMED = {"namespaces": "namespace", "users": "user_id"}


@pytest.fixture
def keys(path: Path) -> Any:
    with Access.open(f"{path}-access") as found:
        yield found


def test_the_own_token_and_a_server_without_a_guard_may_do_everything(
    path: Path, mem: Memory, clock: Clock, keys: Access
) -> None:
    names = [one.name.rstrip("_") for one in SERVED.values()]
    for more in ({"access": keys, "token": TOKEN}, {}):
        with served(path, clock=clock, **more) as web:
            told = web.get("/whoami", headers={"authorization": f"Bearer {TOKEN}"}).json()
            assert (told["role"], told["namespace"]) == ("admin", "default")
            assert told["namespaces"] is told["users"] is None
            assert told["verbs"] == names


def test_it_takes_a_key_and_only_get(path: Path, mem: Memory, clock: Clock, keys: Access) -> None:
    _, token = keys.mint("", "read")
    with served(path, clock=clock, access=keys) as web:
        assert web.get("/whoami").status_code == 401
        web.headers["authorization"] = f"Bearer {token}"
        assert web.get("/whoami").headers["cache-control"] == "no-store"
        assert web.post("/whoami", json={}).status_code == 405


@pytest.mark.parametrize("role", ["read", "write", "admin"])
@pytest.mark.parametrize(
    "limits",
    [
        {}, {"users": ["ann"]}, {"users": ["ann", "bob"]}, {"namespaces": ["acme"]},
        {"namespaces": ["acme", "default"]}, {"namespaces": ["acme"], "users": ["ann"]},
    ],
)  # fmt: skip
def test_what_is_told_is_what_is_refused(
    path: Path, mem: Memory, clock: Clock, keys: Access, role: str, limits: dict[str, list[str]]
) -> None:
    """A call that lacks nearly everything is wrong in one way or another, and 403 is for keys that may not."""
    _, token = keys.mint("a label", role, **limits)  # type: ignore[arg-type]
    with served(path, clock=clock, access=keys) as web:
        web.headers["authorization"] = f"Bearer {token}"
        told = web.get("/whoami").json()
        assert (told["role"], told["label"]) == (role, "a label")
        assert (told["namespaces"], told["users"]) == (limits.get("namespaces"), limits.get("users"))
        for one in SERVED.values():
            given = {
                name: names[0] for limit, names in limits.items() if one.parameter(name := NAMED[limit]) is not None
            }
            name = one.name.rstrip("_")
            in_query = one.method == "GET" or one.takes == "lines"
            answer = web.request(
                one.method, one.path, params=given if in_query else None, json=None if in_query else given | _rest(one)
            )
            assert (answer.status_code != 403) is (name in told["verbs"]), (name, answer.text)


def _rest(one: Any) -> dict[str, Any]:
    """Give what a verb needs before it asks who may: values that mean nothing to anybody."""
    if one.name == "forget":
        return {"fact_id": "x"}  # the whole person would be taken out of the key
    return {
        parameter.name: [] if parameter.is_list else "x"
        for parameter in one.parameters
        if parameter.required and parameter.name not in ("user_id", "namespace")
    } | ({"user_id": "ann"} if (found := one.parameter("user_id")) is not None and found.required else {})


@pytest.mark.parametrize(
    ("namespaces", "meant"), [(["acme"], "acme"), (["acme", "default"], "default"), (["acme", "other"], None)]
)
def test_the_namespace_that_is_meant_where_none_is_named(
    path: Path, mem: Memory, clock: Clock, keys: Access, namespaces: list[str], meant: str | None
) -> None:
    _, token = keys.mint("", "read", namespaces=namespaces)
    with served(path, clock=clock, access=keys) as web:
        web.headers["authorization"] = f"Bearer {token}"
        assert web.get("/whoami").json()["namespace"] == meant
        assert (web.get("/v1/scopes").status_code == 200) is (meant is not None)
