"""A LangGraph store that knows what was before, and a node that reads a user's facts through it."""

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from tensemem import FakeExtractor, Memory
from tensemem.adapters.langgraph import TensememStore

memory = Memory(":memory:", llm=FakeExtractor(), worker=False)  # a file's name keeps it; llm="openai:gpt-5-mini" reads
memory.register_predicate("lives_in")
store = TensememStore(memory, facts=("facts",))


class Talk(TypedDict):
    user: str
    said: str
    answer: str


def listen(talk: Talk) -> dict[str, str]:
    memory.add(talk["user"], talk["said"])
    memory.flush(talk["user"])
    return {}


def answer(talk: Talk, runtime: Runtime) -> dict[str, str]:
    home = runtime.store.get(("facts", talk["user"]), "lives_in")
    return {"answer": f"You live in {home.value['value']}." if home else "I don't know yet."}


graph = StateGraph(Talk)
graph.add_node("listen", listen)
graph.add_node("answer", answer)
graph.add_edge(START, "listen")
graph.add_edge("listen", "answer")
graph.add_edge("answer", END)
agent = graph.compile(store=store)

for words in ("Hello", "I live in Delhi", "I moved to Bangalore"):
    print(words, "->", agent.invoke({"user": "ada", "said": words})["answer"])

store.correct(("facts", "ada"), "lives_in", "Mysore", reason="a slip of the tongue")
print("corrected ->", agent.invoke({"user": "ada", "said": "And now?"})["answer"])

store.put(("memories", "ada"), "prefs", {"theme": "dark"})
store.put(("memories", "ada"), "prefs", {"theme": "light"})
print([fact.value["theme"] for fact in store.history(("memories", "ada"), "prefs").facts])
store.correct(("memories", "ada"), "prefs")  # light was never true: what it had replaced shows again
print(store.get(("memories", "ada"), "prefs").value)
