"""What a notebook shows: the drawing of a result, and its table; nothing that anybody said becomes markup."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import Any

import pytest

from tensemem import Explanation, FactStatus, History, Memory, StateDiff
from tensemem.model.display import fact_table, pictured
from tests.drawing.making import FRESH, NOON, day, drawn_ids, fact, root_of, statement, texts_of, with_class

ATTACK = "<img src=x onerror=alert(1)><script>alert(1)</script>"


class Tags(HTMLParser):
    """The elements and attributes of a page, as a browser would find them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.attributes: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.attributes |= {name for name, _ in attrs}


def svg_in(page: str) -> Any:
    found = re.search(r"<svg.*</svg>", page, re.DOTALL)
    assert found, page[:200]
    return root_of(found[0])


@pytest.fixture
def mem() -> Iterator[Memory]:
    with Memory(":memory:", worker=False, clock=lambda: NOON) as opened:
        opened.register_predicate("motto")
        opened.set("ann", "motto", ATTACK, since="2025")
        opened.set("ann", "motto", "carpe diem", since="2026-02")
        yield opened


def shown(mem: Memory) -> dict[str, Any]:
    (old, new) = mem.history("ann", "motto").facts
    return {
        "state": mem.state("ann", at="2025-06"),
        "history": mem.history("ann"),
        "explanation": mem.explain(old.id),
        "difference": StateDiff(changed=((old, new),)),
    }


@pytest.mark.parametrize("name", ["state", "history", "explanation", "difference"])
def test_a_result_draws_itself_with_its_table_below_and_text_stays_text(mem: Memory, name: str) -> None:
    page = shown(mem)[name]._repr_html_()
    tags = Tags(page)
    assert "svg" in tags.names
    assert "table" in tags.names
    assert not {"img", "script"} & set(tags.names)
    assert not [one for one in tags.attributes if one.startswith("on") or one in ("style", "href", "src")]
    assert any("img src=x" in text for text in texts_of(svg_in(page)))


def test_the_line_of_the_present_is_where_the_result_was_read(mem: Memory) -> None:
    for name, moment in (("state", "now: 2025-06-30 23:59:59"), ("history", "now: 2026-06-01 12:00")):
        (line,) = with_class(svg_in(shown(mem)[name]._repr_html_()), "tm-now")
        assert "".join(line[0].itertext()) == moment


def test_a_difference_shows_what_was_and_what_comes() -> None:
    old, new, gone, more = (fact(name, name, day(number)) for number, name in enumerate(["old", "new", "gone", "more"]))
    root = svg_in(StateDiff(added=(more,), removed=(gone,), changed=((old, new),))._repr_html_())
    before, after = with_class(root, "tm-slot")
    assert (before.get("aria-label"), sorted(drawn_ids(before))) == ("lives_in · before: 2 facts", ["gone", "old"])
    assert (after.get("aria-label"), sorted(drawn_ids(after))) == ("lives_in · after: 2 facts", ["more", "new"])


def test_an_explanation_draws_a_fact_once_though_it_was_displaced_and_came_back() -> None:
    mine, other = fact("a", "A", day(1)), fact("b", "B", day(2), status=FactStatus.SUPERSEDED)
    told = Explanation(mine, (), displaced=(other,), displaced_by=(other,))
    assert sorted(drawn_ids(svg_in(told._repr_html_()))) == ["a", "b"]


def test_where_there_is_nothing_to_draw_the_table_stands_alone() -> None:
    empty = History("ann", (), (), FRESH)
    assert empty._repr_html_() == fact_table(())
    assert "<svg" not in StateDiff()._repr_html_()
    assert pictured(object(), "<table></table>") == "<table></table>"


def test_what_took_away_stands_in_the_table_too() -> None:
    page = History("ann", (), (statement("s", quote=ATTACK),), FRESH, at=datetime(2026, 1, 1, tzinfo=UTC))._repr_html_()
    assert "&lt;script&gt;" in page
    assert page.count("<table>") == 2
    assert with_class(svg_in(page), "tm-statement")[0].get("data-statement") == "s"


def test_drawing_is_loaded_when_the_first_result_is_shown() -> None:
    from tests.test_exported_names import loaded_by

    assert "tensemem.drawing" not in loaded_by("from tensemem import Memory")
