"""The pictures of the evidence rule are what the engine gives, and every one of them is shown."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

from tests.docs.pages import DOCS, PROJECT, links_of


@pytest.fixture(scope="module")
def drawing() -> ModuleType:
    """The tool that draws."""
    spec = importlib.util.spec_from_file_location("draw_timelines", PROJECT / "tools" / "draw_timelines.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:  # dataclasses look their module up
        patch.setitem(__import__("sys").modules, "draw_timelines", module)
        spec.loader.exec_module(module)
    return module


def test_the_pictures_are_up_to_date(drawing: ModuleType) -> None:
    assert drawing.stale() == []
    assert drawing.main(["--check"]) == 0


def test_a_picture_that_differs_is_reported(drawing: ModuleType, tmp_path: Path) -> None:
    names = {f"{scenario.name}.svg" for scenario in drawing.SCENARIOS}
    for name, text in drawing.pictures().items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert drawing.stale(tmp_path) == []
    (tmp_path / "period.svg").write_text("another", encoding="utf-8")
    (tmp_path / "stranger.svg").write_text("nobody's", encoding="utf-8")
    (tmp_path / "superseded.svg").unlink()
    assert drawing.stale(tmp_path) == ["period.svg", "stranger.svg", "superseded.svg"]
    assert "period.svg" in names


def test_every_picture_is_shown_and_well_formed(drawing: ModuleType) -> None:
    page = DOCS / "explanation" / "evidence-rule.md"
    shown = {Path(link).name for link in links_of(page) if link.endswith(".svg")}
    assert shown == {f"{scenario.name}.svg" for scenario in drawing.SCENARIOS}
    for path in drawing.FOLDER.glob("*.svg"):
        assert ElementTree.parse(path).getroot().tag.endswith("svg")
