"""The picture in the documentation is what its code draws, to the byte."""

from __future__ import annotations

from tests.drawing.example import PICTURE, drawn


def test_the_picture_is_what_the_page_draws() -> None:
    assert PICTURE.read_text(encoding="utf-8") == drawn(), "python -m tests.drawing.example draws it anew"
