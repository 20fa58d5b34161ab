"""What the verbs of a memory share: the engine, and the driver that finishes a flow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from ..core.registry import Registry
from ..engine.core import Engine
from ..engine.flow import Flow, once, run
from ..engine.repeating import made_before
from ..engine.resolve import Within
from ..engine.write import AskedKey
from ..errors import InvalidValueError
from ..model.predicate import Predicate
from ..model.receipts import WriteResult
from ..model.scope import Scope

T = TypeVar("T")


class Standing(NamedTuple):
    """What the tools of an agent's loop go by: the registry (None where nobody has it just now), the zone in which
    times without an offset are meant, and whether nothing can be written.
    """

    registry: Registry | None
    zone: str
    is_read_only: bool


def standing_in(engine: Engine, namespace: str) -> Standing:
    """Give what the tools go by in an open memory."""
    return Standing(engine.registries.get(namespace), engine.zone, bool(engine.store.read_only))


class Base:
    """Holds the engine of an open memory; verbs are added by the classes that extend this one."""

    _engine: Engine

    def _run(self, flow: Flow[T]) -> T:
        return run(flow)

    def _watch_calls(self) -> None:
        """Have the verbs tell those who watch of every call, as long as there are any."""
        from .watched import plain_kind, watched_kind  # made of the verbs, which are made of this

        kind = watched_kind if self._engine.watchers else plain_kind
        self.__class__ = kind(type(self))

    def _scope(self, user_id: str, agent_id: str = "", namespace: str | None = None) -> Scope:
        return self._engine.scope(user_id, agent_id, namespace)

    def _layers(self, user_id: str, agent_id: str, namespace: str | None, layers: object) -> list[Scope]:
        if layers is None:
            return [self._scope(user_id, agent_id, namespace)]
        if not isinstance(layers, (str, list, tuple)):
            raise InvalidValueError("layers must be a list of agent ids")
        names = [layers] if isinstance(layers, str) else list(layers)
        return [self._scope(user_id, name, namespace) for name in names or [agent_id]]

    def _within(self, user_id: str | None, agent_id: str | None, namespace: str | None) -> Within:
        """Say whose ids a verb takes; raises InvalidScopeError for a namespace that this memory can't name."""
        return Within(user_id, agent_id, None if namespace is None else self._namespace(namespace))

    def _standing(self, namespace: str, _known: Sequence[Predicate]) -> Standing:
        """Give what the tools go by, once the predicates were read."""
        return standing_in(self._engine, namespace)

    def _made_before(self, user_id: str, agent_id: str, namespace: str, key: AskedKey) -> WriteResult | None:
        """Give the receipt of what was written under a key before, None where nothing was; raises as writing does."""
        scope = self._scope(user_id, agent_id, namespace)
        return self._run(once(lambda: made_before(self._engine, scope, key)))

    def _namespace(self, namespace: str | None) -> str:
        return self._engine.scope("any", "", namespace).namespace
