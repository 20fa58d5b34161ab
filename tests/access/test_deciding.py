"""What a key makes of a call: every verb, every role, every limit, whoever is named."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensemem import Message
from tensemem.access import ROLES, Allowed, Key, authorize, require
from tensemem.errors import ForbiddenError
from tests.access.verbs import VERBS, OneNamed, OneServed
from tests.settings import law_settings

# For every verb: what a key that is limited to namespaces may do, and what one that is limited to users may.
# "named": the namespace is named, or filled in. "home": only where the memory's own namespace is one of them.
# "own": the user is named, or filled in. "each": every message names one. "no": never.
LIMITS = {
    "add": ("named", "own"), "add_many": ("named", "each"), "add_value": ("named", "own"), "answer": ("named", "own"),
    "apply_retention": ("named", "no"), "backup": ("no", "no"), "changes": ("named", "own"),
    "confirm": ("named", "own"), "context": ("named", "own"), "copy_to": ("no", "no"), "correct": ("named", "own"),
    "decisions": ("named", "own"), "deny": ("named", "own"), "digest": ("named", "own"), "dismiss": ("named", "own"),
    "doctor": ("no", "no"), "erase": ("named", "own"), "explain": ("named", "own"), "export": ("named", "own"),
    "flush": ("named", "own"), "forget": ("named", "own"), "get": ("named", "own"), "history": ("named", "own"),
    "import_": ("named", "no"), "jobs": ("named", "own"), "messages": ("named", "own"), "on": ("no", "no"),
    "plan_reextract": ("named", "own"), "predicates": ("named", "all"), "preview": ("named", "own"),
    "proposals": ("named", "no"), "purge": ("named", "own"), "questions": ("named", "own"), "rebuild": ("home", "own"),
    "record": ("named", "own"), "reextract": ("named", "own"), "register": ("named", "no"),
    "register_entity": ("named", "no"), "register_predicate": ("named", "no"), "reinstate": ("named", "own"),
    "rekey": ("no", "no"), "remove_value": ("named", "own"), "replace_values": ("named", "own"),
    "retain": ("named", "no"), "retention": ("named", "no"), "retract": ("named", "own"), "retry": ("named", "own"),
    "review": ("named", "own"), "scopes": ("named", "no"), "search": ("named", "own"), "set": ("named", "own"),
    "state": ("named", "own"), "stats": ("named", "no"), "verify": ("home", "own"), "write": ("named", "own"),
}  # fmt: skip
assert set(LIMITS) == set(VERBS), "say in this table what a limited key may do with a new verb"

READ = {
    "changes", "context", "decisions", "digest", "explain", "get", "history", "jobs", "messages", "predicates",
    "proposals", "questions", "retention", "scopes", "search", "state", "stats",
}  # fmt: skip
WRITE = {
    "add", "add_many", "add_value", "answer", "confirm", "correct", "deny", "dismiss", "flush", "preview", "record",
    "reinstate", "remove_value", "replace_values", "retract", "retry", "review", "set", "write",
}  # fmt: skip
"""Whoever may read, and whoever may write; everything else is an admin's."""

NAMESPACES = {"none": None, "home": ("default",), "one": ("acme",), "two": ("acme", "default"), "far": ("a", "b")}
USERS = {"none": None, "one": ("u1",), "two": ("u1", "u2")}


@dataclass(frozen=True)
class Call:
    verb: str
    namespaces: str
    users: str
    namespace: str | None
    user_id: str | None

    @property
    def arguments(self) -> dict[str, Any]:
        takes = {one.name for one in VERBS[self.verb].parameters}
        named = {"namespace": self.namespace, "user_id": self.user_id}
        found: dict[str, Any] = {name: value for name, value in named.items() if name in takes and value is not None}
        if self.verb == "add_many":
            found["messages"] = [Message(self.user_id or "nobody", "x")]
        return found

    def key(self, role: str) -> Key:
        return Key("0" * 16, "x", role, NAMESPACES[self.namespaces], USERS[self.users])

    @property
    def expected(self) -> tuple[str | None, str | None] | None:
        """The namespace and the user that the verb must be given; None where it must be refused."""
        in_namespaces, of_users = LIMITS[self.verb]
        namespaces, users = NAMESPACES[self.namespaces], USERS[self.users]
        namespace = self.arguments.get("namespace")
        if namespaces is not None:
            if in_namespaces == "named":
                namespace = namespace or (namespaces[0] if len(namespaces) == 1 else "default")
            if in_namespaces == "no" or (namespace or "default") not in namespaces:
                return None
        user_id = self.arguments.get("user_id")
        if users is not None:
            if of_users == "own":
                user_id = user_id or (users[0] if len(users) == 1 else None)
            named = (self.user_id or "nobody") if of_users == "each" else user_id
            if of_users == "no" or (of_users != "all" and named not in users):
                return None
        return namespace, user_id


CALLS = [
    Call(*one)
    for one in itertools.product(
        VERBS, NAMESPACES, USERS, (None, "default", "acme", "ACME", "b"), (None, "u1", "u2", "U1", "u1 ")
    )
]


@pytest.mark.parametrize("verb", VERBS)
def test_a_limited_key_makes_of_a_call_what_the_table_says(verb: str) -> None:
    outcomes = set()
    for call in (one for one in CALLS if one.verb == verb):
        expected = call.expected
        outcomes.add(expected is None)
        if expected is None:
            with pytest.raises(ForbiddenError):
                authorize(call.key("admin"), VERBS[verb], call.arguments)
            continue
        allowed = authorize(call.key("admin"), VERBS[verb], call.arguments)
        given = allowed.arguments
        assert (given.get("namespace"), given.get("user_id")) == expected, call
        assert (allowed.namespace, allowed.user_id) == (expected[0] or "default", expected[1])
        rest = {name: value for name, value in call.arguments.items() if name not in ("namespace", "user_id")}
        assert {name: value for name, value in given.items() if name not in ("namespace", "user_id")} == rest
    assert outcomes == {True, False}


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("role", ROLES)
def test_a_role_allows_what_is_at_most_of_its_rank(verb: str, role: str) -> None:
    needed = "read" if verb in READ else "write" if verb in WRITE else "admin"
    is_enough = ROLES.index(role) >= ROLES.index(needed)
    for call in (one for one in CALLS if one.verb == verb and one.namespaces in ("none", "one")):
        if is_enough and call.expected is not None:
            assert authorize(call.key(role), VERBS[verb], call.arguments)
        else:
            with pytest.raises(ForbiddenError):
                authorize(call.key(role), VERBS[verb], call.arguments)


def test_an_unlimited_key_is_given_what_was_asked() -> None:
    for call in CALLS:
        if call.namespaces == call.users == "none":
            allowed = authorize(call.key("admin"), VERBS[call.verb], call.arguments)
            assert allowed.arguments == call.arguments
            assert allowed.namespace == (call.arguments.get("namespace") or "default")


def test_what_was_given_is_not_changed() -> None:
    given: dict[str, Any] = {"predicate": "lives_in"}
    allowed = authorize(Key("x", "", "read", ("acme",), ("u1",)), VERBS["get"], given)
    assert allowed == Allowed({"predicate": "lives_in", "namespace": "acme", "user_id": "u1"}, "acme", "u1")
    assert given == {"predicate": "lives_in"}


@pytest.mark.parametrize("limits", [(("acme",), None), (None, ("u1",))])
@pytest.mark.parametrize("verb", ["export", "import_"])
@pytest.mark.parametrize("every", [True, 1, "yes"])
def test_no_limited_key_asks_for_every_namespace(limits: Any, verb: str, every: Any) -> None:
    with pytest.raises(ForbiddenError):
        authorize(Key("x", "", "admin", *limits), VERBS[verb], {"user_id": "u1", "every_namespace": every})


@pytest.mark.parametrize(
    "name", [7, True, b"acme", ["acme"], ("acme",), {"acme"}, {"$eq": "acme"}, "acme\0", "%", "*", ""]
)
def test_a_name_that_is_no_exact_string_of_the_key_is_refused(name: Any) -> None:
    with pytest.raises(ForbiddenError):
        authorize(Key("x", "", "admin", ("acme",), None), VERBS["get"], {"user_id": "u1", "namespace": name})
    with pytest.raises(ForbiddenError):
        authorize(Key("x", "", "admin", None, ("acme",)), VERBS["get"], {"user_id": name})


def test_messages_that_come_as_they_are_read_are_all_looked_at_and_none_is_lost() -> None:
    key = Key("x", "", "write", None, ("u1",))
    allowed = authorize(key, VERBS["add_many"], {"messages": iter([Message("u1", "a"), Message("u1", "b")])})
    assert [message.content for message in allowed.arguments["messages"]] == ["a", "b"]
    with pytest.raises(ForbiddenError):
        authorize(key, VERBS["add_many"], {"messages": iter([Message("u1", "a"), Message("u2", "b")])})


def test_one_message_of_another_refuses_all() -> None:
    key = Key("x", "", "write", None, ("u1", "u2"))
    mine = [Message("u1", "a"), {"user_id": "u2", "content": "b"}]
    assert authorize(key, VERBS["add_many"], {"messages": mine}).arguments["messages"] == mine
    for other in (Message("u3", "c"), {"user_id": "u3"}, {}, "u1", None):
        with pytest.raises(ForbiddenError):
            authorize(key, VERBS["add_many"], {"messages": [*mine, other]})


def test_a_verb_that_nobody_thought_of_is_closed_to_limited_keys() -> None:
    plain = OneServed("brand_new", "read", ())
    with pytest.raises(ForbiddenError):
        authorize(Key("x", "", "admin", ("acme",)), plain, {})
    with pytest.raises(ForbiddenError):
        authorize(Key("x", "", "admin", None, ("u1",)), OneServed("brand_new", "read", (OneNamed("namespace"),)), {})


def test_the_memorys_own_namespace_is_what_it_says() -> None:
    key = Key("x", "", "admin", ("acme", "b"))
    assert authorize(key, VERBS["stats"], {}, home="acme").namespace == "acme"
    assert authorize(key, VERBS["get"], {"user_id": "u1"}, home="b").arguments["namespace"] == "b"
    with pytest.raises(ForbiddenError):
        authorize(key, VERBS["get"], {"user_id": "u1"}, home="default")


def test_what_is_no_verb_may_ask_for_a_role_and_for_no_limits() -> None:
    require(Key("x", "", "read"), "read", whole=True)
    for key, role, whole in [
        (Key("x", "", "read"), "write", False), (Key("x", "", "admin", ("a",)), "read", True),
        (Key("x", "", "admin", None, ("a",)), "read", True),
    ]:  # fmt: skip
        with pytest.raises(ForbiddenError):
            require(key, role, whole=whole)


names = st.sampled_from(["a", "b", "A", "a ", "ａ", "á", "á", "", "/", ".."]) | st.text(max_size=3)


@law_settings
@given(
    st.sampled_from(sorted(VERBS)), st.none() | st.lists(names, min_size=1, max_size=3),
    st.none() | st.lists(names, min_size=1, max_size=3), st.none() | names, st.none() | names, names,
)  # fmt: skip
def test_a_limited_key_never_leaves_its_limits(
    verb: str, namespaces: list[str] | None, users: list[str] | None, namespace: str | None, user: str | None, home: str
) -> None:
    takes = {one.name for one in VERBS[verb].parameters}
    asked: dict[str, Any] = {"namespace": namespace, "user_id": user, "messages": [Message(user or "", "x")]}
    key = Key(
        "x", "", "admin", None if namespaces is None else tuple(namespaces), None if users is None else tuple(users)
    )
    try:
        allowed = authorize(key, VERBS[verb], {one: asked[one] for one in asked if one in takes}, home=home)
    except ForbiddenError:
        return
    given = allowed.arguments
    if namespaces is not None:
        assert (given["namespace"] if "namespace" in takes else home) in namespaces
    if users is not None and verb != "predicates":
        assert (given["user_id"] if "user_id" in takes else user or "") in users
