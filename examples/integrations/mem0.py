"""An application written for mem0, with one import changed."""

from tensemem.compat.mem0 import Memory  # before: from mem0 import Memory

memory = Memory(path=":memory:")  # a file's name keeps it; llm="openai:gpt-5-mini" reads with a model

for text in ("I live in Delhi", "I moved to Bangalore", "I speak German"):
    for found in memory.add(text, user_id="ada")["results"]:
        print(found["event"], found["memory"])

home = memory.search("lives in", filters={"user_id": "ada"})["results"][0]
print(home["memory"], "| in doubt:", home["metadata"]["contested"], "| current:", home["metadata"]["is_current"])

memory.update(home["id"], "lives in: Mysore")  # a correction: Bangalore was never true
print([item["memory"] for item in memory.get_all(filters={"user_id": "ada"})["results"]])
for row in memory.history(home["id"]):
    print(row["event"], row["old_memory"], "->", row["new_memory"])
