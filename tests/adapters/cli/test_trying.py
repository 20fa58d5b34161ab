"""`try`: chats become findings on the terminal, as data and as a page, and nothing of the user's is touched."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tensemem.adapters.cli import exits

from .conftest import Cli

CHATS = [
    {"role": "user", "content": "I live in Delhi", "created_at": "2026-01-05T09:00:00Z"},
    {"role": "assistant", "content": "Noted.", "created_at": "2026-01-05T09:00:10Z"},
    {"role": "user", "content": "I moved to Bangalore", "created_at": "2026-03-01T09:00:00Z"},
    {"role": "user", "content": "I'm moving to Berlin in July", "created_at": "2026-03-02T09:00:00Z"},
]
DUMP = {"results": [
    {"id": "m1", "memory": "Lives in Delhi", "created_at": "2026-01-06T09:00:00Z", "user_id": "ana"},
    {"id": "m2", "memory": "User moved to Bangalore", "created_at": "2026-03-02T09:00:00Z", "user_id": "ana"},
]}  # fmt: skip
SCHEMA = '[predicates.lives_in]\nexamples = ["I live in {value:place}", "I moved to {value:place}"]\n'
WRITTEN = datetime(2026, 5, 20, 8, 30, tzinfo=UTC).timestamp()


@pytest.fixture(autouse=True)
def _files(_still: None, tmp_path: Path) -> None:
    """Put chats, a dump and a small schema into the working folder."""
    chats = "".join(f"{json.dumps(one)}\n" for one in CHATS)
    for name, text in (("chats.jsonl", chats), ("dump.json", json.dumps(DUMP)), ("small.toml", SCHEMA)):
        (tmp_path / name).write_text(text, encoding="utf-8")
        os.utime(tmp_path / name, (WRITTEN, WRITTEN))


SMALL = ("--schema", "small.toml")


def test_the_terminal_tells_the_story_and_names_the_page(cli: Cli, tmp_path: Path) -> None:
    ran = cli.bare("try", "chats.jsonl", "--from-mem0", "dump.json", *SMALL)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[:16] == [
        "chats.jsonl: JSON Lines, messages a line, 4 messages",
        "  said 2026-01-05 to 2026-03-02",
        "1 slot, 2 statements counted, 1 fact superseded",
        "  attribute  now        since       before  waiting",
        "  lives_in   Bangalore  2026-03-01  Delhi   Berlin (planned)",
        "old store dump.json: 2 memories (1 agrees, 1 outdated)",
        "  you lives_in: 2 values side by side",
        '    Delhi: "Lives in Delhi", 2026-01-06',
        '    Bangalore: "User moved to Bangalore", 2026-03-02',
        "    tensemem: Bangalore, by “I moved to Bangalore” (chats.jsonl:3)",
        "planned: 1  it is a plan; it holds once it is confirmed",
        '  set lives_in = Berlin  "I\'m moving to Berlin in July"  chats.jsonl:4',
        "cost",
        "  7 texts read in 3 requests by offline; about 46 tokens of text (a model is sent the prompt as well)",
        "next",
        "  tensemem-try.html shows all of it as a timeline: open it in a browser",
    ]
    assert "Bangalore" in (tmp_path / "tensemem-try.html").read_text(encoding="utf-8")


def test_json_has_everything_and_writes_no_page_unless_told(cli: Cli, tmp_path: Path) -> None:
    found = cli.bare("try", "chats.jsonl", *SMALL, "--json").json
    assert not (tmp_path / "tensemem-try.html").exists()
    (slot,) = found["slots"]
    assert [(fact["text"], fact["status"], fact["since"]) for fact in slot["facts"]] == [
        ("Delhi", "superseded", "2026-01-05T09:00:00+00:00"),
        ("Bangalore", "active", "2026-03-01T09:00:00+00:00"),
        ("Berlin", "planned", "2026-07-01T00:00:00+00:00"),
    ]
    assert slot["facts"][0]["quotes"][0]["where"] == "chats.jsonl:1"
    assert {"inputs", "refusals", "unknown", "old", "cost", "statuses", "stopped"} <= set(found)
    assert cli.bare("try", "chats.jsonl", *SMALL, "--json", "--html", "p.html").json["page"] == "p.html"
    assert (tmp_path / "p.html").exists()


def test_the_users_store_is_not_touched(seeded: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENSEMEM_DB", str(seeded.db))
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    seeded.ok("try", "chats.jsonl", "--from-mem0", "dump.json", "--no-html", *SMALL)
    seeded.bare("try", "chats.jsonl", "--no-html", *SMALL)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before


def test_where_there_is_no_store_none_is_made(cli: Cli, tmp_path: Path) -> None:
    cli.ok("try", "chats.jsonl", "--no-html", *SMALL)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["chats.jsonl", "dump.json", "small.toml"]


def test_a_cassette_replays_offline_what_was_recorded(cli: Cli, tmp_path: Path) -> None:
    files = ("chats.jsonl", "--from-mem0", "dump.json", *SMALL, "--json")
    recorded = cli.bare("try", *files, "--cassette", "c.jsonl").json
    replayed = cli.bare("try", *files, "--llm", "cassette:c.jsonl").json
    assert recorded.pop("cost")["unanswered"] == replayed.pop("cost")["unanswered"] == 0
    assert replayed == recorded
    assert [fact["text"] for fact in recorded["slots"][0]["facts"]] == ["Delhi", "Bangalore", "Berlin"]


def test_standard_input_is_read_too(cli: Cli) -> None:
    ran = cli.bare("try", "-", "--no-html", *SMALL, input="User: I live in Oslo\nAssistant: Fine.\n")
    lines = ran.out.splitlines()
    assert lines[:2] == [
        "standard input: transcript, 2 messages",
        "  no times: a minute apart, the last at 2026-06-01 12:00 UTC",
    ]
    assert "  lives_in   Oslo  2026-06-01" in lines


def test_a_messengers_export_tells_how_its_dates_and_its_user_were_taken(cli: Cli) -> None:
    chat = "03/05/26, 10:02 - Ana: I live in Porto\n03/05/26, 10:03 - Bob: nice\nI live in Rome\n"
    lines = cli.bare("try", "-", "--no-html", "--user", "Zoe", *SMALL, input=chat).out.splitlines()
    assert lines[:4] == [
        "standard input: exported chat, 2 messages",
        "  said 2026-05-03",
        "  days are taken to stand before months (03/05/26 is day 3 of month 5): no date here has a number over 12 "
        "that tells",
        "  nobody here is called Zoe: Ana is taken for Zoe; the speakers are Ana, Bob",
    ]
    assert [line.split()[:-2] for line in lines if "lives_in" in line] == [
        ["lives_in", "Porto"], ["Bob", "lives_in", "Rome"],
    ]  # fmt: skip


def test_the_memory_can_be_kept_and_asked(cli: Cli) -> None:
    cli.ok("try", "chats.jsonl", "--keep", "kept.db", "--no-html", "--user", "ana", *SMALL)
    assert cli.bare("--db", "kept.db", "get", "ana", "lives_in").out == "Bangalore\n"
    again = cli.bare("try", "chats.jsonl", "--keep", "kept.db", "--no-html", *SMALL)
    assert again.code == exits.REFUSED
    assert "kept.db exists" in again.err


def test_unreadable_lines_are_told_with_their_numbers(cli: Cli, tmp_path: Path) -> None:
    with (tmp_path / "chats.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"role": "user"\n{"role": "critic", "content": "x"}\n')
    lines = cli.bare("try", "chats.jsonl", "--no-html", *SMALL).out.splitlines()
    assert lines[2:5] == [
        "  2 not readable; the rest is used",
        "    chats.jsonl:5: it is no JSON: Expecting ',' delimiter; expected one JSON object a line",
        "    chats.jsonl:6: its role is 'critic'; expected a message such as "
        '{"role": "user", "content": "…"}, or {"messages": [...]}',
    ]


def test_what_terminals_obey_is_shown_and_not_sent(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "hostile.py").write_text(
        "from tensemem import Operation\n"
        "def extract(request):\n"
        "    return [Operation('set', 'lives_in', request.text, quote=request.text),\n"
        "            Operation('set', request.text, 'x', quote=request.text)]\n",
        encoding="utf-8",
    )
    said = json.dumps({"role": "user", "content": "\x1b[31mtea\u202e", "user": "e\x1bva"})
    other = json.dumps({"role": "\x1b[2J", "content": "x"})
    (tmp_path / "bad.jsonl").write_text(f"{said}\n{other}\n", encoding="utf-8")
    out = cli.ok("try", "bad.jsonl", "--no-html", "--llm", "hostile:extract", *SMALL).out
    assert "\\u001b[31mtea\\u202e" in out
    assert "\x1b" not in out
    assert "\u202e" not in out


@pytest.mark.parametrize(
    ("arguments", "code", "why"),
    [
        ((), exits.USAGE, "name a file with chats"),
        (("nothing.jsonl",), exits.REFUSED, "nothing.jsonl can't be read: No such file or directory"),
        (("chats.jsonl", "--llm", "false"), exits.USAGE, "learns nothing"),
        (("chats.jsonl", "--llm", "cassette:nothing"), exits.EXTRACTOR_FAILED, "nothing"),
        (("chats.jsonl", "--html", "a", "--no-html"), exits.USAGE, "either --html or --no-html"),
        (("chats.jsonl", "--html", "small.toml"), exits.REFUSED, "small.toml exists and is no page"),
        (("chats.jsonl", "--from-mem0", "chats.jsonl"), exits.REFUSED, "chats.jsonl: it is no JSON"),
        (("chats.jsonl", "--schema", "none.toml"), exits.REFUSED, "none.toml"),
        (("chats.jsonl", "--cassette", "small.toml"), exits.EXTRACTOR_FAILED, "small.toml"),
        (("dump.csv",), exits.REFUSED, "dump.csv looks like a table separated by commas, which is not read; expected"),
        (("-", "-"), exits.REFUSED, "standard input can be read once"),
    ],
)
def test_wrong_usage_is_one_clear_line(
    cli: Cli, tmp_path: Path, arguments: tuple[str, ...], code: int, why: str
) -> None:
    (tmp_path / "dump.csv").write_text("ana,I live in Porto\n", encoding="utf-8")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    ran = cli.bare("try", *arguments, input="")
    assert (ran.code, ran.out, len(ran.err.splitlines())) == (code, "", 1)
    assert why in ran.err
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_an_extractor_that_stops_leaves_what_was_read_and_exits_with_4(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "away.py").write_text(
        "from tensemem import Operation, errors\n"
        "def extract(request):\n"
        "    if 'Delhi' not in request.text:\n"
        "        raise errors.ExtractorUnavailable('no more calls today')\n"
        "    return [Operation('set', 'lives_in', 'Delhi', quote=request.text)]\n",
        encoding="utf-8",
    )
    ran = cli.bare("try", "chats.jsonl", "--llm", "away:extract", "--no-html", *SMALL)
    assert ran.code == exits.EXTRACTOR_FAILED
    assert "reading ended early: no more calls today" in ran.err
    assert "  lives_in   Delhi  2026-01-05" in ran.out.splitlines()
    assert "  2 messages not reached" in ran.out.splitlines()


def test_a_page_is_written_over_an_older_one(cli: Cli, tmp_path: Path) -> None:
    cli.ok("try", "chats.jsonl", "--limit", "1", *SMALL)
    first = (tmp_path / "tensemem-try.html").read_text(encoding="utf-8")
    cli.ok("try", "chats.jsonl", *SMALL)
    assert (tmp_path / "tensemem-try.html").read_text(encoding="utf-8") != first
