"""Score `tensemem.times` against annotated expressions: `python tools/time_score.py PATH [--misses]`.

PATH is a JSON Lines file of `{"lang", "ref", "text", "results"}`; each result has a "text", a "type" and resolved
"values" ("value", or "start" and "end"). A result is found where a time of ours overlaps it, right where one of its
values is our start and end or one of our alternatives, and its span is right where the words are the same. A time of
ours that touches no annotation at all is a false one. Only dates, periods and date-times whose values are whole days
count as "day or coarser". Cases without a reference time are left out: nothing can be said about them.
"""

from __future__ import annotations

import argparse
import json
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

from tensemem.core.timewords.asking import MODULES
from tensemem.times import TimeValue, find

COUNTED = ("date", "daterange", "datetime", "datetimerange")
Tally = Counter[str]


def main() -> None:
    """Print the figures of a file by language and by type."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path)
    parser.add_argument("--misses", metavar="LANG", help="also print what was not right in a language")
    arguments = parser.parse_args()
    tallies: dict[tuple[str, str], Tally] = {}
    for case in cases(arguments.path):
        if case["lang"] in MODULES and case["ref"]:
            score(case, tallies, shown=arguments.misses == case["lang"])
    report(tallies)


def cases(path: Path) -> Iterator[dict[str, Any]]:
    """Give the cases of a file."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def score(case: dict[str, Any], tallies: dict[tuple[str, str], Tally], *, shown: bool) -> None:
    """Add one case to the tallies."""
    text, language = case["text"], case["lang"]
    if language in {"zh", "ja"}:
        text = folded(text)
    moment = datetime.fromisoformat(case["ref"])
    ours = find(text, reference=moment.replace(tzinfo=UTC), language=language)
    touched: set[int] = set()
    at = 0
    for wanted in case["results"]:
        begin = text.lower().find(wanted["text"].lower(), at)
        begin = begin if begin >= 0 else text.lower().find(wanted["text"].lower()[:5])
        stop = begin + len(wanted["text"])
        at = stop if begin >= 0 else at
        near = [index for index, value in enumerate(ours) if value.begin < stop and begin < value.stop]
        touched.update(near)
        if wanted["type"] not in COUNTED or not resolvable(wanted):
            continue
        kind = wanted["type"] + ("" if is_coarse(wanted) else " (finer)")
        tally = tallies.setdefault((language, kind), Counter())
        right = any(is_right(ours[index], wanted) for index in near)
        spanned = any(ours[index].quote.lower() == wanted["text"].lower() for index in near)
        tally.update(expected=1, found=bool(near), right=right, span=spanned, both=right and spanned)
        if shown and not right and is_coarse(wanted):
            got = " ; ".join(brief(ours[index]) for index in near) or "nothing"
            print(f"{case['ref']} | {text[:160]!r} wanted {wanted['text']!r} {values(wanted)} got {got}")
    false = [value for index, value in enumerate(ours) if index not in touched]
    tallies.setdefault((language, "false"), Counter()).update(expected=0, found=len(false))
    for value in false if shown else ():
        print(f"FALSE {case['ref']} | {text[:160]!r} {brief(value)}")


def folded(text: str) -> str:
    """Give a text with plain digits and signs where its length stays the same: annotations quote it so."""
    plain = unicodedata.normalize("NFKC", text)
    return plain if len(plain) == len(text) else text


def resolvable(wanted: dict[str, Any]) -> bool:
    """Whether an annotation says what it means."""
    return any(value.get("value") != "not resolved" for value in wanted["values"] or ())


def is_coarse(wanted: dict[str, Any]) -> bool:
    """Whether the values are whole days."""
    texts = [value.get(key) for value in wanted["values"] for key in ("value", "start", "end")]
    return all(text is None or ":" not in text for text in texts)


def is_right(ours: TimeValue, wanted: dict[str, Any]) -> bool:
    """Whether one value of an annotation is a reading of ours."""
    readings = {(ours.start, ours.end), *ours.alternatives}
    return any(value_in(value, readings) for value in wanted["values"])


def value_in(value: dict[str, Any], readings: set[tuple[datetime | None, datetime | None]]) -> bool:
    """Whether a value is among readings; a value with one moment stands for the day, minute or second it names."""
    if "value" in value:
        start = moment_of(value["value"])
        return start is not None and any(
            reading[0] == start and (is_day(value["value"]) is False or reading[1] == start + timedelta(days=1))
            for reading in readings
        )
    return (moment_of(value.get("start")), moment_of(value.get("end"))) in readings


def is_day(text: str) -> bool:
    """Whether a value names a day."""
    return ":" not in text


def moment_of(text: str | None) -> datetime | None:
    """Give the moment that a value's text names."""
    if not text:
        return None
    try:
        return datetime.fromisoformat(text).replace(tzinfo=UTC)
    except ValueError:
        return None


def values(wanted: dict[str, Any]) -> str:
    """Give an annotation's values on one line."""
    return " / ".join(value.get("value") or f"[{value.get('start')}, {value.get('end')}]" for value in wanted["values"])


def brief(value: TimeValue) -> str:
    """Give a time of ours on one line."""
    spans = [(value.start, value.end), *value.alternatives]
    shown = " / ".join(f"[{_short(start)}, {_short(end)}]" for start, end in spans[:4])
    return f"{value.quote!r} {value.kind} {value.grain} {shown}"


def _short(moment: datetime | None) -> str:
    if moment is None:
        return "-"
    return str(date(moment.year, moment.month, moment.day)) if not (moment.hour or moment.minute) else str(moment)[:16]


def report(tallies: dict[tuple[str, str], Tally]) -> None:
    """Print the tallies."""
    print(f"{'':4}{'type':24}{'expected':>9}{'found':>7}{'right':>7}{'':7}{'span':>6}{'both':>6}")
    for language in sorted({language for language, _ in tallies}):
        total: Tally = Counter()
        for (spoken, kind), tally in sorted(tallies.items()):
            if spoken != language or kind == "false":
                continue
            line(language, kind, tally)
            if "(finer)" not in kind:
                total.update(tally)
        line(language, "DAY OR COARSER", total)
        print(f"{language:4}{'false ones':24}{'':9}{tallies[language, 'false']['found']:7}")


def line(language: str, kind: str, tally: Tally) -> None:
    """Print one row."""
    expected = tally["expected"]
    share = f"{tally['right'] / expected:6.1%}" if expected else ""
    print(
        f"{language:4}{kind:24}{expected:9}{tally['found']:7}{tally['right']:7}{share:>7}{tally['span']:6}"
        f"{tally['both']:6}"
    )


if __name__ == "__main__":
    main()
