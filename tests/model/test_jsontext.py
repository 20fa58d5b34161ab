"""Our shorter ways to write and read JSON do what Python's own do."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensemem.model.jsontext import decode, encode

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda some: st.lists(some, max_size=4) | st.dictionaries(st.text(), some, max_size=4),
)


@given(VALUES)
def test_what_is_written_is_what_python_writes_and_is_read_again(value: Any) -> None:
    text = encode(value)
    assert text == json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    assert decode(text) == json.loads(text) == value


@given(VALUES, st.text(" \n\t\r", max_size=3), st.text(" \n\t\r", max_size=3))
def test_space_around_a_text_is_passed_over(value: Any, before: str, after: str) -> None:
    assert decode(before + encode(value) + after) == value


@pytest.mark.parametrize("text", ["", " ", "{", "[1,]", "1 2", "{} x", "nul", '"', "[1]]", "\ufeff1"])
def test_what_is_no_json_is_told_as_python_tells_it(text: str) -> None:
    with pytest.raises(json.JSONDecodeError) as ours:
        decode(text)
    with pytest.raises(json.JSONDecodeError) as theirs:
        json.JSONDecoder().decode(text)
    assert str(ours.value) == str(theirs.value)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_numbers_that_json_does_not_have_are_not_written(value: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        encode([value])
