"""The secrets filter: keys, tokens, passwords, private keys and card numbers become marks before they are written.

What counts as a secret is in `secret_patterns` (forms and cues) and `secret_values` (does a value look like one).
Time is linear in the length of the text, whatever its shape. A mark such as `[redacted:github_token]` is stable:
redacting a redacted text changes nothing, and text that merely looks like a mark stays as it is.

Invisible characters inside a secret do not hide it, and full-width digits are digits. Letters of other alphabets
that resemble Latin ones are not unmasked.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from .secret_distant import RULES, find_distant
from .secret_patterns import NEAR_SCANS, Span, find_near
from .secret_text import View, find_marks, view

__all__ = ["Redaction", "Redactor", "redact_value", "redactor"]


@dataclass(frozen=True, slots=True)
class Redaction:
    """A text without its secrets, and how many of each kind were replaced (empty when none)."""

    text: str
    counts: Mapping[str, int] = field(default_factory=dict)


class Redactor:
    """The built-in filter, with patterns added to it, or another filter in its place.

    `patterns`: regular expressions; whatever they match becomes `[redacted:custom]`. Their own speed is the
    caller's concern. `replace`: a callable from text to text used instead of everything built in.
    Raises `re.error` for a pattern that does not compile, `TypeError` for one that is not text, or when both
    arguments are given.
    """

    def __init__(
        self,
        patterns: Iterable[re.Pattern[str] | str] | None = None,
        replace: Callable[[str], str] | None = None,
    ) -> None:
        if replace is not None and patterns is not None:
            raise TypeError("give patterns to add to the filter or a callable to replace it, not both")
        self._patterns = _as_patterns(patterns or ())
        self._replace = replace

    @property
    def reads_cues(self) -> bool:
        """Whether the words before a value matter to this filter; unknown, so no, of a callable in its place."""
        return self._replace is None

    def passes(self, cue: str, text: str) -> bool:
        """Whether neither a text nor the word before it holds anything that a rule begins with, seen at one look.

        Nothing would be replaced then, in either of them alone or in both together; False says nothing.
        """
        return self._replace is None and not self._patterns and _holds_nothing(f"{cue}: {text}")

    def __call__(self, text: str) -> Redaction:
        """The text with every secret replaced by a mark; the same text when there is none."""
        if self._replace is not None:
            return _replaced(text, self._replace)
        spans = self._spans(text)
        return _marked(text, spans) if spans else Redaction(text)

    def _spans(self, text: str) -> list[Span]:
        if not self._patterns and _holds_nothing(text):
            return []
        shown = view(text)
        custom = _custom_spans(text, shown, self._patterns) if self._patterns else []
        if not custom and len(text) < _SHORT and not _HINT.search(shown.lower):
            return []
        near = _merged(find_near(shown))
        if custom:
            # A pattern may cut a word anywhere and lay bare a secret beside it: look again at what is left.
            near = _merged([*near, *custom])
            near = _merged([*near, *find_near(_without(shown, near))])
        distant = list(find_distant(_without(shown, near)))
        spans = _merged([*near, *distant]) if distant else near
        if shown.is_whole:
            return spans
        places = shown.to_source([(span.start, span.end) for span in spans])
        return [Span(*place, span.rank, span.kind) for place, span in zip(places, spans, strict=True)]


# Nearly all messages are short and hold nothing that any rule begins with: one expression tells.
_SHORT = 2_000
_HINT = re.compile(b"|".join([scan.hint for scan in NEAR_SCANS] + [rule.hint for rule in RULES]))
# The shortest that any rule takes: `://:abc@`.
_SHORTEST = 8


def _holds_nothing(text: str) -> bool:
    """Whether a text is too short for any rule, or plain and without anything that a rule begins with.

    Plain is what a view shows as it is, but for its case.
    """
    if len(text) < _SHORTEST:
        return True
    is_plain = len(text) < _SHORT and text.isascii() and text.isprintable() and "\\" not in text and "[" not in text
    return is_plain and not _HINT.search(text.lower().encode("ascii"))


def redactor(
    option: bool | str | re.Pattern[str] | Iterable[str | re.Pattern[str]] | Callable[[str], str] | Redactor,
) -> Callable[[str], Redaction]:
    """The filter an option asks for.

    `True`: what is built in. `False`: nothing is replaced. Patterns: what is built in and these, as kind `custom`.
    A callable: used instead, counted once as `custom` when it changes the text. A `Redactor` is taken as it is.
    Raises as `Redactor` does, and `TypeError` for anything else.
    """
    if option is True:
        return Redactor()
    if option is False:
        return Redaction
    if isinstance(option, Redactor):
        return option
    if callable(option):
        return Redactor(replace=option)
    return Redactor(_as_patterns(option))


def redact_value(value: object, redact: Callable[[str], Redaction]) -> tuple[object, Mapping[str, int]]:
    """A JSON-like value with its texts redacted, keys included, and how many of each kind were replaced.

    A key serves as the cue of its value, and the predicate of an operation as the cue of its `value`:
    `{"password": "…"}` is redacted as `password: …` would be. Whole numbers are redacted by such a cue only; a
    callable in the place of the filter sees texts alone. Other values are returned as they are, and so is any list
    or mapping with nothing to redact. Keys that become equal are told apart by a number. A value nested deeper than
    Python's recursion limit raises `RecursionError`, as it does when written as JSON.
    """
    counts: Counter[str] = Counter()
    return _walk(value, "", redact, counts), dict(counts)


def _walk(value: object, cue: str, redact: Callable[[str], Redaction], counts: Counter[str]) -> object:
    if isinstance(value, str):
        redaction = redact(value)
        counts.update(redaction.counts)
        clean = _by_cue(redaction.text, cue, redact, counts)
        return value if clean == value else clean
    if isinstance(value, int) and not isinstance(value, bool):
        return _by_cue(value, cue, redact, counts)
    if isinstance(value, list | tuple):
        items = [_walk(item, cue, redact, counts) for item in value]
        if all(new is old for new, old in zip(items, value, strict=True)):
            return value
        return items if isinstance(value, list) else tuple(items)
    if isinstance(value, Mapping):
        return _walk_mapping(value, redact, counts)
    return value


def _walk_mapping(
    mapping: Mapping[object, object], redact: Callable[[str], Redaction], counts: Counter[str]
) -> Mapping[object, object]:
    result: dict[object, object] = {}
    changed = False
    for key, value in mapping.items():
        new_key = _walk(key, "", redact, counts) if isinstance(key, str) else key
        cue = mapping.get("predicate", key) if key == "value" else key
        new_value = _walk(value, cue if isinstance(cue, str) else "", redact, counts)
        changed = changed or new_key is not key or new_value is not value
        result[key if new_key is key else _unused(new_key, result, mapping)] = new_value
    return result if changed else mapping


def _by_cue(value: str | int, cue: str, redact: Callable[[str], Redaction], counts: Counter[str]) -> str | int:
    if not cue or not isinstance(redact, Redactor) or not redact.reads_cues:
        return value
    opening = f"{cue}: "
    redaction = redact(f"{opening}{value}")
    if not redaction.text.startswith(opening):  # a secret in the cue itself: what is left of it still tells
        opening = f"{redact(cue).text}: "
        redaction = redact(f"{opening}{value}")
    if not redaction.text.startswith(opening) or redaction.text == f"{opening}{value}":
        return value
    counts.update(redaction.counts)
    return redaction.text[len(opening) :]


def _unused(key: object, result: Mapping[object, object], mapping: Mapping[object, object]) -> object:
    candidate, number = key, 2
    while candidate in result or candidate in mapping:
        candidate, number = f"{key}#{number}", number + 1
    return candidate


def _replaced(text: str, replace: Callable[[str], str]) -> Redaction:
    result = replace(text)
    if not isinstance(result, str):
        raise TypeError(f"the redact callable must return text, not {type(result).__name__}")
    return Redaction(result, {"custom": 1} if result != text else {})


def _as_patterns(option: object) -> tuple[re.Pattern[str], ...]:
    """The patterns of an option. One alone counts as a list of one: text would else be taken letter by letter."""
    if isinstance(option, str | re.Pattern):
        return (_compiled(option),)
    if isinstance(option, Iterable):
        return tuple(_compiled(pattern) for pattern in option)
    raise TypeError("redact takes True, False, patterns, or a callable from text to text")


def _compiled(pattern: object) -> re.Pattern[str]:
    if isinstance(pattern, str):
        return re.compile(pattern)
    if isinstance(pattern, re.Pattern) and isinstance(pattern.pattern, str):
        return pattern
    raise TypeError("a redact pattern is text or a compiled pattern over text")


def _custom_spans(text: str, shown: View, patterns: tuple[re.Pattern[str], ...]) -> list[Span]:
    marks = find_marks(text)
    places = [place for pattern in patterns for place in _matches(pattern, text, marks)]
    return [Span(*place, 3, "custom") for place in shown.from_source(places)]


def _matches(pattern: re.Pattern[str], text: str, marks: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """What a pattern matches outside of marks, in order."""
    position = 0
    for found in pattern.finditer(text):
        start, end = found.span()
        while position < len(marks) and marks[position][1] <= start:
            position += 1
        overlaps = position < len(marks) and marks[position][0] < end
        if start < end and not overlaps:
            yield start, end


def _without(shown: View, spans: list[Span]) -> View:
    return shown.blank((span.start, span.end) for span in spans) if spans else shown


def _merged(spans: Iterable[Span]) -> list[Span]:
    """Spans in order, overlapping ones as one; the lowest rank names its kind."""
    merged: list[Span] = []
    reached = 0
    for span in sorted(spans):
        if span.start >= reached:
            merged.append(span)
        else:
            last = merged[-1]
            named = last if last.rank <= span.rank else span
            merged[-1] = Span(last.start, max(reached, span.end), named.rank, named.kind)
        reached = max(reached, span.end)
    return merged


def _marked(text: str, spans: list[Span]) -> Redaction:
    parts: list[str] = []
    position = 0
    for span in spans:
        parts += (text[position : span.start], f"[redacted:{span.kind}]")
        position = span.end
    parts.append(text[position:])
    return Redaction("".join(parts), dict(Counter(span.kind for span in spans)))
