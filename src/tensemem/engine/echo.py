"""Recalled text in what comes in: fenced blocks, and what the renderer prints for a fact of the user's memory.

A fact counts that was ever known, also one that was corrected, denied or overridden since, and in whichever of the
user's agent scopes: old context must not teach anew what was taken back.
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import dataclass

from ..core.echo import begins_with_name, named_blocks, printed_facts
from ..core.fence import Titled, echo_spans, find_fences, find_titled, line_skeleton
from ..core.formats import HEADING
from ..core.lines import echo_key, rendered_lines_of, shown, tell
from ..core.regions import blanked, covers, lines_of, merge_spans
from ..core.registry import Registry
from ..core.shape import Shaper, history_of
from ..core.text import Span, comparison_key, has_two_text_characters
from ..errors import InvalidValueError
from ..model.fact import Fact
from ..model.scope import Scope
from ..ports import Head, Reader
from .project import read_fold

LAYERS = 50
"""How many agent scopes of a user are looked at."""


def recalled_spans(reader: Reader, scope: Scope, registry: Registry, text: str) -> tuple[tuple[int, int], ...]:
    """Give the spans of a message that only repeat recalled text, as the memory stands when it is recorded.

    A span is recalled if it is fenced, or if it says what the renderer prints for a known fact in any of its formats.
    """
    known = _Known(reader, scope, registry)
    fences = find_fences(text, is_context_line=known.is_line)
    facts = list(_facts(text, known))
    titled = find_titled(text, HEADING, is_context_line=known.continues)
    lists = (span for title in titled for span in _listed(title, facts))
    return merge_spans((*fences, *facts, *lists, *named_blocks(text), *_meanings(text, registry)))


def _facts(text: str, known: _Known) -> Iterator[Span]:
    """Give what says of a known fact what the renderer says: lines, and places within them."""
    if any(mark in text for mark in _BEFORE_VALUES):
        yield from echo_spans(text, known.is_line)
        yield from ((p.begin, p.stop) for p in printed_facts(text, known.is_predicate) if known.is_fact(*p[2:]))


_BEFORE_VALUES = (":", "：", "=", "|", "→", "-", "–", "—", "⇒", "\t")


def _meanings(text: str, registry: Registry) -> Iterator[Span]:
    """Give the lines that say what a predicate means, as the renderer does: its description is nobody's statement."""
    if "=" not in text:
        return
    described = [(one.name, shown(one.description, 200)) for one in registry.predicates.values() if one.description]
    known = {_letters(f"{name}{meaning}") for name, meaning in described}
    known |= {_letters(f"meaning predicate {name}{meaning} meaning") for name, meaning in described}
    yield from ((begin, stop) for begin, stop, line in lines_of(text) if "=" in line and _letters(line) in known)


def _letters(text: str) -> str:
    for _ in range(_ESCAPE_DEPTH):
        text = html.unescape(text)
    return "".join(char for char in comparison_key(text) if char.isalnum())


_ESCAPE_DEPTH = 3


def _listed(title: Titled, facts: list[Span]) -> Iterator[Span]:
    """Give what a title introduces; of its own line only the title, where single facts are known in the rest of it."""
    is_told = covers(facts, title.stop, title.line_stop)
    yield title.begin, title.stop if is_told else title.line_stop
    yield title.line_stop, title.list_stop


def is_only_recalled(text: str, spans: tuple[tuple[int, int], ...]) -> bool:
    """Tell whether nothing but recalled text stands in a message."""
    return bool(spans) and not has_two_text_characters(blanked(text, spans))


@dataclass(frozen=True, slots=True)
class _Printed:
    """What the renderer prints for some facts: their lines apart from dates and marks, and their values."""

    lines: frozenset[str]
    values: frozenset[str]

    @staticmethod
    def of(facts: list[Fact], many: bool) -> _Printed:
        lines = (echo_key(line_skeleton(line)) for fact in facts for line in rendered_lines_of(fact, many))
        told = ((fact.object, str(fact.value), tell(fact, many=many).value) for fact in facts)
        values = (line_skeleton(text) for texts in told for text in texts)
        return _Printed(frozenset(line for line in lines if line is not None), frozenset(values))


_NOTHING = _Printed(frozenset(), frozenset())


class _Known:
    """Answers whether something is what the renderer prints for a fact that was ever known of a user."""

    def __init__(self, reader: Reader, scope: Scope, registry: Registry) -> None:
        self._reader, self._scope, self._registry = reader, scope, registry
        self._heads: list[Head] | None = None
        self._found: dict[tuple[str, str], _Printed] = {}

    def is_predicate(self, name: str) -> bool:
        """Tell whether a name is a registered predicate's."""
        return self._registry.predicate(name) is not None

    def continues(self, line: str) -> bool:
        """Tell whether a line goes on with a list of facts: it is one of a known fact, or begins with a name."""
        return self.is_line(line_skeleton(line)) or begins_with_name(line, self.is_predicate)

    def is_line(self, skeleton: str) -> bool:
        """Tell whether a line is what the renderer prints for a known fact, apart from its dates and marks."""
        key = echo_key(skeleton)
        if key is None:
            return False
        subject, dot, name = key.partition(":")[0].rpartition("·")
        return key in self._printed(subject.strip() if dot else "user", name.strip()).lines

    def is_fact(self, subject: str, predicate: str, value: str) -> bool:
        """Tell whether a fact of this subject and predicate ever had this value."""
        return line_skeleton(value) in self._printed(subject, predicate).values

    def _printed(self, subject: str, name: str) -> _Printed:
        """Give what the renderer prints for all facts of a slot; worked out once for a message."""
        predicate = self._registry.predicate(name)
        if predicate is None:
            return _NOTHING
        try:
            subject_key = self._registry.subject(subject)[0]
        except InvalidValueError:
            return _NOTHING
        keys = (subject_key, self._registry.predicate_key(name))
        if keys not in self._found:
            facts = [fact for head in self._layers() for fact in self._ever(head, keys)]
            self._found[keys] = _Printed.of(facts, predicate.is_many)
        return self._found[keys]

    def _ever(self, head: Head, keys: tuple[str, str]) -> Iterator[Fact]:
        slot = self._reader.slot(head.id, *keys)
        predicate = None if slot is None else self._registry.predicate(slot.predicate)
        if slot is None or predicate is None:
            return
        fold, log = read_fold(self._reader, head.id, slot, self._registry)
        shaper = Shaper(head.scope.tag, slot.subject, predicate, self._registry, head.last_said)
        yield from history_of(fold, shaper, log.claims)

    def _layers(self) -> list[Head]:
        """Give the heads of all the user's agent scopes."""
        if self._heads is None:
            near = self._reader.scopes(self._scope.namespace, self._scope.user_id, None, LAYERS)
            own = self._reader.head(self._scope)
            others = [head for head in near if head.scope.user_id == self._scope.user_id and head.scope != self._scope]
            self._heads = [*([own] if own is not None else []), *others]
        return self._heads
