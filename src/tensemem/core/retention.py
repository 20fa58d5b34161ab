"""What a policy of retention says: checked as it comes in, as text in the store, and which values of a slot it ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from ..errors import InvalidTimeError, InvalidValueError, UnknownPredicateError
from ..model.claim import Claim, Correction, Held
from ..model.jsontext import decode, encode
from ..model.retention import EVERY
from .fold import SlotFold, SlotLog
from .periods import format_duration, parse_duration
from .registry import Registry

_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Policy:
    """How long texts are kept, and values after they ended; None is for ever."""

    texts: timedelta | None = None
    keep_quotes: bool = False
    facts: Mapping[str, timedelta | None] | None = None

    @property
    def is_empty(self) -> bool:
        """Whether it asks for nothing to be removed."""
        return self.texts is None and not any((self.facts or {}).values())

    @property
    def pause(self) -> timedelta:
        """How long after the beginning of one run the next is due: a hundredth of the shortest time something is kept.

        An hour at least, a day at most.
        """
        kept = [one for one in (self.texts, *(self.facts or {}).values()) if one is not None]
        return min(max(min(kept, default=_DAY) / 100, _HOUR), _DAY)

    def by_key(self, registry: Registry) -> dict[str, timedelta]:
        """Give how long values are kept after they ended, by the keys of today's predicates; others are kept."""
        given = dict(self.facts or {})
        rest = given.pop(EVERY, None)
        named = {registry.predicate_key(name): kept for name, kept in given.items()}
        known = {key: named.get(key, rest) for key in registry.predicates}
        return {key: kept for key, kept in known.items() if kept is not None}


def make_policy(texts: Any, keep_quotes: Any, facts: Any, registry: Registry) -> Policy:
    """Check the arguments of ``retain``, and give the policy with the predicates' own names.

    Raises InvalidValueError, InvalidTimeError for what is no duration, and UnknownPredicateError.
    """
    if not isinstance(keep_quotes, bool):
        raise InvalidValueError("keep_quotes must be True or False")
    kept = None if texts is None else parse_duration(texts, name="texts")
    if keep_quotes and kept is None:
        raise InvalidValueError("keep_quotes says what is left when texts go; say with texts= when that is")
    return Policy(kept, keep_quotes, _facts(facts, registry))


def _facts(given: Any, registry: Registry) -> dict[str, timedelta | None]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise InvalidValueError('facts must map predicates to durations, such as {"lives_in": "1y"}')
    found: dict[str, timedelta | None] = {}
    for name, kept in given.items():
        own = EVERY if name == EVERY else _own_name(name, registry)
        if own in found:
            raise InvalidValueError(f"facts names {own!r} twice")
        found[own] = None if kept is None else parse_duration(kept, name=f"facts[{own!r}]")
    return dict(sorted(found.items()))


def _own_name(name: Any, registry: Registry) -> str:
    if not isinstance(name, str):
        raise InvalidValueError(f"a predicate's name must be text, not {type(name).__name__}")
    known = registry.predicate(name)
    if known is None:
        raise UnknownPredicateError(f"the predicate {name!r} is not registered; predicates() lists those that are")
    return known.name


def policy_text(policy: Policy) -> str:
    """Give a policy as JSON text; policy_in gives the same back."""
    facts = {name: _written(kept) for name, kept in (policy.facts or {}).items()}
    return encode({"texts": _written(policy.texts), "keep_quotes": policy.keep_quotes, "facts": facts})


def policy_in(text: str) -> Policy:
    """Read what policy_text gave; raises InvalidValueError for anything else."""
    try:
        body = decode(text)
        texts, facts = _read(body["texts"]), {str(name): _read(kept) for name, kept in body["facts"].items()}
        return Policy(texts, bool(body["keep_quotes"]), facts)
    except (ValueError, KeyError, TypeError, AttributeError, InvalidTimeError) as error:
        raise InvalidValueError(f"this is no policy of retention: {error}") from error


def _written(kept: timedelta | None) -> str | None:
    return None if kept is None else format_duration(kept)


def _read(text: Any) -> timedelta | None:
    return None if text is None else parse_duration(text, name="retention")


def microseconds(duration: timedelta) -> int:
    """Give a duration in microseconds."""
    return duration // timedelta(microseconds=1)


def ended_values(log: SlotLog, fold: SlotFold, ended_by: int, now: int) -> list[Held]:
    """Give the values of a slot that have not held, and not been spoken of, since a moment.

    A value counts as a whole: while any run of it goes on or is yet to come, or a plan for it is, all of it stays.
    """
    claims = [*log.claims, *_replacements(log)]
    values: dict[str, Held] = {}
    latest: dict[str, int] = {}
    for held, moment in (*_said(claims), *_shown(fold), *_waiting(fold, now)):
        values.setdefault(held.key, held)
        latest[held.key] = max(latest.get(held.key, moment), moment)
    return [held for key, held in values.items() if latest[key] <= ended_by]


def _replacements(log: SlotLog) -> Iterator[Claim]:
    for one in log.amendments:
        if isinstance(one, Correction) and one.replacement is not None:
            yield one.replacement


_NEVER = 2**63 - 1


def _said(claims: Iterable[Claim]) -> Iterator[tuple[Held, int]]:
    """Give when each value was last spoken of, a value that is one of a REPLACE's among them."""
    for claim in claims:
        for held in (claim.value, *claim.values):
            if held is not None:
                yield held, claim.said_at


def _shown(fold: SlotFold) -> Iterator[tuple[Held, int]]:
    for run in fold.runs:
        yield run.value, _NEVER if run.end is None else run.end


def _waiting(fold: SlotFold, now: int) -> Iterator[tuple[Held, int]]:
    for waiting in (*fold.plans, *fold.candidates):
        for claim in waiting.claims:
            if waiting.value is not None:
                until = claim.start if claim.end is None else claim.end
                yield waiting.value, _NEVER if waiting.planned and until > now else until
