"""Recalled text in what comes in: fenced blocks, and lines that say what the renderer prints for a known fact."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from contextlib import suppress

from ..core.fence import blanked, echo_spans, find_fences, line_skeleton, merge_spans
from ..core.lines import echo_key, rendered_lines_of
from ..core.registry import Registry
from ..core.text import has_two_text_characters
from ..errors import InvalidValueError
from ..model.fact import Fact
from ..ports import Head, Reader
from .factview import FactView

_JSON_SOURCE = re.compile(r'"source"\s*:\s*"tensemem-[0-9a-f]{4,}"')


_XML_FACT = re.compile(r"<fact\s([^<>]{1,2000})>([^<>]{0,4000})</fact>", re.IGNORECASE)
_XML_NAMED = re.compile(r"(subject|predicate)\s*=\s*[\"']([^\"']{1,600})[\"']", re.IGNORECASE)
_JSON_FACT = re.compile(r"\{[^{}]{1,6000}\}")


def recalled_spans(reader: Reader, head: Head, registry: Registry, text: str) -> tuple[tuple[int, int], ...]:
    """Give the spans of a message that only repeat recalled text, as the memory stands when it is recorded.

    A span is recalled if it is fenced, or if it says what the renderer prints for a known fact in any of its formats.
    """
    known = _Known(reader, head, registry)
    fences = find_fences(text, is_context_line=known.is_line)
    if ":" not in text and "：" not in text and "=" not in text:
        return tuple(fences)
    lines = echo_spans(text, known.is_line)
    return tuple(merge_spans((*fences, *lines, *_json_blocks(text), *_marked_up(text, known))))


def _marked_up(text: str, known: _Known) -> Iterator[tuple[int, int]]:
    """Single facts of the XML and JSON formats, without the element or object they stood in."""
    for found in _XML_FACT.finditer(text):
        names = {name.lower(): html.unescape(value) for name, value in _XML_NAMED.findall(found[1])}
        if known.is_fact(names.get("subject", ""), names.get("predicate", ""), html.unescape(found[2])):
            yield found.span()
    for found in _JSON_FACT.finditer(text) if "predicate" in text else ():
        with suppress(ValueError):
            said = json.loads(found[0])
            if known.is_fact(str(said.get("subject", "")), str(said.get("predicate", "")), str(said.get("value", ""))):
                yield found.span()


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


class _Known:
    """Answers whether something is what the renderer prints for a fact of a scope."""

    def __init__(self, reader: Reader, head: Head, registry: Registry) -> None:
        self._reader, self._head, self._registry = reader, head, registry

    def is_line(self, skeleton: str) -> bool:
        """Tell whether a line is what the renderer prints for a known fact, apart from its dates and marks."""
        key = echo_key(skeleton)
        if key is None:
            return False
        subject, dot, predicate = key.partition(":")[0].rpartition("·")
        many = self._is_many(predicate)
        facts = self._facts(subject if dot else "user", predicate)
        return any(echo_key(line_skeleton(line)) == key for fact in facts for line in rendered_lines_of(fact, many))

    def is_fact(self, subject: str, predicate: str, value: str) -> bool:
        """Tell whether a fact of this subject and predicate is known to have this value."""
        said = line_skeleton(value)
        shown = ((fact.object, str(fact.value)) for fact in self._facts(subject, predicate))
        return any(said == line_skeleton(text) for texts in shown for text in texts)

    def _is_many(self, predicate: str) -> bool:
        found = self._registry.predicate(predicate.strip())
        return found is not None and found.is_many

    def _facts(self, subject: str, predicate: str) -> Iterator[Fact]:
        found = self._registry.predicate(predicate.strip())
        if found is None:
            return
        try:
            subject_key = self._registry.subject(subject.strip())[0]
        except InvalidValueError:
            return
        slot = self._reader.slot(self._head.id, subject_key, self._registry.predicate_key(found.name))
        view = FactView(self._head.scope.tag, self._registry, self._head.last_said)
        for row in () if slot is None else self._reader.facts(self._head.id, slot.id):
            if slot is not None:
                yield view.of_row(row, slot)
