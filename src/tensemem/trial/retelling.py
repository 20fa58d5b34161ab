"""What another store wrote down about a person, said again as the person would say it.

Such stores keep notes in the third person (``Lives in Delhi``, ``User's name is Ana``), while extraction reads what
people say about themselves. The same words in the first person can be read by the same extractor.
"""

from __future__ import annotations

import re

# Matched at the beginning of a text only, without open repetitions.
_OWNER = re.compile(r"(?:the )?user(?:'s|’s) ", re.IGNORECASE)
_SUBJECT = re.compile(r"(?:the )?user (?=\w)", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{1,20}(?:['’]t)?")

_VERBS = {
    "is": "am", "was": "was", "has": "have", "does": "do", "goes": "go", "studies": "study", "isn't": "am not",
    "doesn't": "don't", "hasn't": "haven't", "wasn't": "wasn't", "didn't": "didn't", "moved": "moved",
    "relocated": "relocated", "started": "started", "left": "left", "joined": "joined", "used": "used",
    "switched": "switched", "changed": "changed", "born": "was born", "allergic": "am allergic", "based": "am based",
    "married": "am married", "originally": "am originally", "living": "am living", "working": "am working",
    "currently": "am currently", "no": "no", "now": "now", "never": "never", "recently": "recently",
}  # fmt: skip
"""Words a note begins with, and what the first person says; other verbs lose their ``s``."""

_THIRD = frozenset(
    {
        "lives", "works", "speaks", "likes", "loves", "hates", "dislikes", "enjoys", "prefers", "uses", "wants",
        "needs", "comes", "reports", "owns", "plays", "drinks", "eats", "resides", "teaches", "drives", "runs",
        "writes", "codes", "deploys", "builds", "keeps", "knows", "thinks", "plans", "cooks", "reads",
    }
)  # fmt: skip
_ADVERBS = frozenset({"no", "now", "never", "recently", "currently", "also", "still"})


def retold(note: str) -> str | None:
    """Give a note in the first person; None where it does not begin as one about the user does."""
    text = note.strip()
    owner = _OWNER.match(text)
    if owner is not None:
        return f"My {text[owner.end() :]}"
    subject = _SUBJECT.match(text)
    rest = text[subject.end() :] if subject else text
    told = _first_person(rest)
    return None if told is None else f"I {told}"


def _first_person(rest: str) -> str | None:
    first = _WORD.match(rest)
    if first is None:
        return None
    word, behind = first[0].lower().replace("’", "'"), rest[first.end() :]
    if word in _ADVERBS:
        second = _WORD.match(behind.lstrip())
        if second is None:
            return None
        if word == "no" and second[0].lower() == "longer":
            inner = _first_person(behind.lstrip()[second.end() :].lstrip())
            return None if inner is None else f"no longer {inner}"
        inner = _first_person(behind.lstrip())
        return None if inner is None else f"{word} {inner}"
    if word in _VERBS:
        return f"{_VERBS[word]}{behind}"
    if word in _THIRD:
        stem = word.removesuffix("es") if word.endswith(("ches", "shes", "sses")) else word.removesuffix("s")
        return f"{stem}{behind}"
    return None
