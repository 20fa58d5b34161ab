"""Marks: keyed hashes that stand for what was forgotten, and tell nobody what that was.

Without the key of the database nobody can ask a mark whether it stands for a name or a value. Inside a scope the
scope's names are part of what is hashed, so marks of two people never compare equal.
"""

from __future__ import annotations

import hashlib
import hmac

from ..model.jsontext import encode
from ..model.scope import Scope

MARK_BYTES = 16
KEY_BYTES = 32


def mark(key: bytes, kind: str, *parts: str) -> str:
    """Give the mark of some parts, in hexadecimal; a kind of its own for each meaning, so that none equals another."""
    text = encode([kind, *parts]).encode("utf-8", "surrogatepass")
    return hmac.new(key, text, hashlib.sha256).digest()[:MARK_BYTES].hex()


def scope_mark(key: bytes, scope: Scope) -> str:
    """Give the mark of a scope."""
    return mark(key, "scope", *_names(scope))


def subject_mark(key: bytes, scope: Scope, subject_key: str) -> str:
    """Give the mark of all slots of a subject."""
    return mark(key, "subject", *_names(scope), subject_key)


def slot_mark(key: bytes, scope: Scope, subject_key: str, predicate_key: str) -> str:
    """Give the mark of a slot."""
    return mark(key, "slot", *_names(scope), subject_key, predicate_key)


def value_mark(key: bytes, scope: Scope, subject_key: str, predicate_key: str, value_key: str) -> str:
    """Give the mark of one value in a slot."""
    return mark(key, "value", *_names(scope), subject_key, predicate_key, value_key)


def namespace_mark(key: bytes, namespace: str) -> str:
    """Give the mark of a whole namespace."""
    return mark(key, "namespace", namespace)


def fingerprint(key: bytes) -> str:
    """Give what tells two keys apart without telling either."""
    return mark(key, "fingerprint")


def _names(scope: Scope) -> tuple[str, str, str]:
    return scope.namespace, scope.user_id, scope.agent_id
