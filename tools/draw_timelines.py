"""Draw the timelines of docs/explanation/evidence-rule.md from what the engine really gives.

    python tools/draw_timelines.py            write the pictures
    python tools/draw_timelines.py --check    exit with 1 where one is missing or out of date

A picture shows what was said, each statement with its span of evidence, and below it what holds. Time is counted in
days; every scenario is played into a memory of its own, with a clock that stands at day 100.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from xml.sax.saxutils import escape

from tensemem import Fact, FactStatus, Memory
from tensemem.engine.history import folds_of
from tensemem.engine.state import with_snapshot
from tensemem.model.claim import Claim, ClaimKind
from tensemem.model.moment import to_moment

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "explanation" / "timelines"

DAY_ZERO = datetime(2026, 1, 1, tzinfo=UTC)
NOW = 100
BRIEF = timedelta(hours=1)
LAST_DAY = 110.0
"""How far a picture reaches; what is open goes to its edge."""


def day(number: float) -> datetime:
    """Give the moment at which a day begins."""
    return DAY_ZERO + timedelta(days=number)


# What is played.


@dataclass(frozen=True)
class Words:
    """One statement: how the picture words it, and what it does to the memory."""

    text: str
    do: Callable[[Memory], object]


@dataclass(frozen=True)
class Stage:
    """A correction that follows, and what the picture calls what holds after it."""

    text: str
    do: Callable[[Memory], object]


@dataclass(frozen=True)
class Scenario:
    """A row of the consequences table."""

    name: str
    title: str
    said: tuple[Words, ...]
    stages: tuple[Stage, ...] = ()
    many: bool = False
    order: tuple[int, ...] = field(default=())
    """In which order the statements are recorded, where it is not the order in which they are shown."""


def said(value: str, at: float) -> Words:
    """A present statement without a date."""
    return Words(f"day {at:g}: “{value}”", lambda mem: mem.set("u1", "city", value, said_at=day(at)))


def since(value: str, begin: float, at: float) -> Words:
    """A present statement with a date."""
    text = f"day {at:g}: “{value}, since day {begin:g}”"
    return Words(text, lambda mem: mem.set("u1", "city", value, since=day(begin), said_at=day(at)))


def row(value: str, begin: float, at: float, end: float | None = None) -> Words:
    """A dated row."""
    ends = "" if end is None else f" to {end:g}"
    text = f"day {at:g}: row {value} from {begin:g}{ends}"
    until = None if end is None else day(end)
    return Words(text, lambda m: m.record("u1", "city", value, valid_from=day(begin), valid_to=until, said_at=day(at)))


def gone(value: str, at: float) -> Words:
    """A retraction."""
    return Words(f"day {at:g}: “no longer {value}”", lambda mem: mem.retract("u1", "city", value, said_at=day(at)))


def correct(value: str, nth: int, text: str) -> Stage:
    """Correct the nth shown run of a value, as the history counts them."""

    def do(mem: Memory) -> object:
        runs = [fact for fact in shown_in(mem) if fact.value == value]
        return mem.correct(runs[nth].id)

    return Stage(text, do)


def this_year(value: str, at: float) -> Words:
    """A present statement with an imprecise start."""
    text = f"day {at:g}: “{value}, this year”"
    return Words(text, lambda mem: mem.set("u1", "city", value, since="2026", said_at=day(at)))


def adds(value: str, at: float) -> Words:
    """One value more of a many-valued predicate."""
    return Words(f"day {at:g}: adds {value}", lambda mem: mem.add_value("u1", "city", value, said_at=day(at)))


def only(value: str, at: float) -> Words:
    """A REPLACE."""
    text = f"day {at:g}: “only {value}”"
    return Words(text, lambda mem: mem.replace_values("u1", "city", [value], said_at=day(at)))


SCENARIOS = (
    Scenario("superseded", "The newest statement holds", (said("Delhi", 10), said("Bangalore", 40))),
    Scenario(
        "late-arrival", "A statement that arrives late finds its place",
        (said("Delhi", 10), said("Bangalore", 40)), order=(1, 0),
    ),
    Scenario(
        "moved-on-a-date", "A dated statement reaches back",
        (said("Delhi", 15), since("Bangalore", 10, 60)),
    ),
    Scenario("dated-row", "A dated row does not overwrite later times", (said("Delhi", 50), row("Paris", 20, 60))),
    Scenario(
        "scheduled-row", "A scheduled row waits for its day",
        (row("Bangalore", 90, 30), said("Delhi", 40)),
        (correct("Bangalore", 0, "correct Bangalore"),),
    ),
    Scenario(
        "row-inside-a-stay", "A row before the last moment that was vouched for",
        (since("Paris", 10, 60), row("Rome", 30, 70)),
        (correct("Paris", 0, "correct the first Paris"),),
    ),
    Scenario(
        "period", "After a stated end, what lies beneath shows again",
        (said("Delhi", 10), row("Paris", 20, 60, end=30)),
        (correct("Delhi", 1, "correct the second Delhi"),),
    ),
    Scenario("retraction", "What is taken away was true until then", (said("Delhi", 10), gone("Delhi", 40))),
    Scenario(
        "row-before-a-retraction", "A retraction takes away only what showed",
        (said("Delhi", 10), gone("Delhi", 40), row("Paris", 20, 50)),
    ),
    Scenario("this-year", "An imprecise start gives way", (said("Delhi", 15), this_year("Bangalore", 60))),
    Scenario(
        "undo-chain", "Corrections, one after the other",
        (said("A", 10), said("B", 20), said("A", 30)),
        (correct("A", 1, "correct the second A"), correct("B", 0, "then correct B")),
    ),
    Scenario(
        "many-values", "Many values: a timeline for each",
        (adds("Python", 10), adds("Go", 20), only("Rust", 50)),
        (correct("Rust", 0, "correct Rust"),), many=True,
    ),
)  # fmt: skip


# What the engine makes of it.

HIDDEN = (
    FactStatus.CORRECTED, FactStatus.OVERRIDDEN, FactStatus.DENIED, FactStatus.CANDIDATE, FactStatus.PLANNED,
)  # fmt: skip


def shown_in(mem: Memory) -> list[Fact]:
    """Give the facts that show somewhere, in valid-time order."""
    facts = mem.history("u1", "city").facts
    return [f for f in facts if f.status not in HIDDEN and not (f.valid_to and f.valid_to == f.valid_from)]


def claims_in(mem: Memory) -> dict[int, Claim]:
    """Give the claims of the slot by the seq of their statement."""
    scope = mem._engine.scope("u1")
    folds = with_snapshot(mem._engine, scope, lambda snapshot: folds_of(snapshot, "city", "user"))
    return {claim.id.seq: claim for _, _, claims in folds for claim in claims}


@dataclass(frozen=True)
class Played:
    """A scenario as the engine played it."""

    scenario: Scenario
    claims: tuple[Claim, ...]
    tracks: tuple[tuple[str, tuple[Fact, ...]], ...]


def play(scenario: Scenario) -> Played:
    """Play a scenario into a memory of its own."""
    with Memory(":memory:", clock=lambda: day(NOW)) as mem:
        mem.register_predicate("city", "many" if scenario.many else "one")
        order = scenario.order or tuple(range(len(scenario.said)))
        for place in order:
            scenario.said[place].do(mem)
        found = claims_in(mem)
        claims = tuple(found[order.index(place) + 1] for place in range(len(scenario.said)))
        tracks = [("what holds", tuple(shown_in(mem)))]
        for stage in scenario.stages:
            stage.do(mem)
            tracks.append((stage.text, tuple(shown_in(mem))))
        return Played(scenario, claims, tuple(tracks))


# How it is drawn.

WIDTH, LEFT, RIGHT = 760, 250, 24
ROW, BAR = 30, 18
COLOURS = ("#4477aa", "#ee7733", "#228833", "#aa3377")
INK, SOFT, LINE = "#1b1f24", "#59636e", "#d1d9e0"


def draw(played: Played) -> str:
    """Give the picture as SVG text."""
    colours = _colours(played)
    lines = list(_rows(played, colours))
    height = 46 + sum(size for size, _ in lines) + 34
    body: list[str] = []
    top = 46.0
    for size, parts in lines:
        body += [part.format(y=top, mid=top + size / 2, bar=top + (size - BAR) / 2) for part in parts]
        top += size
    words = escape(played.scenario.title)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" width="{WIDTH}" '
            f'height="{height:g}" font-family="system-ui, sans-serif" font-size="13" role="img">',
            f"<title>{words}</title>",
            f"<desc>{escape(told(played))}</desc>",
            f'<rect width="{WIDTH}" height="{height:g}" rx="8" fill="#ffffff"/>',
            *_grid(46, top),
            f'<text x="16" y="26" font-size="15" font-weight="600" fill="{INK}">{words}</text>',
            *body,
            *_axis(top),
            "</svg>",
            "",
        ]
    )


def told(played: Played) -> str:
    """Tell in words what a picture shows."""
    words = "; ".join(item.text for item in played.scenario.said)
    tracks = " ".join(f"{label}: {_facts_told(facts)}." for label, facts in played.tracks)
    return f"Said: {words}. {tracks}"


def _facts_told(facts: Sequence[Fact]) -> str:
    return ", ".join(f"{fact.object} [{_day_text(fact.valid_from)}, {_day_text(fact.valid_to)})" for fact in facts)


def _day_text(moment: datetime | None) -> str:
    if moment is None:
        return "∞"
    whole = round(_day_of(moment))
    return f"just after {whole}" if day(whole) < moment < day(whole + 0.01) else f"{whole}"


def _is_brief(fact: Fact) -> bool:
    return fact.valid_from is not None and fact.valid_to is not None and fact.valid_to - fact.valid_from < BRIEF


def _day_of(moment: datetime) -> float:
    return (moment - DAY_ZERO) / timedelta(days=1)


def _colours(played: Played) -> dict[str, str]:
    names: dict[str, None] = {}
    for claim in played.claims:
        for held in claim.values or ((claim.value,) if claim.value else ()):
            names.setdefault(str(held.stored))
    return dict(zip(names, COLOURS, strict=False))


def _rows(played: Played, colours: dict[str, str]) -> Iterator[tuple[float, list[str]]]:
    yield 22, [_heading("said")]
    for words, claim in zip(played.scenario.said, played.claims, strict=True):
        yield ROW, [_label(words.text), *_span(claim, colours)]
    yield 8, []
    yield 22, [_heading("shown")]
    for label, facts in played.tracks:
        names = list(colours) if played.scenario.many else [""]
        for number, name in enumerate(names):
            mine = [fact for fact in facts if name in ("", fact.object)]
            text = label if number == 0 else ""
            mine.sort(key=_is_brief)  # what lasts an instant is drawn over its neighbours
            yield ROW, [_label(text), *(part for fact in mine for part in _fact(fact, colours))]


def _heading(text: str) -> str:
    return (
        f'<text x="16" y="{{mid}}" dominant-baseline="central" font-size="11" letter-spacing="1" '
        f'fill="{SOFT}">{text.upper()}</text>'
    )


def _label(text: str) -> str:
    if not text:
        return ""
    return f'<text x="16" y="{{mid}}" dominant-baseline="central" fill="{INK}">{escape(text)}</text>'


def _span(claim: Claim, colours: dict[str, str]) -> list[str]:
    """Give a statement: solid where it vouches, light where it goes on, a dot where it was said."""
    start, through = _of_moment(claim.start), _of_moment(claim.through)
    end = LAST_DAY if claim.end is None else _of_moment(claim.end)
    name = str(claim.values[0].stored) if claim.values else str(claim.value.stored) if claim.value else ""
    colour = colours.get(name, SOFT)
    is_out = claim.kind is ClaimKind.RETRACT
    light = f'fill="{colour}" fill-opacity="0.22"'
    if is_out:
        light = f'fill="none" stroke="{colour}" stroke-dasharray="4 3"'
    parts = [_rect(start, end, 8, light)]
    if through > start:
        parts.append(_rect(start, through, 8, f'fill="{colour}" fill-opacity="0.75"'))
    else:
        parts.append(f'<rect x="{_x(start) - 1.5:.1f}" y="{{bar}}" width="3" height="{BAR}" fill="{colour}"/>')
    said_on = _of_moment(claim.said_at)
    parts.append(f'<circle cx="{_x(said_on):.1f}" cy="{{mid}}" r="5" fill="#ffffff" stroke="{INK}" stroke-width="2"/>')
    return parts


def _fact(fact: Fact, colours: dict[str, str]) -> list[str]:
    start = 0.0 if fact.valid_from is None else _day_of(fact.valid_from)
    end = LAST_DAY if fact.valid_to is None else _day_of(fact.valid_to)
    colour = colours.get(fact.object, SOFT)
    parts = [_rect(start, end, BAR, f'fill="{colour}"')]
    room = _x(end) - _x(start)
    if room > 8 * len(fact.object):
        parts.append(
            f'<text x="{_x(start) + 6:.1f}" y="{{mid}}" dominant-baseline="central" font-size="12" '
            f'fill="#ffffff">{escape(fact.object)}</text>'
        )
    if fact.valid_to is None:
        edge = _x(LAST_DAY)
        parts.append(
            f'<text x="{edge - 14:.1f}" y="{{mid}}" dominant-baseline="central" fill="#ffffff">∞</text>'
        )
    return parts


def _rect(start: float, end: float, height: int, paint: str) -> str:
    shift = (BAR - height) / 2
    y = "{bar}" if shift == 0 else "{mid}"
    move = "" if shift == 0 else f' transform="translate(0 {-height / 2:g})"'
    width = max(_x(min(end, LAST_DAY)) - _x(start), 3.0)
    return f'<rect x="{_x(start):.1f}" y="{y}" width="{width:.1f}" height="{height}"{move} rx="2" {paint}/>'


def _x(number: float) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * min(max(number, 0.0), LAST_DAY) / LAST_DAY


def _of_moment(moment: int) -> float:
    return (moment - to_moment(DAY_ZERO)) / (86_400 * 1_000_000)


def _grid(top: float, bottom: float) -> Iterator[str]:
    for number in range(0, 101, 10):
        x = _x(number)
        yield f'<line x1="{x:.1f}" y1="{top:g}" x2="{x:.1f}" y2="{bottom:g}" stroke="{LINE}"/>'


def _axis(top: float) -> Iterator[str]:
    for number in range(0, 101, 10):
        yield (
            f'<text x="{_x(number):.1f}" y="{top + 16:g}" text-anchor="middle" font-size="11" '
            f'fill="{SOFT}">{number}</text>'
        )
    yield f'<text x="16" y="{top + 16:g}" font-size="11" fill="{SOFT}">day</text>'


def pictures() -> dict[str, str]:
    """Give every picture by its file name."""
    return {f"{scenario.name}.svg": draw(play(scenario)) for scenario in SCENARIOS}


def stale(folder: Path = FOLDER) -> list[str]:
    """Give the names of pictures that are missing, out of date, or of no scenario."""
    wanted = pictures()
    found = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.svg")}
    return sorted(name for name in wanted.keys() | found.keys() if wanted.get(name) != found.get(name))


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the pictures, or check them."""
    parser = argparse.ArgumentParser(description="Draw the timelines of the documentation.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 where a picture is stale")
    if parser.parse_args(arguments).check:
        names = stale()
        for name in names:
            print(f"out of date: {name}", file=sys.stderr)
        return 1 if names else 0
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in pictures().items():
        (FOLDER / name).write_text(text, encoding="utf-8", newline="\n")
        print(name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
