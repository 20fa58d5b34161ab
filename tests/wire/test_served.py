"""Every verb is served, or it is said why not."""

from __future__ import annotations

import inspect
import re

import pytest

from tensemem.verbs.scoped import public_verbs
from tensemem.wire import NOT_SERVED, SERVED
from tensemem.wire.served import _LEFT_OUT, _LINES, Served

ALL = list(SERVED.values())
NAMES = [served.name for served in ALL]


def test_every_verb_has_a_line_of_its_role_and_method_or_a_reason_not_to_be_served() -> None:
    assert sorted([*_LINES, *NOT_SERVED]) == sorted(public_verbs())
    assert list(SERVED) == [name for name in public_verbs() if name in _LINES]
    assert all(NOT_SERVED.values())


@pytest.mark.parametrize("served", ALL, ids=NAMES)
def test_a_path_is_a_verb_and_its_parameters_are_the_verbs(served: Served) -> None:
    signature = inspect.signature(public_verbs()[served.name]).parameters
    assert re.fullmatch(r"/v1/[a-z_]*[a-z]", served.path)
    assert served.path == "/v1/" + served.name.removesuffix("_")
    kept = [name for name in signature if name not in {"self", *_LEFT_OUT.get(served.name, ())}]
    more = ["difference"] if served.name == "reextract" else []
    assert [parameter.name for parameter in served.parameters] == kept + more
    for parameter in served.parameters[: len(kept)]:
        default = signature[parameter.name].default
        assert parameter.required == (default is inspect.Parameter.empty)
        assert parameter.required or parameter.default == default
    assert served.summary
    assert "\n" not in served.summary


def test_paths_are_no_two_verbs() -> None:
    assert len({served.path for served in ALL}) == len(ALL)


def test_what_is_left_out_is_a_parameter_of_its_verb() -> None:
    for name, left_out in _LEFT_OUT.items():
        assert left_out < inspect.signature(public_verbs()[name]).parameters.keys()


def test_reading_changes_nothing_and_so_is_a_get() -> None:
    for served in ALL:
        if served.role == "read":
            assert served.method == "GET", served.name


def test_whoever_takes_a_path_a_key_or_an_extractor_of_the_server_is_not_asked_for_it() -> None:
    theirs = {"dest", "key", "sign_key", "llm", "overwrite", "hook"}
    assert not theirs & {parameter.name for served in ALL for parameter in served.parameters}


def test_what_a_verb_is_about_agrees_with_whom_it_names() -> None:
    for served in ALL:
        user = served.parameter("user_id")
        assert served.scoped == (user is not None)
        assert (served.reach == "scope") == (user is not None and user.required), served.name
        if served.reach == "ids":
            assert served.parameter("fact_id") or served.parameter("question_id")
        if served.cursor is not None:
            assert served.parameter(served.cursor)
            assert served.parameter("limit")
