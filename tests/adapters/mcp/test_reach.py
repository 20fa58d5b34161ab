"""Whom a client reaches: what the server is pinned to, narrowed by the client's key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from tensemem.adapters.mcp.reach import Pin, Reach, reach_of
from tensemem.errors import ForbiddenError, InvalidScopeError


@dataclass(frozen=True)
class Key:
    role: str = "write"
    namespaces: Any = None
    users: Any = None


ADA = ("ada",)


@pytest.mark.parametrize(
    ("pin", "key", "wanted"),
    [
        (Pin("ada"), None, Reach("default", ADA)),
        (Pin(), None, Reach("default", None)),
        (Pin("ada", "coach", "acme", True), None, Reach("acme", ADA, "coach", False)),
        (Pin("ada"), Key(), Reach("default", ADA)),
        (Pin("ada"), Key("admin"), Reach("default", ADA)),
        (Pin("ada"), Key("read"), Reach("default", ADA, may_write=False)),
        (Pin("ada", read_only=True), Key("admin"), Reach("default", ADA, may_write=False)),
        (Pin("ada"), Key(users=("bob", "ada")), Reach("default", ADA)),
        (Pin(), Key(users=ADA), Reach("default", ADA)),
        (Pin(), Key(users=("bob", "ada")), Reach("default", ("ada", "bob"))),
        (Pin("ada"), Key(namespaces=("acme",)), Reach("acme", ADA)),
        (Pin("ada", namespace="acme"), Key(namespaces=("acme", "other")), Reach("acme", ADA)),
        (Pin("ada"), Key(namespaces=("default", "other")), Reach("default", ADA)),
        (Pin("ada", namespace="acme"), Key(namespaces=("other",)), None),
        (Pin("ada"), Key(namespaces=("acme", "other")), None),
        (Pin("ada"), Key(namespaces=()), None),
        (Pin("ada"), Key(users=("bob",)), None),
        (Pin("ada"), Key(users=("ADA", "ada ", "")), None),
        (Pin(), Key(users=()), None),
    ],
)
def test_a_key_only_narrows_what_is_served(pin: Pin, key: Key | None, wanted: Reach | None) -> None:
    if wanted is None:
        with pytest.raises(ForbiddenError):
            reach_of(pin, key)
    else:
        assert reach_of(pin, key) == wanted


def test_an_unknown_role_writes_nothing() -> None:
    assert not reach_of(Pin("ada"), Key("owner")).may_write


@pytest.mark.parametrize(
    ("reach", "given", "wanted"),
    [
        (Reach("default", ADA), {}, "ada"),
        (Reach("default", ADA), {"user_id": "ada"}, "ada"),
        (Reach("default", ADA), {"user_id": "bob"}, ForbiddenError),
        (Reach("default", ADA), {"user_id": ""}, ForbiddenError),
        (Reach("default", ADA), {"user_id": ["ada"]}, ForbiddenError),
        (Reach("default", None), {"user_id": "bob"}, "bob"),
        (Reach("default", None), {}, InvalidScopeError),
        (Reach("default", None), {"user_id": " "}, InvalidScopeError),
        (Reach("default", None), {"user_id": 7}, InvalidScopeError),
        (Reach("default", ("ada", "bob")), {"user_id": "bob"}, "bob"),
        (Reach("default", ("ada", "bob")), {"user_id": "eve"}, ForbiddenError),
        (Reach("default", ("ada", "bob")), {}, InvalidScopeError),
    ],
)
def test_a_call_means_a_user_within_reach_or_nobody(reach: Reach, given: dict[str, Any], wanted: Any) -> None:
    if isinstance(wanted, str):
        assert reach.user(given) == wanted
    else:
        with pytest.raises(wanted):
            reach.user(given)
