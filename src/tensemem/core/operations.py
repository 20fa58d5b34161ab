"""Operations as the log keeps them: JSON of what was proposed, as proposed, and back."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from typing import Any

from ..model.operation import Operation
from .findings import OUR_OWN
from .periods import format_duration

_TIMES = ("since", "until", "valid_from", "valid_to")


def encode_operation(operation: Operation) -> dict[str, Any]:
    """Give an operation as JSON knows it, without what is at its default."""
    body: dict[str, Any] = {"op": operation.op, "predicate": operation.predicate}
    if operation.value is not None:
        body["value"] = encode_value(operation.value)
    if operation.subject != "user":
        body["subject"] = operation.subject
    if operation.quote:
        body["quote"] = operation.quote
    if operation.modality != "asserted":
        body["modality"] = operation.modality
    if operation.confidence != 1.0:
        body["confidence"] = operation.confidence
    for name in _TIMES:
        when = getattr(operation, name)
        if when is not None:
            body[name] = when if isinstance(when, str) else when.isoformat()
    return body


def decode_operation(body: Mapping[str, Any]) -> Operation:
    """Give the operation an entry keeps."""
    return Operation(**{"value": None, **{k: v for k, v in body.items() if k != "malformed" and k not in OUR_OWN}})


def encode_value(value: Any) -> Any:
    """Give a value as JSON knows it: dates as ISO text, durations as seconds in ISO text, tuples as lists."""
    if isinstance(value, Enum):
        return encode_value(value.value)
    if isinstance(value, str):
        return str.__str__(value)  # a subclass may answer differently to those who look at it
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if isinstance(value, timedelta):
        return format_duration(value)
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, Mapping):
        return {key: encode_value(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [encode_value(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return [encode_value(item) for item in sorted(value, key=repr)]
    return value
