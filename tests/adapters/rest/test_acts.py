"""What is written into the log of acts over HTTP, and what keys of lower roles are told of the machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory
from tensemem.access import Access
from tests.adapters.rest.bench import TOKEN, Web, served
from tests.engine.bench import Clock, Told, lives


@pytest.fixture
def access(tmp_path: Path) -> Iterator[Access]:
    with Access.open(tmp_path / "keys") as opened:
        yield opened


@pytest.fixture
def guarded(mem: Memory, path: Path, clock: Clock, told: Told, access: Access) -> Iterator[Web]:
    with served(path, access=access, token=TOKEN, clock=clock, llm=told) as client:
        yield client


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def lines(access: Access) -> list[tuple[Any, ...]]:
    return [(act.act, act.outcome, act.label, act.about) for act in access.acts() if act.act != "mint"]


@pytest.mark.parametrize("role", ["read", "write"])
def test_a_lower_role_that_tries_an_act_leaves_a_line(guarded: Web, access: Access, role: str) -> None:
    token = access.mint("app", role)[1]
    assert guarded.verb("POST", "forget", bearer(token), user_id="ann").status_code == 403
    assert guarded.verb("GET", "export", bearer(token)).status_code == 403
    assert guarded.verb("GET", "state", bearer(token), user_id="ann").status_code == 200
    assert lines(access) == [("forget", "refused", "app", None), ("export", "refused", "app", None)]


def test_a_limited_key_that_tries_an_act_elsewhere_leaves_a_line(guarded: Web, access: Access) -> None:
    token = access.mint("acme", "admin", namespaces=["acme"])[1]
    assert guarded.verb("POST", "forget", bearer(token), user_id="ann", namespace="other").status_code == 403
    assert guarded.verb("GET", "state", bearer(token), user_id="ann", namespace="other").status_code == 403
    assert lines(access) == [("forget", "refused", "acme", None)]


def test_who_is_refused_again_and_again_does_not_fill_the_log(guarded: Web, access: Access) -> None:
    token = access.mint("app")[1]
    for _ in range(30):
        assert guarded.verb("POST", "forget", bearer(token), user_id="ann").status_code == 403
    assert lines(access) == [("forget", "refused", "app", None)] * 5


def test_a_reading_anew_that_writes_nothing_says_so(guarded: Web, access: Access, mem: Memory, told: Told) -> None:
    told.answers["I live in Delhi"] = [lives("Delhi")]
    mem.add("ann", "I live in Delhi")
    mem.flush("ann")
    admin = bearer(TOKEN)
    assert guarded.verb("POST", "reextract", admin, user_id="ann").status_code == 200
    assert guarded.verb("POST", "reextract", admin, user_id="ann", dry_run=False).status_code == 200
    label = "TENSEMEM_TOKEN"
    assert lines(access) == [
        ("reextract", "begun", label, "dry run"), ("reextract", "done", label, "dry run"),
        ("reextract", "begun", label, None), ("reextract", "done", label, None),
    ]  # fmt: skip


def test_where_the_memory_lies_is_told_to_administrators_alone(guarded: Web, access: Access, path: Path) -> None:
    for role in ("read", "write"):
        answer = guarded.verb("GET", "stats", bearer(access.mint("app", role)[1]))
        assert answer.status_code == 200
        assert "location" not in answer.json()
        assert str(path.parent) not in answer.text
    assert guarded.verb("GET", "stats", bearer(TOKEN)).json()["location"] == str(path)
    assert guarded.verb("GET", "stats", bearer(access.mint("ops", "admin")[1])).json()["location"] == str(path)


def test_who_is_forgotten_is_gone_from_keys_that_are_kept_elsewhere(guarded: Web, access: Access, mem: Memory) -> None:
    access.mint("app", users=["ann"])
    mem.set("ann", "lives_in", "Delhi")
    assert guarded.verb("POST", "forget", bearer(TOKEN), user_id="ann").json()["limits"] == 1
    assert [key.users for key in access.keys()] == [()]  # noqa: SIM118 - no mapping
