"""The OpenAPI document says what is served: it is valid, its examples fit, and the committed one is that of today."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tensemem import Freshness, Memory
from tensemem.testing import FrozenClock
from tensemem.wire import SERVED, decode, document, openapi, query_of, read, schema_of, unwrap, wrap
from tensemem.wire.answering import STATUSES, schema_of_answer
from tensemem.wire.asking import schema_of_body
from tensemem.wire.examples import shipped
from tensemem.wire.problems import OF_REQUESTS, PROBLEMS
from tensemem.wire.schemas import KINDS
from tests.engine.bench import Told, lives
from tests.wire.fitting import DOCUMENT, fits
from tests.wire.going_round import ELSEWHERE, overhearing, sent
from tests.wire.test_round_trip import call_every_verb
from tools import make_openapi

JSON_ANSWERS = [name for name in SERVED if name not in ELSEWHERE]
IN_BODIES = [name for name, served in SERVED.items() if served.method == "POST" and served.takes == "json"]


def test_it_is_valid() -> None:
    validator = pytest.importorskip("openapi_spec_validator", reason="openapi-spec-validator, of the extra dev")
    validator.validate(openapi("0.1.0", url="http://127.0.0.1:7340"))


def test_what_is_committed_is_what_is_served(capsys: pytest.CaptureFixture[str]) -> None:
    assert make_openapi.main(["--check"]) == 0, "run python tools/make_openapi.py"
    assert capsys.readouterr().out == ""


def test_a_file_that_is_out_of_date_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(make_openapi, "PROJECT", tmp_path)
    monkeypatch.setattr(make_openapi, "files", lambda: iter([(tmp_path / "a.json", "{}\n")]))
    assert make_openapi.main(["--check"]) == 1
    assert capsys.readouterr().out == "out of date: a.json\n"
    assert make_openapi.main([]) == 0
    assert (tmp_path / "a.json").read_text() == "{}\n"
    assert make_openapi.main(["--check"]) == 0


def test_every_verb_is_in_it_with_its_parameters_and_an_example() -> None:
    for served in SERVED.values():
        told = DOCUMENT["paths"][served.path][served.method.lower()]
        asked = [parameter["name"] for parameter in told.get("parameters", []) if "name" in parameter]
        in_body = told.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
        assert asked + list(in_body.get("properties", [])) == [parameter.name for parameter in served.parameters]
        assert served.name in shipped()
        assert told["responses"].keys() > {"200", "400", "401", "403", "429", "500", "503"}
        assert told["summary"]
        assert "``" not in str(told)


def test_every_reference_leads_somewhere() -> None:
    found = set(re.findall(r'"\$ref": "#/components/([^"]+)"', json.dumps(DOCUMENT)))
    assert found
    for place in found:
        sort, _, name = place.partition("/")
        assert name in DOCUMENT["components"][sort], place
    parts = {f"{sort}/{name}" for sort, names in DOCUMENT["components"].items() for name in names}
    unused = {part for part in parts - found if not part.startswith(("securitySchemes/", "schemas/"))}
    assert unused == set()


def test_every_kind_of_problem_stands_by_its_status() -> None:
    told = DOCUMENT["components"]["responses"]
    statuses = {kind: status for kind, (status, _) in PROBLEMS.items()}
    statuses |= {kind: status for kind, (status, _, _) in OF_REQUESTS.items()}
    for kind, status in statuses.items():
        assert status in STATUSES, kind
        if status in STATUSES:
            assert f"`{kind}`" in told[f"Problem{status}"]["description"]


@pytest.mark.parametrize("status", STATUSES)
def test_the_example_of_a_refusal_is_a_problem_of_that_status(status: int) -> None:
    example = STATUSES[status][1]
    assert example["status"] == status
    fits(DOCUMENT["components"]["schemas"]["Problem"], example)


@pytest.mark.parametrize("name", SERVED)
def test_the_example_of_a_request_is_one(name: str) -> None:
    served, given = SERVED[name], shipped()[name]["arguments"]
    asked = query_of(served, given) if served.method == "GET" or served.takes == "lines" else given
    assert decode(served, asked).keys() == given.keys() - {"difference"}


@pytest.mark.parametrize("name", IN_BODIES)
def test_the_example_of_a_body_fits_its_schema(name: str) -> None:
    fits(schema_of_body(SERVED[name]), shipped()[name]["arguments"])


@pytest.mark.parametrize("name", JSON_ANSWERS)
def test_the_example_of_an_answer_fits_its_schema_and_is_read(name: str) -> None:
    answer = shipped()[name]["answer"]
    fits(schema_of_answer(SERVED[name]), answer)
    again = wrap(SERVED[name], unwrap(SERVED[name], answer), answer.get("next"), freshness=_freshness_of(name, answer))
    assert sent(again) == answer


def _freshness_of(name: str, answer: Mapping[str, Any]) -> Freshness | None:
    """How fresh a value was read: its result does not tell."""
    return read(Freshness, answer["freshness"]) if name == "get" else None


def test_every_parameter_of_a_query_fits_its_example() -> None:
    for served in SERVED.values():
        for parameter in DOCUMENT["paths"][served.path][served.method.lower()].get("parameters", []):
            if "example" in parameter:
                fits(parameter["schema"], parameter["example"])
            if "default" in parameter.get("schema", {}):
                fits(parameter["schema"], parameter["schema"]["default"])


def test_what_a_real_memory_answers_fits_the_schemas(tmp_path: Path) -> None:
    clock, told = FrozenClock("2026-03-01"), Told()
    told.answers["I live in Delhi"] = [lives("Delhi")]
    with Memory(tmp_path / "a.db", llm=told, worker=False, clock=clock) as mem:
        heard = overhearing(mem)
        call_every_verb(mem, told, clock, tmp_path)
        for name, result in heard.results:
            if name not in ELSEWHERE:
                fresh = mem.state("u1", predicates=[], subject="user").freshness if name == "get" else None
                fits(schema_of_answer(SERVED[name]), sent(wrap(SERVED[name], result, freshness=fresh)))
            else:
                fits(schema_of(SERVED[name].returns), sent(document(result)))


def wrong_answers() -> Iterator[tuple[str, Any]]:
    answer = json.loads(json.dumps(shipped()["state"]["answer"]))
    answer["facts"][0]["status"] = "new"
    yield "a status that is not known", answer
    answer = json.loads(json.dumps(shipped()["state"]["answer"]))
    del answer["facts"][0]["value_type"]
    yield "a value without its type", answer
    answer = json.loads(json.dumps(shipped()["state"]["answer"]))
    answer["freshness"]["is_current"] = "true"
    yield "text for a truth", answer


@pytest.mark.parametrize("case", list(wrong_answers()), ids=lambda case: case[0])
def test_what_does_not_fit_is_found(case: tuple[str, Any]) -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="openapi-spec-validator brings it, of the extra dev")
    with pytest.raises(jsonschema.ValidationError):
        fits(schema_of_answer(SERVED["state"]), case[1])


@pytest.mark.parametrize("name", sorted(KINDS))
def test_a_schema_by_itself_is_complete(name: str) -> None:
    from tensemem.model import results

    kind = {"State": results.State, "WriteResult": results.WriteResult}.get(name, KINDS[name])
    found = schema_of(kind)
    assert found["$ref"] == f"#/$defs/{name}"
    referred = set(re.findall(r'"#/\$defs/(\w+)"', json.dumps(found)))
    assert referred == set(found["$defs"])
    assert "#/components" not in json.dumps(found)
