"""What people see: values that hide nothing, columns that line up, timelines read at a glance."""

from __future__ import annotations

import io
import json
import unicodedata
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensemem.adapters.cli.documents import json_text
from tensemem.adapters.cli.moments import Moments
from tensemem.adapters.cli.text import Cell, Look, look_of, safe, short, table, width
from tensemem.wire import document

PLAIN, FINE = Look(unicode=False), Look(unicode=True)

HOSTILE = {
    "an escape sequence": "red\x1b[31m\x1b]0;title\x07",
    "a right-to-left override": "gnp\u202egpj.exe",
    "isolates": "a\u2066b\u2069",
    "a line break": "one\ntwo\r\nthree\u2028four",
    "an eight-bit control": "a\x9b31mb",
    "tag characters": "x\U000e0041\U000e0042",
    "a backspace": "abc\b\b\bxyz",
    "a soft hyphen": "de\u00adlete",
}


def is_seen(text: str) -> bool:
    """Whether a text moves no cursor, changes no colour, turns no direction, and hides nothing in tags."""
    turning = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    unseen = {char for char in text if unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp")} - {"\n"}
    return not unseen and not turning & set(text) and not any("\U000e0000" <= char <= "\U000e007f" for char in text)


@pytest.mark.parametrize("value", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_value_is_shown_and_does_nothing(seeded: Any, value: str) -> None:
    seeded.ok("set", "alice", "lives_in", value, "--said-at", "2026-04-01")
    seeded.ok("add", "alice", f"I wrote {value} down")
    fact = seeded.ids()[-1]
    for arguments in (
        ("state", "alice"), ("get", "alice", "lives_in"), ("history", "alice"), ("changes", "alice"),
        ("messages", "alice"),
        ("decisions", "alice", "4"), ("explain", fact), ("search", "alice", "wrote"),
        ("set", "alice", "lives_in", value + "2"),
    ):  # fmt: skip
        for form in ((), ("--json",)):
            ran = seeded(*arguments, *form)
            assert ran.code == 0, ran
            assert is_seen(ran.out + ran.err), arguments


@pytest.mark.parametrize("value", HOSTILE.values(), ids=HOSTILE.keys())
def test_json_gives_a_hostile_value_back_as_it_is_kept(seeded: Any, value: str) -> None:
    seeded.ok("set", "alice", "lives_in", value, "--said-at", "2026-04-01")
    assert seeded.ok("get", "alice", "lives_in", "--json").json["value"] == value


def test_a_hostile_name_is_shown_and_does_nothing_in_an_error(seeded: Any) -> None:
    for arguments in (("get", "alice", "x\x1b[2Jy"), ("set", "alice", "lives_in", "x", "--since", "a\u202eb\nc")):
        ran = seeded(*arguments)
        assert ran.code == 3
        assert is_seen(ran.err)
        assert len(ran.err.splitlines()) == 1


def test_text_that_can_not_be_stored_is_refused_in_words_that_can_be_printed(seeded: Any) -> None:
    ran = seeded("set", "alice", "lives_in", "half \udcff")
    assert ran.code == 3
    assert is_seen(ran.err)


@pytest.mark.parametrize("value", ["दिल्ली", "東京都", "القاهرة", "Zürich", "👩‍👩‍👧", "İstanbul", "C#"])
def test_every_script_is_kept_and_shown(seeded: Any, value: str) -> None:
    seeded.ok("set", "अलिस", "lives_in", value)
    assert seeded.ok("get", "अलिस", "lives_in").out == f"{value}\n"
    assert value in seeded.ok("state", "अलिस").out
    assert value in seeded.ok("history", "अलिस", "lives_in").out


def test_a_value_of_many_lines_is_one_line_of_output(seeded: Any) -> None:
    seeded.ok("set", "alice", "lives_in", "one\ntwo", "--said-at", "2026-04-01")
    assert seeded.ok("get", "alice", "lives_in").out == "one\\ntwo\n"


def test_many_values_are_a_line_each(seeded: Any) -> None:
    assert seeded.ok("get", "alice", "languages").out == "Go\nPython\n"


def test_values_are_printed_as_they_would_be_typed(seeded: Any) -> None:
    seeded.ok("register", "facts", "--type", "json")
    seeded.ok("register", "happy", "--type", "bool")
    seeded.ok("register", "age", "--type", "number")
    seeded.ok("register", "notice", "--type", "duration")
    seeded.ok("set", "alice", "facts", '{"a": [1, null]}', "--type-json")
    seeded.ok("set", "alice", "happy", "true", "--type-json")
    seeded.ok("set", "alice", "age", "31.5", "--type-json")
    seeded.ok("set", "alice", "notice", "36h")
    found = {name: seeded.ok("get", "alice", name).out.strip() for name in ("facts", "happy", "age", "notice")}
    assert found == {"facts": '{"a": [1, null]}', "happy": "true", "age": "31.5", "notice": "P1DT12H"}
    assert seeded.ok("get", "alice", "facts", "--json").json["value"] == {"a": [1, None]}


def test_a_long_value_is_cut_in_tables_and_whole_elsewhere(seeded: Any) -> None:
    value = "far " * 100
    seeded.ok("set", "alice", "lives_in", value)
    assert max(len(line) for line in seeded.ok("state", "alice").out.splitlines()) < 200
    assert "…" in seeded.ok("state", "alice").out
    assert seeded.ok("get", "alice", "lives_in").out.strip() == value.strip()


def test_a_state_is_a_table_with_since_last_said_and_marks(seeded: Any, tmp_path: Any) -> None:
    seeded.ok("register", "mood", "--review-after", "10d")
    seeded.ok("set", "alice", "mood", "calm", "--said-at", "2026-01-01")
    seeded.ok("set", "alice", "mood", "wild", "--subject", "daughter", "--said-at", "2026-05-31")
    seeded.ok("confirm", "alice", "lives_in", "--said-at", "2026-05-01")
    (tmp_path / "told.py").write_text(
        "from tensemem import Operation\n\n\ndef ask(request):\n    return [\n"
        "        Operation('set', 'lives_in', 'Rome', quote='Bob told me Rome', modality='reported'),\n"
        "        Operation('set', 'mood', 'glad', quote='I shall be glad', modality='planned'),\n    ]\n",
        encoding="utf-8",
    )
    seeded.ok("add", "alice", "Bob told me Rome. I shall be glad", "--llm", "told:ask", "--said-at", "2026-05-02")
    lines = seeded.ok("state", "alice").out.splitlines()
    assert lines[0] == "alice at 2026-06-01 12:00, revision 8"
    assert lines[1].split() == ["about", "predicate", "value", "since", "last", "said", "marks", "id"]
    (city,) = (line.split() for line in lines if "Bangalore" in line)
    assert city[:5] == ["lives_in", "Bangalore", "2026-03-01", "2026-05-01", "contested"]
    (mood,) = (line.split() for line in lines if "calm" in line)
    assert mood[:5] == ["mood", "calm", "2026-01-01", "2026-01-01", "due"]
    (hers,) = (line.split() for line in lines if "wild" in line)
    assert hers[:3] == ["user.daughter", "mood", "wild"]
    assert "glad" in lines[lines.index("planned") + 2]
    assert "Rome" in lines[lines.index("waiting for review") + 2]


def test_a_history_is_a_timeline(seeded: Any) -> None:
    seeded.ok("record", "alice", "lives_in", "Paris", "--valid-from", "2027")
    seeded.ok("correct", seeded.ids()[0], "--reason", "no")
    lines = seeded.ok("history", "alice", "lives_in").out.splitlines()
    assert lines[0] == "lives_in of alice"
    assert lines[1].split()[:2] == ["from", "until"]
    rows = [line for line in lines[2:] if line.startswith("  ")]
    delhi, bangalore, paris = rows
    assert delhi.split()[:2] == ["2026-01-05", "2026-03-01"]
    assert "× corrected" in delhi
    assert "░" in delhi
    assert bangalore.split()[:2] == ["2026-03-01", "2027-01-01"]
    assert "● active" in bangalore
    assert "█" in bangalore
    assert paris.split()[:2] == ["2027", "open"]
    assert "› scheduled" in paris
    assert "▒" in paris
    assert "▶" in paris
    assert delhi.index("░") < bangalore.index("█") < paris.index("▒")
    assert len({line.index("●" if "●" in line else "×" if "×" in line else "›") for line in rows}) == 1


def test_what_was_taken_away_is_listed_with_its_id(seeded: Any) -> None:
    seeded.ok("retract", "alice", "lives_in", "--said-at", "2026-05-01")
    out = seeded.ok("history", "alice", "lives_in").out
    taken = out.partition("taken away\n")[2]
    assert "2026-05-01  retract  lives_in   (any)  in force" in taken
    id = taken.split()[-1]
    seeded.ok("correct", id)
    assert seeded.ok("get", "alice", "lives_in").out == "Bangalore\n"


def test_a_history_of_nothing_says_so(seeded: Any) -> None:
    assert seeded.ok("history", "zoe").out == "no history of zoe\n"


def test_a_history_is_given_page_by_page(seeded: Any) -> None:
    first = seeded.ok("history", "alice", "lives_in", "--limit", "1").out
    cursor = first.rpartition("--after ")[2].strip()
    second = seeded.ok("history", "alice", "lives_in", "--limit", "1", "--after", cursor).out
    assert "Delhi" in first
    assert "Bangalore" in second
    assert "more:" not in second


def test_times_are_read_and_shown_in_the_zone(seeded: Any) -> None:
    seeded.ok("set", "zoe", "lives_in", "Delhi", "--said-at", "2026-01-05T02:00", "--tz", "Asia/Kolkata")
    assert seeded.ok("history", "zoe", "--json").json["facts"][0]["valid_from"] == "2026-01-04T20:30:00+00:00"
    assert "2026-01-05" in seeded.ok("history", "zoe", "--tz", "Asia/Kolkata").out
    assert "2026-01-04" in seeded.ok("history", "zoe").out


def test_both_clocks_can_be_turned_back(seeded: Any) -> None:
    assert seeded.ok("get", "alice", "lives_in", "--at", "2026-02").out == "Delhi\n"
    assert seeded.ok("get", "alice", "lives_in", "--known-at", "1").out == "Delhi\n"
    assert "Bangalore" not in seeded.ok("state", "alice", "--known-at", "1").out
    assert seeded("get", "alice", "lives_in", "--known-at", "2026-05-31").code == 1


def test_signs_are_ascii_where_the_output_takes_no_more() -> None:
    latin = io.TextIOWrapper(io.BytesIO(), encoding="latin-1")
    assert look_of(latin) == PLAIN
    assert look_of(io.TextIOWrapper(io.BytesIO(), encoding="utf-8")) == FINE
    assert look_of(None) == PLAIN
    assert all(PLAIN.drawn(name).isascii() for name in ("now", "held", "cut", "open", "dash"))


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_colour_is_for_terminals_that_want_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.platform", "linux")
    assert look_of(Terminal()).painted("x", "red") == "\x1b[31mx\x1b[0m"
    assert look_of(io.StringIO()).painted("x", "red") == "x"
    monkeypatch.setenv("NO_COLOR", "1")
    assert look_of(Terminal()).painted("x", "red") == "x"
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert look_of(Terminal()).painted("x", "red") == "x"


def test_columns_line_up_in_every_script() -> None:
    lines = table(("name", "id"), [("Delhi", "1"), ("東京", "2"), ("दिल्ली", "3"), ("", "4")], FINE)
    assert {width(line[:-1]) for line in lines[1:]} == {len("  Delhi  ")}


def test_a_column_that_is_empty_in_every_row_is_left_out() -> None:
    assert table(("a", "b", "c"), [("1", "", Cell("3", "red"))], PLAIN) == ["  a  c", "  1  3"]
    assert table(("a",), [], PLAIN) == []


@given(st.text(), st.integers(min_value=4, max_value=80))
def test_short_text_takes_no_more_room_than_it_may(text: str, cells: int) -> None:
    for look in (PLAIN, FINE):
        found = short(text, look, cells)
        assert width(found) <= cells
        assert is_seen(found)
        assert "\n" not in found


@given(st.text())
def test_safe_text_is_one_line_that_hides_nothing(text: str) -> None:
    found = safe(text)
    assert is_seen(found)
    assert "\n" not in found


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists, max_leaves=8))
def test_json_text_reads_back_and_is_safe_to_print(value: Any) -> None:
    for ascii_only in (False, True):
        text = json_text(value, ascii_only=ascii_only)
        assert json.loads(text) == value
        assert is_seen(text)
        assert text.isascii() or not ascii_only


def test_documents_have_times_as_iso_text_and_exact_numbers() -> None:
    moment = datetime(2026, 1, 5, 9, tzinfo=UTC)
    assert document(moment) == "2026-01-05T09:00:00+00:00"
    assert document(moment.date()) == "2026-01-05"
    assert document(timedelta(hours=36)) == "P1DT12H"
    assert document(Decimal(5)) == 5
    assert document(Decimal("0.5")) == 0.5
    assert document(Decimal("0.1")) == "0.1", "a float would not be exact"
    assert document(frozenset("ba")) == ["a", "b"]


def test_moments_are_no_finer_than_it_takes() -> None:
    day = datetime(2026, 1, 5, 9, tzinfo=UTC)
    late = [day, day + timedelta(days=1)]
    assert Moments(UTC, late).text(day) == "2026-01-05"
    assert Moments(UTC, [day, day + timedelta(minutes=1)]).text(day) == "2026-01-05 09:00"
    assert Moments(UTC, [day, day + timedelta(seconds=1)]).text(day) == "2026-01-05 09:00:00"
    assert Moments(UTC, [day, day + timedelta(microseconds=1)]).text(day) == "2026-01-05 09:00:00"
    assert Moments(ZoneInfo("Pacific/Auckland"), [day]).text(day + timedelta(hours=6)) == "2026-01-06"
    assert Moments(ZoneInfo("Asia/Tokyo")).text(datetime(9999, 12, 31, 23, tzinfo=UTC)) == "9999-12-31"
    assert Moments(UTC).text(datetime(33, 4, 3, tzinfo=UTC)) == "0033-04-03"


def test_long_work_is_counted_where_a_person_waits(seeded: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert seeded.ok("verify").err == ""
    monkeypatch.setattr("tensemem.adapters.cli.session.is_terminal", lambda stream: True)
    monkeypatch.setattr("tensemem.adapters.cli.session.BETWEEN", 0)
    assert seeded.ok("verify").err.startswith("\rverified 1\r ")
    assert seeded.ok("rebuild").err.startswith("\rrebuilt 1\r ")
    ran = seeded.ok("add", "alice", "--lines", "--llm", "false", input="one\ntwo\n")
    assert ran.err.startswith("\radded 1\radded 2\r ")
    assert ran.err.endswith("\r")
