"""Time expressions: what times a text speaks of, as values with a start, an end and a grain.

`grammar` is the engine, `lexing` cuts a text into its items, a module per language holds that language's words and
rules, `asking` is the way in.
"""

from __future__ import annotations

from .iso import iso_texts
from .value import TimeValue

__all__ = ["TimeValue", "iso_texts"]
