"""A typed profile as predicates."""

from __future__ import annotations

import enum
import uuid
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any, Literal, NewType, Optional, Union

import pytest

from tensemem.core.profiles import predicates_in_toml, predicates_of
from tensemem.core.registry import make_entity, make_predicate
from tensemem.errors import InvalidTimeError, InvalidValueError
from tensemem.model.predicate import Predicate

City = NewType("City", str)


class Tone(enum.Enum):
    WARM = "warm"
    DRY = "dry"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


def model(title: str, /, **annotations: Any) -> type:
    """A class as pydantic would show it; a pair is an annotation and its description."""
    fields = {}
    for field, given in annotations.items():
        annotation, description = given if isinstance(given, tuple) else (given, None)
        fields[field] = SimpleNamespace(annotation=annotation, description=description)
    return type(title, (), {"model_fields": fields})


def only(annotation: Any) -> Predicate:
    predicates, entities = predicates_of(model("Profile", p=annotation))
    assert (len(predicates), entities) == (1, [])
    return predicates[0]


@pytest.mark.parametrize(
    ("annotation", "type"),
    [
        (str, "text"), (City, "text"), (uuid.UUID, "text"), (Path, "text"), (time, "text"),
        (int, "number"), (float, "number"), (Decimal, "number"), (bool, "bool"), (date, "date"), (datetime, "datetime"),
        (timedelta, "duration"), (dict, "json"), (dict[str, int], "json"), (Any, "json"), (object, "json"),
        (Optional[int], "number"),  # noqa: UP045
        (Union[int, float, None], "number"),  # noqa: UP007
        (int | None, "number"), (str | int, "text"),
        (int | dict[str, int], "json"), (Annotated[int, "years"], "number"), (Annotated[int | None, "years"], "number"),
        (tuple[int, str], "json"),
    ],
    ids=str,
)  # fmt: skip
def test_a_field_is_one_value_of_its_type(annotation, type):
    assert only(annotation) == make_predicate("p", type=type)


@pytest.mark.parametrize(
    ("annotation", "type"),
    [
        (list, "text"), (list[str], "text"), (set[int], "number"), (frozenset[date], "date"),
        (tuple[bool, ...], "bool"), (tuple[int, int], "number"), (Sequence[str], "text"), (list[str] | None, "text"),
        (Optional[list[int | None]], "number"),  # noqa: UP045
        (list[dict[str, int]], "json"), (list[list[int]], "json"), (Annotated[list[Annotated[int, 1]], 2], "number"),
    ],
    ids=str,
)  # fmt: skip
def test_a_list_set_or_tuple_holds_many(annotation, type):
    assert only(annotation) == make_predicate("p", "many", type=type)


def test_literals_and_enums_are_choices():
    assert only(Literal["vegan", "keto", None]) == make_predicate("p", type="enum", choices=["vegan", "keto"])
    assert only(list[Literal["a", "b"]]) == make_predicate("p", "many", type="enum", choices=["a", "b"])
    assert only(Literal["a"] | Literal["b"] | None) == make_predicate("p", type="enum", choices=["a", "b"])
    assert only(Tone) == make_predicate("p", type="enum", choices=["warm", "dry"])
    assert only(Literal[Tone.DRY]) == make_predicate("p", type="enum", choices=["dry"])
    assert only(Level | None) == make_predicate("p", type="number", choices=[1, 2])
    assert only(Literal[True]) == make_predicate("p", type="bool", choices=[True])
    assert only(Literal["auto", 1]) == make_predicate("p", type="enum", choices=["auto", 1])
    assert only(Literal[1, True]) == make_predicate("p", type="json", choices=[1, True])


def test_a_description_comes_along_and_fields_keep_their_order():
    predicates, _ = predicates_of(model("Profile", b=(str, " Where. "), a=int))
    assert predicates == [make_predicate("b", description="Where."), make_predicate("a", type="number")]


def test_a_nested_models_fields_are_predicates_too():
    person = model("Person", name=(str, "Their name."), age=int)
    person.model_fields["friend"] = SimpleNamespace(annotation=person | None, description=None)  # type: ignore[attr-defined]
    profile = model("Profile", name=(str, "The user's name."), wife=person | None, pets=list[person])  # type: ignore[valid-type]
    predicates, _ = predicates_of(profile)
    assert [(p.name, p.type, p.cardinality) for p in predicates] == [
        ("name", "text", "one"), ("pets", "json", "many"), ("age", "number", "one"),
    ]  # fmt: skip
    assert predicates[0].description == "The user's name."


def test_several_models_make_one_profile():
    predicates, _ = predicates_of([model("A", x=str, y=int), model("B", y=int, z=bool)])
    assert [p.name for p in predicates] == ["x", "y", "z"]


def test_one_name_with_two_meanings_is_refused():
    with pytest.raises(InvalidValueError, match="y is defined twice, and differently"):
        predicates_of([model("A", y=str), model("B", y=int)])


@pytest.mark.parametrize("annotation", [bytes, list[bytes], "Later"])
def test_a_field_that_no_value_type_fits_is_refused_by_name(annotation):
    with pytest.raises(InvalidValueError, match=r"Profile\.p: "):
        only(annotation)


@pytest.mark.parametrize("source", [None, 5, object(), int, {"a": 1}, [int], b"x", model("A", x=str)()])
def test_what_is_no_profile_is_refused(source):
    with pytest.raises(InvalidValueError, match="a profile is a pydantic model or the path of a TOML file"):
        predicates_of(source)


TOML = """
[predicates.lives_in]
description = "Where the user lives."
aliases = ["home city"]

[predicates."c++ level"]
type = "enum"
choices = ["new", "good"]
ttl = "30d"

[predicates]
languages = { cardinality = "many", trust = { crm = 2 } }

[entities.PostgreSQL]
aliases = ["pg"]
kind = "database"
"""


def test_a_toml_file_defines_predicates_and_entities():
    predicates, entities = predicates_of("profile.toml", {"profile.toml": TOML.encode()}.__getitem__)
    assert predicates == [
        make_predicate("lives_in", description="Where the user lives.", aliases=["home city"]),
        make_predicate("c++ level", type="enum", choices=["new", "good"], ttl="30d"),
        make_predicate("languages", "many", trust={"crm": 2}),
    ]
    assert entities == [make_entity("PostgreSQL", aliases=["pg"], kind="database")]


def test_text_with_a_line_break_is_a_profile_and_no_path():
    def read(path: str) -> bytes:
        raise AssertionError(path)

    assert predicates_of(TOML, read) == predicates_of("p.toml", lambda _: TOML.encode())
    assert predicates_of("[predicates.a]\n")[0] == [make_predicate("a")]
    with pytest.raises(InvalidValueError, match=r"^profile, line 1: a: cardinality"):
        predicates_of("[predicates.a]\ncardinality = 'few'\n", read)


def test_paths_and_models_may_be_mixed():
    predicates, entities = predicates_of([Path("p.toml"), model("A", x=str)], lambda path: TOML.encode())
    assert [p.name for p in predicates] == ["lives_in", "c++ level", "languages", "x"]
    assert len(entities) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[predicates.a\n", r"^p\.toml: .*line 1"),
        ("x = 1\n\n[[", r"^p\.toml: .*line 3"),
        ("\n[predicats.a]\n", r"^p\.toml, line 2: unknown 'predicats'"),
        ("\n\n[predicates.a]\ncardinality = 'few'\n", r"^p\.toml, line 3: a: cardinality: give 'one' or 'many'"),
        ("[predicates.a]\n[predicates.b]\nkind = 'x'\n", r"^p\.toml, line 2: unknown 'kind'. It may have cardinality"),
        ("[predicates]\na = 5\n", r"^p\.toml, line 2: 'a' is no table"),
        ("[predicates]\na = {type = 'nope'}\n", r"^p\.toml, line 2: a: type: give one of"),
        ("\npredicates = 5\n", r"^p\.toml, line 2: predicates is no table"),
        ("[predicates.'!!!']\n", r"^p\.toml, line 1: !!!: a predicate's name needs a letter"),
        ("[predicates.a]\n[predicates.A]\n", r"^p\.toml: 'a' and 'A' are the same name"),
        ("[entities.user]\n", r"^p\.toml, line 1: user: an entity can't be named 'user'"),
        ("[entities.X]\naliases = 'y'\n", r"^p\.toml, line 1: X: aliases: give a sequence"),
    ],
)
def test_a_bad_profile_is_refused_with_its_path_and_line(text, message):
    with pytest.raises(InvalidValueError, match=message):
        predicates_in_toml(text, "p.toml")


def test_a_bad_duration_in_a_profile_is_an_invalid_time():
    with pytest.raises(InvalidTimeError, match=r"^p\.toml, line 1: a: ttl: 'soon' is no duration"):
        predicates_in_toml("[predicates.a]\nttl = 'soon'\n", "p.toml")


def test_a_file_that_can_not_be_read_is_named():
    def read(path: str) -> bytes:
        raise FileNotFoundError(2, "No such file")

    with pytest.raises(InvalidValueError, match=r"p\.toml: can't be read: No such file"):
        predicates_of("p.toml", read)
    with pytest.raises(InvalidValueError, match=r"p\.toml: is not UTF-8 at byte 1"):
        predicates_of("p.toml", lambda path: b"a\xff")
    with pytest.raises(InvalidValueError, match="needs a reader"):
        predicates_of("p.toml")
    assert predicates_of("p.toml", lambda path: b"\xef\xbb\xbf[predicates.a]\r\n")[0] == [make_predicate("a")]


def test_a_pydantic_model_is_a_profile():
    pydantic = pytest.importorskip("pydantic")
    person = pydantic.create_model("Person", name=(str, ...))
    profile = pydantic.create_model(
        "Profile",
        lives_in=(str | None, pydantic.Field(None, description="Where the user lives.")),
        languages=(list[str], []),
        diet=(Literal["vegan", "any"] | None, None),
        age=(pydantic.conint(ge=0) | None, None),
        born=(date | None, None),
        wife=(person | None, None),
        settings=(dict[str, Any], {}),
    )
    predicates, _ = predicates_of(profile)
    assert [(p.name, p.cardinality, p.type, p.choices, p.description) for p in predicates] == [
        ("lives_in", "one", "text", None, "Where the user lives."),
        ("languages", "many", "text", None, ""),
        ("diet", "one", "enum", ("vegan", "any"), ""),
        ("age", "one", "number", None, ""),
        ("born", "one", "date", None, ""),
        ("settings", "one", "json", None, ""),
        ("name", "one", "text", None, ""),
    ]
