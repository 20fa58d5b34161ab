"""Facts and statements of any shape, made by hand or by hypothesis, and drawings read back."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from xml.etree import ElementTree

from hypothesis import strategies as st

from tensemem import Evidence, Fact, FactStatus, Freshness, History, Statement
from tensemem.model.moment import EARLIEST, LATEST, to_datetime, to_moment

NOON = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)
FRESH = Freshness(as_of_seq=1, latest_seq=1, pending=0, failed=0, failed_seqs=(), is_current=True)
SVG = "{http://www.w3.org/2000/svg}"
ZONES = ("UTC", "Europe/Berlin", "America/St_Johns", "Pacific/Kiritimati", "Asia/Kolkata")


def day(number: int) -> datetime:
    """So many days after the first of January 2026."""
    return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=number)


def fact(
    id: str, value: str = "Delhi", begin: datetime | None = None, end: datetime | None = None, **more: Any
) -> Fact:
    """A fact of u1's home, active unless told otherwise."""
    made = Fact(
        id=id, claim_ids=(id,), subject="user", predicate="lives_in", value=value, object=value,
        status=FactStatus.ACTIVE, valid_from=begin, valid_to=end, precision="instant", said_at=NOON, recorded_at=NOON,
        recorded_rev=1, last_evidence_at=NOON, confidence=1.0, paraphrased=False, contested=False, due_for_review=False,
        source="user", evidence=(),
    )  # fmt: skip
    return replace(made, **more)


def quoted(text: str) -> tuple[Evidence, ...]:
    """Evidence with one quote."""
    return (Evidence(seq=7, claim_id="c", said_at=NOON, source="user", quote=text, begin=0, stop=len(text)),)


def statement(id: str, kind: str = "retract", said_at: datetime = NOON, **more: Any) -> Statement:
    """A statement about u1's home that took something away."""
    made = Statement(
        id=id, kind=kind, subject="user", predicate="lives_in", value="Delhi", said_at=said_at, in_force=True,
        corrected=False, source="user",
    )  # fmt: skip
    return replace(made, **more)


def history(*facts: Fact, statements: tuple[Statement, ...] = (), user: str = "u1") -> History:
    """A history of these facts."""
    return History(user, facts, statements, FRESH)


def root_of(svg: str) -> ElementTree.Element:
    """The drawing, read as XML; fails where it is not well-formed."""
    return ElementTree.fromstring(svg.encode("utf-8"))


def with_class(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    """Every element of a class."""
    return [one for one in root.iter() if name in one.get("class", "").split()]


def drawn_ids(root: ElementTree.Element) -> list[str]:
    """The ids of all facts that the drawing holds, alone or with others."""
    found = list[str]()
    for bar in with_class(root, "tm-bar"):
        found += [bar.get("data-fact", "")] if bar.get("data-fact") is not None else bar.get("data-facts", "").split()
    return found


def texts_of(root: ElementTree.Element) -> list[str]:
    """Every text that the drawing shows."""
    return ["".join(one.itertext()) for one in root.iter(f"{SVG}text")]


HOSTILE = (
    "<script>alert(1)</script>", "]]>", "&amp;", "'\"><svg onload=x>", "\u202eevil", "مرحبا بالعالم",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467" * 5, "e\u0301" * 30,
)  # fmt: skip
texts = st.text(max_size=40) | st.sampled_from(HOSTILE)
near = st.integers(to_moment(datetime(2020, 1, 1, tzinfo=UTC)), to_moment(datetime(2030, 1, 1, tzinfo=UTC)))
moments = (near | st.integers(EARLIEST, LATEST)).map(to_datetime)
crowds = st.builds(lambda base, more: base + more * 1_000_000, st.sampled_from([0, 10**14, 10**15]), st.integers(0, 9))
"""Moments that lie in three short stretches far apart from each other."""
grains = st.sampled_from(["instant", "minute", "hour", "day", "week", "month", "quarter", "year", "decade"])
subjects = st.sampled_from(["user", "Mira", "thermostat"]) | texts
predicates = st.sampled_from(["lives_in", "languages"]) | texts


@st.composite
def spans(draw: st.DrawFn) -> tuple[datetime | None, datetime | None]:
    """From when until when: both, one, or none of them told; the end never before the start."""
    first, last = sorted((draw(moments), draw(moments)))
    return draw(st.sampled_from([(first, last), (first, None), (None, last), (None, None), (first, first)]))


@st.composite
def any_facts(draw: st.DrawFn, most: int = 12) -> list[Fact]:
    """Facts of any status, text and time, each with an id of its own."""
    found = list[Fact]()
    for number in range(draw(st.integers(0, most))):
        begin, end = draw(spans())
        found.append(
            fact(
                f"f-{number}", draw(texts | st.sampled_from(["A", "B", "C"])), begin, end,
                subject=draw(subjects), predicate=draw(predicates), status=draw(st.sampled_from(list(FactStatus))),
                precision=draw(grains), said_at=draw(moments), source=draw(texts), evidence=quoted(draw(texts)),
                contested=draw(st.booleans()), due_for_review=draw(st.booleans()), paraphrased=draw(st.booleans()),
            )
        )  # fmt: skip
    return found


@st.composite
def any_statements(draw: st.DrawFn) -> list[Statement]:
    """Statements of any kind, text and time."""
    kinds = st.sampled_from(["retract", "remove", "deny", "replace", "confirm", "something new"])
    return [
        statement(
            f"s-{number}", draw(kinds), draw(moments), subject=draw(subjects), predicate=draw(predicates),
            value=draw(st.none() | texts | st.lists(texts, max_size=3).map(tuple)), in_force=draw(st.booleans()),
            corrected=draw(st.booleans()), quote=draw(texts),
        )
        for number in range(draw(st.integers(0, 6)))
    ]  # fmt: skip
