"""What an extractor is made with, checked; each raises InvalidValueError with the argument's name."""

from __future__ import annotations

import math
import os
from typing import Any
from urllib.parse import urlsplit

from ...errors import ExtractorError, InvalidValueError
from ..addresses import is_address


def text(name: str, given: Any) -> str:
    """Give a text that is not blank, without blanks around it."""
    if not isinstance(given, str) or not given.strip():
        raise InvalidValueError(f"{name} must be text that is not blank")
    return given.strip()


def seconds(name: str, given: Any) -> float:
    """Give a stretch of time that ends."""
    if not _is_number(given) or given <= 0:
        raise InvalidValueError(f"{name} must be a number of seconds above 0")
    return float(given)


def pause(name: str, given: Any) -> float:
    """Give a short wait, which may be none."""
    if not _is_number(given) or not 0 <= given <= 10:
        raise InvalidValueError(f"{name} must be a number of seconds from 0 to 10")
    return float(given)


def temperature(given: Any) -> float | None:
    """Give a temperature, or None for none."""
    if given is None:
        return None
    if not _is_number(given) or given < 0:
        raise InvalidValueError("temperature must be a number of 0 or more, or None to send none")
    return float(given)


def count(name: str, given: Any, least: int) -> int:
    """Give a whole number that is large enough."""
    if not isinstance(given, int) or isinstance(given, bool) or given < least:
        raise InvalidValueError(f"{name} must be a whole number of {least} or more")
    return given


def cap(name: str, given: Any) -> int | None:
    """Give how much is allowed; None for as much as is wanted."""
    return None if given is None else count(name, given, 0)


def address(base_url: Any, client: Any, variable: str, default: str, bare_port: int | None = None) -> str:
    """Give the address that is asked, without a slash at its end: the one given, the client's, the environment's, or
    the provider's own.

    With ``bare_port`` the environment may name a host alone, and that port is meant. No message repeats an address: it
    may hold a password. Raises ExtractorError where the environment's is none.
    """
    if base_url is not None:
        given = text("base_url", base_url)
        if not is_address(given):
            raise InvalidValueError("base_url must begin with http:// or https://, and name a host")
        return given.rstrip("/")
    named = os.environ.get(variable, "").strip() if variable else ""
    if client is not None:
        return str(getattr(client, "base_url", None) or named or default).rstrip("/")
    if named and bare_port is not None and "://" not in named:
        named = _completed(named, bare_port)
    if named and not is_address(named):
        raise ExtractorError(f"the variable {variable} must begin with http:// or https://, and name a host")
    return (named or default).rstrip("/")


def _completed(named: str, port: int) -> str:
    """Make an address of ``host``, ``host:port`` or ``:port``, with what may stand behind them."""
    host, slash, path = named.partition("/")
    host = f"127.0.0.1{host}" if host.startswith(":") else host
    try:
        has_port = urlsplit(f"http://{host}").port is not None
    except ValueError:
        return named
    return f"http://{host}{'' if has_port else f':{port}'}{slash}{path}"


def _is_number(given: Any) -> bool:
    return isinstance(given, (int, float)) and not isinstance(given, bool) and math.isfinite(given)
