"""Every shape in which chats are kept is recognised by its content and read whole; what can't be read is told."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tensemem.errors import InvalidValueError
from tensemem.trial import lines
from tensemem.trial.readers import recognise
from tensemem.trial.transcripts import cut
from tests.counting import calls_of
from tests.trial.made import MOVES, json_lines, put, read, source, user

JAN = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
PLAIN = [("user", "I live in Delhi"), ("assistant", "Noted."), ("user", "I moved to Bangalore")]
EXPORT = {
    "title": "Moving", "current_node": "c", "mapping": {
        "a": {"message": None, "parent": None},
        "b": {"parent": "a", "message": {"author": {"role": "user"}, "create_time": 1767603600.0,
                                         "content": {"content_type": "text", "parts": ["I live in Delhi"]}}},
        "x": {"parent": "b", "message": {"author": {"role": "user"}, "content": {"parts": ["another branch"]}}},
        "c": {"parent": "b", "message": {"author": {"role": "assistant"}, "content": {"parts": ["Noted."]}}},
    },
}  # fmt: skip
OTHER_EXPORT = {"uuid": "u", "chat_messages": [
    {"sender": "human", "text": "I live in Delhi", "created_at": "2026-01-05T09:00:00Z"},
    {"sender": "assistant", "text": "Noted."},
]}  # fmt: skip

SHAPES: dict[str, tuple[str, str, list[tuple[str, str]]]] = {
    "a list of messages": (json.dumps(MOVES), "JSON list of messages", PLAIN),
    "a list over many lines": (json.dumps(MOVES, indent=2), "JSON list of messages", PLAIN),
    "a message a line": (json_lines(MOVES), "JSON Lines, messages a line", PLAIN),
    "a conversation a line": (
        json_lines([{"messages": MOVES[:2]}, {"messages": MOVES[2:]}]), "JSON Lines, a conversation a line", PLAIN,
    ),
    "one conversation": (json.dumps({"messages": MOVES}, indent=1), "JSON with a conversation", PLAIN),
    "a list of conversations": (json.dumps([{"messages": MOVES}]), "JSON list of a conversation", PLAIN),
    "lists in a list": (json.dumps([MOVES[:2], MOVES[2:]]), "JSON list of messages", PLAIN),
    "an export as a tree": (json.dumps([EXPORT]), "JSON list of conversations of an export", PLAIN[:2]),
    "another export": (json.dumps([OTHER_EXPORT]), "JSON list of conversations of an export", PLAIN[:2]),
    "a fine-tuning set with other names": (
        json_lines([{"conversations": [
            {"from": "human", "value": "I live in Delhi"}, {"from": "gpt", "value": "Noted."}]}]),
        "JSON Lines, a conversation a line", PLAIN[:2],
    ),
    "a transcript": ("User: I live in Delhi\nAssistant: Noted.\nUser: I moved to Bangalore\n", "transcript", PLAIN),
    "a transcript in bold": ("**User:** I live in Delhi\n\n**Assistant:** Noted.\n", "transcript", PLAIN[:2]),
    "a pasted page": (
        "A talk about moving\n\nYou said:\nI live in Delhi\nChatGPT said:\nNoted.\n", "transcript",
        [("system", "A talk about moving"), *PLAIN[:2]],
    ),
    "plain lines": (
        "I live in Delhi\n\nI moved to Bangalore\n", "plain text, one message a line", [PLAIN[0], PLAIN[2]]
    ),
    "notes with a colon": (
        "Milk: two litres\nI live in Delhi\n", "plain text, one message a line",
        [("user", "Milk: two litres"), ("user", "I live in Delhi")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_a_shape_is_recognised_and_read(shape: str, tmp_path: Path) -> None:
    content, name, expected = SHAPES[shape]
    for begin in ("", "\ufeff"):
        found, said, faults = read(put(tmp_path, "chats", begin + content))
        assert found == name
        assert [(one.role, one.text) for one in said] == expected
        assert faults == []


def test_a_transcript_with_times_and_names_keeps_both(tmp_path: Path) -> None:
    text = "[2026-01-05 10:00] Ana: I live in Delhi\nand I like it\n[2026-01-05 10:01] Bob: I live in Oslo\n"
    _, said, _ = read(put(tmp_path, "chat.txt", text))
    assert [(one.name, one.text, one.line) for one in said] == [
        ("Ana", "I live in Delhi\nand I like it", 1), ("Bob", "I live in Oslo", 3),
    ]  # fmt: skip
    assert [one.at for one in said] == [JAN.replace(hour=10), JAN.replace(hour=10, minute=1)]


def test_what_nobody_says_in_a_transcript_teaches_nothing(tmp_path: Path) -> None:
    text = "[2026-01-05 10:00] Ana: I live in Delhi\n[2026-01-05 10:01] Bob joined\n[2026-01-05 10:02] Ana: Hi\n"
    _, said, _ = read(put(tmp_path, "chat.txt", text))
    assert [one.role for one in said] == ["user", "system", "user"]


def test_a_line_without_a_speaker_goes_on_with_the_message_before(tmp_path: Path) -> None:
    text = "User: one\nNote: still one\nhttps://a.example\nAssistant: two\nUser: three\n"
    _, said, _ = read(put(tmp_path, "t", text))
    assert [one.text for one in said] == ["one\nNote: still one\nhttps://a.example", "two", "three"]


@pytest.mark.parametrize(
    ("given", "at"),
    [
        ("2026-01-05T09:00:00Z", JAN),
        ("2026-01-05T10:00:00+01:00", JAN),
        (1767603600, JAN),
        (1767603600000, JAN),
        (1767603600000000, JAN),
        ("1767603600", JAN),
        ("2026-01-05", JAN.replace(hour=0)),
        (None, None),
    ],
)
@pytest.mark.parametrize("key", ["created_at", "timestamp", "create_time", "said_at", "time", "ts"])
def test_times_are_read_under_the_names_and_in_the_forms_they_have(
    given: Any, at: datetime | None, key: str, tmp_path: Path
) -> None:
    _, said, faults = read(put(tmp_path, "c", json_lines([{"role": "user", "content": "hi there", key: given}])))
    assert [one.at for one in said] == [at]
    assert faults == []


def test_a_time_that_cannot_be_read_is_told_and_the_message_used(tmp_path: Path) -> None:
    _, said, faults = read(put(tmp_path, "c", json_lines([user("hi there", "yesterday")])))
    assert [(one.text, one.at) for one in said] == [("hi there", None)]
    assert [(fault.line, "'yesterday' is no time" in fault.why) for fault in faults] == [(1, True)]


def test_content_may_be_parts_or_nothing(tmp_path: Path) -> None:
    messages = [
        user([{"type": "text", "text": "I live"}, {"type": "image_url", "image_url": {"url": "x"}}, "in Delhi"]),  # type: ignore[arg-type]
        {"role": "assistant", "content": None, "tool_calls": []},
    ]
    _, said, faults = read(put(tmp_path, "c", json_lines(messages)))
    assert [(one.role, one.text) for one in said] == [("user", "I live\nin Delhi"), ("assistant", "")]
    assert faults == []


def test_users_and_sessions_are_kept(tmp_path: Path) -> None:
    talk = {"user": "eva", "messages": [user("three")]}
    messages = [user("one", user="ana"), user("two", user_id=7, session_id="s"), talk]
    _, said, _ = read(put(tmp_path, "c", json_lines(messages)))
    assert [(one.user, one.session) for one in said] == [("ana", "0"), ("7", "s"), ("eva", "3")]


BAD: dict[str, tuple[bytes, int, str]] = {
    "broken JSON": (b'{"role": "user", "con\n', 2, "it is no JSON"),
    "no role": (b'{"content": "x"}\n', 2, "it has no role; expected a message such as"),
    "another role": (b'{"role": "critic", "content": "x"}\n', 2, "its role is 'critic'"),
    "no content": (b'{"role": "user"}\n', 2, "it has no content"),
    "a number": (b"17\n", 2, "a number stands there"),
    "content that is no text": (b'{"role": "user", "content": 5}\n', 2, "content must be text"),
    "no UTF-8": (b'{"role": "user", "content": "\xff"}\n', 2, "it is not UTF-8 at byte"),
    "nested too deep": (b'{"role":"user","content":' + b"[" * 100_000 + b"\n", 2, "nested too deep"),
    "a memory of another store": (b'{"memory": "Lives in Oslo"}\n', 2, "--from-mem0"),
    "a message that is too long": (json_lines([user("x" * 1_048_577)]).encode(), 2, "1048577 bytes"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_be_read_is_told_with_its_line_and_the_rest_is_used(case: str, tmp_path: Path) -> None:
    line, number, why = BAD[case]
    content = json_lines([user("before")]).encode() + line + json_lines([user("behind")]).encode()
    _, said, faults = read(put(tmp_path, "c.jsonl", content))
    assert [one.text for one in said] == ["before", "behind"]
    assert [(fault.file, fault.line) for fault in faults] == [("c.jsonl", number)]
    assert why in faults[0].why


def test_a_list_that_is_cut_off_gives_what_it_has(tmp_path: Path) -> None:
    whole = json.dumps(MOVES, indent=2)
    _, said, faults = read(put(tmp_path, "c", whole[: whole.index("moved")]))
    assert [one.text for one in said] == ["I live in Delhi", "Noted."]
    assert [fault.line for fault in faults] == [12]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "is empty; expected"),
        (b" \n\n", "is empty; expected"),
        ("x".encode("utf-16"), "is UTF-16; save it as UTF-8"),
        (b"PK\0\0", "is no text; expected a JSON list"),
    ],
)
def test_a_file_without_text_is_refused_by_name(content: bytes, why: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidValueError, match=r"^chats\.bin ") as refused:
        recognise(source(put(tmp_path, "chats.bin", content)))
    assert why in str(refused.value)


def test_half_characters_and_nul_are_replaced(tmp_path: Path) -> None:
    _, said, _ = read(put(tmp_path, "c", '{"role": "user", "content": "a\\ud800b\\u0000c"}\n'))
    assert said[0].text == "a\ufffdb\ufffdc"


def test_a_list_is_read_piece_by_piece(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "_BLOCK", 7)
    path = put(tmp_path, "c", json.dumps([*MOVES, user("héllo 世界 " * 9)], indent=1, ensure_ascii=False))
    _, said, faults = read(path)
    assert ([one.line for one in said], faults) == ([2, 7, 12, 17], [])
    assert said[-1].text == "héllo 世界 " * 9


def test_a_number_that_ends_with_a_piece_is_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "_BLOCK", 50)
    content = f"[{json.dumps(user('one'))}, {'7' * 200}]"
    _, said, faults = read(put(tmp_path, "c", content))
    assert ([one.text for one in said], len(faults)) == (["one"], 1)


def test_a_line_that_is_too_long_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LONGEST_LINE", 100)
    _, said, faults = read(put(tmp_path, "c", "one\n" + "x" * 5000 + "\nthree\n"))
    assert [(one.line, one.text) for one in said] == [(1, "one"), (3, "three")]
    assert [fault.line for fault in faults] == [2]


def work(text: str) -> int:
    """How many calls cutting a line makes, of Python and of built-in functions."""
    return calls_of(lambda: cut(text))


@pytest.mark.parametrize("piece", ["a", " ", "*", "a ", "2026-01-05 10:00 ", "[", "a.", "- "])
def test_cutting_a_line_takes_no_more_work_for_a_longer_one(piece: str) -> None:
    assert work(piece * 20_000) == work(piece * 200)


def test_no_expression_that_cuts_a_line_repeats_without_a_bound() -> None:
    from tensemem.trial import retelling, transcripts

    patterns = [transcripts._STAMP, transcripts._NAME, retelling._OWNER, retelling._SUBJECT, retelling._WORD]
    for one in patterns:
        assert not {"*", "+"} & set(one.pattern.replace(r"\*", "").replace("[+-]", ""))
