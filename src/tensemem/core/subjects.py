"""What a statement is of: the user, somebody around the user, or whatever has another name.

``wife``, ``my wife``, ``the user's wife``, ``user.wife``, ``meine Frau`` and ``我老婆`` are one subject, ``user.wife``;
``my wife's mother`` is ``user.wife.mother``. Any other name is taken as it is written, and compared by its key.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from ..errors import InvalidValueError
from .first_person import first_person
from .relations import ALWAYS, ARTICLES, MY, MY_UNSPACED, ONESELF, POSSESSED, RELATIONS
from .text import comparison_key, is_valid_text

if TYPE_CHECKING:
    from .registry import Registry

__all__ = [
    "USER",
    "check_name",
    "first_person",
    "is_relation_or_user",
    "normalise_subject",
    "passes_for_user",
    "subject_key",
    "subject_of",
]

USER = "user"
"""The subject of most statements: whose memory it is."""
LONGEST_NAME = 512
"""Characters a subject's name may have."""


def normalise_subject(subject: str) -> tuple[str, str]:
    """Give a subject's key and the name it is shown by.

    The user and relation words have one canonical name in English, which is both. Raises InvalidValueError for a
    name that is blank, too long, can't be stored, or looks like the user's and is another. The key of a key is that
    key.
    """
    if subject == USER:  # nearly always
        return USER, USER
    name = check_name(subject, "a subject", LONGEST_NAME)
    key = comparison_key(name)
    path = _relations_in(key)
    if path is None:
        if _looks_like_user(key):
            raise InvalidValueError(f"the subject {name!r} looks like the user and is another; name it otherwise")
        return key, name
    canonical = ".".join((USER, *path))
    return canonical, canonical


def passes_for_user(name: str) -> bool:
    """Whether a name is the user's, or looks like it: other letters, marks around it, blanks between."""
    key = comparison_key(name)
    return _relations_in(key) == () or _looks_like_user(key)


def is_relation_or_user(key: str) -> bool:
    """Whether a subject's key is the user's, or that of somebody named by relations to the user."""
    head, *path = key.split(".")
    return head == USER and RELATIONS.issuperset(path)


def subject_of(subject: str, registry: Registry) -> tuple[str, str]:
    """Give a subject's key and shown name, with the registry's entity aliases applied. Raises InvalidValueError."""
    key, name = normalise_subject(subject)
    entity = None if is_relation_or_user(key) else registry.entity(key)
    return (key, name) if entity is None else (comparison_key(entity.name), entity.name)


def subject_key(subject: str, registry: Registry) -> str:
    """Give a subject's key with the registry's entity aliases applied. Raises InvalidValueError."""
    return subject_of(subject, registry)[0]


def check_name(name: object, what: str, longest: int) -> str:
    """Give a name without the blanks around and the runs of them within; raises InvalidValueError for a bad one.

    A name is text of something visible, without NUL, lone surrogates and other control characters.
    """
    if not isinstance(name, str):
        raise InvalidValueError(f"{what} is named by text, not by a value of type {type(name).__name__}")
    if len(name) > longest:
        raise InvalidValueError(f"{what} has a name of at most {longest} characters, not {len(name)}")
    fault = is_valid_text(name)
    if fault is not None:
        raise InvalidValueError(f"the name of {what} {fault}")
    tidy = " ".join(name.split())
    if not comparison_key(tidy):
        raise InvalidValueError(f"{what} needs a name; {name!r} is blank")
    control = None if tidy.isprintable() else next((c for c in tidy if unicodedata.category(c) == "Cc"), None)
    if control is not None:
        raise InvalidValueError(f"the name of {what} contains the control character U+{ord(control):04X}")
    return tidy


_TWINS = {
    ord(twin): letter
    for letter, twins in {"u": "υսᴜʋꓴ", "s": "ѕꜱտꓢᏚ", "e": "еҽᴇ℮єɛꓰᎬ", "r": "гᴦʀꓣᎡᏒ", "t": "тᴛτ", "h": "һհнʜ"}.items()
    for twin in twins
}
_LONGEST_TWIN = 64


def _looks_like_user(key: str) -> bool:
    """Whether a key is read as the user's by somebody who overlooks punctuation, accents and other alphabets."""
    if len(key) > _LONGEST_TWIN:
        return False
    head = key.partition(".")[0]
    return _read(key) in _READ_AS_USER or (head != USER and _read(head) in _READ_AS_USER)


_READ_AS_USER = frozenset(["user", "theuser"])


def _read(key: str) -> str:
    plain = key.lower() if key.isascii() else unicodedata.normalize("NFKD", key).casefold().translate(_TWINS)
    return "".join(filter(str.isalnum, plain))


# What stands between a possessor and what is possessed: a dot, an English or Hindi or Korean genitive, 的 and の.
_LINKS = re.compile(r"\s*\.\s*|(?<=s)'\s+|'s\s+|\s(?:का|की|के)\s|의\s+|[的の]")
_APOSTROPHES = str.maketrans("’‘ʼ＇", "''''")


def _relations_in(key: str) -> tuple[str, ...] | None:
    """Give the slugs that lead from the user to a subject; None where it is something else."""
    head, *rest = _LINKS.split(key.translate(_APOSTROPHES))
    head = head.strip()
    if _is_oneself(head):
        path: list[str | None] = []
    else:
        word, is_possessed = _without_possessive(head)
        path = [(POSSESSED if is_possessed else ALWAYS).get(word)]
    path += [POSSESSED.get(word.strip()) for word in rest]
    slugs = tuple(slug for slug in path if slug is not None)
    return slugs if len(slugs) == len(path) else None


def _is_oneself(head: str) -> bool:
    return head in ONESELF or head == "the user" or head in MY_UNSPACED


def _without_possessive(head: str) -> tuple[str, bool]:
    """Give the word after "the", "my", "la mia" or 我, and whether it is possessed."""
    words = head.split(" ")
    own = words[1:] if words[0] in ARTICLES else words
    if len(own) > 1 and own[0] in MY:
        return " ".join(own[1:]), True
    if len(words) > 1 and words[0] == "the":
        words = words[1:]
    if len(words) == 1 and not words[0].isascii():
        unspaced = next((mine for mine in MY_UNSPACED if words[0].startswith(mine) and words[0] != mine), None)
        if unspaced is not None:
            return words[0][len(unspaced) :], True
    return " ".join(words), False
