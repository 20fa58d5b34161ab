"""The registry: what may be remembered, and which names mean the same thing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensemem.core.registry import (
    Registry,
    changed_names,
    entity_body,
    entity_of,
    make_entity,
    make_predicate,
    predicate_body,
    predicate_name_key,
    predicate_of,
)
from tensemem.errors import InvalidTimeError, InvalidValueError, PredicateConflictError
from tensemem.model.entry import Entry, EntryKind
from tensemem.model.predicate import Entity, Predicate
from tests.settings import law_settings


def log(*definitions: Predicate | Entity) -> Iterator[Entry]:
    """A registry log of these definitions, as JSON would bring it back."""
    for rev, definition in enumerate(definitions, start=1):
        is_predicate = isinstance(definition, Predicate)
        body = predicate_body(definition) if isinstance(definition, Predicate) else entity_body(definition)
        kind = EntryKind.PREDICATE if is_predicate else EntryKind.ENTITY
        yield Entry(kind, rev, 0, 0, 0, body=json.loads(json.dumps(body)))


def built(*definitions: Predicate | Entity) -> Registry:
    return Registry.build(log(*definitions))


LIVES_IN = make_predicate("lives_in", aliases=["home city", "hometown"])
POSTGRES = make_entity("PostgreSQL", aliases=["Postgres", "pg"])


@pytest.mark.parametrize("name", ["lives_in", "Lives In", "lives-in", "LIVES  __ IN", "  lives in ", "lives\u2003in"])
def test_blanks_hyphens_and_underscores_in_a_predicates_name_are_one(name):
    assert predicate_name_key(name) == "lives_in"
    assert built(LIVES_IN).predicate(name) == LIVES_IN


def test_names_that_differ_in_a_letter_a_sign_or_a_vowel_sign_are_different_predicates():
    names = ["c", "c++", "c#", "मेरा", "मेरी", "मर", "x²", "x2", "🍎", "🍌", "na_me", "name"]
    registry = built(*map(make_predicate, names))
    assert len(registry.predicates) == len(names)
    assert [registry.predicate(name).name for name in names] == names  # type: ignore[union-attr]


@given(st.text())
@law_settings
def test_the_key_of_a_predicate_key_is_that_key(name):
    key = predicate_name_key(name)
    assert predicate_name_key(key) == key


@pytest.mark.parametrize(
    "name", ["", " ", "!!!", "---", "_", "+", "\u200b", "a\0", "\ud800a", "a\x1b[0m", "x" * 129, None, 5, b"x", ["x"]]
)
def test_a_predicate_needs_a_name_that_says_something(name):
    with pytest.raises(InvalidValueError):
        make_predicate(name)
    with pytest.raises(InvalidValueError):
        make_predicate("fine", aliases=[name])


@pytest.mark.parametrize(
    "wrong",
    [
        {"cardinality": "few"}, {"cardinality": None}, {"cardinality": ["one"]}, {"type": "string"}, {"type": None},
        {"type": ["text"]}, {"type": "enum"}, {"description": None}, {"description": "a\0"},
        {"description": "x" * 5000},
        {"aliases": "home"}, {"aliases": [5]}, {"aliases": 5}, {"aliases": {"a": 1}},
        {"choices": []}, {"choices": "abc"}, {"choices": 5}, {"choices": ["a", " A "]}, {"choices": [None]},
        {"choices": ["x"], "type": "number"}, {"choices": [True], "type": "enum"},
        {"writers": []}, {"writers": "user"}, {"writers": [""]}, {"writers": [None]},
        {"trust": []}, {"trust": "crm"}, {"trust": {"crm": True}}, {"trust": {"crm": 1.5}}, {"trust": {5: 1}},
        {"trust": {}},
        {"min_confidence": -0.1}, {"min_confidence": 1.1}, {"min_confidence": True}, {"min_confidence": float("nan")},
        {"min_confidence": "0.5"}, {"verbatim": 1}, {"verbatim": "yes"}, {"examples": "x"}, {"examples": [5]},
    ],
    ids=str,
)  # fmt: skip
def test_a_bad_argument_is_refused_by_name(wrong):
    with pytest.raises(InvalidValueError, match=rf"^({next(iter(wrong))}|choices)"):
        make_predicate("p", **wrong)


@pytest.mark.parametrize(
    "wrong", [{"ttl": "soon"}, {"ttl": "0d"}, {"ttl": 30}, {"review_after": timedelta(0)}], ids=str
)
def test_a_bad_duration_is_refused_by_name(wrong):
    with pytest.raises(InvalidTimeError, match=next(iter(wrong))):
        make_predicate("p", **wrong)


def test_arguments_are_normalised():
    predicate = make_predicate(
        "  Best  Day ", "many", type="date", description=" When. ", aliases={"b day", "a day", "best-day"},
        choices=[date(2026, 3, 5), "2026-03-06"], ttl="30d", review_after="P1Y", writers=["user", "crm", "user"],
        trust={"crm": 2, "app": 1}, min_confidence=1, verbatim=False, examples=["2026-03-05"],
    )  # fmt: skip
    assert predicate == Predicate(
        "Best Day", "many", "date", "When.", ("a day", "b day"), ("2026-03-05", "2026-03-06"), timedelta(days=30),
        timedelta(days=365), ("user", "crm"), {"app": 1, "crm": 2}, 1.0, False, ("2026-03-05",),
    )  # fmt: skip


PREDICATES = st.builds(
    make_predicate,
    st.sampled_from(["a", "b c", "c++", "मेरा"]),
    st.sampled_from(["one", "many"]),
    type=st.sampled_from(["text", "number", "json"]),
    description=st.sampled_from(["", "What it is."]),
    aliases=st.lists(st.sampled_from(["x", "y-z", "A"]), max_size=3),
    choices=st.none() | st.just([1, 2.5]),
    ttl=st.none() | st.timedeltas(timedelta(microseconds=1), timedelta(days=2000)),
    review_after=st.none() | st.just("30d"),
    writers=st.none() | st.just(["user"]),
    trust=st.none() | st.just(["crm", "user"]) | st.just({"crm": 3}),
    min_confidence=st.none() | st.floats(0, 1),
    verbatim=st.none() | st.booleans(),
    examples=st.lists(st.text("abc", max_size=5), max_size=2),
)


@given(PREDICATES)
@law_settings
def test_a_predicate_comes_back_from_the_log_as_it_was(predicate):
    assert predicate_of(json.loads(json.dumps(predicate_body(predicate)))) == predicate


def test_an_entity_comes_back_from_the_log_as_it_was():
    assert entity_of(json.loads(json.dumps(entity_body(POSTGRES)))) == POSTGRES


def test_a_predicate_is_found_by_its_name_and_by_every_alias():
    registry = built(LIVES_IN)
    assert {registry.predicate(name) for name in ("Lives in", "HOME_CITY", "hometown")} == {LIVES_IN}
    assert {registry.predicate_key(name) for name in ("Lives in", "HOME_CITY", "hometown")} == {"lives_in"}
    assert registry.predicate("diet") is None
    assert registry.predicate_key("Diet  Plan") == "diet_plan"


def test_a_later_definition_replaces_an_earlier_one_with_its_aliases():
    newer = make_predicate("Lives-In", "many", aliases=["home city"])
    registry = built(LIVES_IN, newer)
    assert registry.predicate("home city") == newer
    assert registry.predicate("hometown") is None
    assert registry.rev == 2


def test_an_empty_log_is_an_empty_registry():
    assert Registry.build([]) == Registry()
    assert Registry().rev == 0


def test_the_same_definition_again_is_nothing_to_log():
    registry = built(make_predicate("p", aliases=["a", "b"], writers=["x", "y"], ttl="24h"))
    same = make_predicate("P", aliases=["B", "a"], writers=["y", "x"], ttl="1d")
    assert registry.check_predicate(same) is None
    assert registry.check_predicate(same, update=True) is None
    assert Registry().check_predicate(same) == same


def test_another_definition_needs_update():
    registry = built(LIVES_IN)
    other = make_predicate("lives_in", "many", aliases=["home city", "hometown"], ttl="1d")
    with pytest.raises(PredicateConflictError, match=r"another cardinality and ttl\. Pass update=True"):
        registry.check_predicate(other)
    assert registry.check_predicate(other, update=True) == other


@pytest.mark.parametrize("update", [False, True])
@pytest.mark.parametrize(
    "candidate",
    [
        make_predicate("hometown"),
        make_predicate("city", aliases=["Home-City"]),
        make_predicate("city", aliases=["lives in"]),
    ],
)
def test_a_name_of_another_predicate_can_not_be_taken(candidate, update):
    with pytest.raises(PredicateConflictError, match="is a name of the predicate 'lives_in' already"):
        built(LIVES_IN).check_predicate(candidate, update)


def test_an_entity_is_found_by_every_name():
    registry = built(POSTGRES)
    assert registry.entity_key(" POSTGRES ") == registry.entity_key("postgresql") == "postgresql"
    assert registry.entity("PG") == POSTGRES
    assert registry.names_of("pg") == registry.names_of("postgresql") == ("PostgreSQL", "Postgres", "pg")
    assert registry.entity("MySQL") is None
    assert registry.entity_key("My  SQL") == "my sql"
    assert registry.names_of("mysql") == ()


def test_registering_an_entity_again_adds_its_new_aliases():
    registry = built(POSTGRES)
    assert registry.check_entity(make_entity("PostgreSQL", aliases=["PG"])) is None
    assert registry.check_entity(make_entity("PostgreSQL")) is None
    merged = registry.check_entity(make_entity("PostgreSQL", aliases=["psql", "pg"]))
    assert merged == Entity("PostgreSQL", ("Postgres", "pg", "psql"))
    assert registry.check_entity(make_entity("PostgreSQL", kind="database")) == Entity(
        "PostgreSQL", ("Postgres", "pg"), "database"
    )
    assert built(Entity("X", (), "database")).check_entity(make_entity("X")) is None


@pytest.mark.parametrize(
    "candidate", [make_entity("pg"), make_entity("Go", aliases=["PostgreSQL"]), make_entity("Go", aliases=["PG"])]
)
def test_a_name_of_another_entity_can_not_be_taken(candidate):
    with pytest.raises(PredicateConflictError, match="is a name of the entity 'PostgreSQL' already"):
        built(POSTGRES).check_entity(candidate)


@pytest.mark.parametrize("wrong", [{"name": ""}, {"name": 5}, {"aliases": "pg"}, {"aliases": [""]}, {"aliases": [5]},
{"kind": ""},
                                   {"kind": None}, {"name": "a\0"}, {"name": "x" * 513}], ids=str)  # fmt: skip
def test_a_bad_entity_is_refused(wrong):
    with pytest.raises(InvalidValueError):
        make_entity(**{"name": "Fine"} | wrong)


def test_an_alias_that_is_the_name_or_given_twice_is_one_name():
    assert make_entity("PostgreSQL", aliases=["postgresql", "pg", "PG"]) == Entity("PostgreSQL", ("PG",))


def test_a_change_touches_every_old_and_new_name():
    old = built(LIVES_IN, make_predicate("diet"), POSTGRES)
    new = built(
        make_predicate("lives_in", aliases=["home city", "residence"]), make_predicate("diet"), make_predicate("job"),
        make_entity("PostgreSQL", aliases=["Postgres", "pg", "psql"]), make_entity("Go"),
    )  # fmt: skip
    predicates, entities = changed_names(old, new)
    assert predicates == {"lives_in", "home_city", "hometown", "residence", "job"}
    assert entities == {"postgresql", "postgres", "pg", "psql", "go"}
    assert changed_names(new, new) == (frozenset(), frozenset())


@given(st.lists(PREDICATES, max_size=6))
@law_settings
def test_whatever_was_checked_and_logged_is_found_and_checks_as_nothing_new(candidates):
    registry, logged = Registry(), []
    for candidate in candidates:
        try:
            accepted = registry.check_predicate(candidate, update=True)
        except PredicateConflictError:
            continue
        if accepted is not None:
            logged.append(accepted)
            registry = built(*logged)
        for name in (candidate.name, *candidate.aliases):
            found = registry.predicate(name)
            assert found is not None
            assert registry.check_predicate(found) is None
            assert registry.predicate_key(name) == predicate_name_key(candidate.name)
