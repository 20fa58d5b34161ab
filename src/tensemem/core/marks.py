"""Marks: keyed hashes that stand for what was forgotten, and tell nobody what that was.

Without the key of the database nobody can ask a mark whether it stands for a name or a value. Inside a scope marks are
made with a key of the scope's own (`core.forgotten`), so marks of two people never compare equal.
"""

from __future__ import annotations

import hashlib
import hmac

from ..model.jsontext import encode
from ..model.scope import Scope

MARK_BYTES = 16


def mark(key: bytes, kind: str, *parts: str) -> str:
    """Give the mark of some parts, in hexadecimal; a kind of its own for each meaning, so that none equals another."""
    text = encode([kind, *parts]).encode("utf-8", "surrogatepass")
    return hmac.new(key, text, hashlib.sha256).digest()[:MARK_BYTES].hex()


def scope_mark(key: bytes, scope: Scope) -> str:
    """Give the mark of a scope."""
    return mark(key, "scope", scope.namespace, scope.user_id, scope.agent_id)


def fingerprint(key: bytes) -> str:
    """Give what tells two keys apart without telling either."""
    return mark(key, "fingerprint")
