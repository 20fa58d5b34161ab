"""What a language is made of: its words, its rules in passes, and how its dates are written."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from .grammar import CODE, Item, Pass, Rule
from .lexing import Lexicon
from .packed import PackedLexicon

Words = dict[str, dict[Any, str]]
"""Category -> value -> the forms that mean it, divided by "|"; a form may be several words."""

ANCHORING = (
    "month", "month_soft", "month_low", "weekday", "weekday_soft", "unit", "relday", "now", "season", "holiday",
    "decade_word", "quarter_mark", "half_mark", "fiscal_mark", "week_mark", "daypart", "clock_unit", "day_word",
    "month_word", "year_word", "ordinal_word", "era", "weekend", "fiscal", "thousand", "hundred", "cardinal",
    "mark1", "part_noun", "weekday_many", "relyear", "dayparted", "year_part", "month_part", "half_part", "month_of",
)  # fmt: skip
"""What a time can be made of: a text with no word of these and no digit is done with at once."""


class Language:
    """A language's table, ready to read with; compiled when it is first asked for."""

    def __init__(
        self,
        words: Mapping[str, Mapping[Any, str]],
        passes: Sequence[Sequence[Rule]],
        *,
        low: Mapping[str, Mapping[Any, str]] | None = None,
        day_first: bool = True,
        letters: str = "",
        packed: bool = False,
        capital_nouns: bool = False,
    ) -> None:
        """Take the words, what some of them mean in lower case, and the rules pass by pass.

        ``packed``: the language is written without spaces. ``letters``, ``capital_nouns``: see
        `Lexicon`.
        """
        self.anchoring = frozenset(CODE[name] for name in ANCHORING)
        self.lexicon: Lexicon | PackedLexicon = (
            PackedLexicon(words, self.anchoring)
            if packed
            else Lexicon(words, low or {}, self.anchoring, letters, capital_nouns)
        )
        self.familiar = frozenset(
            part for forms in words.values() for spelled in forms.values() for part in re.findall(r"[^\W\d_]+", spelled)
        )
        self.passes = [Pass(rules) for rules in passes if rules]
        self.day_first = day_first

    def items(self, text: str) -> list[Item]:
        """Cut a text into items."""
        return self.lexicon.items(text)
