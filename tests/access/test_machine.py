"""The store against a plain model of it, through whatever order of minting, revoking, expiring and forgetting."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, multiple, rule

from tensemem.access import ROLES, Access, Key
from tensemem.errors import RateLimitedError, UnknownFactError
from tests.access.conftest import World
from tests.settings import costly_settings

NAMES = ["u1", "u2", "U1", "", "a/b"]
names = st.sampled_from([name for name in NAMES if name])
limits = st.none() | st.lists(names, min_size=1, max_size=3, unique=True)


@dataclass
class Known:
    """What the model knows of a key."""

    token: str
    role: str
    namespaces: tuple[str, ...] | None
    users: tuple[str, ...] | None
    expires: datetime | None
    revoked: bool = False


@dataclass
class Model:
    """Every key there ever was, and how many acts were written down."""

    keys: dict[str, Known] = field(default_factory=dict)
    acts: list[str] = field(default_factory=list)

    def opens(self, key_id: str, now: datetime) -> bool:
        known = self.keys[key_id]
        return not known.revoked and (known.expires is None or now < known.expires)


class Keeping(RuleBasedStateMachine):
    """Two processes' worth of stores on one file, asked in turn."""

    tokens = Bundle("tokens")

    @initialize()
    def begin(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.world, self.model = World(), Model()
        self.place = Path(self.folder.name) / "keys"
        self.stores = [self.world.open(self.place), self.world.open(self.place)]

    def teardown(self) -> None:
        if hasattr(self, "stores"):
            for store in self.stores:
                store.close()
            self.folder.cleanup()

    @rule(
        target=tokens, which=st.integers(0, 1), role=st.sampled_from(ROLES), namespaces=limits, users=limits,
        seconds=st.none() | st.integers(1, 100),
    )  # fmt: skip
    def mint(
        self, which: int, role: str, namespaces: list[str] | None, users: list[str] | None, seconds: int | None
    ) -> tuple[str, str]:
        expires = None if seconds is None else timedelta(seconds=seconds)
        key, token = self.stores[which].mint("x", role, namespaces=namespaces, users=users, expires=expires)
        until = None if expires is None else self.world.time + expires
        self.model.keys[key.id] = Known(token, role, key.namespaces, key.users, until)
        self.model.acts.append("mint")
        return key.id, token

    @rule(target=tokens, which=st.integers(0, 1))
    def first(self, which: int) -> object:
        made = self.stores[which].first_key()
        assert (made is None) == bool(self.model.keys)
        if made is None:
            return multiple()
        self.model.keys[made[0].id] = Known(made[1], "admin", None, None, None)
        self.model.acts.append("mint")
        return made[0].id, made[1]

    @rule(which=st.integers(0, 1), of=tokens)
    def revoke(self, which: int, of: tuple[str, str]) -> None:
        if not self.model.keys[of[0]].revoked:
            self.model.acts.append("revoke")
        self.stores[which].revoke(of[0])
        self.model.keys[of[0]].revoked = True

    @rule(which=st.integers(0, 1), number=st.integers(0, 2**64 - 1))
    def revoke_what_is_not(self, which: int, number: int) -> None:
        try:
            self.stores[which].revoke(f"{number:016x}")
        except UnknownFactError:
            return
        raise AssertionError("there was such a key")

    @rule(which=st.integers(0, 1), namespace=names, user=names)
    def forget(self, which: int, namespace: str, user: str) -> None:
        struck = 0
        for known in self.model.keys.values():
            if known.users and user in known.users and (known.namespaces is None or namespace in known.namespaces):
                struck += 1
                known.users = tuple(name for name in known.users if name != user)
                if not known.users and not known.revoked:
                    known.revoked = True
                    self.model.acts.append("revoke")
        assert self.stores[which].forget_person(namespace, user) == struck

    @rule(which=st.integers(0, 1), of=tokens, client=st.sampled_from(["a", "b"]))
    def check(self, which: int, of: tuple[str, str], client: str) -> None:
        found = self.asked(self.stores[which], of[1], client)
        if self.model.opens(of[0], self.world.time):
            assert found is not None
            known = self.model.keys[of[0]]
            assert (found.role, found.namespaces, found.users) == (known.role, known.namespaces, known.users)
        else:
            assert found is None

    @rule(which=st.integers(0, 1), of=tokens, place=st.integers(0, 84), letter=st.sampled_from("0f_x\0é"))
    def guess(self, which: int, of: tuple[str, str], place: int, letter: str) -> None:
        token = of[1][:place] + letter + of[1][place + 1 :]
        if token != of[1]:
            assert self.asked(self.stores[which], token, "guesser") is None

    @rule(seconds=st.sampled_from([0.5, 1, 5, 60, 100]))
    def pass_by(self, seconds: float) -> None:
        self.world.pass_by(seconds)

    @rule(which=st.integers(0, 1))
    def open_again(self, which: int) -> None:
        self.stores[which].close()
        self.stores[which] = self.world.open(self.place)

    @rule(of=consumes(tokens))
    def lose(self, of: tuple[str, str]) -> None:
        """A token that nobody has any more."""
        assert of[0] in self.model.keys

    @invariant()
    def both_list_what_there_is(self) -> None:
        if not hasattr(self, "stores"):
            return
        every = [store.keys() for store in self.stores]
        listed = [{key.id: replace(key, created_at=None) for key in found} for found in every]
        assert listed[0] == listed[1]
        assert {one: (key.role, key.users, key.revoked_at is not None) for one, key in listed[0].items()} == {
            one: (known.role, known.users, known.revoked) for one, known in self.model.keys.items()
        }
        assert [act.act for act in self.stores[0].acts(limit=1000)] == self.model.acts

    def asked(self, store: Access, token: str, client: str) -> Key | None:
        """Ask, and where too many were wrong before, wait as long as it says; then it must do."""
        for _ in range(3):
            try:
                return store.check(token, client=client)
            except RateLimitedError as error:
                self.world.pass_by(error.retry_after + 0.001)
        raise AssertionError("who waits as told is let through")


Keeping.TestCase.settings = costly_settings
TestKeeping = Keeping.TestCase
