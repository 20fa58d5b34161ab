"""What a messenger exports as text is read with its names and times, and notices are nobody's."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensemem import OfflineExtractor
from tensemem.trial import Findings, Options, exported, run, stamps, strangers
from tensemem.trial.readers import recognise
from tensemem.trial.stamps import order_of, stamp_of
from tests.counting import calls_of
from tests.settings import law_settings
from tests.trial.made import SMALL, clock, put, read, source

EVENING = datetime(2024, 5, 12, 22, 2, tzinfo=UTC)

FIRST = EVENING.replace(year=2009, tzinfo=None)

FORMS = {
    "day first, 24 hours": ("12/05/2024, 22:02 - Ana: ", EVENING),
    "in brackets, month told": ("[05/13/24, 10:02:11 PM] Ana: ", EVENING.replace(day=13, second=11)),
    "in brackets with marks": ("\u200e[13/05/24, 10:02:11\u202fPM] Ana: ", EVENING.replace(day=13, second=11)),
    "year first": ("2024-05-12, 22:02 - Ana: ", EVENING),
    "with points": ("12.05.24, 22:02 - Ana: ", EVENING),
    "without a comma": ("12-05-2024 22:02 - Ana: ", EVENING),
    "a.m. and p.m.": ("12/5/24, 10:02 p.\u00a0m. - Ana: ", EVENING),
    "noon": ("12/5/24, 12:02 PM - Ana: ", EVENING.replace(hour=12)),
    "midnight": ("12/5/24, 12:02 am - Ana: ", EVENING.replace(hour=0)),
    "a word before the time": ("12/05/2024 à 22:02 - Ana: ", EVENING),
    "points in the time": ("12.5.2024 klo 22.02 - Ana: ", EVENING),
    "half of the day before the time": ("[2024/5/12 下午10:02:00] Ana: ", EVENING),
    "copied from a window": ("[22:02, 12/05/2024] Ana: ", EVENING),
    "copied, with p.m.": ("[10:02 PM, 12/5/2024] Ana: ", EVENING),
    "a comma behind the time": ("2024. 5. 12. 오후 10:02, Ana : ", EVENING),
}


@pytest.mark.parametrize("case", FORMS)
@pytest.mark.parametrize("begin", ["", "\ufeff"])
def test_a_line_is_read_with_its_time_and_its_name(case: str, begin: str, tmp_path: Path) -> None:
    head, at = FORMS[case]
    _, said, faults = read(put(tmp_path, "chat.txt", f"{begin}{head}Hi! I live in Porto now\nand like it: much\n"))
    assert [(one.role, one.name, one.text, one.at) for one in said] == [
        ("user", "Ana", "Hi! I live in Porto now\nand like it: much", at)
    ]
    assert faults == []


CHAT = """\
12/05/2024, 10:00 - Messages and calls are end-to-end encrypted. No one outside of this chat can read them.
12/05/2024, 10:01 - Ana joined
12/05/2024, 10:01 - Ana changed the group name to "Trip: Rome"
12/05/2024, 10:02 - Ana: Hi! I live in Porto now
12/05/2024, 10:03 - Bob: nice
I live in Rome
Ana: that is what you said
12/05/2024, 10:04 - +44\u00a07700\u00a0900123: I live in Oslo
"""


def test_notices_have_no_name_and_lines_go_on_with_their_author(tmp_path: Path) -> None:
    form, said, faults = read(put(tmp_path, "chat.txt", CHAT))
    assert form == "exported chat"
    assert [(one.role, one.name) for one in said] == [
        ("system", None), ("system", None), ("system", None), ("user", "Ana"), ("user", "Bob"),
        ("user", "+44 7700 900123"),
    ]  # fmt: skip
    assert said[4].text == "nice\nI live in Rome\nAna: that is what you said"
    assert [one.line for one in said] == [1, 2, 3, 4, 5, 8]
    assert faults == []


def attempt(folder: Path, content: str, **options: str) -> Findings:
    path = put(folder, "chat.txt", content)
    schemas = (str(put(folder, "small.toml", SMALL)),)
    return run([str(path)], OfflineExtractor(), Options(schemas=schemas, clock=clock, **options))  # type: ignore[arg-type]


def test_nobody_gets_what_another_said(tmp_path: Path) -> None:
    found = attempt(tmp_path, CHAT)
    homes = {one.subject: [fact.text for fact in one.now] for one in found.slots}
    assert (homes["user"], homes["Bob"]) == (["Porto"], ["Rome"])
    assert found.users == ("Ana",)
    bobs = attempt(tmp_path, CHAT, user="bob")
    assert {one.subject: [fact.text for fact in one.now] for one in bobs.slots}["user"] == ["Rome"]


@pytest.mark.parametrize("name", ["+44\u00a07700\u00a0900123", "~\u202fBob", "Ana 🌻", "Ana (work)", "O'Neil, Dr. B."])
def test_the_user_may_be_called_as_messengers_call_people(name: str, tmp_path: Path) -> None:
    found = attempt(tmp_path, f"12/05/2024, 10:02 - {name}: I live in Porto\n")
    assert [[fact.text for fact in one.now] for one in found.slots] == [["Porto"]]
    assert found.users == (name.replace("\u00a0", " ").replace("\u202f", " "),)


def test_a_notice_in_somebodys_name_is_nobodys_and_remarks_are_left_out(tmp_path: Path) -> None:
    content = (
        "[13/05/24, 10:02:11] The trip: \u200eMessages and calls are end-to-end encrypted.\n"
        "\u200e[13/05/24, 10:02:12] Ana: \u200eimage omitted\n"
        "[13/05/24, 10:02:13] Ana: I live in Porto \u200e<This message was edited>\n"
        "[13/05/24, 10:02:14] Ana: 1 < 2 and <b>\n"
    )
    _, said, _ = read(put(tmp_path, "chat.txt", content))
    assert [(one.role, one.name) for one in said] == [("system", None)] * 2 + [("user", "Ana")] * 2
    assert [one.text for one in said[2:]] == ["I live in Porto", "1 < 2 and <b>"]


def test_one_number_over_12_tells_for_all_lines(tmp_path: Path) -> None:
    for first, second, at in (("02/03/24", "02/28/24", (2, 3)), ("02/03/24", "28/02/24", (3, 2))):
        lines = [f"{day}, 10:02 - Ana: hi\n" for day in (first, *["02/03/24"] * 300, second)]
        path = put(tmp_path, "chat.txt", "".join(lines))
        said = read(path)[1]
        assert said[0].at is not None
        assert (said[0].at.month, said[0].at.day) == at
        assert recognise(source(path)).note == ""


def test_where_nothing_tells_the_day_comes_first_and_it_is_said(tmp_path: Path) -> None:
    found = attempt(tmp_path, "05/12/23, 10:02 - Ana: I live in Porto\n").inputs[0]
    assert found.first == datetime(2023, 12, 5, 10, 2, tzinfo=UTC)
    assert found.dated == (
        "days are taken to stand before months (05/12/23 is day 5 of month 12): no date here has a number over 12 "
        "that tells"
    )
    for day in ("05.12.23", "2023-12-05"):
        assert attempt(tmp_path, f"{day}, 10:02 - Ana: I live in Porto\n").inputs[0].dated == ""


def test_a_notice_may_stand_before_the_first_name_in_other_transcripts_too(tmp_path: Path) -> None:
    content = "2024-05-12 22:02 - Ana joined\n2024-05-12 22:02 - Ana: I live in Porto\n"
    _, said, _ = read(put(tmp_path, "chat.txt", content))
    assert [(one.role, one.name, one.at) for one in said] == [("system", None, EVENING), ("user", "Ana", EVENING)]


def test_a_day_that_does_not_exist_is_told_and_the_message_used(tmp_path: Path) -> None:
    _, said, faults = read(put(tmp_path, "chat.txt", "31/02/2024, 10:02 - Ana: hi\n12/31/2024, 10:02 - Ana: ho\n"))
    assert [(one.text, one.at) for one in said] == [("hi", None), ("ho", None)]
    assert [(one.line, one.why) for one in faults] == [
        (1, "its time: 31/02/2024 10:02 is no time, with the day first. The message is used without a time."),
        (2, "its time: 12/31/2024 10:02 is no time, with the day first. The message is used without a time."),
    ]


def test_a_chat_pasted_into_a_transcript_is_part_of_it(tmp_path: Path) -> None:
    content = "User: see\n12/05/2024, 10:02 - Ana: hi\n12/05/2024, 10:02 - Bob: yo\nAssistant: ok\n"
    form, said, _ = read(put(tmp_path, "t", content))
    assert (form, [one.role for one in said]) == ("transcript", ["user", "assistant"])


def test_a_diary_with_such_times_is_plain_text_with_dates(tmp_path: Path) -> None:
    form, said, _ = read(put(tmp_path, "d", "12/05/2024, 22:02 - I moved to Porto\n13/05/2024, 22:02 - I like tea\n"))
    assert form == "plain text, one message a line"
    assert [(one.text, one.at) for one in said] == [
        ("I moved to Porto", EVENING), ("I like tea", EVENING.replace(day=13)),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "taken"),
    [
        (None, "Ana is taken for the user; --user names another"),
        ("ana", "Ana is taken for the user; --user names another"),
        ("Zoe", "nobody here is called Zoe: Ana is taken for Zoe; the speakers are Ana, Bob, +44 7700 900123"),
    ],
)
def test_who_is_the_user_is_said(asked: str | None, taken: str, tmp_path: Path) -> None:
    found = attempt(tmp_path, CHAT, **({} if asked is None else {"user": asked}))
    assert found.inputs[0].taken == taken


@law_settings
@given(st.datetimes(FIRST, FIRST.replace(year=2099)), st.booleans(), st.sampled_from("/-"), st.booleans())
def test_a_written_day_is_read_back(at: datetime, is_month_first: bool, between: str, is_halved: bool) -> None:
    at = at.replace(second=0, microsecond=0, tzinfo=UTC)
    parts = (at.month, at.day) if is_month_first else (at.day, at.month)
    clock_time = f"{at.hour % 12 or 12}:{at:%M} {'PM' if at.hour >= 12 else 'AM'}" if is_halved else f"{at:%H:%M}"
    line = f"{parts[0]}{between}{parts[1]}{between}{at:%y}, {clock_time} - Ana: hi"
    stamp = stamp_of(line)
    assert stamp is not None
    assert stamp.moment(is_month_first, "UTC") == at
    assert line[stamp.end :] == "Ana: hi"
    order = order_of([line])
    if at.day > 12:
        assert (order.is_month_first, order.note) == (is_month_first, "")
    else:
        assert not order.is_month_first
        assert order.note


def work(text: str) -> int:
    """How many calls looking at a line makes, of Python and of built-in functions."""

    def look() -> None:
        exported.is_exported([text])
        exported._without_remark(text)
        strangers.stranger(text, [text])

    return calls_of(look)


@pytest.mark.parametrize("piece", ["a", "12/", "12/05/24, 10:02 - ", "[", "[1:02, 1/1/24] ", "\u200e<", "<a>", "1."])
def test_looking_at_a_line_takes_no_more_work_for_a_longer_one(piece: str) -> None:
    # What the readers of tables and of JSON do about a fault differs by a few calls.
    assert work(piece * 20_000) <= work(piece * 200) + 50


def test_no_expression_that_cuts_a_line_repeats_without_a_bound() -> None:
    patterns = [
        stamps._STAMP, stamps._COPIED, exported._NAME, exported._TAIL, strangers._MARKUP, strangers._KEY,
        strangers._NICK,
    ]  # fmt: skip
    for one in patterns:
        assert not {"*", "+"} & set(re.sub(r"\[[^\]]*\]", "", one.pattern))
