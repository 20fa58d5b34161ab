"""Recalled text in what comes in: fenced blocks, and lines that say what the renderer prints for a known fact."""

from __future__ import annotations

import re

from ..core.fence import blanked, echo_spans, find_fences, line_skeleton, merge_spans
from ..core.lines import echo_key, rendered_lines_of
from ..core.registry import Registry
from ..core.text import has_two_text_characters
from ..errors import InvalidValueError
from ..model.fact import Fact
from ..ports import Head, Reader
from .factview import FactView

_JSON_SOURCE = re.compile(r'"source"\s*:\s*"tensemem-[0-9a-f]{4,}"')


def recalled_spans(reader: Reader, head: Head, registry: Registry, text: str) -> tuple[tuple[int, int], ...]:
    """Give the spans of a message that only repeat recalled text, as the memory stands when it is recorded."""

    def is_known(skeleton: str) -> bool:
        return _is_rendered(reader, head, registry, skeleton)

    fences = find_fences(text, is_context_line=is_known)
    lines = echo_spans(text, is_known) if ":" in text or "：" in text else ()
    return tuple(merge_spans((*fences, *lines, *_json_blocks(text))))


def is_only_recalled(text: str, spans: tuple[tuple[int, int], ...]) -> bool:
    """Tell whether nothing but recalled text stands in a message."""
    return bool(spans) and not has_two_text_characters(blanked(text, spans))


def _json_blocks(text: str) -> list[tuple[int, int]]:
    """Recalled text in its JSON form: from the object that names a tag as its source to the object's end."""
    found = _JSON_SOURCE.search(text)
    if found is None:
        return []
    begin, stop = text.rfind("{", 0, found.start()), text.rfind("}", found.end())
    return [(max(begin, 0), len(text) if stop < 0 else stop + 1)]


def _is_rendered(reader: Reader, head: Head, registry: Registry, skeleton: str) -> bool:
    """Tell whether a line is what the renderer prints for a known fact, apart from its dates and marks."""
    key = echo_key(skeleton)
    if key is None:
        return False
    subject, dot, predicate_name = key.partition(":")[0].rpartition("·")
    predicate = registry.predicate(predicate_name.strip())
    if predicate is None:
        return False
    try:
        subject_key = registry.subject(subject.strip())[0] if dot else "user"
    except InvalidValueError:
        return False
    slot = reader.slot(head.id, subject_key, registry.predicate_key(predicate.name))
    if slot is None:
        return False
    view = FactView(head.scope.tag, registry, head.last_said)
    facts = (view.of_row(row, slot) for row in reader.facts(head.id, slot.id))
    return any(_prints(fact, key, predicate.is_many) for fact in facts)


def _prints(fact: Fact, key: str, many: bool) -> bool:
    return any(echo_key(line_skeleton(line)) == key for line in rendered_lines_of(fact, many))
