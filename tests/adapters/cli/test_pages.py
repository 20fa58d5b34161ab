"""A history as a page: whole, alone, and never over a file that somebody wants to keep."""

from __future__ import annotations

import os
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from tensemem import Freshness, History, errors
from tensemem.adapters.cli.pages import show_page
from tensemem.adapters.cli.session import Session
from tests.adapters.cli.conftest import NOON, Cli

ATTACK = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"


class Page(HTMLParser):
    """What a browser finds in a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.said: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.said.append(data)

    def values(self, name: str) -> list[str]:
        return [value or "" for key, value in self.attributes if key == name]


def written(cli: Cli, *arguments: str) -> Page:
    ran = cli.ok("history", *arguments, "--html", "page.html")
    assert "page.html: " in ran.out
    return Page(Path("page.html").read_text(encoding="utf-8"))


def test_a_page_shows_the_timeline_every_fact_and_its_evidence(seeded: Cli) -> None:
    page = written(seeded, "alice", "lives_in")
    ids = seeded.ids()
    assert len(ids) == 2
    assert {f"fact-{id}" for id in ids} <= set(page.values("id"))  # each has a row,
    assert sorted(page.values("data-fact")) == sorted(ids * 2)  # a bar on a desk, and one in a pocket,
    assert {f"#fact-{id}" for id in ids} <= set(page.values("href"))  # which leads to the row
    assert {"Delhi", "Bangalore", "superseded", "active", "until 2026-03-01"} <= {one.strip() for one in page.said}


def test_a_page_of_a_person_shows_every_slot_of_every_subject(seeded: Cli) -> None:
    seeded.ok("set", "alice", "lives_in", "Pune", "--subject", "Mira", "--said-at", "2026-02-01")
    page = written(seeded, "alice")
    assert {"lives_in", "languages", "Mira lives_in"} <= {one.strip() for one in page.said}
    assert "What was taken away" in page.said
    page = Page(seeded.ok("history", "alice", "--subject", "Mira", "--html", "-").out)
    assert {one.strip() for one in page.said} >= {"Mira lives_in", "Pune"}
    assert "Delhi" not in page.said


def test_a_page_loads_nothing_runs_nothing_and_says_so(seeded: Cli) -> None:
    seeded.ok("set", "alice", "lives_in", ATTACK)
    seeded.ok("retract", "alice", "lives_in", "--source", ATTACK)
    page = written(seeded, "alice")
    assert not {"script", "img", "iframe", "link", "object", "form"} & set(page.tags)
    assert not [name for name, _ in page.attributes if name.startswith("on") or name in ("src", "style", "srcset")]
    assert all(link.startswith("#") for link in page.values("href"))
    text = Path("page.html").read_text(encoding="utf-8")
    assert not re.search(r"url\((?!#tm)|@import|https?://(?!www\.w3\.org/2000/svg)", text)
    policy = next(value for value in page.values("content") if "default-src" in value)
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert ATTACK in page.said


def test_the_policy_lets_in_the_style_that_is_there(seeded: Cli) -> None:
    from base64 import b64encode
    from hashlib import sha256

    text = seeded.ok("history", "alice", "--html", "-").out
    style = text[text.index("<style>") + 7 : text.index("</style>")]
    assert text.count("<style") == 1
    assert f"'sha256-{b64encode(sha256(style.encode()).digest()).decode()}'" in text


def test_every_id_of_a_page_stands_once_and_every_link_leads_somewhere(seeded: Cli) -> None:
    page = written(seeded, "alice")
    ids = page.values("id")
    assert len(set(ids)) == len(ids)
    assert {link[1:] for link in page.values("href")} <= set(ids)
    assert {name for names in page.values("aria-labelledby") for name in names.split()} <= set(ids)


def test_a_file_that_is_there_is_replaced_only_by_force(seeded: Cli, tmp_path: Path) -> None:
    target = tmp_path / "mine.html"
    target.write_text("precious", encoding="utf-8")
    ran = seeded("history", "alice", "--html", str(target))
    assert (ran.code, ran.out) == (3, "")
    assert "mine.html exists; --force replaces it" in ran.err
    assert target.read_text(encoding="utf-8") == "precious"
    seeded.ok("history", "alice", "--html", str(target), "--force")
    assert target.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_a_file_that_is_there_is_seen_before_any_work(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "mine.html").touch()
    assert "mine.html exists" in cli("history", "alice", "--html", str(tmp_path / "mine.html")).err


def test_a_file_that_came_meanwhile_is_kept(tmp_path: Path) -> None:
    (tmp_path / "mine.html").write_text("precious", encoding="utf-8")
    found = History("alice", (), (), Freshness(0, 0, 0, 0, (), is_current=True))
    with pytest.raises(errors.StoreError, match="exists; --force replaces it"):
        show_page(Session(), found, str(tmp_path / "mine.html"), asked={}, now=NOON, force=False)
    assert (tmp_path / "mine.html").read_text(encoding="utf-8") == "precious"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [(("--force",), "--force goes with --html"), (("--html", "-", "--json"), "both want standard output")],
)
def test_what_does_not_go_together_is_refused(seeded: Cli, arguments: tuple[str, ...], complaint: str) -> None:
    ran = seeded("history", "alice", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert complaint in ran.err


def test_json_tells_the_history_and_where_its_page_is(seeded: Cli) -> None:
    found: Any = seeded.ok("history", "alice", "lives_in", "--html", "page.html", "--json").json
    assert found["page"] == "page.html"
    assert len(found["facts"]) == 2
    assert Path("page.html").exists()


def test_a_page_that_is_not_current_says_so(seeded: Cli) -> None:
    seeded.ok("add", "alice", "I live in Pune")
    page = written(seeded, "alice")
    assert "Not current: 1 message pending." in page.said
    Path("page.html").unlink()
    assert seeded("history", "alice", "--html", "page.html", "--require-current").code == 1
    assert not Path("page.html").exists()


def test_a_page_says_what_it_was_asked_for(seeded: Cli) -> None:
    page = written(
        seeded, "alice", "--subject", "Mira", "--known-at", "3", "--between", "2026", "2027", "--agent", "a1"
    )
    (summary,) = (one for one in page.said if "times in UTC" in one)
    assert summary.endswith(
        "of Mira only; in the memory of agent a1; what held between 2026 and 2027; as known at revision 3"
    )


def test_a_page_is_named_as_its_attribute_is_however_it_was_asked_for(seeded: Cli) -> None:
    page = Page(seeded.ok("history", "alice", "city", "--html", "-").out)
    assert "alice · lives_in" in page.said


def test_a_page_of_nobody_says_that_there_is_nothing(seeded: Cli) -> None:
    page = written(seeded, "nobody")
    assert "No facts." in page.said


def test_a_folder_that_is_not_there_is_a_refusal(seeded: Cli) -> None:
    ran = seeded("history", "alice", "--html", "absent/page.html")
    assert ran.code == 3
    assert "can't be written" in ran.err


@pytest.mark.skipif(os.name != "posix", reason="other systems have no such modes")
def test_a_page_can_be_read_by_its_owner_alone(seeded: Cli, tmp_path: Path) -> None:
    """It quotes what somebody said; also where it takes the place of a file that all may read."""
    target = tmp_path / "page.html"
    for options in ((), ("--force",)):
        seeded.ok("history", "alice", "--html", str(target), *options)
        assert target.stat().st_mode & 0o777 == 0o600
        target.chmod(0o644)
    assert [file.name for file in tmp_path.iterdir() if file.name.endswith(".partial")] == []


def test_a_page_that_can_t_be_written_leaves_what_was_there(
    seeded: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "page.html"
    target.write_text("the last one", encoding="utf-8")

    def full(_file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tensemem.engine.outlets.os.fsync", full)
    assert seeded("history", "alice", "--html", str(target), "--force").code == 3
    assert target.read_text(encoding="utf-8") == "the last one"
