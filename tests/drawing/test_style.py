"""The stylesheet: every class it needs, colours for both schemes, and contrast that can be read."""

from __future__ import annotations

import re

import pytest

from tensemem import FactStatus
from tensemem.drawing import style, timeline
from tests.drawing.making import NOON, day, fact, root_of

COLOURS = {
    name: (light, dark)
    for name, light, dark in re.findall(r"--tm-([a-z-]+): light-dark\(#(\w{6}), #(\w{6})\);", style())
}
READ = [("ink", "paper"), ("ink", "lane"), ("soft", "paper"), ("now", "paper")] + [
    (f"{family}-ink", f"{family}-fill") for family in ("now", "past", "ahead", "waiting", "wrong", "hidden")
]
SEEN = [(f"{family}-edge", "lane") for family in ("now", "past", "ahead", "waiting", "wrong", "hidden")] + [
    ("statement", "paper"), ("focus", "lane"), ("focus", "past-fill"), ("now", "lane"),
]  # fmt: skip


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as WCAG 2 counts it, from 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    shares = [int(colour[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    red, green, blue = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_every_class_is_styled_and_every_colour_known_in_both_schemes() -> None:
    named = set(re.findall(r"\.(tm-[a-z-]+)", style()))
    facts = [fact(f"f-{status}", "A", day(1), day(90), status=status) for status in FactStatus]
    used = {name for one in root_of(timeline(facts, now=NOON)).iter() for name in one.get("class", "").split()}
    plain = {"tm-slot", "tm-bar", "tm-axis", "tm-words", "tm-legend", "tm-now"}
    assert used - named <= plain | {f"tm-{status.value}" for status in FactStatus}
    assert set(re.findall(r"var\(--tm-([a-z-]+)\)", style())) == set(COLOURS)
    assert len(re.findall(r"--tm-[a-z-]+:", style())) == len(COLOURS)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), READ)
def test_words_can_be_read(ink: str, ground: str, scheme: int) -> None:
    assert contrast(COLOURS[ink][scheme], COLOURS[ground][scheme]) >= 4.5


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("line", "ground"), SEEN)
def test_outlines_and_signs_can_be_seen(line: str, ground: str, scheme: int) -> None:
    assert contrast(COLOURS[line][scheme], COLOURS[ground][scheme]) >= 3
