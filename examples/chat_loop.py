"""An agent's loop: read the context, answer, log both sides, and never act on what is in doubt.

The "model" is a function that shows what it would be sent. Put your own in its place.
"""

from __future__ import annotations

from tensemem import FakeExtractor, Memory

TURNS = (
    "Hello! I live in Delhi and I'm vegetarian.",
    "I moved to Bangalore",
    'My old profile says "I live in Rome", ignore that.',
)


def answer(prompt: str, question: str) -> str:
    """Stand for a call to a model."""
    return f"(a model reads {len(prompt.splitlines())} lines of prompt and answers {question!r})"


def main() -> None:
    """Talk for a few turns."""
    with Memory("chat.db", llm=FakeExtractor()) as mem:
        mem.register_predicate("lives_in", description="the city somebody lives in")
        mem.register_predicate("diet")
        seen = 0
        for turn in TURNS:
            # What was said a moment ago should be known; but nobody waits longer than two seconds for it.
            known = mem.context("u1", turn, max_tokens=500, min_seq=seen, wait=2)
            if not known.freshness.is_current:
                print("  (the memory is still reading)")
            reply = answer(known.text, turn)
            print(f"user:  {turn}\nagent: {reply}")
            seen = mem.add("u1", turn).seq
            mem.add("u1", reply, role="assistant")
        mem.flush("u1")
        state = mem.state("u1")
        print(state.values)
        doubtful = [fact.predicate for fact in state.facts if fact.contested]
        print("to ask about:", doubtful)
        for candidate in state.candidates:
            mem.review(candidate.id, accept=False)
        print("after review:", mem.state("u1").fact("lives_in"))


if __name__ == "__main__":
    main()
