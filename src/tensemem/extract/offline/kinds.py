"""What fits in a slot, by the name of its kind: a place, a name, a language, a number, any short text …

Each kind reads tokens from one place and gives the value and where it stops, or None. Where a name of its kind could
go on in a way the language's table doesn't know, nothing is given: a value cut in the wrong place is a false one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ...model.predicate import Predicate
from . import lexicon
from .slot_lists import allergy, choice, of_list, pronouns, role
from .slot_names import anyname, first_name, known_org, known_place, name, organisation, place_name, proper_noun, school
from .slot_numbers import age, day, email, number, phone, timezone, version, year_old
from .slot_text import any_text, anything, avoided, named_subject, noun_phrase, one_word, rule, the_rest
from .slots import Kind


def kind_of(predicate: Predicate, slot: str, *, is_of_others: bool = False) -> str:
    """Give what fits in a slot that doesn't say: the predicate's choices, its type, or what its name tells.

    A sentence with a ``{subject}`` is a record rather than talk: there a value is whatever stands to the end.
    """
    if slot == "subject":
        return "subject"
    if slot == "any":
        return "any"
    if predicate.choices is not None:
        return "choice"
    by_type = {"number": "number", "date": "date", "datetime": "date", "bool": "choice"}.get(predicate.type)
    if by_type is not None:
        return by_type
    if is_of_others:
        return "text"
    if "timezone" in re.sub(r"[\W_]+", "", predicate.name.casefold()):
        return "timezone"
    words = set(re.split(r"[\W_]+", predicate.name.casefold()))
    return next((kind for kind, cues in _CUES.items() if words & cues), "text")


_CUES = {
    "place": {"city", "town", "country", "place", "lives", "residence", "location", "hometown", "village", "address"},
    "email": {"email", "mail"},
    "phone": {"phone", "mobile", "telephone"},
    "version": {"version"},
    "name": {"name", "nickname", "surname", "partner", "spouse", "wife", "husband"},
}  # fmt: skip


KINDS: Mapping[str, Kind] = {
    "text": any_text, "phrase": noun_phrase, "rest": the_rest, "rule": rule, "avoided": avoided,
    "word": one_word, "any": anything,
    "subject": named_subject, "place": place_name, "knownplace": known_place, "name": name, "firstname": first_name,
    "anyname": anyname, "org": organisation, "knownorg": known_org, "school": school, "proper": proper_noun,
    "number": number, "age": age, "yearold": year_old, "date": day, "email": email,
    "phone": phone, "version": version, "choice": choice,
    "allergy": allergy, "role": role, "pronouns": pronouns, "timezone": timezone,
    "hobby": of_list(lexicon.HOBBIES), "language": of_list(lexicon.LANGUAGES), "diet": of_list(lexicon.DIETS),
    "animal": of_list(lexicon.ANIMALS, modified=True, alone=True),
    "allergen": of_list(lexicon.ALLERGENS, modified=True),
    "database": of_list(lexicon.DATABASES), "framework": of_list(lexicon.FRAMEWORKS),
    "packager": of_list(lexicon.PACKAGE_MANAGERS), "ci": of_list(lexicon.CI),
    "license": of_list(lexicon.LICENSES), "target": of_list(lexicon.TARGETS),
}  # fmt: skip
"""Every kind of slot by its name."""
