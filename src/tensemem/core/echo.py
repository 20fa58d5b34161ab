"""Places of a text that have the form in which the renderer prints a fact, wherever in a line they stand.

What they say is told as (subject, predicate, value); whether it is known decides whether it is recalled text.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import NamedTuple

_DETAILS = re.compile(r"[(\[](?:since|until|last said|planned for|from)\s[^()\[\]]{4,160}[)\]]", re.IGNORECASE)
_XML_FACT = re.compile(r"<fact\s([^<>]{1,2000})>([^<>]{0,4000})</fact\s{0,10}>", re.IGNORECASE)
_XML_NAMED = re.compile(r"(subject|predicate)\s{0,10}=\s{0,10}[\"']([^\"']{1,600})[\"']", re.IGNORECASE)
_JSON_FACT = re.compile(r"\{[^{}\[\]]{1,6000}\}")
_TAG_NAMED = re.compile(r"""source[\\"']{0,9}\s{0,10}:\s{0,10}[\\"']{0,9}tensemem-[0-9a-f]{4,}""", re.IGNORECASE)
_REACH = 900
"""How far before its dates a printed fact may begin, in characters."""
_COLONS, _WORDS = 6, 6


class Printed(NamedTuple):
    """A place that has the form of a printed fact, and what it says."""

    begin: int
    stop: int
    subject: str
    predicate: str
    value: str


def printed_facts(text: str, is_predicate: Callable[[str], bool]) -> Iterator[Printed]:
    """Find what looks like printed facts in any of the renderer's formats, escaped ones too."""
    yield from _lines(text, is_predicate)
    if "fact" in text:
        yield from _elements(text)
    if "predicate" in text:
        yield from _objects(text)


def named_blocks(text: str) -> list[tuple[int, int]]:
    """Find recalled text in its JSON form, however it was quoted since: all from its first brace to its last."""
    if not _TAG_NAMED.search(text):
        return []
    begin, stop = text.find("{"), text.rfind("}")
    return [(max(begin, 0), len(text) if stop < 0 else stop + 1)]


def _lines(text: str, is_predicate: Callable[[str], bool]) -> Iterator[Printed]:
    """``name: value (since 2026-01-10)``, also joined to other text or broken over lines."""
    done = 0
    for details in _DETAILS.finditer(text):
        start = max(done, details.start() - _REACH)
        window = text[start : details.start()]
        for colon in _last_colons(window):
            named = _name_before(window[:colon], is_predicate)
            if named is not None:
                subject, predicate, length = named
                value = " ".join(html.unescape(window[colon + 1 :]).split())
                yield Printed(start + colon - length, details.end(), subject, predicate, value)
        done = details.end()


def _last_colons(window: str) -> list[int]:
    places: list[int] = []
    at = len(window)
    while len(places) < _COLONS and (at := max(window.rfind(":", 0, at), window.rfind("：", 0, at))) >= 0:
        places.append(at)
    return places


def _name_before(before: str, is_predicate: Callable[[str], bool]) -> tuple[str, str, int] | None:
    """Read ``predicate`` or ``subject · predicate`` at the end of a text; gives also how long it is there."""
    line = before.rpartition("\n")[2][-300:]
    subject, dot, name = line.rpartition("·")
    words = (name if dot else line).split()
    for count in range(1, min(_WORDS, len(words)) + 1):
        predicate = " ".join(words[-count:]).strip("*_`\"'- ")
        if predicate and is_predicate(predicate):
            said = subject.split()[-3:] if dot else []
            return " ".join(said).strip("*_`\"'->• ") or "user", predicate, len(line) if dot else len(words[-count])
    return None


def _elements(text: str) -> Iterator[Printed]:
    for found in _XML_FACT.finditer(text):
        yield from _element(found[1], found[2], found.start(), found.end())
    if "&lt;" in text:
        begin, stop = text.find("&lt;"), text.rfind("&gt;") + 4
        for found in _XML_FACT.finditer(html.unescape(text)):
            yield from _element(found[1], found[2], begin, max(stop, begin))


def _element(attributes: str, content: str, begin: int, stop: int) -> Iterator[Printed]:
    names = {name.lower(): html.unescape(value) for name, value in _XML_NAMED.findall(attributes)}
    if "predicate" in names:
        yield Printed(begin, stop, names.get("subject", "user"), names["predicate"], html.unescape(content))


def _objects(text: str) -> Iterator[Printed]:
    for found in _JSON_FACT.finditer(text):
        for form in (found[0], found[0].replace('\\"', '"'), found[0].replace("'", '"')):
            with suppress(ValueError, RecursionError):
                said = json.loads(form)
                value = str(said.get("value", ""))
                yield Printed(*found.span(), str(said.get("subject", "user")), str(said.get("predicate", "")), value)
                break
