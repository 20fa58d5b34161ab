"""What a registry of servers is told: in the form it takes, of this version, and by its rightful owner."""

from __future__ import annotations

import importlib
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tensemem import __version__
from tensemem.adapters.cli import program
from tensemem.adapters.cli.mcp_serving import USER

jsonschema: Any = importlib.import_module("jsonschema")  # which has no types of its own
PROJECT = Path(__file__).resolve().parents[3]
TEXT = {"type": "string", "minLength": 1}
EXACT = {"type": "string", "pattern": r"^\d+\.\d+\.\d+[\w.+-]*$"}
INPUT = {
    "description": TEXT, "isRequired": {"type": "boolean"}, "isSecret": {"type": "boolean"}, "value": TEXT,
    "format": {"enum": ["string", "number", "boolean", "filepath"]},
}  # fmt: skip
ARGUMENT = {
    "type": "object", "required": ["type"], "additionalProperties": False,
    "properties": {**INPUT, "type": {"enum": ["named", "positional"]}, "name": TEXT, "valueHint": TEXT},
    "if": {"properties": {"type": {"const": "named"}}}, "then": {"required": ["name"]},
    "else": {"anyOf": [{"required": ["value"]}, {"required": ["valueHint"]}]},
}  # fmt: skip
VARIABLE = {
    "type": "object", "required": ["name"], "additionalProperties": False,
    "properties": {**INPUT, "name": {"type": "string", "pattern": "^[A-Z][A-Z0-9_]*$"}},
}  # fmt: skip
PACKAGE = {
    "type": "object", "required": ["registryType", "identifier", "version", "transport"], "additionalProperties": False,
    "properties": {
        "registryType": {"const": "pypi"}, "identifier": TEXT, "version": EXACT,
        "runtimeHint": {"enum": ["uvx", "python"]}, "runtimeArguments": {"type": "array", "items": ARGUMENT},
        "packageArguments": {"type": "array", "items": ARGUMENT},
        "environmentVariables": {"type": "array", "items": VARIABLE},
        "transport": {
            "type": "object", "required": ["type"], "properties": {"type": {"const": "stdio"}},
            "additionalProperties": False,
        },
    },
}  # fmt: skip
SCHEMA: dict[str, Any] = {
    "type": "object", "required": ["$schema", "name", "description", "version", "packages"],
    "additionalProperties": False,
    "properties": {
        "$schema": {"const": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"},
        "name": {"type": "string", "minLength": 3, "maxLength": 200, "pattern": "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$"},
        "title": {**TEXT, "maxLength": 100}, "description": {**TEXT, "maxLength": 100}, "version": EXACT,
        "packages": {"type": "array", "minItems": 1, "items": PACKAGE},
    },
}  # fmt: skip


@pytest.fixture
def told() -> Any:
    return json.loads((PROJECT / "server.json").read_text(encoding="utf-8"))


def test_it_has_the_form_that_registries_take(told: Any) -> None:
    jsonschema.Draft202012Validator(SCHEMA).validate(told)


@pytest.mark.parametrize(
    "wrong", [{"name": "tensemem"}, {"version": "latest"}, {"description": "x" * 101}, {"packages": []}, {"extra": 1}]
)
def test_another_form_is_noticed(told: Any, wrong: dict[str, Any]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(SCHEMA).validate({**told, **wrong})


def test_it_is_of_this_version_and_package(told: Any) -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (package,) = told["packages"]
    (extra,) = package["runtimeArguments"]
    assert told["version"] == package["version"] == project["version"] == __version__
    assert package["identifier"] == project["name"]
    assert extra["value"] == f"{project['name']}[mcp]=={__version__}"
    assert "mcp" in project["optional-dependencies"]


def test_the_readme_says_that_the_name_is_its_own(told: Any) -> None:
    readme = (PROJECT / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"^<!-- mcp-name: (\S+) -->$", readme, re.MULTILINE) == [told["name"]]


def test_what_it_starts_is_a_command_that_reads_the_variables_it_names(told: Any) -> None:
    (package,) = told["packages"]
    (command,) = [argument["value"] for argument in package["packageArguments"]]
    assert command in program.commands
    settings = (PROJECT / "docs" / "reference" / "settings.md").read_text(encoding="utf-8")
    names = [variable["name"] for variable in package["environmentVariables"]]
    assert USER in names
    assert all(f"`{name}`" in settings for name in names)
