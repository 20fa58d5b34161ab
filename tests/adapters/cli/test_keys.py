"""The commands about who may use a served memory."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tensemem.access import Access
from tests.adapters.cli.conftest import NOON

TOKEN = re.compile(r"tsm_([0-9a-f]{16})_[0-9a-f]{64}\n")


@pytest.fixture(autouse=True)
def _noon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tensemem.access.store.system_clock", lambda: NOON)


def minted(cli: Any, *words: str) -> tuple[str, str]:
    """Mint a key; gives its id and its token."""
    out = cli.ok("keys", "mint", *words).out
    found = TOKEN.fullmatch(out)
    assert found, out
    return found[1], out.strip()


def test_a_token_is_printed_alone_and_opens(cli: Any) -> None:
    ran = cli.ok("keys", "mint", "--label", "the app", "--role", "write", "--user", "alice", "--user", "bob")
    assert TOKEN.fullmatch(ran.out)
    assert 'write, "the app", user alice, bob; the token is shown this once' in ran.err
    with Access.open(f"{cli.db}-access", make=False) as access:
        key = access.check(ran.out.strip())
        assert key is not None
        assert (key.role, key.users, key.namespaces) == ("write", ("alice", "bob"), None)
    assert "tsm_" not in cli.ok("keys", "list", "--json").out
    assert "tsm_" not in cli.ok("keys", "audit", "--json").out


def test_the_memory_itself_is_not_made(cli: Any) -> None:
    minted(cli)
    assert not cli.db.exists()


def test_a_key_is_limited_to_the_namespaces_that_are_named(cli: Any) -> None:
    minted(cli, "--namespace", "acme", "--namespace", "b")
    out = cli.ok("--namespace", "pinned", "keys", "mint", "--json").json
    assert out["key"]["namespaces"] == ["pinned"]
    both = cli.ok("--namespace", "pinned", "keys", "mint", "--namespace", "other", "--json").json
    assert both["key"]["namespaces"] == ["other"]
    found = cli.ok("keys", "list", "--json").json["keys"]
    assert sorted(str(key["namespaces"]) for key in found) == ["['acme', 'b']", "['other']", "['pinned']"]


@pytest.mark.parametrize(
    ("text", "until"),
    [("90d", NOON + timedelta(days=90)), ("2026-12-31", "2026-12-31T00:00:00+00:00"),
     ("2027", "2027-01-01T00:00:00+00:00"),
     ("2026-06-01T12:00:01Z", "2026-06-01T12:00:01+00:00")],
)  # fmt: skip
def test_a_key_ends_when_it_is_told_to(cli: Any, text: str, until: Any) -> None:
    out = cli.ok("keys", "mint", "--expires", text, "--json").json
    assert out["key"]["expires_at"] == (until if isinstance(until, str) else until.isoformat())


@pytest.mark.parametrize(
    ("words", "code"),
    [(("mint", "--role", "owner"), 2), (("mint", "--expires", "soon"), 3), (("mint", "--expires", "2020"), 3),
     (("mint", "--user", " "), 3), (("mint", "--label", "a\nb"), 3), (("revoke",), 2), (("forge",), 2), ((), 2)],
)  # fmt: skip
def test_what_makes_no_key_is_refused(cli: Any, words: tuple[str, ...], code: int) -> None:
    assert cli("keys", *words).code == code


@pytest.mark.parametrize("words", [("list",), ("revoke", "0" * 16), ("audit",), ("prune", "2030")])
def test_where_there_are_no_keys_that_is_said_and_none_are_made(cli: Any, words: tuple[str, ...]) -> None:
    ran = cli("keys", *words)
    assert ran.code == 3
    assert "tensemem keys mint" in ran.err
    assert not Path(f"{cli.db}-access").exists()


def test_keys_are_listed_for_people(cli: Any) -> None:
    first, _ = minted(cli, "--label", "one", "--role", "admin")
    second, _ = minted(cli, "--label", "two", "--namespace", "acme", "--expires", "1d")
    cli.ok("keys", "revoke", first)
    lines = [line.split() for line in cli.ok("keys", "list").out.splitlines()]
    assert lines[0] == ["id", "label", "role", "namespaces", "expires", "status"]
    assert sorted(lines[1:]) == sorted(
        [[first, "one", "admin", "revoked"], [second, "two", "read", "acme", "2026-06-02", "open"]]
    )


def test_revoking_says_what_is_left(cli: Any) -> None:
    first, token = minted(cli)
    second, _ = minted(cli)
    third, _ = minted(cli)
    assert cli.ok("keys", "revoke", third).out == f"key {third} opens no more; 2 keys still open\n"
    assert cli.ok("keys", "revoke", first).out == f"key {first} opens no more; 1 key still open\n"
    assert cli.ok("keys", "revoke", second).out == f"key {second} opens no more; no key opens now\n"
    with Access.open(f"{cli.db}-access") as access:
        assert access.check(token) is None
        assert access.first_key() is None
    assert cli("keys", "revoke", "f" * 16).code == 3


def test_the_log_shows_what_was_done_and_about_whom_to_who_knows_the_name(cli: Any) -> None:
    key_id, token = minted(cli, "--role", "admin", "--label", "ops")
    with Access.open(f"{cli.db}-access") as access:
        key = access.check(token)
        assert key is not None
        access.audit("forget", key, "done", namespace="default", user_id="zebulon")
        access.audit("purge", key, "refused", namespace="acme")
    out = cli.ok("keys", "audit").out
    assert "zebulon" not in out
    assert [line.split()[-1] for line in out.splitlines()][:2] == ["about", key_id]
    about = cli.ok("keys", "audit", "--user", "zebulon", "--json").json["acts"]
    assert [(act["act"], act["key_id"], act["label"]) for act in about] == [("forget", key_id, "ops")]
    assert cli.ok("keys", "audit", "--user", "zebulon", "--namespace", "acme").out == "nothing was done\n"
    page = cli.ok("keys", "audit", "--after", "0", "--limit", "2", "--json").json
    assert ([act["seq"] for act in page["acts"]], page["next"]) == ([1, 2], 2)
    assert [act["seq"] for act in cli.ok("keys", "audit", "--after", "2", "--json").json["acts"]] == [3]


def test_the_log_is_cut_only_by_a_command_of_its_own(cli: Any) -> None:
    minted(cli)
    assert cli.ok("keys", "prune", "2026-06-01").out == "0 lines removed\n"
    assert cli.ok("keys", "prune", "2026-06-02").out == "2 lines removed\n"
    assert [act["act"] for act in cli.ok("keys", "audit", "--json").json["acts"]] == ["prune"]


def test_keys_may_be_elsewhere(cli: Any, tmp_path: Path) -> None:
    minted(cli, "--access", str(tmp_path / "keys"))
    assert (tmp_path / "keys").exists()
    assert not Path(f"{cli.db}-access").exists()
    assert len(cli.ok("keys", "list", "--access", str(tmp_path / "keys"), "--json").json["keys"]) == 1


def test_who_is_forgotten_as_a_whole_is_gone_from_the_keys_too(cli: Any) -> None:
    only, token = minted(cli, "--user", "alice")
    both, _ = minted(cli, "--user", "alice", "--user", "bob")
    cli.ok("register", "lives_in")
    cli.ok("set", "alice", "lives_in", "Delhi")
    cli.ok("forget", "alice", "--predicate", "lives_in", "--yes")
    assert "alice" in cli.ok("keys", "list").out
    cli.ok("set", "alice", "lives_in", "Delhi")
    ran = cli.ok("forget", "alice", "--yes")
    assert "2 keys named this person, and no longer" in ran.out
    assert "alice" not in cli.ok("keys", "list", "--json").out
    found = {key["id"]: key for key in cli.ok("keys", "list", "--json").json["keys"]}
    assert (found[only]["users"], found[only]["status"]) == ([], "revoked")
    assert (found[both]["users"], found[both]["status"]) == (["bob"], "open")
    with Access.open(f"{cli.db}-access") as access:
        assert access.check(token) is None


def test_forgetting_says_where_the_keys_cant_be_looked_at(cli: Any) -> None:
    cli.ok("register", "lives_in")
    cli.ok("set", "alice", "lives_in", "Delhi")
    Path(f"{cli.db}-access").write_bytes(b"no store of keys, whatever it is")
    ran = cli.ok("forget", "alice", "--yes")
    assert "not written into the log of acts" in ran.err
    assert "keys to the served memory may still name this person" in ran.out


def test_a_memory_that_is_kept_nowhere_needs_a_place_for_its_keys(cli: Any) -> None:
    ran = cli.bare("--db", ":memory:", "keys", "mint")
    assert (ran.code, ran.out) == (3, "")
    assert "--access" in ran.err
