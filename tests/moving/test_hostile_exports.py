"""Files that are not as they were written: each says at which line, nothing half is left, and the others come."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory
from tensemem.engine import exportlines, exportreading
from tensemem.errors import ConflictError, InvalidValueError, SchemaTooNewError, StoreCorruptError
from tests.copying.looking import kept
from tests.moving.lines import changed, exported, place_of, sealed

Change = Callable[[dict[str, Any]], Any]


def refused(mem: Memory, lines: list[bytes], says: str, *, comes: tuple[str, ...] = ("bob",)) -> None:
    """See that an import is refused with some words, that nothing of Ann is there, and that the others came."""
    with pytest.raises(StoreCorruptError, match=says):
        mem.import_(lines)
    assert tuple(info.user_id for info in mem.scopes() if (info.user_id, info.agent_id) != ("ann", "guide")) == comes
    assert mem.set("ann", "lives_in", "Goa").seq == 1
    assert mem.verify().identical


# The header


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([], "is empty"),
        (['{"role": "user", "content": "hello"}'], "line 1: it is no header"),
        (['{"line":"export"}'], "line 1: it is no header"),
        (['{"line":"export","format":true}'], "line 1: it is no header"),
        (["[1]"], "line 1: it is no JSON object"),
        (["hello"], "line 1: it is no JSON"),
        ([b"\xff\xfe"], "line 1: it is not UTF-8 at byte 1"),
        (['{"line":"export","format":1,"fence":5}'], "fence must be text"),
        (['{"line":"export","format":1,"fence":null}'], "line 1: it has no checksum"),
        (['{"line":"export","format":1,"checksum":"' + "0" * 64 + '"}'], "line 1: the checksum is not right"),
    ],
)
def test_what_is_no_export_is_refused(other: Memory, lines: list[Any], says: str) -> None:
    before = kept(other)
    with pytest.raises(StoreCorruptError, match=rf"is no export of tensemem, or is damaged: .*{says}"):
        other.import_(lines)
    assert kept(other) == before


def test_a_newer_format_asks_for_a_newer_library(one: Memory, other: Memory) -> None:
    lines = changed(exported(one), 0, lambda line: line.update(format=2))
    with pytest.raises(SchemaTooNewError, match=r"has format 2, .* knows formats up to 1\. Upgrade the library"):
        other.import_(lines)
    assert other.scopes() == ()


def test_bytes_that_mark_the_beginning_do_no_harm(one: Memory, other: Memory) -> None:
    lines = exported(one)
    other.import_([b"\xef\xbb\xbf" + lines[0], *lines[1:]])
    assert kept(other) == kept(one)


# Damage that the checksum finds


def test_a_file_that_is_cut_off_anywhere_says_so(one: Memory, tmp_path: Path) -> None:
    lines = exported(one)
    whole = b"".join(lines)
    for number in range(1, len(lines)):
        upto = len(b"".join(lines[:number]))
        for end in (upto, upto + len(lines[number]) // 2):
            with Memory(tmp_path / f"{end}.db", worker=False) as mem:
                with pytest.raises(StoreCorruptError, match=rf"line {number + (end > upto)}: "):
                    mem.import_(whole[:end].splitlines(keepends=True))
                for info in mem.scopes():
                    assert mem.digest(info.user_id, agent_id=info.agent_id) == one.digest(
                        info.user_id, agent_id=info.agent_id
                    )


def test_a_packed_file_that_is_cut_off_says_so(one: Memory, other: Memory, tmp_path: Path) -> None:
    for number in range(60):  # so that it ends somewhere in the middle
        one.add("zoe", f"{number} {number * 7919}", extract=False)
    one.export(tmp_path / "out.gz")
    packed = (tmp_path / "out.gz").read_bytes()
    (tmp_path / "cut.gz").write_bytes(packed[: len(packed) * 3 // 4])
    with pytest.raises(StoreCorruptError, match="can't be read, since it is cut off or damaged"):
        other.import_(tmp_path / "cut.gz")
    assert [info.user_id for info in other.scopes()] == ["ann", "ann", "bob"]
    (tmp_path / "bad.gz").write_bytes(packed[:40] + bytes(40) + packed[80:])
    with pytest.raises(StoreCorruptError, match=r"cut off or damaged|is damaged"):
        other.import_(tmp_path / "bad.gz")
    (tmp_path / "both.gz").write_bytes(packed + gzip.compress(b"more\n"))
    with pytest.raises(StoreCorruptError, match="there is more behind"):
        other.import_(tmp_path / "both.gz")


def test_every_byte_counts(one: Memory, other: Memory) -> None:
    lines = exported(one)
    place = place_of(lines, "entry", b"Delhi")
    lines[place] = lines[place].replace(b"Delhi", b"Dehli")
    end = place + next(n for n, line in enumerate(lines[place:]) if line.startswith(b'{"line":"end"')) + 1
    refused(other, lines, rf"line {end}: the checksum is not right: .*; the memory of 'ann' was left out")


def test_lines_that_changed_places_are_noticed(one: Memory, other: Memory) -> None:
    lines = exported(one)
    place = place_of(lines, "entry", b"Delhi")
    lines[place], lines[place + 1] = lines[place + 1], lines[place]
    refused(other, lines, f"line {place + 1}: revision 2 stands where 1 should")


def test_a_line_that_is_missing_is_noticed(one: Memory, other: Memory) -> None:
    lines = exported(one)
    place = place_of(lines, "key")
    refused(other, [*lines[:place], *lines[place + 1 :]], "the checksum is not right")


def test_a_memory_that_is_missing_is_noticed_when_the_others_are_there(one: Memory, other: Memory) -> None:
    lines = exported(one)
    first, last = place_of(lines, "scope", b'"ann"'), place_of(lines, "scope", b'"guide"')
    with pytest.raises(StoreCorruptError, match="of 3 memories and 1 registries, 2 and 1 are there"):
        other.import_([*lines[:first], *lines[last:]])
    assert [info.agent_id for info in other.scopes()] == ["guide", ""]


def test_a_memory_put_in_the_place_of_another_is_noticed(one: Memory, other: Memory) -> None:
    lines = exported(one)
    place = place_of(lines, "scope", b'"bob"')
    one.set("bob", "lives_in", "Rome")
    newer = exported(one)
    with pytest.raises(StoreCorruptError, match="something up to here was changed"):
        other.import_([*lines[:place], *newer[place:-1], lines[-1]])


def test_a_memory_that_comes_twice_is_refused(one: Memory, other: Memory) -> None:
    lines = exported(one)
    first, last = place_of(lines, "scope", b'"ann"'), place_of(lines, "scope", b'"guide"')
    with pytest.raises(StoreCorruptError, match=f"line {last + 1}: it stands in the file twice, or not in its order"):
        other.import_([*lines[:last], *lines[first:last], *lines[last:]])
    assert other.digest("ann") == one.digest("ann")
    assert other.digest("bob") == one.digest("bob")


def test_what_stands_between_two_memories_is_refused(one: Memory, other: Memory) -> None:
    lines = exported(one)
    place = place_of(lines, "scope", b'"guide"')
    refused_line = [*lines[:place], b"hello\n", *lines[place:]]
    with pytest.raises(StoreCorruptError, match=f"line {place + 1}: it is no JSON"):
        other.import_(refused_line)
    assert kept(other) == kept(one)


# Lines that are none


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"{", "it is no JSON"),
        (b"\n", "it is no JSON"),
        (b"null\n", "it is no JSON object"),
        (b'{"line":"entry","rev":NaN}\n', "NaN is no JSON"),
        (b'{"line":"entry","rev":-Infinity}\n', "-Infinity is no JSON"),
        (b'{"line":"entry","rev":1e999}\n', "no number that can be kept"),
        (b'{"line":"entry","rev":' + b"9" * 5000 + b"}\n", "it is no JSON"),
        (b'{"line":"entry","body":' + b"[" * 500 + b"]" * 500 + b"}\n", "nested deeper than 200"),
        (b'{"line":"entry","body":' + b"[" * 50_000 + b"]" * 50_000 + b"}\n", "nested too deep"),
        (b'{"line":"entry","body":{"content":"\\ud800"}}\n', "half a character"),
        (b'{"line":"entry","body":{"\\uDC00":1}}\n', "half a character"),
        (b'{"line":"entry","body":{"content":"\xed\xa0\x80"}}\n', "not UTF-8"),
        (b'{"line":"entry","content":"\xff"}\n', "not UTF-8 at byte 28"),
        (b'{"line":"song"}\n', "a line 'song' can't stand here"),
        (b'{"line":["entry"]}\n', "can't stand here"),
        (b"{}\n", "a line '' can't stand here"),
    ],
)
def test_a_line_that_is_none_is_refused(one: Memory, other: Memory, line: bytes, says: str) -> None:
    lines = exported(one)
    place = place_of(lines, "entry", b"Delhi") + 1
    refused(other, [*lines[:place], line, *lines[place:]], rf"line {place + 1}: .*{says}")


def test_an_enormous_line_is_not_read_into_memory(one: Memory, other: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = exported(one)
    place = place_of(lines, "entry", b"Delhi")
    monkeypatch.setattr(exportreading, "LONGEST_LINE", 1 << 20)
    monkeypatch.setattr(exportreading, "_BLOCK", 1 << 10)
    enormous = b'{"line":"entry","body":"' + b"x" * (3 << 20) + b'"}\n'
    refused(other, [*lines[:place], enormous, *lines[place:]], f"line {place + 1}: it is longer than 1 MiB")


def test_what_could_not_be_read_again_is_not_written(one: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exportlines, "LONGEST_LINE", 150)
    with pytest.raises(InvalidValueError, match="the format allows 150"):
        exported(one)


# Lines whose checksum is right, and which can't be


def entry(kind: str, *path: str, to: Any) -> tuple[str, bytes, Change]:
    """Change something in Ann's first entry of a kind."""

    def change(line: dict[str, Any]) -> None:
        *outer, last = path
        for name in outer:
            line = line[name]
        line[last] = to

    return "entry", f'"kind":"{kind}"'.encode(), change


SCOPE: tuple[str, bytes] = ("scope", b'"ann"')


@pytest.mark.parametrize(
    ("where", "says"),
    [
        (entry("message", "rev", to=2), "revision 2 stands where 1 should"),
        (entry("message", "rev", to=True), "rev must be a whole number"),
        (entry("message", "rev", to=1.0), "rev must be a whole number"),
        (entry("message", "rev", to=2**80), "rev must be a whole number"),
        (entry("write", "rev", to=9), "revision 9 stands where 3 should"),
        (entry("write", "seq", to=3), "seq 3 stands where 2 should"),
        (entry("write", "kind", to="song"), "'song' is no kind of entry"),
        (entry("write", "kind", to="predicate"), "'predicate' is no kind of entry in this log"),
        (entry("write", "kind", to=5), "kind must be text"),
        (entry("write", "extraction", to=1), "extraction is 1, which a write can't have"),
        (entry("extraction", "extraction", to=0), "extraction is 0"),
        (entry("extraction", "extraction", to=2), "the log is in no order: .*extraction 2 follows 0"),
        (entry("extraction", "seq", to=2), "speaks of seq 2, which was not said yet"),
        (entry("write", "said_at", to=10**18), "said_at must be a whole number"),
        (entry("write", "recorded_at", to=0), "recorded before the entry in front"),
        (entry("write", "body", to=[]), "body must be an object"),
        (entry("write", "body", "ops", to="x"), "needs a ops"),
        (entry("write", "body", "ops", to=["x"]), "needs a ops"),
        (entry("write", "body", "zone", to="Nowhere/Town"), "zone"),
        (entry("message", "body", "role", to="king"), "needs a role"),
        (entry("message", "body", "content", to=5), "content in the body"),
        (entry("message", "body", "echo", to=[[1]]), "echo in the body"),
        (entry("correction", "body", "start", to="now"), "needs a start"),
        (entry("correction", "body", "shown", to=[[1]]), "shown in the body"),
        (entry("correction", "body", "statement", to="song"), "this can't be folded"),
        (entry("correction", "body", "target", to=" "), "needs a target"),
        ((*SCOPE, lambda line: line.update(user_id="  ")), "user_id must not be blank"),
        ((*SCOPE, lambda line: line.update(user_id=5)), "user_id must be text"),
        ((*SCOPE, lambda line: line.update(rev=99)), "rev is 99 here, and 8 by what follows"),
        ((*SCOPE, lambda line: line.update(seq=99)), "seq is 99 here"),
        ((*SCOPE, lambda line: line.update(last_said=99)), "last_said is 99 here"),
        ((*SCOPE, lambda line: line.update(registry_rev=99)), "needs revision 99 of the registry"),
        ((*SCOPE, lambda line: line.update(registry_rev=1)), "folds to the digest"),
        (("end", b'"entries":8', lambda line: line.update(digest="0" * 32)), "folds to the digest"),
        (("end", b'"entries":8', lambda line: line.update(entries=7)), "8 entries stand here"),
        (("key", b"", lambda line: line.update(seq=0)), "seq must be a whole number from 1"),
        (("key", b"", lambda line: line.update(seq=99)), "seq must be a whole number"),
        (("key", b"", lambda line: line.update(key=None)), "key must be text"),
    ],
)
def test_what_can_not_be_is_refused_though_its_checksum_is_right(
    one: Memory, other: Memory, where: tuple[str, bytes, Change], says: str
) -> None:
    kind, holding, change = where
    lines = exported(one)
    begin = place_of(lines, "scope", b'"ann"')
    place = begin + place_of(lines[begin:], kind, holding)
    refused(other, changed(lines, place, change), says)


NO_OPERATIONS: tuple[dict[str, Any], ...] = (
    {"confidence": "high"}, {"confidence": 2}, {"confidence": True}, {"op": "drop"}, {"op": None},
    {"op": ["set"]}, {"predicate": 5}, {"modality": "sung"}, {"modality": {}}, {"subject": 5}, {"quote": []},
    {"since": 5}, {"valid_to": ["2026"]}, {"malformed": 5}, {"malformed": "x", "raw": 5}, {"gone": None},
    {"placed": 1}, {"lost": 5}, {"lost": "x"}, {"lost": [0]}, {"lost": [2, 1]}, {"lost": [1, 1]}, {"lost": [True]},
    {"seen": 5}, {"seen": {"words": 5}}, {"seen": {"words": ["asnz"]}}, {"seen": {"words": [5]}},
    {"seen": {"dropped": ["a"]}}, {"seen": {"quote": ["x", 0]}}, {"seen": {"quote": [0, 0, 0]}},
    {"seen": {"quote": "xyz"}},
)  # fmt: skip


@pytest.mark.parametrize("kind", ["write", "extraction"])
@pytest.mark.parametrize("changes", NO_OPERATIONS, ids=str)
def test_an_operation_that_could_not_be_read_is_refused_though_its_predicate_is_not_known_yet(
    one: Memory, other: Memory, kind: str, changes: dict[str, Any]
) -> None:
    lines = exported(one)
    place = place_of(lines, "entry", f'"kind":"{kind}"'.encode())
    asked = {"op": "set", "predicate": "shoe_size", "value": "41", **changes}
    refused(other, changed(lines, place, lambda line: line["body"]["ops"].append(asked)), f"a {kind} needs a ops")


def test_a_field_that_is_null_in_a_log_is_one_that_was_not_given(one: Memory, other: Memory) -> None:
    lines = exported(one)
    place = place_of(lines, "entry", b'"kind":"write"')
    nulls = dict.fromkeys(("quote", "modality", "confidence", "since", "until", "valid_from", "valid_to"))
    asked = {"op": "set", "predicate": "shoe_size", "value": "41", **nulls}
    other.import_(changed(lines, place, lambda line: line["body"]["ops"].append(asked)))
    other.register_predicate("shoe_size")
    assert other.get("ann", "shoe_size") == "41"
    assert other.verify().identical


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda line: line.update(seq=5), "seq 5 is no message that could wait"),
        (lambda line: line.update(state="gone"), "'gone' is no state"),
        (lambda line: line.update(attempts=-1), "attempts must be a whole number"),
        (lambda line: line.update(error=None), "error must be text"),
    ],
)
def test_what_waits_must_be_what_nothing_was_made_of(one: Memory, other: Memory, change: Change, says: str) -> None:
    lines = exported(one)
    place = place_of(lines, "pending")
    with pytest.raises(StoreCorruptError, match=rf"line {place + 1}: .*{says}"):
        other.import_(changed(lines, place, change))
    with pytest.raises(StoreCorruptError, match="of 2 messages nothing was made yet, and 1 are said to wait"):
        other.import_(sealed([*lines[:place], *lines[place + 1 :]]))
    assert [info.user_id for info in other.scopes()] == ["ann", "ann"]


@pytest.mark.parametrize(
    ("name", "value"),
    [("cardinality", "some"), ("type", "song"), ("aliases", "x"), ("name", ""), ("ttl", -1), ("min_confidence", 7)],
)
def test_a_registry_that_can_not_be_is_refused_and_all_that_rests_on_it(
    one: Memory, other: Memory, name: str, value: Any
) -> None:
    lines = exported(one)
    place = place_of(lines, "entry", b'"predicate"')
    with pytest.raises(StoreCorruptError, match=rf"line {place + 1}: .*the registry of 'default' was left out"):
        other.import_(changed(lines, place, lambda line: line["body"].update({name: value})))
    assert other.scopes() == ()
    assert other.predicates() == ()


def test_lines_of_another_kind_can_not_stand_in_a_registry(one: Memory, other: Memory) -> None:
    lines = exported(one)
    key = lines[place_of(lines, "key")]
    with pytest.raises(StoreCorruptError, match="line 3: a line 'key' can't stand here"):
        other.import_([*lines[:2], key, *lines[2:]])
    moved = changed(lines, 1, lambda line: line.update(after_rev=1))
    with pytest.raises(StoreCorruptError, match="up to revision 0, and this does not go on there"):
        other.import_(moved)


def test_an_entry_behind_the_keys_is_refused(one: Memory, other: Memory) -> None:
    lines = exported(one)
    place = place_of(lines, "key")
    lines[place - 1], lines[place] = lines[place], lines[place - 1]
    refused(other, sealed(lines), "a line 'entry' can't stand here")


def test_a_changed_log_with_a_right_checksum_meets_what_is_there(one: Memory, other: Memory) -> None:
    lines = exported(one)
    other.import_(lines)
    before = kept(other)

    def later(name: str) -> Change:
        return lambda line: line.update({name: line[name] + 1})

    forged = changed(lines, place_of(lines, "entry", b"Goa"), later("recorded_at"))
    forged = changed(forged, place_of(forged, "scope", b'"guide"'), later("last_recorded"))
    with pytest.raises(ConflictError, match="they differ from revision 1 on"):
        other.import_(forged)
    assert kept(other) == before


def test_a_memory_that_is_refused_in_the_middle_leaves_what_was_there(one: Memory, other: Memory) -> None:
    other.import_(exported(one))
    one.set("ann", "lives_in", "Goa")
    lines = exported(one)
    before = kept(other)
    place = place_of(lines, "entry", b"Goa")
    lines[place] = lines[place].replace(b"Goa", b"Gao")
    with pytest.raises(StoreCorruptError):
        other.import_(lines)
    assert kept(other) == before
