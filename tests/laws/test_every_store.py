"""The laws of the core hold on every kind of store."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from tests.laws.law import LAWS, Law
from tests.store.every_kind import KINDS, StoreKind, shelf_of

for file in sorted(Path(__file__).parent.glob("test_*.py")):
    importlib.import_module(f"tests.laws.{file.stem}")

LIKE_ANOTHER = ("apsw", "encrypted", "postgres15", "sealed18")
"""Kinds that are much like another one: `make test-laws` tries them."""

# In memory the laws are tried hard where they stand.
ALL = [
    pytest.param(kind, law, marks=[pytest.mark.slow] if kind.name in LIKE_ANOTHER else [])
    for kind in KINDS
    for law in LAWS
    if kind.name != "memory" and (kind.lasts or not law.reopens)
]


@pytest.mark.hypothesis  # as pytest knows of the laws where they stand
@pytest.mark.parametrize(("kind", "law"), ALL, ids=lambda given: str(given).replace("_", " "))
def test_a_law_holds(kind: StoreKind, law: Law, tmp_path_factory: pytest.TempPathFactory) -> None:
    law.hold_on(shelf_of(kind, tmp_path_factory))


def test_the_laws_are_known() -> None:
    assert len(LAWS) > 20
    assert len({str(law) for law in LAWS}) == len(LAWS)
