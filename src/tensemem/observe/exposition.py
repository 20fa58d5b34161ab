"""Prometheus' text form: families of samples, each with its help, its type and its labels."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
"""What an answer in this form is declared as."""

SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Upper bounds of the buckets that times are counted in."""

_NAME = re.compile(r"[a-z][a-z0-9_]*")

Labels = tuple[tuple[str, str], ...]
"""Names and values of labels, in the order in which they are written."""


@dataclass(slots=True)
class Family:
    """A metric: counters and gauges as a number for each set of labels."""

    name: str
    help: str
    kind: Literal["counter", "gauge"]
    values: dict[Labels, float] = field(default_factory=dict)

    def add(self, amount: float = 1, **labels: str) -> None:
        """Count more."""
        key = tuple(labels.items())
        self.values[key] = self.values.get(key, 0) + amount

    def put(self, value: float, **labels: str) -> None:
        """State how it is now."""
        self.values[tuple(labels.items())] = value

    def lines(self) -> Iterator[str]:
        """Give the family as lines; nothing where it has no samples."""
        if self.values:
            yield from _heading(self.name, self.help, self.kind)
        for labels, value in self.values.items():
            yield f"{self.name}{labels_text(labels)} {number_text(value)}"


@dataclass(slots=True)
class Histogram:
    """A metric of times: how many took at most so long, for each set of labels."""

    name: str
    help: str
    bounds: Sequence[float] = SECONDS
    counts: dict[Labels, list[int]] = field(default_factory=dict)
    sums: dict[Labels, float] = field(default_factory=dict)

    def observe(self, seconds: float, times: int = 1, /, **labels: str) -> None:
        """Count one more, or several that took as long."""
        key = tuple(labels.items())
        counts = self.counts.setdefault(key, [0] * (len(self.bounds) + 1))
        counts[bisect_left(self.bounds, seconds)] += times
        self.sums[key] = self.sums.get(key, 0.0) + seconds * times

    def lines(self) -> Iterator[str]:
        """Give the family as lines; nothing where it has no samples."""
        if self.counts:
            yield from _heading(self.name, self.help, "histogram")
        for labels, counts in self.counts.items():
            total = 0
            for bound, count in zip((*self.bounds, math.inf), counts, strict=True):
                total += count
                yield f"{self.name}_bucket{labels_text((*labels, ('le', number_text(bound))))} {total}"
            yield f"{self.name}_sum{labels_text(labels)} {number_text(self.sums[labels])}"
            yield f"{self.name}_count{labels_text(labels)} {total}"


def text_of(families: Iterable[Family | Histogram]) -> str:
    """Give families as one text, each line with its break."""
    return "".join(f"{line}\n" for family in families for line in family.lines())


def labels_text(labels: Labels) -> str:
    """Give labels in braces, their values escaped; nothing where there are none."""
    if not labels:
        return ""
    return "{" + ",".join(f'{name}="{_escaped(value)}"' for name, value in labels) + "}"


def number_text(value: float) -> str:
    """Give a number as it is written there."""
    if value == math.inf:
        return "+Inf"
    return str(int(value)) if float(value).is_integer() and abs(value) < 2**53 else repr(float(value))


def _heading(name: str, help: str, kind: str) -> Iterator[str]:
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} can't name a metric")
    yield f"# HELP {name} {_one_line(help)}"
    yield f"# TYPE {name} {kind}"


def _one_line(text: str) -> str:
    return text.replace("\\", r"\\").replace("\n", r"\n")


def _escaped(value: str) -> str:
    plain = value.encode("utf-8", "replace").decode()  # half an emoji has no form in UTF-8
    return _one_line(plain).replace('"', r"\"")


def merged(first: Mapping[str, float], second: Mapping[str, float]) -> dict[str, float]:
    """Add up two sets of counts by name."""
    return {name: first.get(name, 0) + second.get(name, 0) for name in {**first, **second}}
