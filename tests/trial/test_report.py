"""The page stands alone, and nothing a person said becomes an element, an attribute or a hidden character of it."""

from __future__ import annotations

import json
import re
import unicodedata
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tensemem import Operation
from tensemem.trial import Findings, page, run
from tensemem.trial.bars import bars
from tensemem.trial.findings import Held
from tests.trial.made import MOVES, NOON, json_lines, put, user
from tests.trial.test_running import DUMP, Scripted, attempt, small

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><a href="javascript:alert(1)">x</a>',
    "' onmouseover='alert(1)",
    "</style></section><h1>owned</h1>",
    "<!-- a comment",
    "&lt;b&gt; &amp; &#60;i&#62;",
    "$style ${main} $$",
    "\u202egnp.exe \u2066hidden\u2069",
    "שלום עולם العربية",
    "🎉👩‍👩‍👧 é́́",
    "zero\u200bwidth\x07bell",
]


class Parsed(HTMLParser):
    """The elements with their attributes, and the text, of a page."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, tuple[tuple[str, str | None], ...]]] = []
        self.open: list[str] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, tuple(attrs)))
        if tag not in ("meta", "link", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.texts.append(data)

    @property
    def text(self) -> str:
        return "".join(self.texts)


def everywhere(folder: Path, word: str) -> Findings:
    """Findings in which a word stands in every place that comes from outside."""
    folder.mkdir(exist_ok=True)
    text = f"I live in {word}"
    says = {
        text: [
            Operation("set", "lives_in", word, quote=text),
            Operation("set", "lives_in", word, quote=word + "!"),
            Operation("set", f"x{word}", word, quote=text),
            Operation("add", "likes", word, subject=word, quote=text),
        ],
        "I live in Oslo": [Operation("set", "lives_in", "Oslo", quote="I live in Oslo")],
    }
    extractor = Scripted(says)
    extractor.name = word  # type: ignore[attr-defined]
    extractor.model = word  # type: ignore[attr-defined]
    content = json_lines([user(text, "2026-01-05", user="ana"), user("I live in Oslo", "2026-02-05", user="ana")])
    content += json.dumps({"role": word}) + "\n"
    dump = [
        {"id": word, "memory": text, "user_id": word, "created_at": "2026-01-05"},
        {"memory": "I live in Oslo", "user_id": word, "created_at": word},
    ]
    return attempt(folder, content, extractor, dump=dump)


def shape(found: Findings) -> list[tuple[str, tuple[tuple[str, str | None], ...]]]:
    return Parsed(page(found)).elements


@pytest.mark.parametrize("word", HOSTILE)
def test_no_element_and_no_attribute_comes_from_what_people_say(word: str, tmp_path: Path) -> None:
    found = everywhere(tmp_path, word)
    html = page(found)
    parsed = Parsed(html)
    assert parsed.open == []
    known = {name for tag, attrs in shape(everywhere(tmp_path, "Rome")) for name in (tag, *(key for key, _ in attrs))}
    assert {name for tag, attrs in parsed.elements for name in (tag, *(key for key, _ in attrs))} <= known
    for _, attrs in parsed.elements:
        for key, value in attrs:
            assert re.fullmatch(r"[\w #:;.,%'=/-]*", value or ""), (key, value)
            assert not key.startswith("on")
    shaping = "\n\u200d\ufe0f"
    assert not [char for char in html if unicodedata.category(char) in ("Cc", "Cf", "Cs") and char not in shaping]


def test_what_people_say_stands_on_the_page_as_they_said_it(tmp_path: Path) -> None:
    for word in HOSTILE[:8]:
        assert f"I live in {word}" in Parsed(page(everywhere(tmp_path, word))).text


def test_the_page_loads_and_runs_nothing(tmp_path: Path) -> None:
    html = page(attempt(tmp_path, json_lines(MOVES), dump=DUMP))
    parsed = Parsed(html)
    tags = {tag for tag, _ in parsed.elements}
    assert not tags & {"script", "link", "img", "iframe", "object", "embed", "form", "base", "svg"}
    attributes = [(key, value) for _, attrs in parsed.elements for key, value in attrs]
    assert not [key for key, _ in attributes if key in ("src", "srcset", "action", "background")]
    assert all((value or "").startswith("#") for key, value in attributes if key == "href")
    assert "url(" not in html
    assert "@import" not in html
    contents = [value or "" for key, value in attributes if key == "content"]
    assert any(value.startswith("default-src 'none'; style-src") for value in contents)


def test_links_lead_to_parts_that_are_there_and_names_are_unique(tmp_path: Path) -> None:
    parsed = Parsed(page(attempt(tmp_path, json_lines(MOVES), dump=DUMP)))
    attributes = [(key, value or "") for _, attrs in parsed.elements for key, value in attrs]
    ids = [value for key, value in attributes if key == "id"]
    assert len(ids) == len(set(ids))
    assert {value[1:] for key, value in attributes if key == "href"} <= set(ids)
    assert {value for key, value in attributes if key == "aria-labelledby"} <= set(ids)


def test_the_story_is_told_with_its_evidence(tmp_path: Path) -> None:
    text = Parsed(page(attempt(tmp_path, json_lines(MOVES), dump=DUMP))).text
    assert "superseded Delhi 2026-01-05 – 2026-03-01" in text
    assert "active Bangalore 2026-03-01 – now" in text
    assert "I moved to Bangalore 2026-03-01 09:00 · chats.jsonl:3" in text
    assert "Contradictions in the old store" in text
    assert "tensemem: Bangalore" in text


def test_nothing_found_is_said_with_what_may_help(tmp_path: Path) -> None:
    text = Parsed(page(attempt(tmp_path, json_lines([user("Good morning")])))).text
    assert "Nothing was found" in text
    assert "--schema file.toml" in text


def test_a_long_history_is_cut_and_says_so(tmp_path: Path) -> None:
    places = ("Oslo", "Rome")
    messages = [user(f"I live in {places[day % 2]}", f"2026-01-01T10:{day:02}:00Z") for day in range(60)]
    html = page(attempt(tmp_path, json_lines(messages)))
    assert "10 more older facts; --json has them all." in Parsed(html).text


def held(text: str, since: datetime | None, until: datetime | None = None, status: str = "active") -> Held:
    return Held(text, text, status, since, until, "instant", False, ())


def places(html: str) -> list[tuple[float, float]]:
    return [(float(left), float(width)) for left, width in re.findall(r"left:([\d.]+)%;width:([\d.]+)%", html)]


def test_bars_lie_where_their_facts_do() -> None:
    day = timedelta(days=1)
    begin = NOON - 100 * day
    facts = [held("A", begin, NOON - 75 * day, "superseded"), held("B", NOON - 75 * day)]
    html = bars(facts, begin, NOON, UTC)
    assert places(html) == [(0.0, 25.0), (25.0, 75.0)]
    assert html.count('class="lane"') == 1


def test_bars_that_overlap_stand_in_lanes_and_plans_have_room() -> None:
    day = timedelta(days=1)
    begin = NOON - 100 * day
    html = bars([held("A", begin), held("B", NOON + 10 * day, status="planned")], begin, NOON, UTC)
    assert html.count('class="lane"') == 2
    assert all(left + width <= 100.01 for left, width in places(html))
    assert 'class="bar wait"' in html


@pytest.mark.parametrize(
    "facts",
    [
        [],
        [held("A", None)],
        [held("A", NOON)],
        [held("A", datetime.max.replace(tzinfo=UTC))],
        [held("A", datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC))],
        [held("A", None, NOON, "expired")],
    ],
)
def test_any_dates_can_be_drawn(facts: list[Held]) -> None:
    assert all(0 <= left <= 100 and 0 < width <= 100 for left, width in places(bars(facts, None, NOON, UTC)))


def test_a_zone_with_other_days_is_shown_in_its_days(tmp_path: Path) -> None:
    path = put(tmp_path, "c.jsonl", json_lines([user("I live in Oslo", "2026-01-05T23:30:00Z")]))
    says = {"I live in Oslo": [Operation("set", "lives_in", "Oslo", quote="I live in Oslo")]}
    found = run([str(path)], Scripted(says), small(tmp_path, zone="Asia/Tokyo"))
    assert "2026-01-06 – now" in Parsed(page(found)).text
