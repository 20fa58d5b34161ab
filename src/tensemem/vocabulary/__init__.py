"""Ready predicates, as files that ``Memory.register`` takes: ``mem.register(vocabulary.PERSONAL)``.

``PERSONAL`` has what people tell about themselves (name, home, work, languages, likes …), ``PROJECT`` what a team tells
about its project (database, framework, deploy target …). Their examples are in English, Chinese, Spanish and German;
the offline extractor reads by them, and a model is shown them. Nothing is registered unless you ask for it, and you
may register a predicate of the same name yourself instead.
"""

from __future__ import annotations

import os

_HERE = os.path.dirname(os.path.abspath(__file__))

PERSONAL: str = os.path.join(_HERE, "personal.toml")
"""The path of the predicates about a person."""
PROJECT: str = os.path.join(_HERE, "project.toml")
"""The path of the predicates about a software project."""

__all__ = ["PERSONAL", "PROJECT"]
