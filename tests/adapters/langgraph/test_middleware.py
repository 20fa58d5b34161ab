"""An agent of LangChain with the middleware: what its model sees, what is logged, what its tools do."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from typing import Any

import pytest

pytest.importorskip("langchain")

from langchain.agents import create_agent
from langchain.agents.middleware import SummarizationMiddleware
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage, SystemMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.types import Command, interrupt
from pydantic import Field

from tensemem import Memory, errors
from tensemem.adapters.langchain import MemoryMiddleware

THREAD = {"configurable": {"thread_id": "t1"}}
NAMES = ["context", "search", "get", "history", "why", "set", "correct", "retract"]


class Scripted(GenericFakeChatModel):  # type: ignore[misc]  # its type is not known where LangChain is not installed
    """Says what it is told to, and keeps what it was asked."""

    asked: list[Any] = Field(default_factory=list)
    offered: list[Any] = Field(default_factory=list)

    def bind_tools(self, tools: Sequence[Any], **options: Any) -> Any:
        self.offered.append([getattr(tool, "name", tool) for tool in tools])
        return self

    def _generate(self, messages: Any, *args: Any, **options: Any) -> Any:
        self.asked.append(messages)
        return super()._generate(messages, *args, **options)

    def system(self, call: int = -1) -> list[str]:
        """What stood in the system message of a call, block by block."""
        first = self.asked[call][0]
        if not isinstance(first, SystemMessage):
            return []
        return [first.content] if isinstance(first.content, str) else [block["text"] for block in first.content]


def model_that_says(*answers: Any) -> Scripted:
    said = [AIMessage(answer) if isinstance(answer, str) else answer for answer in answers]
    return Scripted(messages=iter(said))


def calling(tool: str, **arguments: Any) -> AIMessage:
    return AIMessage("", tool_calls=[{"name": f"memory_{tool}", "args": arguments, "id": f"call-{tool}"}])


def agent_of(model: Scripted, memory: Memory, *others: Any, checkpointer: Any = None, **options: Any) -> Any:
    middleware = MemoryMiddleware(memory, **{"user_id": "ada", **options})
    return create_agent(model, system_prompt="Be kind.", middleware=[middleware, *others], checkpointer=checkpointer)


def logged(memory: Memory, user_id: str = "ada") -> list[tuple[str, str]]:
    """Every message of a user in the log, with its role."""
    seqs = range(1, memory.state(user_id).freshness.latest_seq + 1)
    scope = memory._engine.scope(user_id)
    with memory._engine.store.read() as reader:
        head = reader.head(scope)
        entries = [] if head is None else [reader.episode(head.id, seq) for seq in seqs]
    return [(entry.body["role"], entry.body["content"]) for entry in entries if entry and "content" in entry.body]


def test_the_relocation_story(memory) -> None:
    model = model_that_says("Noted.", "Have a good start there!", "Bangalore.", "Sorry, Mysore it is.", "Mysore.")
    agent = agent_of(model, memory, checkpointer=InMemorySaver())

    def say(text: str) -> None:
        agent.invoke({"messages": [("user", text)]}, THREAD)
        memory.flush()

    say("I live in Delhi")
    assert model.system() == ["Be kind."]
    say("I moved to Bangalore")
    assert "lives_in: Delhi" in model.system()[1]
    say("Where do I live?")
    assert "lives_in: Bangalore" in model.system()[1]
    assert "Delhi" not in model.system()[1]
    memory.correct(memory.state("ada").fact("lives_in").id, "Mysore")
    say("No, I never lived in Bangalore")
    assert "lives_in: Mysore" in model.system()[1]
    say("And now?")
    assert "Bangalore" not in model.system()[1]
    assert memory.verify().identical
    assert [role for role, _ in logged(memory)] == ["user", "assistant"] * 5


def test_context_stays_the_same_and_what_it_lags_behind_stands_apart(memory) -> None:
    memory.set("ada", "lives_in", "Delhi")
    model = model_that_says("Hello!", "Hello!", "Hello!")
    agent = agent_of(model, memory)
    agent.invoke({"messages": [("user", "Hi")]})
    memory.add("ada", "I speak Rust")
    agent.invoke({"messages": [("user", "Hi again")]})
    own, context, notice = model.system()
    assert [own, context] == model.system(0)[:2]
    assert len(model.system(0)) == 2  # the message being answered stands in the conversation: nothing lags behind
    assert "not learnt from yet" in notice
    memory.flush()
    agent.invoke({"messages": [("user", "And again")]})
    assert len(model.system()) == 2
    assert "Rust" in model.system()[1]


def test_an_agent_without_a_system_prompt_gets_one_when_something_is_known(memory) -> None:
    model = model_that_says("Hello!", "Hello!")
    agent = create_agent(model, middleware=[MemoryMiddleware(memory, user_id="ada", tools="none")])
    agent.invoke({"messages": [("user", "Hi")]})
    assert model.system() == []
    memory.set("ada", "lives_in", "Delhi")
    memory.flush()
    agent.invoke({"messages": [("user", "Hi")]})
    assert "lives_in: Delhi" in model.system()[0]


def test_the_same_message_is_logged_once_however_often_it_runs(memory) -> None:
    model = model_that_says(*[AIMessage("Noted.", id="a1")] * 3)
    agent = agent_of(model, memory)
    for _ in range(3):
        agent.invoke({"messages": [HumanMessage("I live in Delhi", id="m1")]})
    assert logged(memory) == [("user", "I live in Delhi"), ("assistant", "Noted.")]


def test_a_run_that_failed_keeps_the_message_and_its_retry_adds_no_second(memory) -> None:
    class Failing(Scripted):
        def _generate(self, messages: Any, *args: Any, **options: Any) -> Any:
            if not self.asked:
                self.asked.append(messages)
                raise ConnectionError("the provider is away")
            return super()._generate(messages, *args, **options)

    model = Failing(messages=iter([AIMessage("Noted.")]))
    agent = agent_of(model, memory, checkpointer=InMemorySaver())
    with pytest.raises(ConnectionError):
        agent.invoke({"messages": [HumanMessage("I live in Delhi", id="m1")]}, THREAD)
    assert logged(memory) == [("user", "I live in Delhi")]
    agent.invoke({"messages": [HumanMessage("I live in Delhi", id="m1")]}, THREAD)
    assert logged(memory) == [("user", "I live in Delhi"), ("assistant", "Noted.")]


def test_a_thread_that_was_interrupted_goes_on_without_doubling(memory) -> None:
    def ask() -> str:
        """Ask a person."""
        return str(interrupt("May I?"))

    answers = [AIMessage("Let me ask.", tool_calls=[{"name": "ask", "args": {}, "id": "c1"}]), AIMessage("Done.")]
    middleware = MemoryMiddleware(memory, user_id="ada")
    model = model_that_says(*answers)
    agent = create_agent(model, tools=[ask], middleware=[middleware], checkpointer=InMemorySaver())
    agent.invoke({"messages": [("user", "Do it")]}, THREAD)
    agent.invoke(Command(resume="yes"), THREAD)
    assert logged(memory) == [("user", "Do it"), ("assistant", "Let me ask."), ("assistant", "Done.")]


def test_a_history_that_is_handed_over_anew_is_not_logged_again(memory) -> None:
    model = model_that_says("Noted.", "Delhi.")
    agent = agent_of(model, memory)
    agent.invoke({"messages": [("user", "I live in Delhi")]})
    agent.invoke({"messages": [("user", "I live in Delhi"), ("assistant", "Noted."), ("user", "Where do I live?")]})
    assert [text for _, text in logged(memory)] == ["I live in Delhi", "Noted.", "Where do I live?", "Delhi."]


def test_an_edited_message_is_a_message_of_its_own(memory) -> None:
    agent = agent_of(model_that_says("Noted.", "Noted."), memory, checkpointer=InMemorySaver())
    for text in ("I live in Delhi", "I live in Pune"):
        agent.invoke({"messages": [RemoveMessage(REMOVE_ALL_MESSAGES), HumanMessage(text, id="m1")]}, THREAD)
    assert [text for role, text in logged(memory) if role == "user"] == ["I live in Delhi", "I live in Pune"]


def test_nobody_said_a_summary(memory) -> None:
    class Away(Scripted):
        def _generate(self, messages: Any, *args: Any, **options: Any) -> Any:
            if len(self.asked) == 2:
                self.asked.append(messages)
                raise ConnectionError("the provider is away")
            return super()._generate(messages, *args, **options)

    writer = model_that_says(*["You speak Cobol."] * 9)
    summariser = SummarizationMiddleware(model=writer, trigger=("messages", 5), keep=("messages", 1))
    model = Away(messages=iter([AIMessage(text) for text in ("One.", "Two.", "Three.")]))
    agent = agent_of(model, memory, summariser, checkpointer=InMemorySaver())
    for text in ("Hello", "Good day"):
        agent.invoke({"messages": [("user", text)]}, THREAD)
    with pytest.raises(ConnectionError):
        agent.invoke({"messages": [("user", "Are you there?")]}, THREAD)
    agent.invoke({"messages": [("user", "Hello again")]}, THREAD)
    assert any("Cobol" in message.text for message in model.asked[-1])
    said = ["Hello", "One.", "Good day", "Two.", "Are you there?", "Hello again", "Three."]
    assert [text for _, text in logged(memory)] == said


def test_only_words_are_logged(memory) -> None:
    agent = agent_of(model_that_says(calling("get", predicate="lives_in"), "Nothing is known."), memory)
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    agent.invoke({"messages": [HumanMessage([picture]), HumanMessage([{"type": "text", "text": "Where?"}, picture])]})
    assert logged(memory) == [("user", "Where?"), ("assistant", "Nothing is known.")]


def test_whose_memory_it_is_may_depend_on_the_run(memory) -> None:
    model = model_that_says(calling("set", predicate="lives_in", value="Pune"), "Done.", "Hello!")
    middleware = MemoryMiddleware(memory, user_id=lambda runtime: runtime.context["user"])
    agent = create_agent(model, middleware=[middleware])
    agent.invoke({"messages": [("user", "I live in Pune")]}, context={"user": "ada"})
    agent.invoke({"messages": [("user", "Hi")]}, context={"user": "bob"})
    assert (memory.state("ada").values, memory.state("bob").values) == ({"lives_in": "Pune"}, {})
    assert "Pune" in model.system(1)[0]
    assert model.system(2) == []


def test_the_tools_are_those_of_the_memory(memory) -> None:
    model = model_that_says("Hello!")
    agent_of(model, memory).invoke({"messages": [("user", "Hi")]})
    assert model.offered[0] == [f"memory_{name}" for name in NAMES]
    read = MemoryMiddleware(memory, user_id="ada", tools="read")
    assert [tool.name for tool in read.tools] == [f"memory_{name}" for name in NAMES[:5]]
    assert list(MemoryMiddleware(memory, user_id="ada", tools="none").tools) == []
    taken = {tool.name: set(tool.tool_call_schema.model_json_schema()["properties"]) for tool in read.tools}
    assert taken["memory_get"] == {"predicate", "subject"}  # the runtime is not the model's to give


def test_the_model_asks_why_and_corrects(memory) -> None:
    memory.add("ada", "I live in Delhi")
    memory.add("ada", "I moved to Bangalore")
    memory.flush()
    model = model_that_says(
        calling("history", predicate="lives_in"), calling("why", predicate="lives_in"),
        calling("correct", predicate="lives_in", reason="never moved"), "Delhi, then.", "Delhi.",
    )  # fmt: skip
    agent = agent_of(model, memory)
    seen = agent.invoke({"messages": [("user", "I never moved")]})["messages"]
    history, why, corrected = (message.text for message in seen if message.type == "tool")
    assert "Delhi: superseded" in history
    assert "I moved to Bangalore" in why
    assert "lives_in = Delhi" in corrected
    assert "lives_in: Delhi" in model.system()[1]  # in the very turn
    agent.invoke({"messages": [("user", "Where do I live?")]})
    assert "Bangalore" not in model.system()[1]


def test_what_a_tool_refuses_the_model_is_told(memory) -> None:
    model = model_that_says(calling("set", predicate="lives_in", value=" "), "I see.")
    seen = agent_of(model, memory).invoke({"messages": [("user", "Hi")]})["messages"]
    (refused,) = (message for message in seen if message.type == "tool")
    assert refused.status == "error"
    assert "blank" in refused.text


def test_awaited_runs_do_the_same(memory) -> None:
    async def run() -> list[Any]:
        model = model_that_says(calling("set", predicate="lives_in", value="Pune"), "Done.")
        agent = agent_of(model, memory)
        found = await agent.ainvoke({"messages": [HumanMessage("I live in Pune", id="m1")]})
        assert "lives_in: Pune" in model.system()[1]
        return found["messages"]

    seen = asyncio.run(run())
    assert [message.type for message in seen] == ["human", "ai", "tool", "ai"]
    assert logged(memory) == [("user", "I live in Pune"), ("assistant", "Done.")]


def test_the_users_words_may_choose_what_comes_first(memory) -> None:
    for name in ("diet", "employer", "pet"):
        memory.register_predicate(name)
        memory.set("ada", name, f"some {name} of hers")
    model = model_that_says("A cat.")
    agent_of(model, memory, query=True, max_tokens=75).invoke({"messages": [("user", "What is my pet?")]})
    assert "pet" in model.system()[1]
    assert "employer" not in model.system()[1]


def test_a_wrong_choice_of_tools_is_refused(memory) -> None:
    with pytest.raises(errors.InvalidValueError, match="'some'"):
        MemoryMiddleware(memory, user_id="ada", tools="some")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["langgraph", "langchain"])
def test_a_missing_framework_is_told_with_its_extra(monkeypatch, name) -> None:
    monkeypatch.setitem(sys.modules, "langgraph.store.base", None)
    monkeypatch.setitem(sys.modules, "langchain.agents.middleware", None)
    monkeypatch.delitem(sys.modules, f"tensemem.adapters.{name}", raising=False)
    with pytest.raises(ImportError, match=r"extra `langgraph`"):
        __import__(f"tensemem.adapters.{name}")


def test_what_another_agent_hands_over_under_its_name_teaches_nothing_of_the_user(memory: Memory) -> None:
    agent = agent_of(model_that_says("Fine."), memory)
    agent.invoke({"messages": [HumanMessage("I live in Paris", name="researcher"), HumanMessage("Thanks")]})
    memory.flush("ada")
    assert "lives_in" not in memory.state("ada").values
    assert [message.speaker for message in memory.messages("ada")][:2] == ["researcher", None]


def test_a_run_that_is_tried_again_lags_behind_what_was_said_since(memory: Memory) -> None:
    model = model_that_says("One.", "Two.")
    agent = agent_of(model, memory)
    asked = {"messages": [HumanMessage("hello", id="m1")]}
    agent.invoke(asked)
    memory.flush("ada")
    memory.add("ada", "I live in Oslo")
    agent.invoke(asked)
    assert "Memory is behind" in model.system()[-1]
