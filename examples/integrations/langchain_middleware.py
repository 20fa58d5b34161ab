"""A LangChain agent that is told what is known now, and whose talk is kept."""

from langchain.agents import create_agent
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver

from tensemem import FakeExtractor, Memory
from tensemem.adapters.langchain import MemoryMiddleware


class Model(GenericFakeChatModel):
    """Stands for a real model: it says what it is given, and prints what it is told about the user."""

    def bind_tools(self, *_tools, **_options):
        return self

    def _generate(self, messages, *args, **options):
        blocks = messages[0].content if isinstance(messages[0].content, list) else []
        known = [line for block in blocks for line in block["text"].splitlines() if line.startswith("- ")]
        print("  the prompt says:", " ".join(known).partition(" (since")[0] or "nothing")
        return super()._generate(messages, *args, **options)


wrong = {"name": "memory_correct", "args": {"predicate": "lives_in", "reason": "she never moved"}, "id": "call-1"}
says = ["Noted.", "Good luck there!", "Bangalore.", AIMessage("", tool_calls=[wrong]), "Sorry. Delhi.", "Delhi."]
model = Model(messages=iter(says))

memory = Memory(":memory:", llm=FakeExtractor(), worker=False)  # a file's name keeps it; llm="openai:gpt-5-mini" reads
memory.register_predicate("lives_in")
middleware = MemoryMiddleware(memory, user_id=lambda runtime: runtime.context["user"])
agent = create_agent(model, system_prompt="Be kind.", middleware=[middleware], checkpointer=InMemorySaver())
thread = {"configurable": {"thread_id": "1"}}

for words in ("I live in Delhi", "I moved to Bangalore", "Where do I live?", "You are wrong", "So where do I live?"):
    print("user:", words)
    told = agent.invoke({"messages": [("user", words)]}, thread, context={"user": "ada"})
    print("assistant:", told["messages"][-1].text)
    memory.flush()  # a worker does this in the background, unless worker=False

print([f"{fact.value}: {fact.status}" for fact in memory.history("ada", "lives_in").facts])
