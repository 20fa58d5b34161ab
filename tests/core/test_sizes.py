"""How large a value is."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensemem.core.sizes import is_larger
from tests.settings import law_settings

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=30,
)


@pytest.mark.parametrize(
    ("value", "size"),
    [
        ("abc", 3), ("é", 2), ("😀", 4), ("", 0), (5, 1), (10**999, 995), (True, 1), (1.5, 1), (["ab", "cd"], 5),
        ({"ab": "cd"}, 5), ([[["ab"]]], 5), ([], 1), ([None, None], 3),
    ],
)  # fmt: skip
def test_the_size_of_a_value(value: Any, size: int) -> None:
    assert not is_larger(value, size)
    assert size == 0 or is_larger(value, size - 1)


@law_settings
@given(JSON, st.integers(0, 300))
def test_what_is_larger_is_larger_as_json_too(value: Any, most: int) -> None:
    if is_larger(value, most):
        assert len(json.dumps(value, ensure_ascii=False).encode()) > most


@law_settings
@given(JSON)
def test_there_is_a_size_from_which_on_it_is_not_larger(value: Any) -> None:
    limits = [is_larger(value, most) for most in range(2000)]
    assert limits == sorted(limits, reverse=True)


def test_no_more_is_looked_at_than_the_limit() -> None:
    class Endless(dict[str, Any]):
        def values(self) -> Any:
            return iter(lambda: "abc", None)

    assert is_larger(Endless(), 1000)
