"""Places of a text that have the form in which the renderer prints a fact, wherever in a line they stand.

What they say is told as (subject, predicate, value); whether it is known decides whether it is recalled text. The form
is known by its dates and names, not by its punctuation: what is pasted comes back as a table, in other brackets, cut
off, escaped, with markup, or with its words around the date translated.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import NamedTuple

from .text import INVISIBLE, Span


class Printed(NamedTuple):
    """A place that has the form of a printed fact, and what it says."""

    begin: int
    stop: int
    subject: str
    predicate: str
    value: str


def printed_facts(text: str, is_predicate: Callable[[str], bool]) -> Iterator[Printed]:
    """Find what looks like printed facts in any of the renderer's formats, escaped and damaged ones too."""
    plain, places = _seen(text)
    for fact in _facts(plain, is_predicate):
        yield fact if places is None else fact._replace(begin=places[fact.begin], stop=places[fact.stop - 1] + 1)


def named_blocks(text: str) -> list[Span]:
    """Find recalled text in its JSON form, however it was quoted since: all from its first brace to its last."""
    if not _TAG_NAMED.search(text):
        return []
    begin, stop = text.find("{"), text.rfind("}")
    return [(max(begin, 0), len(text) if stop < 0 else stop + 1)]


def begins_with_name(line: str, is_predicate: Callable[[str], bool]) -> bool:
    """Whether a line begins with a predicate's name and a sign that its value follows."""
    separator = _SEPARATOR.search(line, 0, _LONGEST_NAME)
    return separator is not None and _name_before(line[: separator.start()], is_predicate) is not None


_TAG_NAMED = re.compile(r"source[^\n]{0,16}?tensemem-[0-9a-f]{4,}", re.IGNORECASE)
_LONGEST_NAME = 400
_REACH = 900
"""How far before its dates a printed fact may begin, in characters."""
_SEPARATORS, _WORDS = 6, 6

_UNSEEN = re.compile(f"[{INVISIBLE}]")
_BLANKS = re.compile("[\u00a0\u2000-\u200a\u202f\u205f\u3000]")


def _seen(text: str) -> tuple[str, list[int] | None]:
    """The text as it is seen, and where each of its characters stands; None where that is its own place."""
    plain = text if text.isascii() else _BLANKS.sub(" ", text)
    if plain.isascii() or not _UNSEEN.search(plain):
        return plain, None
    places = [place for place, char in enumerate(plain) if not _UNSEEN.match(char)]
    return "".join(plain[place] for place in places), places


def _facts(text: str, is_predicate: Callable[[str], bool]) -> Iterator[Printed]:
    yield from _lines(text, is_predicate)
    if _NAMED_KEY.search(text):
        yield from _named(text, is_predicate)
        yield from _objects(text)
    yield from _escaped(text, is_predicate)


def _escaped(text: str, is_predicate: Callable[[str], bool]) -> Iterator[Printed]:
    """Facts in escaped XML: all from its first bracket to its last, for places in it are not known any more."""
    brackets = [found.span() for found in _BRACKET.finditer(text)]
    if not brackets:
        return
    unescaped = text
    for _ in range(_ESCAPE_DEPTH):
        unescaped = html.unescape(unescaped)
    for fact in _named(unescaped, is_predicate):
        yield fact._replace(begin=brackets[0][0], stop=brackets[-1][1])


_BRACKET = re.compile(r"&(?:amp;)*(?:[lg]t|quot|#34);")
_ESCAPE_DEPTH = 4


# What the renderer says of a fact's times, in its brackets or in others, cut off, or with other words around the date.
_PHRASE = r"(?:since|until|last said|planned for|from)"
_DAY = r"\d{4}-\d\d-\d\d"
_DETAILS = re.compile(
    rf"[(\[（]\s?{_PHRASE}\s[^()\[\]（）]{{4,160}}[)\]）]"
    rf"|[(\[（]\s?{_PHRASE}\s[^()\[\]（）\n]{{0,160}}$"
    rf"|(?<![^\W_]){_PHRASE}[:：]?\s{_DAY}(?!\d)[)\]）]?"
    rf"|[(\[（,;|]\s?[^\W\d_]{{1,12}}(?:\s[^\W\d_]{{1,12}}){{0,2}}[:：]?\s{_DAY}(?!\d)[)\]）]?",
    re.IGNORECASE | re.MULTILINE,
)
_SEPARATOR = re.compile(r"[=-]>|[:：=|→⇒\t]|\s[-–—]\s")
_MARKUP = re.compile(r"</?[a-z][^<>\n]{0,80}>|\]\([^()\s]{0,300}\)", re.IGNORECASE)
_BEHIND_VALUE = " \t\n,;|([（-–—"
_AROUND_NAME = "*_`~\"'“”|[]()<>-+•·#. \t"


def _lines(text: str, is_predicate: Callable[[str], bool]) -> Iterator[Printed]:
    """``name: value (since 2026-01-10)``, also joined to other text or broken over lines."""
    before, done = 0, 0  # where the last two dates stop: a value may hold what looks like the dates of a fact
    for details in _DETAILS.finditer(text):
        start = max(before, details.start() - _REACH)
        window = text[start : details.start()]
        for begin, stop in [found.span() for found in _SEPARATOR.finditer(window)][-_SEPARATORS:]:
            named = _name_before(window[:begin], is_predicate)
            if named is not None:
                subject, predicate, length = named
                for value in dict.fromkeys((window[stop:], _MARKUP.sub("", window[stop:]))):
                    said = " ".join(html.unescape(value).split()).rstrip(_BEHIND_VALUE)
                    yield Printed(start + begin - length, details.end(), subject, predicate, said)
        before, done = done, details.end()


def _name_before(before: str, is_predicate: Callable[[str], bool]) -> tuple[str, str, int] | None:
    """Read ``predicate`` or ``subject · predicate`` at the end of a text; gives also how long it is there."""
    near = before[-300:]
    line = near.rpartition("\n")[2]
    return _name_in(line, is_predicate) or (None if line == near else _name_in(near.replace("·", " "), is_predicate))


def _name_in(line: str, is_predicate: Callable[[str], bool]) -> tuple[str, str, int] | None:
    bare = _MARKUP.sub(" ", line)
    subject, dot, name = bare.rpartition("·")
    words = (name if dot else bare).strip(_AROUND_NAME).split()
    for count in range(1, min(_WORDS, len(words)) + 1):
        predicate = " ".join(words[-count:]).strip(_AROUND_NAME)
        owner = ""
        if predicate and not is_predicate(predicate) and not dot:
            owner, _, predicate = predicate.rpartition(".")
        known = _known_form(predicate, is_predicate)
        if known is not None:
            said = " ".join(subject.split()[-3:]).strip(_AROUND_NAME) if dot else owner
            return said or "user", known, len(line) if dot else _length(line, words[-count])
    return None


def _known_form(name: str, is_predicate: Callable[[str], bool]) -> str | None:
    """The name under which a predicate is known, also where it was written as oneName."""
    return next((form for form in (name, _CAMEL.sub("_", name)) if form and is_predicate(form)), None)


_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def _length(line: str, first_word: str) -> int:
    place = line.rfind(first_word)
    return len(line) if place < 0 else len(line) - place


# A printed fact in XML or JSON is known by its named parts, whatever became of brackets, quotation marks and escapes.
_MARK = r"\\{0,4}[\"'“”„«»]"
_NAMED_KEY = re.compile(rf"(?<![^\W_])(subject|predicate|value){_MARK}?\s{{0,10}}[:：=→|-]\s{{0,10}}", re.IGNORECASE)
_NAMED_VALUE = re.compile(
    rf"(?P<json>\"(?:[^\"\\\n]|\\.){{0,4000}}\")|{_MARK}(?P<quoted>(?:[^\"'\\“”]|\\(?![\"'])[^\n]|'(?=\w)){{0,4000}})|(?P<bare>[^\s,}}\]<>]{{1,200}})"
)
_BARE_VALUE = re.compile(r"([^\n\"{}]{1,600}?)(?:[,;]\s{0,3}(?:since|until|last_said|planned_for|from)\b|[}\n]|$)")
_CONTENT = re.compile(r"[^<>]{0,600}>([^<>]{0,4000})(?:<|$)")
_NEAR = 1_400
"""How far apart the parts of one fact may stand, in characters."""


def _named(text: str, is_predicate: Callable[[str], bool]) -> Iterator[Printed]:
    begin, stop, parts = 0, 0, dict[str, str]()
    for key in _NAMED_KEY.finditer(text):
        name = key[1].lower()
        found = _NAMED_VALUE.match(text, key.end())
        if found is None or (parts and (name in parts or key.start() - begin > _NEAR)):
            parts = {}
        if found is None:
            continue
        begin, stop = begin if parts else key.start(), found.end()
        said = _said(text, name, key.end(), found)
        parts[name] = said if name != "predicate" else _known_form(said, is_predicate) or said
        content = _CONTENT.match(text, stop) if name == "predicate" else None
        if content is not None:
            yield Printed(begin, content.end(), parts.get("subject", "user"), parts[name], html.unescape(content[1]))
        if "predicate" in parts and "value" in parts:
            yield Printed(begin, stop, parts.get("subject", "user"), parts["predicate"], parts["value"])


def _said(text: str, name: str, place: int, found: re.Match[str]) -> str:
    if found["json"]:
        with suppress(ValueError):
            return html.unescape(str(json.loads(found["json"])))
    bare = _BARE_VALUE.match(text, place) if name == "value" and found["bare"] else None
    return _as_said(bare[1] if bare else found["bare"] or found["quoted"] or (found["json"] or "")[1:-1])


def _as_said(value: str) -> str:
    """The value without the escapes of XML and JSON."""
    return _JSON_ESCAPE.sub(lambda found: _JSON_LETTERS.get(found[1], found[1]), html.unescape(value))


_JSON_FACT = re.compile(r"\{[^{}\[\]]{1,6000}\}")


def _objects(text: str) -> Iterator[Printed]:
    """Whole objects, with whatever their values hold."""
    for found in _JSON_FACT.finditer(text):
        for form in (found[0], found[0].replace('\\"', '"')):
            with suppress(ValueError, RecursionError):
                said = json.loads(form)
                value = str(said.get("value", ""))
                yield Printed(*found.span(), str(said.get("subject", "user")), str(said.get("predicate", "")), value)
                break


_JSON_ESCAPE = re.compile(r"\\(.)")
_JSON_LETTERS = {"n": "\n", "t": "\t", "r": "\r"}
