"""Files that are text and no chat: recognised, so that nobody's words are made of them."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Sequence

# Each is tried at one place only, and every repetition in them has a bound.
_MARKUP = re.compile(r"<(?:!doctype|!--|\?xml|[a-z][\w:-]{0,40}[\s/>])", re.IGNORECASE)
_KEY = re.compile(r"[\w.@+:/-]{1,40}(?:[ ]\d[\w:.]{1,20})?$")
_NICK = re.compile(r"(?:\[?\d\d:\d\d(?::\d\d)?\]?[ ])?<[@+% ]?[^\s<>]{1,30}>[ ]")
_DELIMITERS = ((",", "comma"), (";", "semicolon"), ("\t", "tab"), ("|", "bar"))
_YAML = ("- role:", "messages:", "---")
_BEFORE_JSON = ('"', "{", "[")


def stranger(head: str, sample: Sequence[str]) -> str | None:
    """Name what a file looks like by its beginning and its first lines; None where it may be plain text."""
    sign = head.lstrip()
    if _MARKUP.match(sign) and any(end in sign.lower() for end in ("</", "/>", "<!doctype", "<!--", "<?xml")):
        return "HTML or XML"
    if sign[:1] == "{" and sign[1:].lstrip()[:1] in ('"', "'"):
        return "JSON that is broken or cut off"
    if sample and all(_is_json(line) for line in sample):
        return "JSON that is no chat"
    if sign.startswith(_YAML):
        return "YAML"
    if len(sample) > 1 and 2 * sum(_NICK.match(line) is not None for line in sample) > len(sample):
        return "a log with names as in <ana>"
    return next((f"a table separated by {name}s" for sign, name in _DELIMITERS if _is_table(sign, sample)), None)


def _is_json(line: str) -> bool:
    if not line.lstrip().startswith(_BEFORE_JSON):
        return False
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _is_table(delimiter: str, sample: Sequence[str]) -> bool:
    """Tell whether lines are rows: cells follow without a blank, which sets a table off from commas in sentences."""
    rows = [cells for cells in _rows(delimiter, sample) if cells]
    if not rows:
        return False
    if delimiter == "\t":
        return 2 * sum(len(cells) > 1 for cells in rows) > len(rows)
    if all(len(cells) > 1 and _KEY.match(cells[0]) and _is_tight(cells[1]) for cells in rows):
        return delimiter != "|"
    (width, count), *_ = Counter(map(len, rows)).most_common(1)
    is_even = len(rows) > 1 and width > 1 and 10 * count >= 9 * len(rows)
    return is_even and (delimiter == "|" or all(_is_tight(cell) for cells in rows for cell in cells[1:]))


def _is_tight(cell: str) -> bool:
    return cell[:1] not in (" ", "\u00a0")


def _rows(delimiter: str, sample: Sequence[str]) -> list[list[str]]:
    lines = [line.strip(" \t") for line in sample]
    try:
        return list(csv.reader([f"{line}\n" for line in lines], delimiter=delimiter))
    except csv.Error:  # a cell that is longer than the reader takes
        return [line.split(delimiter) for line in lines]
