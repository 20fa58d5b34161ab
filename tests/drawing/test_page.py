"""A history's page: whole, well-formed, and never anybody's markup."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from hypothesis import given

from tensemem import Fact, FactStatus, Freshness, History, Statement, errors
from tensemem.drawing import page
from tests.drawing.making import FRESH, HOSTILE, NOON, any_facts, any_statements, day, fact, history, quoted, statement

NAMES = {
    "html", "head", "meta", "title", "style", "body", "a", "header", "main", "section", "footer", "div", "span", "p",
    "h1", "h2", "h3", "table", "thead", "tbody", "tr", "th", "td", "br", "bdi", "blockquote", "details", "summary",
    "svg", "g", "defs", "pattern", "path", "rect", "line", "text",
}  # fmt: skip


def root_of(text: str) -> ElementTree.Element:
    """The page as a tree: written so that an XML reader takes it, once what HTML leaves open is closed."""
    closed = re.sub(r"<(meta [^>]*|br)>", r"<\1/>", text.partition("\n")[2])
    return ElementTree.fromstring(closed)


def names_of(root: ElementTree.Element) -> set[str]:
    return {one.tag.rpartition("}")[2] for one in root.iter()}


@given(any_facts(5), any_statements())
def test_any_history_makes_a_page_of_our_elements_alone(facts: list[Fact], statements: list[Statement]) -> None:
    user = facts[0].object if facts else "u1"
    text = page(History(user, tuple(facts), tuple(statements), FRESH), now=NOON)
    root = root_of(text)
    assert names_of(root) <= NAMES
    assert not [name for one in root.iter() for name in one.attrib if name.startswith("on") or name in ("style", "src")]
    rows = [one.get("id", "") for one in root.iter("tr") if one.get("id")]
    assert sorted(rows) == sorted([f"fact-{one.id}" for one in facts] + [f"statement-{one.id}" for one in statements])
    ids = [one.get("id") for one in root.iter() if one.get("id")]
    assert len(ids) == len(set(ids))
    assert {one.get("href", "")[1:] for one in root.iter() if one.get("href")} <= {*ids}
    assert text == page(History(user, tuple(facts), tuple(statements), FRESH), now=NOON)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_text_in_every_field(text: str) -> None:
    told = fact("f", text, day(1), subject=text, predicate=text, source=text, evidence=quoted(text))
    taken = statement("s", text, subject=text, predicate=text, value=text, source=text, quote=text)
    root = root_of(page(history(told, statements=(taken,), user=text), now=NOON, predicate=text))
    assert names_of(root) <= NAMES
    said = "".join(root.itertext())
    assert said.count(text if "\u202e" not in text else "\\u202eevil") >= 8


def test_an_id_that_stands_twice_is_one_anchor() -> None:
    twice = (fact("f", "A", day(1), day(2), status=FactStatus.CORRECTED), fact("f", "A", day(3)))
    root = root_of(page(history(*twice), now=NOON))
    assert [one.get("id") for one in root.iter("tr")].count("fact-f") == 1


def test_a_long_value_and_many_quotes_are_folded_and_whole() -> None:
    value = "Bengaluru " * 1000
    evidence = tuple(replace(one, seq=number) for number in range(12) for one in quoted(f"quote {number:02d}"))
    root = root_of(page(history(fact("f", value, day(1), evidence=evidence)), now=NOON))
    folded = ["".join(one.itertext()) for one in root.iter("details")]
    assert any(value in one for one in folded)
    assert any(one.startswith("7 earlier") and "quote 00" in one for one in folded)
    quotes = ["".join(one.itertext())[1:9] for one in root.iter("blockquote")]
    assert len(quotes) == 12


def test_a_page_says_what_it_is_of_and_how_current() -> None:
    fresh = Freshness(as_of_seq=1, latest_seq=4, pending=2, failed=1, failed_seqs=(3,), is_current=False)
    told = replace(history(fact("f", "A", day(1))), freshness=fresh, next="f", at=NOON)
    said = "".join(root_of(page(told, zone="Asia/Kolkata", predicate="lives_in")).itertext())
    assert "u1 · lives_in" in said
    assert "1 fact of 1 attribute; as of 2026-06-01 17:30, times in Asia/Kolkata; cut by a limit: there is more" in said
    assert "Not current: 2 messages pending, 1 failed." in said


def test_five_thousand_facts_are_all_told() -> None:
    facts = [fact(f"f-{n}", f"v{n}", day(n), day(n + 1), predicate=f"p{n % 9}") for n in range(5000)]
    text = page(history(*facts), now=NOON)
    assert text.count('id="fact-') == 5000
    assert len(text) < 8_000_000


def test_a_zone_that_is_none_is_refused() -> None:
    with pytest.raises(errors.InvalidTimeError):
        page(history(), zone="Mars/Olympus")
