"""Recognising what a file is by its content, and reading it message by message."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from ..errors import InvalidValueError
from .exported import exported_items, is_exported
from .lines import elements_of, lines_of, parsed
from .shapes import Setting, messages_in
from .stamps import order_of, stamp_of
from .strangers import stranger
from .transcripts import cut, names_in, plain_items, transcript_items
from .values import Fault, Item, Source

_LOOKED_AT = 200
"""Lines that tell a transcript from other text."""

_CUT_OFF = 64
"""Characters before the end of a piece of JSON within which it is at fault for being cut off only."""

_WHOLE = 256 * 1024 * 1024
"""Bytes of a file that is one JSON object, which is read at once."""

KNOWN = (
    "a JSON list of messages, JSON Lines of messages or of conversations, an assistant's export, "
    "a transcript ('User: …'), a chat as a messenger exports it as text, or one message a line"
)


@dataclass(frozen=True, slots=True)
class Form:
    """What a file was recognised as, and how its messages are read; ``read`` may be called again.

    ``note`` says what was assumed on the way, where the file does not tell.
    """

    name: str
    read: Callable[[], Iterator[Item]]
    note: str = ""


def recognise(source: Source, zone: str = "UTC") -> Form:
    """Look at the beginning of a file and tell what it is.

    Raises InvalidValueError for what holds no text, and for text that is no chat, such as a table.
    """
    setting = Setting(source.name, zone)
    head = _beginning(source)
    if not head.strip():
        raise InvalidValueError(f"{source.name} is empty; expected {KNOWN}")
    sign = head.lstrip()
    if sign[0] == "[" and sign[1:].lstrip()[:1] in ("{", "[", "]", '"'):
        return Form(f"JSON list of {_content(head)}", lambda: _listed(source, setting))
    sample = [line.text for line in islice(lines_of(source), _LOOKED_AT) if not line.why]
    objects = [text for text in sample[:20] if _is_object(text)]
    if sample and sample[0] in objects:
        return Form(f"JSON Lines, {_content(sample[0])} a line", lambda: _json_lines(source, setting))
    if sign[0] == "{" and (document := _document(source)) is not None:
        return Form(f"JSON with {_content(head)}", lambda: messages_in(document, 1, "1", setting))
    if objects and 2 * len(objects) >= min(len(sample), 20):
        return Form(f"JSON Lines, {_content(objects[0])} a line", lambda: _json_lines(source, setting))
    if sign[0] in '["' and _may_be_json(head) and (value := _whole_json(source)) is not None:
        if isinstance(value, list):
            return Form("JSON list of other things", lambda: _listed(source, setting))
        raise InvalidValueError(_refusal(source, "JSON that is no chat"))
    return _text_form(source, head, sample, setting)


def _text_form(source: Source, head: str, sample: Sequence[str], setting: Setting) -> Form:
    names = names_in(sample)
    is_dated_otherwise = bool(sample) and stamp_of(sample[0]) is not None and cut(sample[0]).stamp is None
    if (names is None or is_dated_otherwise) and is_exported(sample):
        order = order_of(line.text for line in lines_of(source))
        return Form("exported chat", lambda: exported_items(lines_of(source), order, setting), order.note)
    if names is not None:
        return Form("transcript", lambda: transcript_items(lines_of(source), names, setting))
    if (looks_like := stranger(head, sample)) is not None:
        raise InvalidValueError(_refusal(source, looks_like))
    order = order_of(line.text for line in lines_of(source))
    return Form("plain text, one message a line", lambda: plain_items(lines_of(source), order, setting), order.note)


def _refusal(source: Source, looks_like: str) -> str:
    return f"{source.name} looks like {looks_like}, which is not read; expected {KNOWN}"


def _beginning(source: Source) -> str:
    with source.open() as stream:
        raw = stream.read(1 << 16)
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise InvalidValueError(f"{source.name} is UTF-16; save it as UTF-8")
    if b"\0" in raw:
        raise InvalidValueError(f"{source.name} is no text; expected {KNOWN}")
    return raw.removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace")


def _content(text: str) -> str:
    """Name what JSON text holds: the key that comes first tells it."""
    for key, name in (("mapping", "conversations of an export"), ("chat_messages", "conversations of an export")):
        if f'"{key}"' in text:
            return name
    return "a conversation" if '"messages"' in text or '"conversations"' in text else "messages"


def _is_object(text: str) -> bool:
    try:
        return text.lstrip()[:1] == "{" and isinstance(parsed(text), dict)
    except ValueError:
        return False


def _document(source: Source) -> dict[str, object] | None:
    """Give a file that is one JSON object; None where it is none."""
    found = _whole_json(source)
    return found if isinstance(found, dict) else None


def _may_be_json(head: str) -> bool:
    """Tell whether the beginning of a file is JSON as far as it goes; no long transcript is read whole for that."""
    try:
        json.loads(head)
    except json.JSONDecodeError as error:
        return len(head) - error.pos < _CUT_OFF or error.msg.startswith("Unterminated")
    except RecursionError:
        return False
    return True


def _whole_json(source: Source) -> object | None:
    """Give what a file is as one piece of JSON; None where it is none, or too long to be read at once."""
    with source.open() as stream:
        raw = stream.read(_WHOLE + 1)
    if len(raw) > _WHOLE:
        return None
    try:
        found: object = parsed(raw.decode("utf-8-sig", "replace"))
    except ValueError:
        return None
    return found


def _listed(source: Source, setting: Setting) -> Iterator[Item]:
    """Give the messages of a list: those that stand in it are one conversation, lists in it one each."""
    for place, element in enumerate(elements_of(source), start=1):
        if element.why:
            yield Fault(setting.file, element.number, element.why)
            continue
        is_message = isinstance(element.value, dict) and "role" in element.value
        yield from messages_in(element.value, element.number, "0" if is_message else str(place), setting)


def _json_lines(source: Source, setting: Setting) -> Iterator[Item]:
    for line in lines_of(source):
        if line.why:
            yield Fault(setting.file, line.number, line.why)
            continue
        try:
            value = parsed(line.text)
        except ValueError as error:
            yield Fault(setting.file, line.number, f"{error}; expected one JSON object a line")
            continue
        is_message = isinstance(value, dict) and "role" in value
        yield from messages_in(value, line.number, "0" if is_message else str(line.number), setting)
