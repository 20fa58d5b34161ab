"""An OpenAI Agents SDK agent that knows what is true now. Runs offline: a scripted model stands in for a real one."""

import asyncio

from agents import Agent, Model, ModelResponse, Runner, Usage, set_tracing_disabled
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from tensemem import FakeExtractor, Memory
from tensemem.adapters.openai_agents import TensememSession, memory_instructions, memory_tools

WRONG = '{"predicate": "lives_in", "value": "Mysore", "subject": "user", "wrong_value": null, "reason": null}'


class ScriptedModel(Model):
    """Says what it is told to say, and prints what it was told is known."""

    def __init__(self, *answers):
        self.answers = list(answers)

    async def get_response(self, system_instructions, *_, **__):
        known = [line for line in system_instructions.splitlines() if line.startswith("- lives_in:")]
        print("  model sees", *known)
        return ModelResponse(output=[self.answers.pop(0)], usage=Usage(), response_id=None)

    def stream_response(self, *_, **__):
        raise NotImplementedError("this example does not stream")


def text(words):
    part = ResponseOutputText(text=words, type="output_text", annotations=[])
    return ResponseOutputMessage(id="__fake_id__", content=[part], role="assistant", status="completed", type="message")


def call(name, arguments):
    return ResponseFunctionToolCall(call_id=f"call_{name}", name=name, arguments=arguments, type="function_call")


async def main():
    set_tracing_disabled(True)
    memory = Memory(":memory:", llm=FakeExtractor())  # a real one: Memory("ada.db", llm="openai:gpt-5-mini")
    memory.register_predicate("lives_in", description="the city somebody lives in")

    agent = Agent(
        name="helper",
        model=ScriptedModel(
            text("Noted."), text("Welcome there!"), text("In Bangalore."),
            call("memory_correct", WRONG), text("Corrected."), text("In Mysore."),
        ),
        instructions=memory_instructions(memory, "ada", base="You are a helpful assistant.", wait=True),
        tools=memory_tools(memory, "ada"),
    )  # fmt: skip
    session = TensememSession(memory, "ada", "s1")
    for said in (
        "I live in Delhi", "I moved to Bangalore", "Where do I live?", "No, it was Mysore all along", "So, where?"
    ):  # fmt: skip
        print("user:", said)
        print("agent:", (await Runner.run(agent, said, session=session)).final_output)

    print([f"{fact.object} {fact.status.value}" for fact in memory.history("ada", "lives_in").facts])
    print(len(await session.get_items()), "items in the session")
    memory.close()


if __name__ == "__main__":
    asyncio.run(main())
