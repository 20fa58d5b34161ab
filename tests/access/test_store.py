"""The access store: what opens, what closes, what is kept of it, and by whom it can be read."""

from __future__ import annotations

import logging
import os
import sqlite3
import stat
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tensemem.access import Access, Key, check_server_token
from tensemem.access.hashing import MARK_BYTES, SALT_BYTES, Hasher
from tensemem.access.places import beside
from tensemem.errors import (
    ClosedError,
    InvalidValueError,
    RateLimitedError,
    SchemaTooNewError,
    StoreCorruptError,
    StoreError,
    TensememError,
    UnknownFactError,
)
from tests.access.conftest import NOON, World


def test_a_token_opens_what_it_was_minted_for(access: Access) -> None:
    key, token = access.mint("the app", "write", namespaces=["acme"], users=["u/1", ".."])
    assert access.check(token) == key
    assert (key.label, key.role, key.namespaces, key.users) == ("the app", "write", ("acme",), ("u/1", ".."))
    assert key.created_at == NOON
    assert token.startswith(f"tsm_{key.id}_")


def test_two_keys_have_nothing_in_common(access: Access) -> None:
    first, second = access.mint(), access.mint()
    assert first[0].id != second[0].id
    assert first[1].rpartition("_")[2] != second[1].rpartition("_")[2]


def test_no_secret_is_in_the_file(access: Access, place: Path) -> None:
    _, token = access.mint("x", "admin")
    access.close()
    held = place.read_bytes()
    secret = token.rpartition("_")[2]
    assert secret.encode() not in held
    assert bytes.fromhex(secret) not in held


def test_the_file_is_its_owners_alone(access: Access, place: Path) -> None:
    access.mint()
    modes = {path.name: stat.S_IMODE(os.stat(path).st_mode) for path in place.parent.iterdir()}
    assert place.name in modes
    assert set(modes.values()) == {0o600}


def test_a_revoked_key_closes_also_where_it_was_known(access: Access) -> None:
    key, token = access.mint("x", "admin")
    assert access.check(token) is not None
    closed = access.revoke(key.id)
    assert closed.revoked_at == NOON
    assert access.check(token) is None
    assert access.glance(token).is_sure


def test_revoking_again_changes_nothing(access: Access, world: World) -> None:
    key, _ = access.mint()
    access.revoke(key.id)
    world.pass_by(60)
    assert access.revoke(key.id).revoked_at == NOON
    assert [act.act for act in access.acts()] == ["mint", "revoke"]


@pytest.mark.parametrize("key_id", ["", "0" * 16, "x" * 16, "0" * 17, "' OR 1=1 --", None, 7])
def test_an_unknown_key_cant_be_revoked(access: Access, key_id: Any) -> None:
    with pytest.raises(UnknownFactError):
        access.revoke(key_id)


def test_revoking_the_last_key_leaves_no_way_in(access: Access, world: World, place: Path) -> None:
    made = access.first_key()
    assert made is not None
    access.revoke(made[0].id)
    assert access.check(made[1]) is None
    assert access.first_key() is None
    with world.open(place) as again:
        assert again.first_key() is None
        assert again.check(made[1]) is None


def test_the_first_key_is_minted_once_and_is_an_admins(access: Access) -> None:
    made = access.first_key()
    assert made is not None
    key, token = made
    assert (key.role, key.is_limited) == ("admin", False)
    assert access.check(token) == key
    assert access.first_key() is None


def test_a_key_expires_at_its_moment(access: Access, world: World) -> None:
    key, token = access.mint(expires=timedelta(seconds=10))
    assert key.expires_at == NOON + timedelta(seconds=10)
    world.pass_by(9.999)
    assert access.check(token) == key
    world.pass_by(0.001)
    assert access.check(token) is None
    assert key.status_at(world.time) == "expired"


@pytest.mark.parametrize(
    "expires", [timedelta(0), timedelta(days=-1), NOON, NOON.replace(tzinfo=None), timedelta.max, "30d"]
)
def test_a_time_that_is_no_time_to_expire_is_refused(access: Access, expires: Any) -> None:
    with pytest.raises(InvalidValueError):
        access.mint(expires=expires)
    assert access.keys() == ()


@pytest.mark.parametrize(
    "wrong",
    [
        {"role": "owner"}, {"role": ""}, {"role": None}, {"label": "a\nb"}, {"label": "x" * 201}, {"label": None},
        {"label": "\ud800"}, {"namespaces": []}, {"users": []}, {"users": "alice"}, {"users": [""]},
        {"users": ["  "]}, {"users": ["a\0b"]}, {"users": ["\udcff"]}, {"users": [7]}, {"users": ["x" * 513]},
    ],
)  # fmt: skip
def test_what_no_key_can_have_is_refused_before_anything_is_kept(access: Access, wrong: Any) -> None:
    with pytest.raises(InvalidValueError):
        access.mint(**wrong)
    assert (access.keys(), access.acts()) == ((), ())


def test_a_known_token_costs_no_hash(access: Access, world: World) -> None:
    _, token = access.mint()
    world.hashed.clear()
    for _ in range(50):
        assert access.check(token) is not None
    assert len(world.hashed) == 1


def test_an_unknown_id_and_a_wrong_secret_take_the_same_work(access: Access, world: World) -> None:
    key, token = access.mint()
    gone, gone_token = access.mint()
    access.revoke(gone.id)
    world.hashed.clear()
    for wrong in (f"tsm_{key.id}_{'ab' * 32}", f"tsm_{'0' * 16}_{'ab' * 32}", f"tsm_{gone.id}_{'ab' * 32}", gone_token):
        assert access.check(wrong, client="1") is None
        assert world.hashed == []
    assert access.check(token) == key
    assert len(world.hashed) == 1


@pytest.mark.parametrize("spread", [False, True], ids=["from one address", "from many"])
def test_who_guesses_delays_nobody_who_has_the_right_secret(
    access: Access, world: World, place: Path, spread: bool
) -> None:
    key, token = access.mint()
    with world.open(place) as fresh:  # a process that has just begun, and knows no token yet
        world.hashed.clear()
        for number in range(500):
            client = str(number) if spread else "proxy"
            assert fresh.check(f"tsm_{key.id}_{number:064x}", client=client) is None
            assert fresh.check(f"tsm_{number:016x}_{number:064x}", client=client) is None
        assert world.hashed == []
        assert fresh.check(token, client="proxy") == key
        assert len(world.hashed) == 1


def test_a_row_without_a_mark_opens_and_guesses_at_it_are_counted_for_each_address(world: World) -> None:
    hasher, secret, salt = Hasher(world.make_hash, world.monotonic), b"s" * 32, b"0123456789abcdef"
    kept = salt, world.make_hash(secret, salt)
    world.hashed.clear()
    for number in range(10):
        assert not hasher.fits(b"%d" % number, kept, ("client 1",))
    with pytest.raises(RateLimitedError) as limited:
        hasher.fits(b"x", kept, ("client 1",))
    assert 0 < limited.value.retry_after <= 5
    assert len(world.hashed) == 10
    assert hasher.fits(secret, kept, ("client 2",))
    world.pass_by(5)
    assert hasher.fits(secret, kept, ("client 1",))


def test_the_mark_behind_a_salt_is_of_the_secret_and_tells_little_of_it(world: World) -> None:
    hasher = Hasher(world.make_hash, world.monotonic)
    made = [hasher.new(b"s" * 32) for _ in range(50)]
    assert {len(salt) for salt, _ in made} == {SALT_BYTES + MARK_BYTES}
    assert len({salt[SALT_BYTES:] for salt, _ in made}) > 45
    salt, hashed = made[0]
    assert hasher.fits(b"s" * 32, (salt, hashed), ())
    assert not hasher.fits(b"s" * 32, (salt[:SALT_BYTES] + bytes(MARK_BYTES), hashed), ())
    assert not hasher.fits(b"s" * 32, (salt, bytes(32)), ())


def test_a_right_token_uses_up_no_failure(access: Access, world: World, place: Path) -> None:
    tokens = [access.mint()[1] for _ in range(30)]
    with world.open(place) as fresh:
        assert all(fresh.check(token, client="proxy") for token in tokens)


def test_a_token_that_was_revoked_is_no_guess_where_it_was_known(access: Access) -> None:
    key, token = access.mint()
    assert access.check(token, client="1") == key
    access.revoke(key.id)
    for _ in range(50):
        assert access.check(token, client="1") is None


def test_keys_are_listed_with_all_but_their_secrets(access: Access) -> None:
    key, token = access.mint("a", "read", users=["u1"])
    other, _ = access.mint("b", "admin")
    revoked = access.revoke(other.id)
    assert set(access.keys()) == {key, revoked}
    assert token.rpartition("_")[2] not in repr(access.keys())


def test_a_forgotten_person_is_gone_from_the_limits_and_from_the_file(access: Access, place: Path) -> None:
    both, both_token = access.mint("b", "read", users=["zebulon-the-first", "u2"])
    only, only_token = access.mint("o", "write", users=["zebulon-the-first"], namespaces=["default"])
    elsewhere, _ = access.mint("e", "read", users=["zebulon-the-second"])
    assert access.check(only_token)
    assert access.forget_person("default", "zebulon-the-first") == 2
    listed = access.keys()
    found = {key.id: key for key in listed}
    assert (found[both.id].users, found[both.id].revoked_at) == (("u2",), None)
    assert (found[only.id].users, found[only.id].revoked_at) == ((), NOON)
    assert found[elsewhere.id] == elsewhere
    assert access.check(only_token) is None
    still = access.check(both_token)
    assert still is not None
    assert still.users == ("u2",)
    assert access.forget_person("default", "zebulon-the-first") == 0
    held = b"".join(path.read_bytes() for path in place.parent.iterdir())
    assert b"zebulon-the-first" not in held
    assert b"zebulon-the-second" in held


@pytest.mark.parametrize(("keys", "others"), [(0, 0), (0, 400), (40, 1), (60, 400)])
def test_no_page_and_no_log_keeps_the_name(access: Access, place: Path, keys: int, others: int) -> None:
    names = [f"u{number}" for number in range(others)]
    for number in range(keys):
        access.mint(users=[*names, f"somebody {number}"])
    access.mint(users=[*names, "zebulon-the-first"])
    assert access.forget_person("default", "zebulon-the-first") == 1
    files = {path.name: path.read_bytes() for path in place.parent.iterdir()}
    assert [name for name, held in files.items() if b"zebulon-the-first" in held] == []


def test_a_person_of_another_namespace_is_another(access: Access) -> None:
    key, _ = access.mint(users=["u1"], namespaces=["acme"])
    assert access.forget_person("default", "u1") == 0
    assert access.keys() == (key,)


def test_an_old_copy_that_was_put_in_its_place_counts(access: Access, world: World, place: Path) -> None:
    _, before = access.mint()
    with world.open(place.parent / "copy") as other:
        key, token = other.mint()
    assert access.check(before)
    os.replace(place.parent / "copy", place)
    for end in ("-wal", "-shm"):
        Path(f"{place}{end}").unlink(missing_ok=True)
    world.pass_by(0.1)
    assert access.check(before) is None
    assert access.check(token) == key


def test_a_store_that_is_gone_closes_and_is_not_made_anew(access: Access, world: World, place: Path) -> None:
    _, token = access.mint()
    assert access.check(token)
    for path in place.parent.iterdir():
        path.unlink()
    world.pass_by(0.1)
    for _ in range(2):
        with pytest.raises(StoreError):
            access.check(token)
        with pytest.raises(StoreError):
            access.mint()
    assert not place.exists()
    with world.open(place):
        assert access.check(token) is None


def test_a_damaged_store_closes(world: World, place: Path) -> None:
    with world.open(place) as access:
        _, token = access.mint()
        assert access.check(token)
        held = place.read_bytes()
        (place.parent / "bad").write_bytes(b"x" * len(held))
        os.replace(place.parent / "bad", place)
        world.pass_by(0.1)
        with pytest.raises(StoreError):
            access.check(token)
        with pytest.raises(StoreCorruptError):
            world.open(place)


def test_a_limit_that_cant_be_read_closes(access: Access, place: Path) -> None:
    key, token = access.mint(users=["u1"])
    assert access.check(token)
    for damaged in ("", "null", "7", '"u1"', "[7]", "[", '{"u1": 1}'):
        with closing(sqlite3.connect(place)) as other:
            other.execute("UPDATE access_keys SET users = ? WHERE id = ?", (damaged, key.id))
            other.commit()
        with pytest.raises(StoreCorruptError):
            access.check(token)


def test_a_role_that_nobody_knows_closes(access: Access, place: Path) -> None:
    _, token = access.mint()
    with closing(sqlite3.connect(place)) as other:
        other.execute("UPDATE access_keys SET role = 'owner'")
        other.commit()
    with pytest.raises(StoreCorruptError):
        access.check(token)


def test_a_newer_store_is_refused_and_left_as_it_is(access: Access, world: World, place: Path) -> None:
    access.close()
    with closing(sqlite3.connect(place)) as other:
        other.execute("PRAGMA user_version = 2")
    before = place.read_bytes()
    with pytest.raises(SchemaTooNewError):
        world.open(place)
    assert place.read_bytes() == before


@pytest.mark.parametrize("content", [b"not a database, but long enough to be looked at" * 30, b"SQLite format 3\0"])
def test_a_file_that_is_none_of_ours_is_refused_and_left_as_it_is(world: World, place: Path, content: bytes) -> None:
    place.write_bytes(content)
    with pytest.raises(StoreCorruptError):
        world.open(place)
    assert place.read_bytes() == content


def test_another_database_is_refused_and_left_as_it_is(world: World, place: Path) -> None:
    with closing(sqlite3.connect(place)) as other:
        other.execute("CREATE TABLE notes (text)")
    before = place.read_bytes()
    with pytest.raises(StoreCorruptError):
        world.open(place)
    assert place.read_bytes() == before


def test_a_store_that_isnt_there_is_only_made_where_told_so(world: World, place: Path) -> None:
    with pytest.raises(StoreError):
        world.open(place, make=False)
    assert not place.exists()


@pytest.mark.parametrize("location", ["", "  ", "a\0b", ":memory:", "mysql://x", "redis://x"])
def test_a_place_that_is_none_is_refused(world: World, location: str) -> None:
    with pytest.raises(InvalidValueError):
        world.open(location)


def test_a_folder_and_a_folder_that_is_not_there_are_told_as_such(world: World, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="is a folder"):
        world.open(tmp_path)
    with pytest.raises(StoreError, match="does not exist"):
        world.open(tmp_path / "no" / "x")


def test_after_closing_nothing_opens(access: Access) -> None:
    _, token = access.mint()
    assert access.check(token)
    access.close()
    access.close()
    with pytest.raises(ClosedError):
        access.check(token)


def test_where_a_memorys_store_is_unless_told_otherwise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert beside("memory.db") == str(tmp_path / "memory.db-access")
    assert beside("postgresql://host/db") == "postgresql://host/db"
    for nowhere in (":memory:", "", "mysql://x"):
        with pytest.raises(InvalidValueError):
            beside(nowhere)


@pytest.mark.parametrize(
    "token", ["", "short", "x" * 19, "a" * 40, "ab" * 20, "with blanks in it, many", "ümläuts" * 5]
)
def test_a_servers_own_token_must_be_hard_to_guess(token: str) -> None:
    with pytest.raises(InvalidValueError, match="TENSEMEM_TOKEN"):
        check_server_token(token)


def test_a_good_token_of_a_server_is_taken_as_it_is() -> None:
    assert check_server_token("correct-horse-battery") == "correct-horse-battery"


# The log of administrative acts


def test_the_log_tells_who_did_what_and_names_nobody(access: Access, place: Path) -> None:
    key, _ = access.mint("ops", "admin")
    access.audit("forget", key, "done", namespace="acme", user_id="zebulon")
    act = access.acts()[-1]
    assert (act.key_id, act.label, act.act, act.outcome, act.namespace) == (key.id, "ops", "forget", "done", "acme")
    assert (act.at, act.person) == (NOON, access.person("acme", "zebulon"))
    access.close()
    assert b"zebulon" not in b"".join(path.read_bytes() for path in place.parent.iterdir())


def test_a_person_is_known_again_by_its_hash_here_and_nowhere_else(
    access: Access, world: World, tmp_path: Path
) -> None:
    assert access.person("a", "bc") == access.person("a", "bc")
    assert access.person("a", "bc") != access.person("ab", "c")
    with world.open(tmp_path / "another") as other:
        assert other.person("a", "bc") != access.person("a", "bc")


def test_an_act_is_written_down_before_and_after(access: Access) -> None:
    key, _ = access.mint("ops", "admin")
    with access.recording("purge", key, namespace="acme"):
        assert [act.outcome for act in access.acts(after=1)] == ["begun"]
    assert [act.outcome for act in access.acts(after=1)] == ["begun", "done"]


@pytest.mark.parametrize(
    ("error", "outcome"),
    [(InvalidValueError("x"), "refused"), (StoreError("x"), "failed"), (ValueError("x"), "failed"),
     (KeyboardInterrupt(), "failed"), (TensememError("x"), "refused")],
)  # fmt: skip
def test_what_came_of_an_act_is_written_down(access: Access, error: BaseException, outcome: str) -> None:
    key, _ = access.mint("ops", "admin")
    with pytest.raises(type(error)), access.recording("purge", key):
        raise error
    assert [act.outcome for act in access.acts(after=1)] == ["begun", outcome]


def test_what_cant_be_written_down_is_not_done(access: Access) -> None:
    key, _ = access.mint("ops", "admin")
    access.close()
    done = []
    with pytest.raises(ClosedError), access.recording("purge", key):
        done.append(1)
    assert not done


def test_what_was_done_is_done_though_it_cant_be_written_down(
    access: Access, world: World, place: Path, caplog: pytest.LogCaptureFixture
) -> None:
    key, _ = access.mint("ops", "admin")
    with caplog.at_level(logging.ERROR, logger="tensemem.access"):
        with access.recording("purge", key):
            place.rename(place.parent / "away")
        (place.parent / "away").rename(place)

        def fail() -> None:
            place.rename(place.parent / "away")
            raise InvalidValueError("mine")

        with pytest.raises(InvalidValueError, match="mine"), access.recording("purge", key):
            fail()
        (place.parent / "away").rename(place)
    assert [record.event for record in caplog.records] == ["unwritten"] * 2  # type: ignore[attr-defined]
    world.pass_by(1)
    assert [act.outcome for act in access.acts(after=1)] == ["begun", "begun"]


@pytest.mark.parametrize("act", ["read", "", "FORGET", "forget "])
def test_only_known_acts_are_written_down(access: Access, act: str) -> None:
    with pytest.raises(InvalidValueError):
        access.audit(act, Key("local", "", "admin"), "done")
    with pytest.raises(InvalidValueError):
        access.audit("forget", Key("local", "", "admin"), "perhaps")


def test_names_that_no_memory_has_are_written_down_all_the_same(access: Access) -> None:
    local = Key("local", "", "admin")
    for name in ("a\0b", "\ud800", "x" * 100_000, ""):
        access.audit("forget", local, "refused", namespace=name, user_id=name)
    assert len(access.acts()) == 4
    assert all(len(act.namespace or "") < 6000 for act in access.acts())


def test_the_log_is_read_page_by_page(access: Access) -> None:
    local = Key("local", "", "admin")
    for number in range(25):
        access.audit("purge", local, "done", about=str(number))
    read: list[str | None] = []
    after = 0
    while page := access.acts(limit=7, after=after):
        read += [act.about for act in page]
        after = page[-1].seq
    assert read == [str(number) for number in range(25)]
    assert [act.about for act in access.last_acts(limit=2)] == ["23", "24"]
    for wrong in ({"limit": 0}, {"limit": True}, {"after": -1}, {"after": 2**63}, {"limit": "7"}):
        with pytest.raises(InvalidValueError):
            access.acts(**wrong)


def test_the_log_is_cut_only_when_told_so_and_says_that_it_was(access: Access, world: World) -> None:
    local = Key("local", "", "admin")
    access.audit("purge", local, "done")
    world.pass_by(100)
    access.audit("export", local, "done")
    assert access.prune(NOON + timedelta(seconds=50)) == 1
    assert [(act.act, act.about) for act in access.acts()] == [("export", None), ("prune", "1 lines")]
    assert [act.seq for act in access.acts()] == [2, 3]  # a number is never used again
    with pytest.raises(InvalidValueError):
        access.prune(NOON.replace(tzinfo=None))
