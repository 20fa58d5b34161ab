"""Client: the verbs of a memory that a server holds; the types a checker sees stand in plain.pyi."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import wraps
from itertools import islice
from types import TracebackType
from typing import Any, NoReturn, Self

from ..errors import InvalidValueError
from ..memory import Memory
from ..model.operation import Message
from ..model.predicate import Predicate
from ..model.results import AddResult, Change
from ..verbs.base import Standing
from ..verbs.scoped import ScopedMemory, Verb, named_in, public_verbs
from ..verbs.turns import Turning
from .adding import Batches
from .address import DEFAULT_RETRIES, DEFAULT_TIMEOUT, address_of, retries_of, seconds_of, trusted
from .arguments import bound, prepared
from .calling import SHORTCUTS, Flow, Setting, flow_of, refusal_of, refused_verbs, served_verbs, standing_of
from .carrying import CARRIED
from .sending import Sender
from .watching import stream_of, watched


class Client(Turning):
    """A memory that a server holds (``tensemem serve``): the verbs of Memory, with the same results and errors.

    ``url`` is the server's address, such as ``http://127.0.0.1:7340``; ``token`` a key's, else ``$TENSEMEM_TOKEN``. It
    is sent to this server alone: no redirect is followed, and plain http leaves this machine only with
    ``insecure=True``. ``namespace`` pins the client to one tenant, as it does a Memory. ``timeout``: the seconds
    within which a connection is made and an answer begins, beside those that a call waits. ``verify``: a file with
    the certificates of those who may vouch for the server, in PEM form, as ``$TENSEMEM_CA`` may name one; an SSL
    context; or False, to check nothing. ``retries``: how often what failed on the way is sent
    again: what reads, and what writes, which has an idempotency key for that (one of the client's own, where the caller
    gives none), so that it counts once.

    Safe to use from many threads. Raises as Memory does, UnauthenticatedError, ForbiddenError and RateLimitedError as
    the server does, StoreError where it can't be reached, and OutcomeUnknownError where nobody knows whether a write
    was kept. Verbs that work on files of the server's machine are refused with AccessError.
    """

    def __init__(
        self, url: str, token: str | None = None, *, namespace: str | None = None, timeout: float = DEFAULT_TIMEOUT,
        verify: Any = True, retries: int = DEFAULT_RETRIES, insecure: bool = False,
    ) -> None:  # fmt: skip
        address = address_of(url, token, insecure=insecure)
        self._setting = Setting(address, _namespace(namespace), seconds_of("timeout", timeout))
        self._sender = Sender(address, self._setting.timeout, trusted(verify, address), retries_of(retries))

    @classmethod
    @wraps(Memory.restore.__func__)  # type: ignore[attr-defined]  # with its first argument, as a class method has
    def restore(cls, /, *_args: Any, **_options: Any) -> NoReturn:
        raise refusal_of("restore")

    def for_user(self, user_id: str, *, agent_id: str = "", namespace: str | None = None) -> ScopedMemory:
        """Give the same verbs bound to one scope; ids of other scopes are unknown to it. Nothing is asked yet."""
        return ScopedMemory(self, *scope_of(self._setting, user_id, agent_id, namespace))

    def add_many(
        self, messages: Iterable[Message], *, batch: int = 1000, namespace: str | None = None
    ) -> Iterator[AddResult]:
        """Log messages of any users as they come, a transaction per batch and scope; gives a receipt for each.

        What was given out is durable. Raises as ``add`` does; the batches before the bad message are kept.
        """
        batches = Batches(self._setting, batch, namespace)
        if not isinstance(messages, Iterable):
            raise InvalidValueError(f"add_many takes an iterable of Message objects, not {type(messages).__name__}")
        given = iter(messages)
        while some := list(islice(given, batch)):
            for flow in batches.flows(some):
                yield from self._finish(flow)

    def watch(
        self, user_id: str, *, after_rev: int = 0, patience: float = 300.0, agent_id: str = "",
        namespace: str | None = None,
    ) -> Iterator[Change]:  # fmt: skip
        """Give every value that changes after a revision, as it happens, each once and in order, without end.

        A lost connection is made anew, and goes on where it broke off; ``patience`` is for how many seconds without
        one. Leave the loop, or close the iterator, to end it. Raises StoreError, and what ``changes`` raises.
        """
        asked = {"after_rev": after_rev, "agent_id": agent_id, "namespace": namespace}
        return watched(self._sender, stream_of(self._setting, user_id, asked, patience))

    def close(self, *, timeout: float = 5.0) -> None:  # noqa: ARG002 -- as a memory's has it
        """Close the connections; nothing is waited for. Closing twice is fine."""
        self._sender.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return shown(self, self._setting, self._sender.is_closed)

    def _finish(self, flow: Flow) -> Any:
        """Send what a flow asks for, until it gives its result."""
        try:
            request = next(flow)
            while True:
                request = flow.send(self._sender.send(request))
        except StopIteration as done:
            return done.value

    def _standing(self, _namespace: str | None, known: Sequence[Predicate]) -> Standing:
        """Give what the tools of a bound memory go by."""
        return standing_of(known)


def _namespace(given: Any) -> str | None:
    if given is not None and (not isinstance(given, str) or not given.strip()):
        raise InvalidValueError("namespace must be text that is not blank")
    return given


def scope_of(setting: Setting, user_id: str, agent_id: str, namespace: str | None) -> tuple[str, str, Any]:
    """Give the names of a scope. Without a namespace that is the server's own. Raises InvalidScopeError."""
    names = {"user_id": user_id, "agent_id": agent_id, "namespace": namespace}
    found = prepared("digest", names, setting.namespace)
    return found["user_id"], found["agent_id"], found["namespace"]


def shown(client: object, setting: Setting, is_closed: bool) -> str:
    """Show a client, without its token."""
    pinned = "" if setting.namespace is None else f", namespace={setting.namespace!r}"
    return f"{type(client).__name__}({setting.address.url!r}{pinned}{', closed' if is_closed else ''})"


def _sent(name: str, verb: Verb) -> Verb:
    @wraps(verb)
    def call(self: Client, /, *args: Any, **keywords: Any) -> Any:
        return self._finish(flow_of(self._setting, name, verb, args, keywords))

    return named_in(Client, name, call)


def _carried(name: str, verb: Verb) -> Verb:
    carry = CARRIED[name]

    @wraps(verb)
    def call(self: Client, /, *args: Any, **keywords: Any) -> Any:
        return carry(self._setting, self._sender, bound(verb, args, keywords))

    return named_in(Client, name, call)


def _short(name: str, verb: Verb) -> Verb:
    @wraps(verb)
    def call(self: Client, /, *args: Any, **keywords: Any) -> Any:
        return verb(self, *args, **keywords)

    return named_in(Client, name, call)


def _refused(name: str, verb: Verb) -> Verb:
    @wraps(verb)
    def call(*_args: Any, **_keywords: Any) -> NoReturn:
        raise refusal_of(name)

    return named_in(Client, name, call)


def give_verbs(kind: type, makers: Sequence[tuple[Iterable[str], Callable[[str, Verb], Verb]]]) -> None:
    """Give a class the verbs that it has not of its own."""
    verbs = public_verbs()
    for names, make in makers:
        for name in names:
            setattr(kind, name, make(name, verbs[name]))


give_verbs(Client, ((served_verbs(), _sent), (SHORTCUTS, _short), (CARRIED, _carried), (refused_verbs(), _refused)))
