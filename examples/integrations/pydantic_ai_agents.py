"""A Pydantic AI agent that knows what is true now. Runs offline: a scripted model stands in for a real one."""

from pydantic_ai import Agent
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel

from tensemem import FakeExtractor, Memory
from tensemem.adapters.pydantic_ai import StateMemory

WRONG = {"predicate": "lives_in", "value": "Mysore", "reason": "the user said so"}
ANSWERS = iter([
    TextPart("Noted."), TextPart("Welcome there!"), TextPart("In Bangalore."),
    ToolCallPart("memory_correct", WRONG), TextPart("Corrected."), TextPart("In Mysore."),
])  # fmt: skip


def scripted(_, info):
    """Say the next of the answers, and print what the model was told is known."""
    known = [line for line in (info.instructions or "").splitlines() if line.startswith("- lives_in:")]
    print("  model sees", *(known or ["nothing"]))
    return ModelResponse(parts=[next(ANSWERS)])


memory = Memory(":memory:", llm=FakeExtractor())  # a real one: Memory("users.db", llm="openai:gpt-5-mini")
memory.register_predicate("lives_in", description="the city somebody lives in")

agent = Agent(
    FunctionModel(scripted),
    deps_type=str,
    capabilities=[StateMemory(memory, lambda ctx: ctx.deps, wait=True)],  # whose memory: the run's deps say it
)
history = []
for said in ("I live in Delhi", "I moved to Bangalore", "Where do I live?", "No, it was Mysore", "So, where?"):
    print("user:", said)
    result = agent.run_sync(said, deps="ada", message_history=history)
    history = result.all_messages()
    print("agent:", result.output)

print([f"{fact.object} {fact.status.value}" for fact in memory.history("ada", "lives_in").facts])
print([(message.role, message.content) for message in memory.messages("ada", limit=2)])
memory.close()
