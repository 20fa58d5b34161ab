"""A serving process asks for as many open files as it may have, and knows how many connections these are enough for."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from tensemem.adapters._room import KEPT_FILES, MOST_FILES, many_files, room

if sys.platform == "win32":
    pytest.skip("files are not counted here", allow_module_level=True)

import resource

FILES = resource.RLIMIT_NOFILE


@pytest.fixture
def few() -> Iterator[tuple[int, int]]:
    """Half as many open files as there may be, but not so few that the run needs more."""
    before = resource.getrlimit(FILES)
    limits = max(256, min(MOST_FILES, before[1]) // 2), before[1]
    resource.setrlimit(FILES, limits)
    yield limits
    resource.setrlimit(FILES, before)


def test_as_many_files_as_there_may_be_are_asked_for(few: tuple[int, int]) -> None:
    with many_files():
        assert resource.getrlimit(FILES) == (min(MOST_FILES, few[1]), few[1])
        assert room() == min(MOST_FILES, few[1]) - KEPT_FILES
    assert resource.getrlimit(FILES) == few


def test_who_has_more_than_are_asked_for_keeps_them(monkeypatch: pytest.MonkeyPatch, few: tuple[int, int]) -> None:
    monkeypatch.setattr("tensemem.adapters._room.MOST_FILES", few[0] - 1)
    with many_files():
        assert resource.getrlimit(FILES) == few


def test_there_is_room_for_what_the_system_allows(few: tuple[int, int]) -> None:
    assert room() == few[0] - KEPT_FILES
