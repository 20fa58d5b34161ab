"""Names for arbitrary keys and paths of labels, as a memory takes them; no two share one.

A subject is compared by its folded form, and the words of an operation pass through the redactor, which may replace
two keys that look like secrets by one mark. So only the plainest keys are written as they are; all others are
spelled in letters, two for each byte of UTF-8, which nothing folds and nothing mistakes for a secret.
"""

from __future__ import annotations

import re

from ..errors import InvalidValueError

LONGEST_KEY = 250
"""Bytes of UTF-8 that a key may have: its name has to fit into a subject's."""
_PLAIN = re.compile(r"[a-z_]{1,16}")
_PLAIN_MARK, _CODED_MARK = "key:", "coded:"
_DIGITS = "0123456789abcdef"
_LETTERS = "abcdefghijklmnop"
_TO_LETTERS, _TO_DIGITS = str.maketrans(_DIGITS, _LETTERS), str.maketrans(_LETTERS, _DIGITS)


def subject_of_key(key: str) -> str:
    """Give the subject that stands for an item's key, any text at all. Raises InvalidValueError for one too long."""
    if _PLAIN.fullmatch(key):
        return _PLAIN_MARK + key
    data = key.encode("utf-8", "surrogatepass")
    if len(data) > LONGEST_KEY:
        raise InvalidValueError(f"the key has {len(data)} bytes; give {LONGEST_KEY} at most, such as a hash of it")
    return _CODED_MARK + data.hex().translate(_TO_LETTERS)


def key_of_subject(subject: str) -> str:
    """Give the key that a subject stands for."""
    if subject.startswith(_PLAIN_MARK):
        return subject.removeprefix(_PLAIN_MARK)
    spelled = subject.removeprefix(_CODED_MARK).translate(_TO_DIGITS)
    return bytes.fromhex(spelled).decode("utf-8", "surrogatepass")


def user_of_labels(labels: tuple[str, ...]) -> str:
    """Give the user id that stands for a path of labels, none of which has a dot in it; "" for the empty path."""
    return "".join(f".{label}" for label in labels)


def labels_of_user(user_id: str) -> tuple[str, ...]:
    """Give the path of labels that a user id stands for."""
    return tuple(user_id.split(".")[1:])
