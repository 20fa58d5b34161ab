"""A session is a transcript: it gives back what the SDK's own session gives back, and the log keeps all of it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("agents")

from agents import SQLiteSession
from agents.memory import Session, SessionSettings
from hypothesis import given, settings
from hypothesis import strategies as st

from tensemem import AsyncMemory, FakeExtractor, Memory
from tensemem.adapters.openai_agents import TensememSession, said_in
from tensemem.errors import InvalidValueError, ReadOnlyError
from tests.settings import law_settings

KEY = "sk-proj-Zq81xKf93LmNvTy72RbWcD45hJgPsXe06uAoQi"


def says(text: str, role: str = "user") -> dict[str, Any]:
    return {"role": role, "content": text}


def answers(text: str, item_id: str = "msg_1") -> dict[str, Any]:
    part = {"type": "output_text", "text": text, "annotations": []}
    return {"type": "message", "id": item_id, "role": "assistant", "status": "completed", "content": [part]}


CALL = {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "f", "arguments": '{"a": 1}'}
OUTPUT = {"type": "function_call_output", "call_id": "c1", "output": "42"}
THOUGHT = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAAAAB-Zx12"}
PICTURE = {"type": "input_image", "image_url": "data:image/png;base64,AAAA", "detail": "auto"}
IMAGE = {"role": "user", "content": [PICTURE]}
TEXTS = ["I live in Delhi", "I live in Pune", "", "how?"]
PLAIN = st.none() | st.booleans() | st.integers() | st.text("xyz😀")

ITEMS = st.one_of(
    st.builds(says, st.sampled_from(TEXTS), st.sampled_from(["user", "system"])),
    st.builds(answers, st.sampled_from(["Noted.", "Why?"]), st.sampled_from(["msg_1", "msg_2", "__fake_id__"])),
    st.sampled_from([CALL, OUTPUT, THOUGHT, IMAGE]),
    st.dictionaries(st.text("abcé日", min_size=1), PLAIN, max_size=3),
)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.lists(ITEMS, max_size=4)),
        st.tuples(st.just("pop"), st.none()),
        st.tuples(st.just("get"), st.none() | st.integers(-2, 5)),
        st.tuples(st.just("clear"), st.none()),
        st.tuples(st.just("retry"), st.integers(1, 3)),
    ),
    max_size=14,
)  # fmt: skip


async def done(session: Any, steps: list[tuple[str, Any]]) -> list[Any]:
    """Do the steps; give everything that came back, and what is there in the end."""
    seen: list[Any] = []
    for step, given_ in steps:
        match step:
            case "add":
                await session.add_items(given_)
            case "pop":
                seen.append(await session.pop_item())
            case "get":
                seen.append(await session.get_items(given_))
            case "clear":
                await session.clear_session()
            case "retry":  # what the SDK does where a model call is tried again: take the end back, put it there again
                back = [item for _ in range(given_) if (item := await session.pop_item()) is not None]
                await session.add_items(back[::-1])
    return [*seen, await session.get_items()]


@settings(parent=law_settings, max_examples=40)
@given(steps=STEPS)
def test_it_gives_back_what_the_sdks_own_session_gives_back(steps) -> None:
    theirs = SQLiteSession("s1")
    try:
        with Memory(":memory:", llm=False) as mem:
            assert asyncio.run(done(TensememSession(mem, "ann", "s1"), steps)) == asyncio.run(done(theirs, steps))
    finally:
        theirs.close()


@pytest.fixture
def mem() -> Iterator[Memory]:
    with Memory(":memory:", llm=FakeExtractor()) as made:
        made.register_predicate("lives_in")
        yield made


@pytest.fixture
def session(mem: Memory) -> TensememSession:
    return TensememSession(mem, "ann", "s1")


def said(mem: Memory) -> list[tuple[str, str]]:
    return [(each.role, each.content) for each in mem.messages("ann") if each.content]


def test_it_is_a_session_of_the_sdk(session: TensememSession) -> None:
    assert isinstance(session, Session)
    assert session.session_settings == SessionSettings()


def test_more_items_than_a_page_come_back_in_order(session: TensememSession) -> None:
    items = [says(f"item {number}") for number in range(150)]
    asyncio.run(session.add_items(items))
    assert asyncio.run(session.get_items()) == items
    assert asyncio.run(session.get_items(70)) == items[-70:]


def test_the_settings_limit_what_is_given(mem: Memory) -> None:
    session = TensememSession(mem, "ann", "s1", session_settings=SessionSettings(limit=1))
    asyncio.run(session.add_items([says("one"), says("two")]))
    assert asyncio.run(session.get_items()) == [says("two")]
    assert asyncio.run(session.get_items(2)) == [says("one"), says("two")]


def test_facts_are_learnt_from_what_the_user_says_and_from_nobody_else(mem: Memory, session: TensememSession) -> None:
    asyncio.run(session.add_items([says("I live in Delhi"), answers("I live in Paris"), CALL, OUTPUT]))
    mem.flush("ann")
    assert mem.state("ann").values == {"lives_in": "Delhi"}
    assert said(mem) == [("user", "I live in Delhi"), ("assistant", "I live in Paris"), ("tool", "42")]
    assert mem.search("ann", "Delhi")


def test_what_is_popped_stays_in_the_log_and_learnt(mem: Memory, session: TensememSession) -> None:
    asyncio.run(session.add_items([says("I live in Delhi")]))
    assert asyncio.run(session.pop_item()) == says("I live in Delhi")
    assert asyncio.run(session.pop_item()) is None
    mem.flush("ann")
    assert mem.state("ann").values == {"lives_in": "Delhi"}
    assert said(mem) == [("user", "I live in Delhi")]


def test_what_a_retry_takes_back_and_adds_again_is_said_once(mem: Memory, session: TensememSession) -> None:
    steps = [("add", [says("hello"), says("I live in Delhi"), answers("Noted.")]), ("retry", 2)]
    assert asyncio.run(done(session, steps))[-1] == [says("hello"), says("I live in Delhi"), answers("Noted.")]
    assert [text for _, text in said(mem)] == ["hello", "I live in Delhi", "Noted."]


def test_the_same_words_behind_other_words_are_said_again(mem: Memory, session: TensememSession) -> None:
    delhi = ("add", [says("I live in Delhi")])
    steps = [delhi, ("pop", None), ("add", [says("no")]), delhi]
    assert asyncio.run(done(session, steps))[-1] == [says("no"), says("I live in Delhi")]
    assert [text for _, text in said(mem)] == ["I live in Delhi", "no", "I live in Delhi"]


def test_an_item_with_an_id_is_said_once(mem: Memory, session: TensememSession) -> None:
    asyncio.run(session.add_items([answers("Noted."), says("hello")]))
    asyncio.run(session.add_items([says("again"), answers("Noted."), says("bye")]))
    assert [text for _, text in said(mem)] == ["Noted.", "hello", "again", "bye"]
    assert asyncio.run(session.get_items()) == [
        answers("Noted."), says("hello"), says("again"), answers("Noted."), says("bye")
    ]  # fmt: skip


def test_clearing_closes_the_session_and_keeps_the_log(mem: Memory, session: TensememSession) -> None:
    asyncio.run(session.add_items([says("I live in Delhi")]))
    asyncio.run(session.clear_session())
    assert asyncio.run(session.get_items()) == []
    asyncio.run(session.add_items([says("hello")]))
    assert asyncio.run(session.get_items()) == [says("hello")]
    mem.flush("ann")
    assert mem.state("ann").values == {"lives_in": "Delhi"}
    assert said(mem) == [("user", "I live in Delhi"), ("user", "hello")]


def test_sessions_are_apart_and_share_what_is_learnt(mem: Memory, session: TensememSession) -> None:
    other, somebody = TensememSession(mem, "ann", "s2"), TensememSession(mem, "bob", "s1")
    asyncio.run(session.add_items([says("I live in Delhi")]))
    assert asyncio.run(other.get_items()) == asyncio.run(somebody.get_items()) == []
    assert asyncio.run(TensememSession(mem, "ann", "s1").get_items()) == [says("I live in Delhi")]
    mem.flush("ann")
    assert mem.state("ann").values == {"lives_in": "Delhi"}
    assert mem.state("bob").values == {}


def test_messages_of_the_application_are_no_items(mem: Memory, session: TensememSession) -> None:
    mem.add("ann", "written elsewhere", session_id="s1", metadata={"openai_agents": "mine"})
    assert asyncio.run(session.get_items()) == []


def test_a_read_walks_no_further_back_than_where_the_session_began(mem: Memory, monkeypatch) -> None:
    for number in range(200):
        mem.add("ann", f"long ago {number}")
    session = TensememSession(mem, "ann", "s1")
    asyncio.run(session.add_items([says("hello")]))
    places: list[int | None] = []
    honest = Memory.messages

    def counted(*args: Any, **options: Any) -> Any:
        places.append(options["before"])
        return honest(*args, **options)

    monkeypatch.setattr(Memory, "messages", counted)
    assert asyncio.run(session.get_items()) == [says("hello")]
    assert places == [None]


def test_two_who_pop_at_once_get_one_item_each(mem: Memory) -> None:
    async def both() -> list[Any]:
        first, second = TensememSession(mem, "ann", "s1"), TensememSession(mem, "ann", "s1")
        await first.add_items([says(f"item {number}") for number in range(6)])
        popped = await asyncio.gather(*(one.pop_item() for one in (first, second) * 3))
        assert await first.get_items() == []
        return popped

    assert sorted(item["content"] for item in asyncio.run(both())) == [f"item {number}" for number in range(6)]


def test_secrets_do_not_reach_the_log_nor_the_session(mem: Memory, session: TensememSession) -> None:
    asyncio.run(session.add_items([says(f"my key is {KEY}"), {**CALL, "arguments": f'{{"key": "{KEY}"}}'}]))
    assert KEY not in str(asyncio.run(session.get_items()))
    assert KEY not in str(mem.messages("ann"))


def test_what_json_has_no_word_for_is_refused_and_nothing_is_added(session: TensememSession) -> None:
    with pytest.raises(InvalidValueError):
        asyncio.run(session.add_items([says("hello"), {"role": "user", "content": "x", "when": object()}]))
    assert asyncio.run(session.get_items()) == []


def test_a_read_only_memory_gives_sessions_and_takes_none(tmp_path) -> None:
    with Memory(tmp_path / "m.db", llm=False) as mem:
        asyncio.run(TensememSession(mem, "ann", "s1").add_items([says("hello")]))
    with Memory(tmp_path / "m.db", read_only=True) as mem:
        assert asyncio.run(TensememSession(mem, "ann", "s1").get_items()) == [says("hello")]
        assert asyncio.run(TensememSession(mem, "ann", "s2").get_items()) == []
        with pytest.raises(ReadOnlyError):
            asyncio.run(TensememSession(mem, "ann", "s1").add_items([says("more")]))


def test_it_works_over_an_async_memory(tmp_path) -> None:
    async def run() -> list[Any]:
        async with AsyncMemory(tmp_path / "m.db", llm=False) as mem:
            return await done(TensememSession(mem, "ann", "s1"), [("add", [says("one"), CALL]), ("pop", None)])

    assert asyncio.run(run()) == [CALL, [says("one")]]


@pytest.mark.parametrize(
    ("item", "wanted"),
    [
        (says("hi"), ("user", "hi")), (says("hi", "developer"), ("system", "hi")), (answers("ok"), ("assistant", "ok")),
        (CALL, ("tool", "")), (OUTPUT, ("tool", "42")), (THOUGHT, ("tool", "")), (IMAGE, ("user", "")),
        ({"role": "assistant", "content": [{"type": "refusal", "refusal": "No."}]}, ("assistant", "No.")),
        ({"type": "function_call_output", "output": [{"type": "input_text", "text": "42"}]}, ("tool", "42")),
        ({"type": "computer_call_output", "output": {"type": "computer_screenshot"}}, ("tool", "")),
    ],
)  # fmt: skip
def test_who_says_what_in_an_item(item, wanted) -> None:
    assert said_in(item) == wanted
