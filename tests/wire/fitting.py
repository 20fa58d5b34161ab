"""The OpenAPI document that tests look at, and whether something fits a schema of it."""

from __future__ import annotations

from typing import Any

import pytest

from tensemem.wire import openapi

DOCUMENT = openapi("0.1.0")


def fits(schema: Any, data: Any) -> None:
    """Assert that a document fits a schema that refers to those of the OpenAPI document."""
    jsonschema = pytest.importorskip("jsonschema", reason="openapi-spec-validator brings it, of the extra dev")
    whole = {**schema, "components": DOCUMENT["components"]}
    jsonschema.Draft202012Validator(whole, format_checker=jsonschema.FormatChecker()).validate(data)
