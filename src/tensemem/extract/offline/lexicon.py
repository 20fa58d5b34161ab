"""Word lists behind the kinds of slots: what is a language, a diet, an animal, a trade, a place …

A list makes a slot precise: "I speak {value:language}" is not misled by "I speak quickly". Lists are open to every
language at once, since a word that is a language's name in one of them is seldom something else in a slot of another.
"""

from __future__ import annotations

from .words_names import (
    CALENDAR,
    COMPANIES,
    FIRST_NAMES,
    NO_NAMES,
    NO_ORGS,
    NO_PLACES,
    PLACES,
    SCHOOL_WORDS,
    SCHOOLS,
    SURNAMES,
    ZONES,
)
from .words_people import ALLERGENS, ANIMALS, DIETS, FOODS, HOBBIES, LANGUAGES, PRONOUNS, ROLES, ROLES_UNSPACED
from .words_projects import (
    BINDING,
    BINDING_SIGNS,
    CI,
    DATABASES,
    FRAMEWORKS,
    LICENSES,
    PACKAGE_MANAGERS,
    RULE_SIGNS,
    RULE_WORDS,
    RUNTIMES,
    TARGETS,
)

__all__ = [
    "ALLERGENS",
    "ANIMALS",
    "BINDING",
    "BINDING_SIGNS",
    "CALENDAR",
    "CI",
    "COMPANIES",
    "DATABASES",
    "DIETS",
    "FIRST_NAMES",
    "FOODS",
    "FRAMEWORKS",
    "HOBBIES",
    "LANGUAGES",
    "LICENSES",
    "NO_NAMES",
    "NO_ORGS",
    "NO_PLACES",
    "PACKAGE_MANAGERS",
    "PLACES",
    "PRONOUNS",
    "ROLES",
    "ROLES_UNSPACED",
    "RULE_SIGNS",
    "RULE_WORDS",
    "RUNTIMES",
    "SCHOOLS",
    "SCHOOL_WORDS",
    "SURNAMES",
    "TARGETS",
    "ZONES",
]
