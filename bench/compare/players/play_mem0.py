"""mem0, with a model that reads every statement right and an embedder that knows words."""

from __future__ import annotations

import hashlib
import json
import os
from typing import Any

os.environ |= {"MEM0_TELEMETRY": "False", "OPENAI_API_KEY": "none"}
WORDS = 64


def vector_of(text: str) -> list[float]:
    """Give a vector in which texts that share words are near each other."""
    vector = [0.01] * WORDS
    for word in text.casefold().replace(":", " ").split():
        vector[int(hashlib.sha256(word.encode()).hexdigest(), 16) % WORDS] += 1.0
    return vector


class Embedder:
    """In the place of mem0's."""

    def embed(self, text: str, memory_action: object = None) -> list[float]:
        return vector_of(text)

    def embed_batch(self, texts: list[str], memory_action: object = None) -> list[list[float]]:
        return [vector_of(text) for text in texts]


class Model:
    """In the place of mem0's: it says that the newest message holds one memory, in these words."""

    text = ""

    def generate_response(self, *_: Any, **__: Any) -> str:
        return json.dumps({"memory": [{"id": "0", "text": self.text}]})


class Player:
    """Driven by add(); what is shown are the memories of a predicate, told in words."""

    def open(self, path: str, many: list[str]) -> None:
        os.environ["MEM0_DIR"] = f"{path}.home"
        from mem0 import Memory

        vectors = {"path": f"{path}.vectors", "embedding_model_dims": WORDS, "on_disk": True}
        self.mem = Memory.from_config({
            "vector_store": {"provider": "qdrant", "config": vectors}, "history_db_path": f"{path}.history",
        })  # fmt: skip
        self.mem.embedding_model, self.mem.llm = Embedder(), Model()

    def set(self, user: str, predicate: str, value: str, said: str | None = None, since: str | None = None) -> None:
        from serving import CannotError

        if said is not None or since is not None:
            raise CannotError("add() takes no time in the open-source package")
        self.mem.llm.text = f"{predicate}: {value}"
        self.mem.add(self.mem.llm.text, user_id=user)

    def get(self, user: str, predicate: str, at: str | None = None, known: object = None) -> list[str]:
        from serving import CannotError

        if at is not None or known is not None:
            raise CannotError("get_all() takes no time")
        found = self.mem.get_all(filters={"user_id": user}, top_k=100)["results"]
        texts = [item["memory"] for item in found]
        return [text.removeprefix(f"{predicate}: ") for text in texts if text.startswith(f"{predicate}: ")]

    def mark(self) -> None:
        """Nothing to note: no read goes back to it."""

    def undo(self, user: str, predicate: str, value: str) -> None:
        self.retract(user, predicate, value)

    def retract(self, user: str, predicate: str, value: str) -> None:
        found = self.mem.get_all(filters={"user_id": user}, top_k=100)["results"]
        for item in found:
            if item["memory"] == f"{predicate}: {value}":
                self.mem.delete(item["id"])


if __name__ == "__main__":
    from serving import serve

    serve(Player())
