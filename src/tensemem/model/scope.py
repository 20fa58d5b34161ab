"""Whose memory: a scope, and the short tag that ids carry to find it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose memory: tenant, user and agent. Exact strings; never patterns, never folded."""

    namespace: str
    user_id: str
    agent_id: str = ""

    @property
    def tag(self) -> str:
        """Sixteen hexadecimal digits that stand for the scope in every id; the same in every database."""
        named = "\0".join((self.namespace, self.user_id, self.agent_id)).encode()
        return hashlib.blake2b(named, digest_size=8).hexdigest()


def worker_id(unique: str, namespace: str | None) -> str:
    """Make a worker's id, which tells whom it works for and names no tenant: one namespace, or (None) all of them."""
    return unique if namespace is None else f"{unique}@{registry_scope(namespace).tag}"


def works_for(worker: str, namespace: str) -> bool:
    """Tell by its id whether a worker takes messages of a namespace."""
    _, is_of_one, tag = worker.partition("@")
    return not is_of_one or tag == registry_scope(namespace).tag


def registry_scope(namespace: str) -> Scope:
    """Give the scope that holds a namespace's registry log; no user can be named like it."""
    return Scope(namespace, "")
