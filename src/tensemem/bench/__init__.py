"""Is a memory safe to act on? Conversations with questions, played to this memory and to simpler ones.

``read_set`` reads conversations, ``run`` plays them and gives a ``Report``. What the figures mean, and what they do not
show, is in docs/explanation/what-the-bench-shows.md; the format of the conversations in docs/reference/bench-format.md.
"""

from __future__ import annotations

from .cases import Conversation
from .playing import Manner
from .reading import packaged_set, read_set
from .report import FIGURES, Failure, Figures, Report, SystemReport
from .running import EVERY_MANNER, run, same_figures

__all__ = [
    "EVERY_MANNER",
    "FIGURES",
    "Conversation",
    "Failure",
    "Figures",
    "Manner",
    "Report",
    "SystemReport",
    "packaged_set",
    "read_set",
    "run",
    "same_figures",
]
