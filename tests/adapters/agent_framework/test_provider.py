"""The provider by itself: what it adds before a run, and what it logs after it."""

from __future__ import annotations

import asyncio
import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

from tensemem import Memory, errors
from tests.adapters.logged import messages_of

pytest.importorskip("agent_framework")

from agent_framework import AgentResponse, AgentSession, Content, Message, SessionContext

from tensemem.adapters.agent_framework import TensememProvider


def context_of(*messages: Message, answers: Any = None) -> SessionContext:
    context = SessionContext(session_id="s1", input_messages=list(messages))
    context._response = None if answers is None else AgentResponse(messages=answers)
    return context


def before(provider: TensememProvider, context: SessionContext) -> dict[str, Any]:
    state: dict[str, Any] = {}
    asyncio.run(provider.before_run(agent=None, session=AgentSession(), context=context, state=state))
    return state


def after(provider: TensememProvider, context: SessionContext, *, times: int = 1) -> dict[str, Any]:
    state: dict[str, Any] = {}
    for _ in range(times):
        asyncio.run(provider.after_run(agent=None, session=AgentSession(), context=context, state=state))
    return state


def test_nothing_known_adds_no_instructions(mem: Memory) -> None:
    context = context_of(Message("user", ["Hello!"]))
    state = before(TensememProvider(mem, "u1"), context)
    assert context.instructions == []
    assert state["fact_ids"] == []
    assert state["freshness"] == {"is_current": True, "as_of_seq": 0}
    assert state["version"] == mem.state("u1").version


def test_the_last_words_of_the_user_choose_under_a_budget(mem: Memory) -> None:
    mem.replace_values("u1", "languages", ["Ada", "C", "Erlang", "Fortran", "Go", "Haskell", "Lua", "Python"])
    context = context_of(Message("user", ["Do I know Lua?"]), Message("user", ["And Python?"]))
    before(TensememProvider(mem, "u1", max_tokens=80), context)
    (text,) = context.instructions
    assert text == mem.context("u1", "And Python?", max_tokens=80).text
    assert "Python" in text
    assert "Lua" not in text


def test_history_is_shown_where_it_is_asked_for(mem: Memory) -> None:
    mem.set("u1", "lives_in", "Delhi")
    mem.set("u1", "lives_in", "Goa")
    for asked in (False, True):
        context = context_of()
        before(TensememProvider(mem, "u1", include_history=asked), context)
        assert ("Delhi" in context.instructions[0]) is asked


def test_the_tools_say_what_they_take(mem: Memory) -> None:
    context = context_of()
    before(TensememProvider(mem, "u1"), context)
    made = next(each for each in context.tools if each.name == "memory_set")
    schema = made.parameters()["properties"]["predicate"]
    assert schema["enum"] == ["diet", "languages", "lives_in"]
    assert made.additional_properties["context_source"] == "tensemem"


def test_an_exchange_is_logged_with_its_roles_and_only_once(mem: Memory, path: Path) -> None:
    answers = [
        Message("assistant", [Content.from_function_call("c1", "clock", arguments={})]),
        Message("tool", [Content.from_function_result("c1", result="noon")]),
        Message("assistant", ["It is noon.", "Lunch!"]),
    ]
    asked = [Message("system", ["The user is in a hurry."]), Message("user", ["What time is it?"])]
    context = context_of(*asked, answers=answers)
    state = after(TensememProvider(mem, "u1"), context, times=2)
    assert messages_of(path) == [
        ("system", "The user is in a hurry."), ("user", "What time is it?"), ("tool", "noon"),
        ("assistant", "It is noon. Lunch!"),
    ]  # fmt: skip
    assert state == {"seq": 4}


def test_the_same_words_in_another_run_are_said_again(mem: Memory, path: Path) -> None:
    for _ in range(2):
        after(TensememProvider(mem, "u1"), context_of(Message("user", ["ok"]), answers=[Message("assistant", ["ok"])]))
    assert messages_of(path) == [("user", "ok"), ("assistant", "ok")] * 2


def test_messages_with_ids_are_known_again_in_another_run_of_the_session(mem: Memory, path: Path) -> None:
    for answer in ("one", "two"):
        said = Message("user", ["ok"], message_id="m1")
        after(TensememProvider(mem, "u1"), context_of(said, answers=[Message("assistant", [answer], message_id="a1")]))
    assert messages_of(path) == [("user", "ok"), ("assistant", "one"), ("assistant", "two")]


def test_what_was_answered_before_is_not_new(mem: Memory, path: Path) -> None:
    said = [("user", "one"), ("assistant", "1"), ("user", "two"), ("user", "three")]
    asked = [Message(role, [text]) for role, text in said]
    after(TensememProvider(mem, "u1"), context_of(*asked, answers=[Message("assistant", ["2, 3"])]))
    assert messages_of(path) == [("user", "two"), ("user", "three"), ("assistant", "2, 3")]


def test_a_run_without_text_logs_nothing(mem: Memory, path: Path) -> None:
    picture = Message("user", [Content.from_uri("http://localhost/a.png", media_type="image/png")])
    assert after(TensememProvider(mem, "u1"), context_of(picture)) == {}
    assert messages_of(path) == []


def test_a_provider_that_may_not_write_logs_nothing(mem: Memory, path: Path) -> None:
    context = context_of(Message("user", ["I live in Delhi"]), answers=[Message("assistant", ["Noted."])])
    assert after(TensememProvider(mem, "u1", writable=False), context) == {}
    assert messages_of(path) == []


def test_wrong_use_is_told(mem: Memory) -> None:
    wrong: Any = "memory.db"
    with pytest.raises(errors.InvalidValueError, match="give an open Memory or AsyncMemory, not str"):
        TensememProvider(wrong, "u1")
    with pytest.raises(errors.InvalidScopeError):
        TensememProvider(mem, "")
    with pytest.raises(errors.InvalidValueError, match="wait must be seconds"):
        TensememProvider(mem, "u1", wait=-1)
    with pytest.raises(errors.InvalidValueError, match="source_id"):
        TensememProvider(mem, "u1", source_id="")


def test_a_missing_framework_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "agent_framework", None)
    monkeypatch.delitem(sys.modules, "tensemem.adapters.agent_framework")
    with pytest.raises(ImportError, match=r"install the extra `agent-framework`"):
        importlib.import_module("tensemem.adapters.agent_framework")
