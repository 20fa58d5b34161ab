"""Exports of some users and namespaces, and what can not be asked for."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from tensemem import ImportReport, Memory
from tensemem.errors import ClosedError, InvalidValueError, ReadOnlyError, StoreError
from tests.copying.filled import CALM, NOON
from tests.moving.lines import exported


def test_a_user_or_one_agents_memory_of_them_may_be_chosen(one: Memory, tmp_path: Path) -> None:
    def names(name: str, lines: list[bytes], **options: Any) -> tuple[list[tuple[str, str]], ImportReport]:
        with Memory(tmp_path / name, **CALM) as mem:
            report = mem.import_(lines, **options)
            return [(info.user_id, info.agent_id) for info in mem.scopes()], report

    assert names("1.db", exported(one, user_id="ann"))[0] == [("ann", ""), ("ann", "guide")]
    assert names("2.db", exported(one, user_id="ann", agent_id=""))[0] == [("ann", "")]
    assert names("3.db", exported(one.for_user("ann", agent_id="guide")))[0] == [("ann", "guide")]  # type: ignore[arg-type]
    assert names("4.db", exported(one, user_id="an"))[0] == []
    found, report = names("5.db", exported(one), user_id="bob")
    assert (found, report.left_out, report.imported) == ([("bob", "")], 2, 1)


def test_other_namespaces_do_not_show_unless_asked_for(one: Memory, tmp_path: Path) -> None:
    with Memory(one._engine.store.location, namespace="tenant", **CALM) as tenant:
        tenant.register_predicate("secret_plan", description="of the tenant")
        tenant.set("zoe", "secret_plan", "vegan")
        assert b"ann" not in b"".join(exported(tenant))
        theirs = exported(tenant)
    assert b"secret_plan" not in b"".join(exported(one))
    both = exported(one, every_namespace=True)
    with Memory(tmp_path / "1.db", **CALM) as mem:
        report = mem.import_(both)
        assert (report.imported, report.left_out) == (3, 1)
        assert mem.scopes(namespace="tenant") == ()
        with pytest.raises(
            InvalidValueError, match="holds the namespace 'tenant', and this memory is one of 'default'"
        ):
            mem.import_(theirs)
        assert mem.import_(both, every_namespace=True).imported == 1
        assert mem.get("zoe", "secret_plan", namespace="tenant") == "vegan"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"agent_id": "guide"}, "name the user_id too"),
        ({"user_id": 3}, "user_id must be text"),
        ({"user_id": "\ud800"}, "without lone surrogates"),
        ({"namespace": "x", "every_namespace": True}, "not both"),
        ({"sign_key": "short"}, "eight bytes"),
        ({"sign_key": 12345678}, "text or bytes"),
        ({"sign_key": "\ud800" * 8}, "lone surrogates"),
    ],
)
def test_what_can_not_be_asked_for_is_refused(one: Memory, options: dict[str, Any], says: str) -> None:
    with pytest.raises(InvalidValueError, match=says):
        one.export(io.BytesIO(), **options)
    with pytest.raises(InvalidValueError, match=says):
        one.import_([], **options)


def test_what_is_no_place_is_refused(one: Memory, tmp_path: Path) -> None:
    with pytest.raises(InvalidValueError, match="dest must be"):
        one.export(3)
    with pytest.raises(InvalidValueError, match="source must be"):
        one.import_(3)
    with pytest.raises(StoreError, match="can't be read"):
        one.import_(tmp_path / "nothing")
    with pytest.raises(StoreError, match="is a folder"):
        one.export(tmp_path)
    with pytest.raises(StoreError, match="is the memory itself"):
        one.export(one._engine.store.location, overwrite=True)
    with pytest.raises(StoreError, match="can't be written"):
        one.export(tmp_path / "no" / "such" / "folder.jsonl")
    with pytest.raises(InvalidValueError, match="each line must be"):
        one.import_([3])


def test_who_is_closed_or_read_only_says_so(one: Memory, tmp_path: Path) -> None:
    lines = exported(one)
    with Memory(tmp_path / "source.db", read_only=True, clock=lambda: NOON) as reading:
        assert exported(reading) == lines
        with pytest.raises(ReadOnlyError):
            reading.import_(lines)
    with pytest.raises(ClosedError):
        reading.export(io.BytesIO())
    with pytest.raises(ClosedError):
        reading.import_(lines)
