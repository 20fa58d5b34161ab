"""Where a proposal comes from: the entry it stands in, and the words it must be found in."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .persons import person_of
from .phrases import is_bare_answer
from .quoting import quoted_regions
from .regions import blanked, merge_spans
from .text import FoldedText, find_all_quotes, has_two_text_characters

if TYPE_CHECKING:
    from .forgotten import Forgotten


class Regions:
    """Merged stretches of a text, asked quickly whether they touch a place."""

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        self._spans = tuple(spans)
        self._stops = [stop for _, stop in self._spans]

    def touch(self, begin: int, stop: int) -> bool:
        """Tell whether any character of ``[begin, stop)`` lies inside."""
        place = bisect_right(self._stops, begin)
        return place < len(self._spans) and self._spans[place][0] < stop


@dataclass(frozen=True)
class Said:
    """Where a proposal comes from: the entry it stands in, and the words it must be found in.

    ``text`` is None for explicit writes. ``recalled`` are the spans of the text that repeat recalled text;
    ``forgotten`` is what may not come back in its scope.
    """

    seq: int
    extraction: int
    said_at: int
    source: str
    role: str
    rev: int = 0
    recorded_at: int = 0
    zone: str = "UTC"
    text: str | None = None
    speaker: str | None = None
    recalled: tuple[tuple[int, int], ...] = ()
    declared_only: bool = False
    forgotten: Forgotten | None = None
    _cache: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def folded(self) -> FoldedText:
        """The text, folded once for every quote looked for in it."""
        return FoldedText(self.text or "")

    @cached_property
    def own_words(self) -> FoldedText:
        """The text without what only repeats recalled text; a value must be grounded here."""
        return FoldedText(blanked(self.text or "", self.recalled)) if self.recalled else self.folded

    @cached_property
    def plain_words(self) -> FoldedText:
        """The speaker's own words alone, without what is recalled, quoted, fenced or attached."""
        foreign = (*self.recalled, *quoted_regions(self.text or ""))
        return FoldedText(blanked(self.text or "", foreign)) if foreign else self.folded

    @cached_property
    def is_bare_answer(self) -> bool:
        """Whether the speaker's own words say nothing but yes or no."""
        return is_bare_answer(self.plain_words.original)

    @cached_property
    def person(self) -> str | None:
        """Of whom the text speaks if it speaks of one only: its speaker or its listener."""
        return person_of(self.text or "")

    @cached_property
    def quoted(self) -> Regions:
        """The quoted, fenced or attached regions of the text."""
        return Regions(quoted_regions(self.text or ""))

    @cached_property
    def repeated(self) -> Regions:
        """The recalled regions of the text."""
        return Regions(merge_spans(self.recalled))

    def place_of(self, quote: str) -> tuple[tuple[int, int] | None, str]:
        """Give the best place of a quote, and what stands against it: ``no_quote``, ``echo``, ``quoted_region``."""
        if quote not in self._cache:
            self._cache[quote] = self._look_for(quote)
        found: tuple[tuple[int, int] | None, str] = self._cache[quote]
        return found

    def _look_for(self, quote: str) -> tuple[tuple[int, int] | None, str]:
        is_enough = has_two_text_characters(quote) or _SHORT_NAME.search(quote) is not None
        places = find_all_quotes(quote, self.folded) if is_enough else ()
        second: tuple[int, int] | None = None
        for place in places:
            if self.repeated.touch(*place):
                continue
            if not self.quoted.touch(*place):
                return place, ""
            second = second or place
        if second is not None:
            return second, "quoted_region"
        return None, "echo" if places else "no_quote"


_SHORT_NAME = re.compile(r"\w[+#]")
"""C#, C++, F#: names of one letter that are more than a letter."""
