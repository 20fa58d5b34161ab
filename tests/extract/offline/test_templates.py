"""Records in fixed sentences: predicates with a {subject} and a {value} give every slot its last value."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tensemem import Memory, OfflineExtractor
from tensemem.ports import ExtractionRequest, RequestMessage
from tests.extract.offline.asking import predicate

ENVIRONMENT = "TENSEMEM_SHARED_DATA"
DATA = Path(os.environ.get(ENVIRONMENT, Path(__file__).resolve().parents[4] / "shared" / "data"))
RECORDS = DATA / "factconsolidation_6k.txt"
SAID_AT = datetime(2026, 5, 20, 12, tzinfo=UTC)

OWN = {
    "author": "The author of {subject} is {value}",
    "founder": "{subject} was founded by {value}",
    "seat": "The seat of {subject} is in the town of {value}",
    "keeper": "The keeper of the {subject} lighthouse is {value}",
    "heir": "{subject}'s heir is {value}",
}
OWN_RECORDS = """Here is what the register says:
0. The author of The Lamp Under the Stairs is Odile Brandt.
1. Marrow & Vale Ltd. was founded by A. J. Thornwick.
2. The seat of University of Northmere, Eastwick is in the town of Lower Penn.
3. The keeper of the Gull Rock lighthouse is Tobias Ferne, Lord of the Skerries.
4. the old ferry line was founded by The Halden Brothers.
5. The author of The Lamp Under the Stairs is K. Okoro.
6. The seat of University of Northmere, Eastwick is in the town of Port Ellery, D.C..
7. The author of Is It Raining Yet is Ada.
8. Odile Brandt's heir is Ruben Halden, Baron of Eastwick-Vale.
"""
OWN_STATE = {
    ("author", "The Lamp Under the Stairs"): "K. Okoro",
    ("founder", "Marrow & Vale Ltd."): "A. J. Thornwick",
    ("seat", "University of Northmere, Eastwick"): "Port Ellery, D.C.",
    ("keeper", "Gull Rock"): "Tobias Ferne, Lord of the Skerries",
    ("founder", "old ferry line"): "The Halden Brothers",
    ("author", "Is It Raining Yet"): "Ada",
    ("heir", "Odile Brandt"): "Ruben Halden, Baron of Eastwick-Vale",
}

SHARED = {
    "author": "The author of {subject} is {value}",
    "birthplace": "{subject} was born in the city of {value}",
    "broadcaster": "The origianl broadcaster of {subject} is {value}",
    "capital": "The capital of {subject} is {value}",
    "chair": "The chairperson of {subject} is {value}",
    "chief": "The chief executive officer of {subject} is {value}",
    "child": "{subject}'s child is {value}",
    "citizenship": "{subject} is a citizen of {value}",
    "continent": "{subject} is located in the continent of {value}",
    "country": "{subject} was created in the country of {value}",
    "creator": "{subject} was created by {value}",
    "death": "{subject} died in the city of {value}",
    "developer": "{subject} was developed by {value}",
    "director": "The director of {subject} is {value}",
    "education": "The univeristy where {subject} was educated is {value}",
    "employer": "{subject} is employed by {value}",
    "fame": "{subject} is famous for {value}",
    "field": "{subject} works in the field of {value}",
    "founder": "{subject} was founded by {value}",
    "founding": "{subject} was founded in the city of {value}",
    "genre": "The type of music that {subject} plays is {value}",
    "government": "The name of the current head of the {subject} government is {value}",
    "head": "The name of the current head of state in {subject} is {value}",
    "language": "{subject} was written in the language of {value}",
    "official": "The official language of {subject} is {value}",
    "performer": "{subject} was performed by {value}",
    "position": "{subject} plays the position of {value}",
    "producer": "The company that produced {subject} is {value}",
    "religion": "{subject} is affiliated with the religion of {value}",
    "seat": "The headquarters of {subject} is located in the city of {value}",
    "speech": "{subject} speaks the language of {value}",
    "sport": "{subject} is associated with the sport of {value}",
    "spouse": "{subject} is married to {value}",
    "workplace": "{subject} worked in the city of {value}",
}


def state_of(text: str, templates: dict[str, str]) -> dict[tuple[str, str], str]:
    """What the extractor makes of a text, later statements over earlier ones."""
    predicates = tuple(predicate(name, example) for name, example in templates.items())
    request = ExtractionRequest((RequestMessage(text, "user", SAID_AT),), predicates=predicates)
    return {(each.predicate, each.subject): each.value for each in OfflineExtractor().extract(request)}


def test_own_records_give_every_slot_its_last_value() -> None:
    assert state_of(OWN_RECORDS, OWN) == OWN_STATE


def test_the_same_told_line_by_line_is_the_state_of_a_memory() -> None:
    with Memory(":memory:", llm=OfflineExtractor(), worker=False) as mem:
        for name, example in OWN.items():
            mem.register_predicate(name, examples=[example])
        for line in OWN_RECORDS.splitlines():
            mem.add("u1", line)
        mem.flush("u1")
        for (name, subject), value in OWN_STATE.items():
            assert mem.get("u1", name, subject=subject) == value


@pytest.mark.skipif(not RECORDS.exists(), reason=f"the records are not here; {ENVIRONMENT} says where")
def test_shared_records_give_every_slot_its_last_value() -> None:
    text = RECORDS.read_text(encoding="utf-8")
    wanted = {}
    for line in text.splitlines():
        sentence = re.sub(r"^\d+\. ", "", line).removesuffix(".")
        for name, template in SHARED.items():
            pattern = re.escape(template).replace(r"\{subject\}", "(.+?)").replace(r"\{value\}", "(.+)")
            found = re.fullmatch(pattern, sentence)
            if found:
                wanted[name, found[1]] = re.sub(r"(\bInc|\.[A-Z])$", r"\1.", found[2])
                break
    found_state = state_of(text, SHARED)
    assert len(wanted) > 280
    assert {slot: found_state.get(slot) for slot in wanted} == wanted
