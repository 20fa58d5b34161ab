"""An agent with the capability: what its model saw, which tools it had, what was logged."""

from __future__ import annotations

import asyncio
import runpy
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pydantic_ai")

from pydantic import BaseModel
from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults, ModelRetry, ToolReturn, capture_run_messages
from pydantic_ai.messages import BinaryContent, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel

from tensemem import AsyncMemory, FakeExtractor, Memory
from tensemem.adapters.pydantic_ai import StateMemory
from tensemem.errors import InvalidValueError

EXAMPLE = Path(__file__).parents[3] / "examples" / "integrations" / "pydantic_ai_agents.py"
SAID = ["I live in Delhi", "I moved to Bangalore", "Where do I live?", "No, it was Mysore all along", "So, where?"]
WRONG = ToolCallPart("memory_correct", {"predicate": "lives_in", "value": "Mysore", "reason": "a typo"})
ANSWERS = ["Noted.", "Welcome there!", "In Bangalore.", WRONG, "Corrected.", "In Mysore."]
READING = ["memory_context", "memory_search", "memory_get", "memory_history", "memory_why"]
WRITING = ["memory_set", "memory_correct", "memory_retract"]


@dataclass
class Script:
    """A model that gives the next of some answers, and keeps what it was asked."""

    answers: list[Any]
    asked: list[AgentInfo] = field(default_factory=list)
    histories: list[list[Any]] = field(default_factory=list)

    def model(self) -> FunctionModel:
        return FunctionModel(self._answer, stream_function=self._stream)

    def _answer(self, messages: list[Any], info: AgentInfo) -> ModelResponse:
        self.asked.append(info)
        self.histories.append(list(messages))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return ModelResponse(parts=[TextPart(answer) if isinstance(answer, str) else answer])

    async def _stream(self, messages: list[Any], info: AgentInfo) -> AsyncIterator[str]:
        self.asked.append(info)
        for word in self.answers.pop(0).split(" "):
            yield f"{word} "

    def known(self) -> list[list[str]]:
        """The facts that each request's instructions told, without their dates."""
        told = [(info.instructions or "").splitlines() for info in self.asked]
        return [[line.split(" (since")[0] for line in lines if line.startswith("- lives_in:")] for lines in told]

    def tools(self) -> list[str]:
        return [tool.name for tool in self.asked[-1].function_tools]


@pytest.fixture
def mem() -> Iterator[Memory]:
    with Memory(":memory:", llm=FakeExtractor()) as made:
        made.register_predicate("lives_in", description="the city somebody lives in")
        yield made


def agent_of(script: Script, memory: Any, user: Any = "ann", output: Any = str, **options: Any) -> Agent[Any, Any]:
    return Agent(script.model(), output_type=output, capabilities=[StateMemory(memory, user, **options)])


def said(mem: Memory, user: str = "ann") -> list[tuple[str, str]]:
    return [(each.role, each.content) for each in mem.messages(user)]


def returns_of(result: Any) -> list[Any]:
    """What the tools of a run gave back."""
    parts = [part for message in result.all_messages() for part in message.parts]
    return [part for part in parts if part.part_kind == "tool-return"]


def talk(*texts: str) -> list[tuple[str, str]]:
    return [("assistant" if number % 2 else "user", text) for number, text in enumerate(texts)]


def test_the_relocation_story(mem: Memory) -> None:
    script = Script(list(ANSWERS))
    agent = agent_of(script, mem, wait=True)
    history: list[Any] = []
    answers = []
    for text in SAID:
        result = agent.run_sync(text, message_history=history)
        answers.append(result.output)
        history = result.all_messages()
    assert answers == [answer for answer in ANSWERS if isinstance(answer, str)]
    assert script.known() == [
        [], ["- lives_in: Delhi"], ["- lives_in: Bangalore"], ["- lives_in: Bangalore"], ["- lives_in: Mysore"],
        ["- lives_in: Mysore"],
    ]  # fmt: skip
    assert script.tools() == READING + WRITING
    assert said(mem) == talk(*(text for pair in zip(SAID, answers, strict=True) for text in pair))
    assert len({each.session_id for each in mem.messages("ann")}) == 1
    facts = {fact.object: fact for fact in mem.history("ann", "lives_in").facts}
    assert {city: fact.status.value for city, fact in facts.items()} == {
        "Delhi": "superseded", "Bangalore": "corrected", "Mysore": "active",
    }  # fmt: skip
    assert "a typo" in repr(mem.explain(facts["Bangalore"].id).steps)


def test_it_awaits_an_async_memory(tmp_path) -> None:
    async def run() -> Any:
        async with AsyncMemory(tmp_path / "m.db", llm=FakeExtractor()) as mem:
            await mem.register_predicate("lives_in")
            script = Script(list(ANSWERS))
            agent = agent_of(script, mem, wait=True)
            for text in SAID:
                await agent.run(text)
            return script.known()[-1], script.tools(), [each.content for each in await mem.messages("ann")][-2:]

    assert asyncio.run(run()) == (["- lives_in: Mysore"], READING + WRITING, ["So, where?", "In Mysore."])


def test_a_streamed_run_is_logged_when_it_ends(mem: Memory) -> None:
    mem.set("ann", "lives_in", "Delhi", since="2024")
    script = Script(["In Delhi of course"])

    async def run() -> list[str]:
        async with agent_of(script, mem).run_stream("Where do I live?") as result:
            return [text async for text in result.stream_text(delta=True)]

    assert "".join(asyncio.run(run())).strip() == "In Delhi of course"
    assert script.known() == [["- lives_in: Delhi"]]
    assert [(role, text.strip()) for role, text in said(mem)] == talk("Where do I live?", "In Delhi of course")


def test_the_model_sees_exactly_the_context_and_apart_from_it_what_it_lags_behind(tmp_path) -> None:
    with Memory(tmp_path / "m.db", worker=False) as mem:  # nobody reads the messages
        mem.register_predicate("lives_in")
        mem.set("ann", "lives_in", "Delhi", since="2024")
        script = Script(["Hi.", "Yes."])
        agent = agent_of(script, mem)
        agent.run_sync("hello")
        agent.run_sync("I moved to Pune")
        text = mem.context("ann").text
    first, second = [info.instructions for info in script.asked]
    assert first == text
    assert second is not None
    assert second.removeprefix(text).strip().startswith("Memory is behind: 1 recent message is not learnt from yet")
    parts = script.asked[1].model_request_parameters.instruction_parts
    assert parts is not None
    assert parts[0].content == text


def test_a_fact_corrected_in_a_run_is_told_right_at_the_next_request_of_it(mem: Memory) -> None:
    mem.set("ann", "lives_in", "Delhi", since="2024")
    script = Script([WRONG, "Corrected."])
    agent_of(script, mem).run_sync("It was Mysore")
    assert script.known() == [["- lives_in: Delhi"], ["- lives_in: Mysore"]]


def test_history_and_why_reach_the_user_by_the_tools(mem: Memory) -> None:
    mem.add("ann", "I live in Delhi", wait=True)
    mem.add("ann", "I moved to Bangalore", wait=True)
    asked = [ToolCallPart(f"memory_{name}", {"predicate": "lives_in"}) for name in ("history", "why", "get")]
    script = Script([*asked, "Done."])
    result = agent_of(script, mem).run_sync("tell me all")
    told = [part.content for part in returns_of(result)]
    assert "Delhi: superseded" in told[0]
    assert "I moved to Bangalore" in told[1]
    assert told[2].startswith("lives_in = Bangalore")


def test_what_a_tool_refuses_is_told_to_the_model(mem: Memory) -> None:
    wrong = ToolCallPart("memory_correct", {"predicate": "lives_in", "wrong_value": "Rome"})
    script = Script([wrong, "Hm."])
    agent_of(script, mem).run_sync("it was not Rome")
    assert script.histories[-1][-1].parts[0].content.startswith("Error: Memory holds no lives_in")


@pytest.mark.parametrize(("tools", "names"), [("all", READING + WRITING), ("read_only", READING), ("none", [])])
def test_the_tools_are_those_asked_for(mem: Memory, tools, names) -> None:
    model = TestModel(call_tools=[])
    Agent(model, capabilities=[StateMemory(mem, "ann", tools=tools)]).run_sync("hello")
    assert model.last_model_request_parameters is not None
    assert [tool.name for tool in model.last_model_request_parameters.function_tools] == names


def test_every_tool_takes_what_its_schema_allows(mem: Memory) -> None:
    mem.set("ann", "lives_in", "Delhi", since="2024")
    result = Agent(TestModel(), capabilities=[StateMemory(mem, "ann")]).run_sync("hello")
    assert sorted(part.tool_name for part in returns_of(result)) == sorted(READING + WRITING)


def test_one_agent_serves_all_users(mem: Memory) -> None:
    mem.set("ann", "lives_in", "Delhi", since="2024")
    mem.set("bob", "lives_in", "Pune", since="2024")

    async def user_of(ctx: Any) -> str:
        return str(ctx.deps)

    script = Script(["Hi.", ToolCallPart("memory_get", {"predicate": "lives_in"}), "Hi."])
    agent = agent_of(script, mem, user_of)
    agent.run_sync("hello", deps="ann")
    agent.run_sync("hello", deps="bob")
    assert script.known()[:2] == [["- lives_in: Delhi"], ["- lives_in: Pune"]]
    assert script.histories[-1][-1].parts[0].content.startswith("lives_in = Pune")
    assert said(mem, "ann") == said(mem, "bob") == talk("hello", "Hi.")


# --- what is logged -----------------------------------------------------------------------------------------------


def test_a_run_that_fails_and_is_tried_again_is_logged_once(mem: Memory) -> None:
    script = Script([RuntimeError("the provider is down"), "Noted."])
    agent = agent_of(script, mem)
    with pytest.raises(RuntimeError):
        agent.run_sync("I live in Delhi")
    assert said(mem) == []
    agent.run_sync("I live in Delhi")
    assert said(mem) == talk("I live in Delhi", "Noted.")


def test_a_failed_run_continued_from_its_messages_is_logged_once(mem: Memory) -> None:
    script = Script([RuntimeError("the provider is down"), "Noted."])
    agent = agent_of(script, mem)
    with capture_run_messages() as messages, pytest.raises(RuntimeError):
        agent.run_sync("I live in Delhi")
    agent.run_sync(message_history=messages)
    assert said(mem) == talk("I live in Delhi", "Noted.")


def test_an_answer_that_had_to_be_given_again_is_logged_once(mem: Memory) -> None:
    script = Script(["no", "yes"])
    agent = agent_of(script, mem)

    @agent.output_validator
    def refuse_no(answer: str) -> str:
        if answer == "no":
            raise ModelRetry("say yes")
        return answer

    agent.run_sync("hello")
    assert said(mem) == talk("hello", "yes")


def test_a_run_executed_again_under_its_id_is_one_exchange(mem: Memory) -> None:
    script = Script(["Noted.", "Noted, again."])
    agent = agent_of(script, mem)
    for _ in range(2):
        agent.run_sync("I live in Delhi", run_id="run-1")
    assert said(mem) == talk("I live in Delhi", "Noted.")


def test_typed_output_and_files_are_logged_as_text(mem: Memory) -> None:
    class City(BaseModel):
        name: str

    script = Script([ToolCallPart("final_result", {"name": "Delhi"})])
    agent = agent_of(script, mem, output=City)
    agent.run_sync(["Which city", BinaryContent(b"abc", media_type="image/png"), "is this?"])
    assert said(mem) == talk("Which city\nis this?", '{"name":"Delhi"}')


def test_nothing_is_logged_where_that_is_not_wanted(mem: Memory) -> None:
    agent_of(Script(["Noted."]), mem, log=False).run_sync("I live in Delhi")
    assert said(mem) == []


def test_correcting_may_wait_for_a_person(mem: Memory) -> None:
    mem.set("ann", "lives_in", "Delhi", since="2024")
    script = Script([WRONG, "Corrected."])
    agent = agent_of(script, mem, output=[str, DeferredToolRequests], approve=["memory_correct"])
    asked = agent.run_sync("It was Mysore")
    assert [call.tool_name for call in asked.output.approvals] == ["memory_correct"]
    assert mem.get("ann", "lives_in") == "Delhi"
    yes = DeferredToolResults(approvals={asked.output.approvals[0].tool_call_id: True})
    result = agent.run_sync(message_history=asked.all_messages(), deferred_tool_results=yes)
    assert (result.output, mem.get("ann", "lives_in")) == ("Corrected.", "Mysore")
    assert said(mem) == talk("It was Mysore", "Corrected.")


def test_an_approval_of_a_tool_that_is_not_there_is_refused(mem: Memory) -> None:
    with pytest.raises(InvalidValueError, match="memory_corect"):
        agent_of(Script(["Hi."]), mem, approve=["memory_corect"]).run_sync("hello")


def test_a_budget_tells_first_what_bears_on_the_prompt(mem: Memory) -> None:
    mem.register_predicate("works_at")
    mem.set("ann", "lives_in", "Delhi", since="2024")
    mem.set("ann", "works_at", "Acme", since="2024")
    whole = mem.context("ann").token_count
    script = Script(["Acme.", "Delhi."])
    agent = agent_of(script, mem, max_tokens=whole - 30)
    agent.run_sync("Is Acme good?")
    agent.run_sync("Is Delhi good?")
    assert ["Acme" in str(info.instructions) for info in script.asked] == [True, False]


def test_the_example_runs(capsys) -> None:
    assert EXAMPLE.name == "pydantic_ai_agents.py"
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    assert "['Delhi superseded', 'Bangalore corrected', 'Mysore active']" in capsys.readouterr().out


def test_what_a_tool_puts_beside_its_result_is_not_the_users(tmp_path: Path) -> None:
    script = Script([ToolCallPart("lookup", {}), "Done."])
    with Memory(tmp_path / "m.db", llm=FakeExtractor(), worker=False) as mem:
        mem.register_predicate("lives_in")
        agent = Agent(script.model(), capabilities=[StateMemory(mem, "u1")])

        @agent.tool_plain
        def lookup() -> ToolReturn:
            return ToolReturn(return_value="ok", content="I live in Paris")

        agent.run_sync("read that page")
        mem.flush("u1")
        assert [(each.role, each.content) for each in mem.messages("u1")] == [
            ("user", "read that page"), ("assistant", "Done."),
        ]  # fmt: skip
        assert mem.state("u1").values == {}
