"""The page of the REST API names every verb, parameter and problem that there is, and no other."""

from __future__ import annotations

import re

from tensemem.wire import NOT_SERVED, SERVED
from tensemem.wire.answering import components_of_answers
from tensemem.wire.asking import _HEADERS
from tensemem.wire.problems import OF_REQUESTS, PROBLEMS
from tests.docs.pages import DOCS

PAGE = (DOCS / "reference" / "rest-api.md").read_text(encoding="utf-8")
ROWS = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in PAGE.splitlines() if line[:1] == "|"]


def test_every_verb_stands_there_with_its_role_and_parameters() -> None:
    told = [row for row in ROWS if re.match(r"`(GET|POST) /v1/", row[0])]
    wanted = []
    for served in sorted(SERVED.values(), key=lambda one: ["Writing", "Reading", "Keeping", "Moving"].index(one.part)):
        names = [f"**`{one.name}`**" if one.required else f"`{one.name}`" for one in served.parameters]
        wanted.append((f"`{served.method} {served.path}`", served.role, ", ".join(names) or "none"))
    assert told == wanted


def test_what_is_not_served_is_said() -> None:
    assert all(f"`{name}`" in PAGE for name in NOT_SERVED)


def test_every_problem_stands_there_with_its_status_and_error() -> None:
    told = {row[0].strip("`"): row for row in ROWS if len(row) == 3 and row[1].isdigit()}
    assert told.keys() == {*PROBLEMS, *OF_REQUESTS}
    for kind, (status, error) in PROBLEMS.items():
        assert told[kind][1:] == (str(status), f"`{error.__name__}`")
    for kind, (status, title, _) in OF_REQUESTS.items():
        assert told[kind][1:] == (str(status), title.rstrip("."))


def test_every_header_of_a_request_is_told() -> None:
    for header, _, _, _ in _HEADERS.values():
        assert f"`{header}" in PAGE


def test_every_header_of_an_answer_is_told() -> None:
    for header in components_of_answers()["headers"]:
        assert f"`{header}`" in PAGE, header


def test_no_row_stands_twice() -> None:
    keys = [row[0] for row in ROWS if row[0].startswith("`")]
    assert sorted({key for key in keys if keys.count(key) > 1}) == []
