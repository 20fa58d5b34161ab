"""Moments for people: in their zone, and no finer than it takes to tell those shown together apart."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, tzinfo

from tensemem import Fact

_FORMS = ("%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S")
_COARSE = {"year": "%Y", "month": "%Y-%m"}


class Moments:
    """Tells the moments of one table alike: by the day where days tell them apart, else by minute or second.

    A person reads no microseconds; ``--json`` has them.
    """

    def __init__(self, zone: tzinfo, moments: Iterable[datetime | None] = ()) -> None:
        self._zone = zone
        known = {moment for moment in moments if moment is not None}
        apart = (form for form in _FORMS if len({self._in(form, moment) for moment in known}) == len(known))
        self._form = next(apart, _FORMS[-1])

    def text(self, moment: datetime | None, unknown: str = "") -> str:
        """Give a moment as text, or what stands for none."""
        return unknown if moment is None else self._in(self._form, moment)

    def start_of(self, fact: Fact) -> str:
        """Give when a fact began, as precisely as it was said; ``?`` where nobody said."""
        if fact.valid_from is None:
            return "?"
        form = _COARSE.get(fact.precision)
        return self.text(fact.valid_from) if form is None else self._in(form, fact.valid_from)

    def _in(self, form: str, moment: datetime) -> str:
        try:
            local = moment.astimezone(self._zone)
        except OverflowError:  # the first and the last hours that can be told, in a zone where they can't
            local = moment
        # strftime leaves out the zeros of early years on some systems.
        return local.strftime(form.replace("%Y", f"{local.year:04d}"))


def moments_of(facts: Iterable[Fact], zone: tzinfo) -> Moments:
    """Give the moments at which facts begin and end."""
    return Moments(zone, (moment for fact in facts for moment in (fact.valid_from, fact.valid_to)))
