"""The values of one statement keep their ids, whatever the registry makes of them later, and whatever is forgotten."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensemem import Memory, Operation
from tests.settings import some_settings

NAMES = ("Ann", "Bob", "Cid", "Dan", "Eve", "Zed")


def knowing(names: list[str], *, says_so: bool) -> Memory:
    """A memory in which somebody knows people: as was stated, or as was taken from a message."""
    text = f"I know {', '.join(names)}"
    proposed = [Operation("replace", "knows", names, quote=text)]
    mem = Memory(":memory:", llm=lambda _: proposed, worker=False)
    mem.register_predicate("knows", "many", type="entity")
    if says_so:
        mem.add("ann", text)
        mem.flush("ann")
    else:
        mem.replace_values("ann", "knows", names)
    return mem


@pytest.fixture(params=[False, True], ids=["stated", "extracted"])
def mem(request: pytest.FixtureRequest) -> Iterator[Memory]:
    with knowing(["Zed", "Ann", "Bob", "Cid"], says_so=request.param) as made:
        yield made


def ids(mem: Memory) -> dict[str, str]:
    return {str(fact.value): fact.id for fact in mem.state("ann").facts}


def test_a_name_that_comes_later_gives_no_value_the_id_of_another(mem: Memory) -> None:
    before = ids(mem)
    mem.register_entity("A. Zedman", aliases=("Zed",))
    assert ids(mem) == {"A. Zedman": before["Zed"], **{name: before[name] for name in ("Ann", "Bob", "Cid")}}
    mem.correct(before["Bob"])
    assert sorted(ids(mem)) == ["A. Zedman", "Ann", "Cid"]
    mem.reinstate(before["Bob"])
    mem.forget("ann", fact_id=before["Ann"])
    assert ids(mem) == {"A. Zedman": before["Zed"], **{name: before[name] for name in ("Bob", "Cid")}}
    assert mem.verify("ann").identical


def test_a_value_that_is_another_s_by_a_later_name_leaves_its_place(mem: Memory) -> None:
    before = ids(mem)
    mem.register_entity("Zed", aliases=("Ann",))
    assert ids(mem) == {name: before[name] for name in ("Zed", "Bob", "Cid")}
    mem.forget("ann", fact_id=before["Bob"])
    assert ids(mem) == {name: before[name] for name in ("Zed", "Cid")}
    mem.forget("ann", fact_id=before["Zed"])
    assert ids(mem) == {"Cid": before["Cid"]}
    assert mem.rebuild("ann").identical


@some_settings
@given(
    names=st.permutations(NAMES), says_so=st.booleans(), known=st.permutations(NAMES),
    steps=st.lists(st.tuples(st.booleans(), st.integers(0, 5)), max_size=6),
)  # fmt: skip
def test_ids_stay_through_names_and_forgetting(
    names: list[str], says_so: bool, known: list[str], steps: list[tuple[bool, int]]
) -> None:
    with knowing(names, says_so=says_so) as mem:
        shown = ids(mem)
        renamed: set[str] = set()
        for number, (forgets, which) in enumerate(steps):
            if forgets:
                held = sorted(ids(mem).values())
                if held:
                    id = held[which % len(held)]
                    mem.forget("ann", fact_id=id)
                    shown = {name: own for name, own in shown.items() if own != id}
            elif known[which] not in renamed:
                renamed.add(known[which])
                mem.register_entity(f"Person {number}", aliases=(known[which],))
                shown = {f"Person {number}" if name == known[which] else name: id for name, id in shown.items()}
            assert ids(mem) == shown
            assert mem.verify("ann").identical
        assert {fact.id for fact in mem.history("ann").facts} == set(shown.values())
