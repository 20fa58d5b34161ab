"""Every reason code an operation can get is explained."""

from __future__ import annotations

import re
from pathlib import Path

from tensemem.trial.reasons import MEANINGS, meaning_of

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "reference" / "reason-codes.md"


def test_every_code_of_the_reference_has_a_meaning() -> None:
    tables = PAGE.read_text(encoding="utf-8").partition("## Refused")[2].partition("## Skipped")[0]
    codes = set(re.findall(r"^\| `(\w+)`", tables, re.MULTILINE))
    assert len(codes) > 15
    assert codes - set(MEANINGS) == set()


def test_a_code_nobody_knows_leads_to_the_page() -> None:
    assert "reason codes" in meaning_of("something_new")
