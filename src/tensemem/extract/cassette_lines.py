"""One line of a cassette: what an extractor was asked, and what it answered.

A message is recognised by its role, its speaker and its words alone. When it was said, in which scope and database,
what was known by then and what is registered differ from one machine and one day to the next; the message that came
just before it and its time only help to choose among answers about the same words.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..core.operations import encode_operation, encode_value
from ..core.secrets import Redactor
from ..errors import ExtractorError, ExtractorOutputError, ExtractorUnavailable
from ..model.operation import Operation
from ..ports import ExtractionRequest, RequestMessage
from .answers import Malformed

VERSION = 1
"""Of the format; a reader refuses a later one."""

_KEY = "tensemem_cassette"
_KINDS: Mapping[str, type[ExtractorError]] = {
    "unavailable": ExtractorUnavailable,
    "output": ExtractorOutputError,
    "failed": ExtractorError,
}
_Item = Operation | Malformed


@dataclass(frozen=True, slots=True)
class Asked:
    """One message as a cassette knows it: what it is, what came just before, when it was said."""

    digest: str
    after: str
    said_at: str


@dataclass(frozen=True, slots=True)
class Line:
    """One question with its answer: operations, or the error that was raised."""

    asked: tuple[Asked, ...]
    texts: tuple[str, ...]
    operations: tuple[_Item, ...]
    usage: Mapping[str, Any] | None
    error: ExtractorError | None
    extractor: str
    model: str | None
    prompt: str | None


def asked_in(request: ExtractionRequest) -> tuple[Asked, ...]:
    """Give what identifies each message of a request."""
    before = request.window[-1:]
    found: list[Asked] = []
    for message in request.messages:
        after = _digest(before[0]) if before else ""
        found.append(Asked(_digest(message), after, message.said_at.isoformat()))
        before = (message,)
    return tuple(found)


def _digest(message: RequestMessage) -> str:
    told = json.dumps([message.role, message.speaker, message.content])  # ASCII: half a surrogate pair has no UTF-8
    return hashlib.sha256(told.encode()).hexdigest()[:32]


def written(
    request: ExtractionRequest, answer: Sequence[_Item] | ExtractorError, usage: Mapping[str, Any] | None,
    *, extractor: str, model: str | None, prompt: str | None,
) -> bytes:  # fmt: skip
    """Give the line of a question and its answer, with its line break."""
    messages = [
        _without_none(
            {
                "digest": asked.digest, "after": asked.after or None, "role": message.role, "speaker": message.speaker,
                "said_at": asked.said_at, "content": message.content,
            }
        )
        for asked, message in zip(asked_in(request), request.messages, strict=True)
    ]  # fmt: skip
    body: dict[str, Any] = {_KEY: VERSION, "extractor": extractor, "model": model, "prompt": prompt}
    body["messages"] = messages
    if isinstance(answer, ExtractorError):
        body["error"] = {"kind": _kind_of(answer), "text": Redactor()(str(answer)).text}
    else:
        body["operations"] = [_encoded(item) for item in answer]
    body["usage"] = None if usage is None else encode_value(usage)
    body = _without_none(body)
    try:
        return json.dumps(body, ensure_ascii=False).encode() + b"\n"
    except UnicodeEncodeError:
        return json.dumps(body).encode() + b"\n"


def _without_none(body: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in body.items() if value is not None}


def _kind_of(error: ExtractorError) -> str:
    return next(name for name, kind in _KINDS.items() if isinstance(error, kind))


def _encoded(item: _Item) -> dict[str, Any]:
    if isinstance(item, Malformed):
        body: dict[str, Any] = {"malformed": item.why, "raw": item.raw}
    else:
        body = encode_operation(item)
    if item.message is not None:
        body["message"] = item.message
    return body


def read_lines(path: Path) -> list[Line]:
    """Give the lines of a cassette; the last one is passed over if it was cut short. Raises ExtractorError."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        told = f"there is no cassette {path}; record one with RecordingExtractor(extractor, path)"
        raise ExtractorError(told) from None
    except OSError as error:
        raise ExtractorError(f"the cassette {path} can't be read: {error.strerror or error}") from error
    whole = content[: content.rfind(b"\n") + 1]
    if content and not whole and not content.startswith(f'{{"{_KEY}": '.encode()):
        raise ExtractorError(f"{path}, line 1: is no line of a cassette")
    return [
        _read(line, f"{path}, line {number}")
        for number, line in enumerate(whole.split(b"\n"), start=1)
        if line.strip()
    ]


def _read(line: bytes, place: str) -> Line:
    try:
        body = json.loads(line)
        version = body[_KEY]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ExtractorError(f"{place}: is no line of a cassette") from error
    if version != VERSION:
        raise ExtractorError(f"{place}: is of version {version!r} of the format, and this tensemem reads {VERSION}")
    try:
        return _line(body)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ExtractorError(f"{place}: is damaged ({type(error).__name__}: {error}); record it again") from error


def _line(body: Mapping[str, Any]) -> Line:
    messages = body["messages"]
    if not messages:
        raise ValueError("no messages")
    usage, failed = body.get("usage"), body.get("error")
    error = None if failed is None else _KINDS[failed["kind"]](str(failed["text"]))
    if error is not None:
        error.usage = usage
    return Line(
        asked=tuple(Asked(str(one["digest"]), str(one.get("after", "")), str(one["said_at"])) for one in messages),
        texts=tuple(str(one["content"]) for one in messages),
        operations=() if error else tuple(_decoded(item, len(messages)) for item in body["operations"]),
        usage=usage,
        error=error,
        extractor=str(body["extractor"]),
        model=body.get("model"),
        prompt=body.get("prompt"),
    )


def _decoded(item: Mapping[str, Any], messages: int) -> _Item:
    message = item.get("message")
    if message is not None and not (type(message) is int and 0 <= message < messages):
        raise ValueError(f"message {message!r} of {messages}")
    if "malformed" in item:
        return Malformed(str(item["raw"]), str(item["malformed"]), message)
    return Operation(**{"value": None, **item})
