"""``history``: a list of facts, or, for who accepts an SVG, the timeline that they make, drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tensemem import drawing, errors
from tensemem.model.moment import to_datetime

from .answers import Answer, Headers, headers_of, send_answer
from .calls import Call
from .queries import parameters
from .verbs import Verb

DRAWING = b"image/svg+xml"
WIDTH = 900.0
_OF_LOOK = ("width", "zone")


class History(Verb):
    """``history``, and the drawing of it: ``width`` (pixels) and ``zone`` in the query are the drawing's own."""

    async def answer(self, call: Call, arguments: dict[str, Any], result: Any, headers: Headers) -> None:
        """Answer with the facts, or with their timeline."""
        if not _wants_drawing(call):
            await super().answer(call, arguments, result, headers)
            return
        look = {name: text for name, text in parameters(call.query) if name in _OF_LOOK}
        engine = self.serving.engine
        zone, width, now = look.get("zone", engine.zone), _width(look.get("width")), to_datetime(engine.now())
        drawn = await self.serving.beside(lambda: drawing.timeline(result, now=now, zone=zone, width=width))
        await send_answer(call, Answer(200, drawn.encode(), [*headers, *headers_of(result)], DRAWING))

    async def _given(self, call: Call) -> Mapping[str, Any] | list[tuple[str, str]]:
        if not _wants_drawing(call):
            return await super()._given(call)
        return [pair for pair in parameters(call.query) if pair[0] not in _OF_LOOK]


def _wants_drawing(call: Call) -> bool:
    accepted = call.headers.get(b"accept", b"")
    return any(part.partition(b";")[0].strip().lower() == DRAWING for part in accepted.split(b","))


def _width(text: str | None) -> float:
    try:
        return WIDTH if text is None else float(text)
    except ValueError:
        raise errors.InvalidValueError(f"width must be a number of pixels, not {text!r}") from None
