"""Whose memory a message belongs to, and who else speaks in it."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.text import is_valid_text
from ..engine.record import check_speaker
from ..errors import InvalidValueError
from .surveying import Survey
from .values import Said

DEFAULT_USER = "you"
"""Whose memory it is where neither the files nor the person say."""
_SHOWN = 8
"""Speakers that are named where the one who was asked for is not there."""


class People:
    """Decides whose memory a message belongs to, file by file.

    Where a file names users, each has a memory of their own, and ``only`` keeps one of them. Where it names speakers,
    one of them is the user: the one called ``only``, else the first, unless somebody is simply called the user.
    """

    def __init__(self, survey: Survey, only: str | None) -> None:
        self._only = only
        self._has_users = survey.has_users
        self.main_name = _main_name(survey, only)
        self._names = list(survey.names)
        self._user_of_session: dict[str | None, str] = {}

    def user_of(self, said: Said) -> str | None:
        """Give whose memory a message belongs to; None where it is somebody's who is not wanted."""
        fallback = self._only or self.main_name or DEFAULT_USER
        if not self._has_users:
            return fallback
        user = said.user
        if user is None:
            user = self._user_of_session.get(said.session, fallback)
        else:
            self._user_of_session[said.session] = user
        return None if self._only is not None and user != self._only else user

    def taken(self) -> str:
        """Say which speaker is the user; empty where no names are told apart."""
        if self.main_name is None:
            return ""
        if self._only is None or self._has_users or _same(self._only, self.main_name):
            return f"{self.main_name} is taken for the user; --user names another"
        names = ", ".join(self._names[:_SHOWN]) + (", …" if len(self._names) > _SHOWN else "")
        return (
            f"nobody here is called {self._only}: {self.main_name} is taken for {self._only}; "
            f"the speakers are {names}"
        )

    def speaker_of(self, said: Said) -> str | None:
        """Give who speaks where that is not the user."""
        name = said.name
        if name is None or (self.main_name is not None and _same(name, self.main_name)):
            return None
        if self._only is not None and _same(name, self._only):
            return None
        return name if _is_speaker(name) else f"speaker {name}"


def _main_name(survey: Survey, only: str | None) -> str | None:
    names: Sequence[str] = list(survey.names)
    if only is not None:
        named = next((name for name in names if _same(name, only)), None)
        if named is not None:
            return named
    return None if survey.has_plain_user or not names else names[0]


def _same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()


def _is_speaker(name: str) -> bool:
    try:
        check_speaker(name)
    except InvalidValueError:
        return False
    return is_valid_text(name) is None
