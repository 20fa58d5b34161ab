"""The cases of the comparison: what is said, what is asked, and the answer that a memory of state should give.

A step is a dict: ``do`` names it, the rest are its arguments. A step with ``wanted`` is judged by its answer; a list is
compared without its order. Times are ISO 8601. ``said`` is when a thing was said, ``since`` from when it holds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Step = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """One question, with the steps before it."""

    name: str
    asks: str
    steps: tuple[Step, ...]
    many: tuple[str, ...] = field(default=())


def tell(value: str, predicate: str = "lives_in", user: str = "ann", **when: str) -> Step:
    """A present statement."""
    return {"do": "set", "user": user, "predicate": predicate, "value": value, **when}


def ask(wanted: list[str], predicate: str = "lives_in", user: str = "ann", **when: str) -> Step:
    """A question for what is shown."""
    return {"do": "get", "user": user, "predicate": predicate, "wanted": wanted, **when}


def undo(value: str, predicate: str = "lives_in", user: str = "ann") -> Step:
    """That a value was never true."""
    return {"do": "undo", "user": user, "predicate": predicate, "value": value}


def ends(value: str, predicate: str = "lives_in", user: str = "ann") -> Step:
    """That a value no longer holds."""
    return {"do": "retract", "user": user, "predicate": predicate, "value": value}


JANUARY, MARCH, MAY = (f"2024-{month:02}-10T12:00:00Z" for month in (1, 3, 5))
THREE = (tell("Delhi"), tell("Pune"), tell("Rome"))
DATED = (tell("Delhi", said=JANUARY), tell("Pune", said=MARCH), tell("Rome", said=MAY))

CASES = (
    Case("now", "one present value after a change", (tell("Delhi"), tell("Pune"), ask(["Pune"]))),
    Case("late", "what is learnt late about earlier changes nothing now",
         (tell("Pune", said=MARCH), tell("Delhi", said=JANUARY), ask(["Pune"]))),
    Case("back", "A, then B, then A again", (*THREE[:2], tell("Delhi"), ask(["Delhi"]))),
    Case("undo", "a wrong value gives back what it had displaced", (*THREE[:2], undo("Pune"), ask(["Delhi"]))),
    Case("undo twice", "so does the one before it", (*THREE, undo("Rome"), undo("Pune"), ask(["Delhi"]))),
    Case("undo an older one", "the present stays", (*THREE, undo("Pune"), ask(["Rome"]))),
    Case("stays undone", "folding everything anew does not bring it back",
         (*THREE[:2], undo("Pune"), {"do": "rebuild"}, ask(["Delhi"]))),
    Case("then", "what held on a day", (*DATED, ask(["Delhi"], at="2024-02-01T00:00:00Z"))),
    Case("undone then", "what held on a day, after the value of that day was undone",
         (*DATED, undo("Pune"), ask(["Delhi"], at="2024-04-01T00:00:00Z"))),
    Case("believed", "what was believed before something was learnt late",
         (tell("Pune", said=MARCH), {"do": "mark"}, tell("Rome", said=MAY), ask(["Pune"], known="mark"))),
    Case("since", "a change told later counts from when it was",
         (tell("Delhi", said=JANUARY), tell("Pune", said=MAY, since="2024-03-01T00:00:00Z"),
          ask(["Pune"], at="2024-04-01T00:00:00Z"))),
    Case("planned", "what is to come does not hold yet",
         (tell("Delhi"), tell("Rome", since="2099-01-01T00:00:00Z"), ask(["Delhi"]))),
    Case("many", "several values at once, one taken out",
         (tell("Go", "languages"), tell("C", "languages"), tell("Rust", "languages"), ends("Go", "languages"),
          ask(["C", "Rust"], "languages")), many=("languages",)),
    Case("look-alikes", "C, C++ and C# are three languages",
         (tell("C", "languages"), tell("C++", "languages"), tell("C#", "languages"),
          ask(["C", "C++", "C#"], "languages")), many=("languages",)),
    Case("no longer", "a value ends and nothing takes its place", (tell("Delhi"), ends("Delhi"), ask([]))),
    Case("ends another", "the end of what does not hold ends nothing", (tell("Pune"), ends("Delhi"), ask(["Pune"]))),
    Case("users", "what one user says is nobody else's",
         (tell("Delhi"), tell("Pune", user="bob"), ask(["Delhi"]), ask(["Pune"], user="bob"))),
    Case("queued", "a message waits to be read, a value is set, then the message is read",
         ({"do": "queue", "user": "ann", "text": "I live in Delhi"}, tell("Bangalore"), {"do": "drain"},
          ask(["Bangalore"]))),
    Case("killed", "what was acknowledged is there after kill -9", (tell("Delhi"), {"do": "kill"}, ask(["Delhi"]))),
    Case("two writers", "two processes write to one file at once",
         (tell("Delhi"), {"do": "beside", "steps": [tell("vegan", "diet")]}, tell("Ada", "name"),
          ask(["vegan"], "diet"), ask(["Ada"], "name"))),
)  # fmt: skip
"""What is asked of every system."""
