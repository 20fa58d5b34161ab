"""Conversations in which a memory is easily led astray, with what it has to know afterwards.

What an extractor proposes stands with its message, and is sometimes wrong on purpose.

Left out, because forgetting is not in this version: deleting one of two scopes and asking for all; deleting a value
that another person holds too; an older export that would revive a deleted person; deleting a scope whose name looks
like a pattern.
"""

from __future__ import annotations

from tests.cases.field_cases.correction import ABOUT_CORRECTION
from tests.cases.field_cases.said import ABOUT_WHAT_IS_SAID
from tests.cases.field_cases.scripts import ABOUT_SCRIPTS
from tests.cases.field_cases.sources import ABOUT_WHO_SAID_IT
from tests.cases.field_cases.times import ABOUT_TIME_AND_RETRIES
from tests.cases.field_steps import Case

CASES = (*ABOUT_WHAT_IS_SAID, *ABOUT_CORRECTION, *ABOUT_WHO_SAID_IT, *ABOUT_TIME_AND_RETRIES, *ABOUT_SCRIPTS)


def case(title: str) -> Case:
    """Find a case by its title."""
    return next(one for one in CASES if one.title == title)
