"""The cassette: what is recorded is played again, anywhere, and what was not recorded says so."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensemem import AsyncMemory, FakeExtractor, Memory, Operation
from tensemem.errors import ExtractorError, ExtractorOutputError, ExtractorUnavailable
from tensemem.extract.answers import Malformed
from tensemem.extract.calling import as_extractor
from tensemem.extract.cassette import RecordingExtractor, ReplayExtractor
from tensemem.ports import ExtractionRequest, RequestMessage

SAID = datetime(2026, 3, 5, 12, tzinfo=UTC)
DELHI = Operation("set", "lives_in", "Delhi", quote="Delhi", message=0)
PUNE = Operation("set", "lives_in", "Pune", quote="Pune", message=0)


def message(text: str, role: str = "user", speaker: str | None = None, days: int = 0) -> RequestMessage:
    return RequestMessage(text, role, SAID + timedelta(days=days), speaker)


def asked(*texts: str, after: str = "", days: int = 0, **more: Any) -> ExtractionRequest:
    window = (message(after),) if after else ()
    return ExtractionRequest(tuple(message(text, days=days, **more) for text in texts), window)


def values(answer: Any) -> list[Any]:
    return [operation.value for operation in answer]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "kept" / "talk.jsonl"


def record(path: Path, extractor: Any, *requests: ExtractionRequest) -> None:
    recording = as_extractor(RecordingExtractor(extractor, path))
    for request in requests:
        try:
            recording.call(request)
        except ExtractorError:
            continue
    recording.close()


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


async def awaited(request: ExtractionRequest) -> list[Operation]:
    return [DELHI]


def promised(request: ExtractionRequest) -> Any:
    return awaited(request)


class Awaited:
    name = "mine"
    extract = staticmethod(awaited)


@pytest.mark.parametrize(
    "extractor",
    [FakeExtractor({"in Delhi": [DELHI]}), lambda request: [DELHI], awaited, promised, Awaited(),
     as_extractor(awaited), lambda request: (item for item in [DELHI])],
    ids=["object", "callable", "async", "gives an awaitable", "async object", "called", "generator"],
)  # fmt: skip
def test_any_extractor_is_recorded_and_replayed(extractor: Any, path: Path) -> None:
    recording = RecordingExtractor(extractor, path)
    outer = as_extractor(recording)
    assert outer.is_async is as_extractor(extractor).is_async
    assert outer.call(asked("in Delhi")).operations == (DELHI,)
    outer.close()
    recording.close()
    assert as_extractor(ReplayExtractor(path)).call(asked("in Delhi")).operations == (DELHI,)


def test_it_has_the_limits_and_names_of_what_it_records(path: Path) -> None:
    source = SimpleNamespace(
        extract=lambda request: [], name="mine", model="m-1", prompt_digest="abc", usage={"calls": 3},
        max_messages=7, max_concurrency=5, debounce=0.5,
    )  # fmt: skip
    plain, recording = as_extractor(source), as_extractor(RecordingExtractor(source, path))
    for name in ("name", "model", "prompt_digest", "usage", "max_messages", "max_concurrency", "debounce"):
        assert getattr(recording, name) == getattr(plain, name)
    recording.call(asked("a"))
    replay = as_extractor(ReplayExtractor(path))
    assert (replay.name, replay.model, replay.prompt_digest) == ("mine", "m-1", "abc")
    assert (replay.max_messages, replay.debounce) == (1, 0)
    assert replay.call(asked("a")).usage == {"calls": 3}


def test_a_line_says_what_was_asked_and_answered(path: Path) -> None:
    operation = Operation("set", "born", date(1990, 1, 2), quote="é", message=0, since=SAID, confidence=0.5)
    record(path, lambda request: [operation, {"op": "sing"}], asked("é", after="hello"))
    (line,) = lines(path)
    assert line["tensemem_cassette"] == 1
    assert line["extractor"] == "<lambda>"
    assert line["operations"] == [
        {"op": "set", "predicate": "born", "value": "1990-01-02", "quote": "é", "confidence": 0.5,
         "since": "2026-03-05T12:00:00+00:00", "message": 0},
        {"malformed": "it has no predicate", "raw": "{'op': 'sing'}"},
    ]  # fmt: skip
    (told,) = line["messages"]
    assert (told["role"], told["content"], told["said_at"]) == ("user", "é", "2026-03-05T12:00:00+00:00")
    assert len(told["digest"]) == len(told["after"]) == 32
    assert "é" in path.read_text(encoding="utf-8")


def test_what_was_malformed_is_so_again(path: Path) -> None:
    source = as_extractor(lambda request: [{"op": "sing"}, DELHI, 3])
    plain = source.call(asked("Delhi")).operations
    record(path, source, asked("Delhi"))
    replayed = as_extractor(ReplayExtractor(path)).call(asked("Delhi")).operations
    assert isinstance(replayed[0], Malformed)
    assert [(item.why, item.raw) for item in replayed if isinstance(item, Malformed)] == [
        (item.why, item.raw) for item in plain if isinstance(item, Malformed)
    ]
    assert replayed[1] == DELHI


@pytest.mark.parametrize("kind", [ExtractorUnavailable, ExtractorOutputError, ExtractorError])
def test_an_error_is_recorded_with_its_cost_and_raised_in_its_turn(kind: type[ExtractorError], path: Path) -> None:
    error = kind("no luck today")
    error.usage = {"calls": 1, "input_tokens": 9}
    record(path, FakeExtractor([error, [DELHI]]), asked("a"), asked("a"))
    replay = as_extractor(ReplayExtractor(path))
    with pytest.raises(kind, match=r"^no luck today$") as caught:
        replay.call(asked("a"))
    assert type(caught.value) is kind
    assert caught.value.usage == {"calls": 1, "input_tokens": 9}
    assert values(replay.call(asked("a")).operations) == ["Delhi"]


def test_what_is_raised_by_an_awaited_one_is_recorded_too(path: Path) -> None:
    async def failing(request: ExtractionRequest) -> list[Operation]:
        raise ValueError("bad key")

    record(path, failing, asked("a"))
    assert lines(path)[0]["error"] == {"kind": "failed", "text": "failing failed: ValueError: bad key"}


def test_the_secrets_of_an_error_are_not_kept(path: Path) -> None:
    key = "sk-" + "proj-" + "a8Kd0fJq3nVx7LmZ2wTb9RcY5hGs1PeU4iQo6"
    record(path, FakeExtractor([ExtractorError(f"refused: Authorization: Bearer {key}")]), asked("a"))
    assert key not in path.read_text(encoding="utf-8")


def test_a_question_that_was_given_up_leaves_no_line(path: Path) -> None:
    async def endless(request: ExtractionRequest) -> list[Operation]:
        await asyncio.Event().wait()
        return []

    recording = as_extractor(RecordingExtractor(endless, path))
    with pytest.raises(ExtractorUnavailable):
        recording.call(asked("a"), 0.01)
    recording.close()
    assert not path.exists()


@pytest.mark.parametrize(
    "request_",
    [asked("a", days=9), asked("a", after="another"),
     ExtractionRequest((message("a"),), state={"user": {"lives_in": "Goa"}}),
     ExtractionRequest((RequestMessage("a", "user", SAID, session_id="s"),))],
    ids=["another time", "after another", "another state", "another session"],
)  # fmt: skip
def test_a_message_is_known_by_its_words(request_: ExtractionRequest, path: Path) -> None:
    record(path, FakeExtractor([[DELHI]]), asked("a"))
    assert ReplayExtractor(path).extract(request_) == [DELHI]


@pytest.mark.parametrize("request_", [asked("A"), asked("a "), asked("a", role="tool"), asked("a", speaker="guest")])
def test_other_words_or_another_speaker_is_another_message(request_: ExtractionRequest, path: Path) -> None:
    record(path, FakeExtractor([[DELHI]]), asked("a"))
    replay = ReplayExtractor(path)
    with pytest.raises(ExtractorOutputError) as caught:
        replay.extract(request_)
    text = str(caught.value)
    assert f"the cassette {path} has no answer to the message {request_.text!r}" in text
    assert "RecordingExtractor(extractor, path)" in text
    assert "--tensemem-record" in text
    assert replay.missed == (text,)


def test_the_same_words_again_get_their_answers_in_order(path: Path) -> None:
    record(path, FakeExtractor([[DELHI], [PUNE]]), asked("yes"), asked("yes"))
    replay = ReplayExtractor(path)
    assert list(replay.unused) == ["yes", "yes"]
    assert [values(replay.extract(asked("yes", days=3))) for _ in range(2)] == [["Delhi"], ["Pune"]]
    assert list(replay.unused) == []
    with pytest.raises(ExtractorOutputError, match="has only 2 to the message 'yes'"):
        replay.extract(asked("yes"))


def test_among_the_same_words_what_came_before_and_the_time_choose(path: Path) -> None:
    three = [asked("yes", after="Delhi?"), asked("yes", after="Pune?"), asked("yes", after="Pune?", days=1)]
    goa = Operation("set", "lives_in", "Goa", message=0)
    record(path, FakeExtractor([[DELHI], [PUNE], [goa]]), *three)
    replay = ReplayExtractor(path)
    assert [values(replay.extract(request)) for request in reversed(three)] == [["Goa"], ["Pune"], ["Delhi"]]


def test_messages_asked_about_together_may_be_asked_about_alone(path: Path) -> None:
    texts = ("I live in Delhi", "hello", "I write Go")
    operations = [
        Operation("add", "languages", "Go", quote="I write Go"),
        Operation("set", "lives_in", "Delhi", message=0),
        Operation("set", "mood", "fine"),
    ]
    source = SimpleNamespace(extract=lambda request: operations, max_messages=8, usage={"calls": 1})
    record(path, source, asked(*texts))
    replay = as_extractor(ReplayExtractor(path))
    alone = [replay.call(asked(text, days=number)) for number, text in enumerate(texts)]
    assert [values(one.operations) for one in alone] == [["Delhi", "fine"], [], ["Go"]]
    assert [one.usage for one in alone] == [{"calls": 1}, None, None]
    assert values(ReplayExtractor(path).extract(asked(*texts))) == ["Delhi", "fine", "Go"]


def test_messages_asked_about_alone_may_be_asked_about_together(path: Path) -> None:
    def one(request: ExtractionRequest) -> list[Operation]:
        return [Operation("set", "said", request.text, message=0)]

    record(path, SimpleNamespace(extract=one, usage={"calls": 1, "model": "m"}), asked("a"), asked("b"))
    answer = as_extractor(ReplayExtractor(path)).call(asked("b", "a"))
    assert [(o.value, o.message) for o in answer.operations if isinstance(o, Operation)] == [("b", 0), ("a", 1)]
    assert answer.usage == {"calls": 2, "model": "m"}


def test_a_failure_of_several_is_none_of_each(path: Path) -> None:
    record(path, FakeExtractor([ExtractorOutputError("bad"), [DELHI], [PUNE]]), asked("a", "b"), asked("a"), asked("b"))
    replay = ReplayExtractor(path)
    assert [values(replay.extract(asked(text))) for text in "ab"] == [["Delhi"], ["Pune"]]


def test_an_error_uses_up_nothing_but_itself(path: Path) -> None:
    record(path, FakeExtractor([[DELHI], ExtractorUnavailable("down"), [PUNE]]), asked("a"), asked("b"), asked("b"))
    replay = ReplayExtractor(path)
    with pytest.raises(ExtractorUnavailable):
        replay.extract(asked("a", "b"))
    assert values(replay.extract(asked("a", "b"))) == ["Delhi", "Pune"]


def test_a_run_that_was_interrupted_can_be_played_and_gone_on_with(path: Path) -> None:
    record(path, FakeExtractor([[DELHI], [PUNE]]), asked("a"), asked("b"))
    whole = path.read_bytes()
    for cut in range(whole.index(b"\n") + 1, len(whole)):
        path.write_bytes(whole[:cut])
        assert ReplayExtractor(path).unused == ("a",)
    record(path, FakeExtractor([[PUNE]]), asked("b"))
    assert path.read_bytes() == whole


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("hello\n", "line 1: is no line of a cassette"),
        ("my notes without an end", "line 1: is no line of a cassette"),
        ("[" * 100_000 + "\n", "line 1: is no line of a cassette"),
        ('{"a": 1}\n', "line 1: is no line of a cassette"),
        ('\n{"tensemem_cassette": 9}\n', "line 2: is of version 9 of the format, and this tensemem reads 1"),
        ('{"tensemem_cassette": 1}\n', r"line 1: is damaged \(KeyError: 'messages'\); record it again"),
        ('{"tensemem_cassette": 1, "messages": []}\n', "line 1: is damaged"),
    ],
)
def test_another_file_is_refused_and_left_as_it_is(content: str, complaint: str, tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(ExtractorError, match=complaint):
        ReplayExtractor(file)
    with pytest.raises(ExtractorError, match=complaint):
        RecordingExtractor(FakeExtractor(), file)
    assert file.read_text(encoding="utf-8") == content


def test_a_cassette_that_is_not_there_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(ExtractorError, match=r"there is no cassette .* record one with RecordingExtractor"):
        ReplayExtractor(tmp_path / "none.jsonl")
    with pytest.raises(ExtractorError, match="can't be read"):
        ReplayExtractor(tmp_path)


def test_a_place_that_can_t_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    recording = as_extractor(RecordingExtractor(FakeExtractor(), tmp_path / "file" / "x.jsonl"))
    with pytest.raises(ExtractorError, match="can't be written"):
        recording.call(asked("a"))


def test_lines_of_many_threads_are_whole(path: Path) -> None:
    gate = threading.Barrier(8)

    def answer(request: ExtractionRequest) -> list[Operation]:
        gate.wait()
        return [Operation("set", "said", request.text * 2000, message=0)]

    recording = RecordingExtractor(answer, path)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: recording.extract(asked(str(number))), range(64)))
    assert sorted(line["messages"][0]["content"] for line in lines(path)) == sorted(map(str, range(64)))


Plain = st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(st.characters(codec="utf-8"), max_size=8)
Odd = st.dates() | st.timedeltas() | st.decimals(allow_nan=False, allow_infinity=False, places=2)
VALUE = st.recursive(Plain | Odd, lambda part: st.lists(part, max_size=3) | st.tuples(part), max_leaves=5)


@given(st.lists(VALUE, max_size=4), st.text(min_size=1))
def test_whatever_the_log_can_keep_is_kept_as_the_log_keeps_it(
    tmp_path_factory: pytest.TempPathFactory, given_values: list[Any], text: str
) -> None:
    from tensemem.core.operations import encode_value

    file = tmp_path_factory.mktemp("any") / "x.jsonl"
    record(file, lambda request: [Operation("set", "p", value) for value in given_values], asked(text))
    replayed = as_extractor(ReplayExtractor(file)).call(asked(text)).operations
    assert values(replayed) == [json.loads(json.dumps(encode_value(value))) for value in given_values]


def talk(mem: Memory) -> None:
    mem.register_predicate("lives_in")
    mem.register_predicate("languages", "many")
    for day, (user, text) in enumerate(
        [("u1", "I live in Delhi"), ("u2", "I write Go"), ("u1", "I moved to Pune"), ("u1", "only Rust"),
         ("u2", "I write Go"), ("u1", "hello")]
    ):  # fmt: skip
        mem.add(user, text, said_at=SAID + timedelta(days=day))
    mem.flush()


def test_a_memory_is_played_again_elsewhere_whatever_was_asked_about_together(path: Path, tmp_path: Path) -> None:
    class Several(FakeExtractor):
        max_messages = 4
        debounce = 0

    with Memory(":memory:", llm=RecordingExtractor(Several(), path), worker=False) as mem:
        talk(mem)
        wanted = [mem.digest(user) for user in ("u1", "u2")]
    assert max(len(line["messages"]) for line in lines(path)) > 1
    with Memory(tmp_path / "other.db", llm=f"cassette:{path}", worker=False) as mem:
        talk(mem)
        assert [mem.digest(user) for user in ("u1", "u2")] == wanted
        assert mem.get("u1", "lives_in") == "Pune"


def test_it_is_recorded_and_replayed_by_an_awaited_memory(path: Path) -> None:
    async def told(llm: Any) -> Any:
        async with AsyncMemory(":memory:", llm=llm, worker=False) as mem:
            await mem.register_predicate("lives_in")
            await mem.add("u1", "in Delhi")
            await mem.flush()
            return await mem.get("u1", "lives_in")

    async def understood(request: ExtractionRequest) -> list[Operation]:
        return [DELHI]

    assert asyncio.run(told(RecordingExtractor(understood, path))) == "Delhi"
    assert asyncio.run(told(ReplayExtractor(path))) == "Delhi"


def test_a_message_without_an_answer_fails_and_says_why(path: Path) -> None:
    record(path, FakeExtractor(), asked("hello"))
    with Memory(":memory:", llm=ReplayExtractor(path), worker=False) as mem:
        mem.register_predicate("lives_in")
        mem.add("u1", "I live in Goa")
        mem.flush()
        assert not mem.state("u1").freshness.is_current
        (job,) = mem.jobs("u1")
        assert "has no answer to the message 'I live in Goa'" in job.error


@pytest.mark.parametrize("text", ["cassette", "cassette:", "cassette: "])
def test_a_name_without_a_file_is_told_so(text: str) -> None:
    with pytest.raises(ExtractorError, match="cassette: name a file: 'cassette:PATH'"):
        as_extractor(text)


def test_the_file_may_move_the_program_s_folder_may_too(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.parent.mkdir()
    monkeypatch.chdir(path.parent)
    recording: Callable[[Any], Any] = RecordingExtractor(FakeExtractor(), "talk.jsonl").extract
    monkeypatch.chdir(path.parent.parent)
    recording(asked("hello"))
    assert ReplayExtractor(path).extract(asked("hello")) == []


def test_a_number_that_only_text_can_hold_comes_back_as_text(path: Path) -> None:
    record(path, lambda request: [Operation("set", "price", Decimal("1.10"))], asked("a"))
    assert values(ReplayExtractor(path).extract(asked("a"))) == ["1.10"]
