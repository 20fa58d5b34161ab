"""Talk to a memory that asks a model. One string chooses it; nothing else in this program changes.

    LLM=openai:gpt-5-mini                                   python examples/model_extractor.py
    LLM=anthropic:claude-haiku-4-5                          python examples/model_extractor.py
    LLM=gemini:gemini-2.5-flash                             python examples/model_extractor.py
    LLM=ollama:qwen3:8b                                     python examples/model_extractor.py
    LLM=litellm:groq/llama-3.3-70b-versatile                python examples/model_extractor.py
    LLM=openai-compatible:qwen3@http://127.0.0.1:8000/v1    python examples/model_extractor.py
"""

from __future__ import annotations

import os

from tensemem import Memory, errors

SAID = (
    ("2026-03-02T09:00+01:00", "I live in Delhi and I write Go."),
    ("2026-03-05T18:30+01:00", "Ich bin gestern nach Graz gezogen."),
    ("2026-03-06T08:00+01:00", "If I win the lottery I'll move to Rome. Do I speak Greek?"),
)


def main(llm: str) -> None:
    """Say a few things, and show what the memory made of them."""
    with Memory("model.db", llm=llm, worker=False) as mem:
        mem.register_predicate("lives_in", description="the town somebody lives in")
        mem.register_predicate("languages", "many", description="languages somebody speaks or programs in")
        added = [mem.add("u1", text, said_at=when) for when, text in SAID]
        try:
            mem.flush("u1", timeout=300)
        except errors.ExtractorUnavailable as error:
            print(f"the messages are kept and wait: {error}")
            return
        for result in added:
            for decision in mem.decisions("u1", result.seq):
                proposed = " ".join(str(decision.operation.get(name, "")) for name in ("op", "predicate", "value"))
                print(f"message {result.seq}: {proposed} -> {decision.outcome} {decision.reason}".rstrip())
        print(mem.state("u1").values)


if __name__ == "__main__":
    if os.environ.get("LLM"):
        main(os.environ["LLM"])
    else:
        print(__doc__)
