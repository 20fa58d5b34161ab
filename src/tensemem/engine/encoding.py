"""What an extractor proposed, as the log keeps it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..core.findings import numbered
from ..core.operations import encode_operation
from ..core.sizes import is_larger
from ..extract.answers import Malformed
from ..extract.calling import CallableExtractor
from ..model.operation import Operation
from .core import Engine


def encoded(engine: Engine, operations: Sequence[Operation | Malformed]) -> list[dict[str, Any]]:
    """Give operations as the log keeps them, secrets replaced; what is malformed keeps its place and says why."""
    found: list[dict[str, Any]] = []
    for operation in operations:
        if isinstance(operation, Malformed):
            body: dict[str, Any] = {"malformed": operation.why, "raw": operation.raw}
        else:
            body = numbered(_sized(engine, encode_operation(operation)))
        found.append(engine.redacted(body)[0])
    return found


def _sized(engine: Engine, body: dict[str, Any]) -> dict[str, Any]:
    """Give an operation, or, in the place of one that says more than any message may, what is wrong with it."""
    for name in ("value", "quote"):
        if is_larger(body.get(name), engine.max_content):
            return {"malformed": f"{name} is over {engine.max_content} bytes", "raw": str(body["predicate"])}
    return body


def extraction_body(
    extractor: CallableExtractor, operations: list[dict[str, Any]], usage: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Give the body of an extraction entry."""
    body: dict[str, Any] = {"ops": operations, "extractor": extractor.name}
    optional = {"model": extractor.model, "prompt": extractor.prompt_digest, "usage": usage}
    body.update({name: value for name, value in optional.items() if value})
    return body
