"""What a request's headers say: who asks, under which name, from which page, with what kind of body."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit

from ..errors import InvalidValueError

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
"""The names under which a server is reached from its own machine."""

SAFE = frozenset({"GET", "HEAD"})
"""What changes nothing."""

_SIMPLE = frozenset({"text/plain", "application/x-www-form-urlencoded", "multipart/form-data"})
"""What a page of anybody may send anywhere without being asked."""
_TYPE = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}/[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}")
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]{2,50}\]|[A-Za-z0-9._-]{1,255})(?::([0-9]{1,5}))?")
_BEARER = re.compile(r"[Bb][Ee][Aa][Rr][Ee][Rr] +([\x21-\x7e]{1,512}) *")


def headers_of(scope: Mapping[str, Any]) -> dict[str, str | None]:
    """Give a request's headers by small name; None for one that came more than once, which means nothing certain."""
    found: dict[str, str | None] = {}
    for name, value in scope["headers"]:
        key = name.decode("latin-1").lower()
        found[key] = None if key in found else value.decode("latin-1")
    return found


def path_of(scope: Mapping[str, Any]) -> str:
    """Give the path below where the application is mounted."""
    path, root = str(scope.get("path", "")), str(scope.get("root_path", ""))
    return path.removeprefix(root) if root and path.startswith(root + "/") else path


def is_open(path: str, method: str) -> bool:
    """Tell whether a path needs no token: signs of life, and the studio's files, in which there is nobody's memory."""
    if method not in SAFE:
        return False
    if path in ("/", "/healthz", "/readyz", "/studio"):
        return True
    return path.startswith("/studio/") and "\\" not in path and not {"..", "."} & set(path.split("/"))


def is_visit(headers: Mapping[str, str | None]) -> bool:
    """Tell whether somebody follows a link, from wherever: what is open may be come to, though no page may fetch it."""
    said = headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest")
    return "origin" not in headers and said == ("navigate", "document")


def is_sign_of_life(path: str) -> bool:
    """Tell whether a path is asked by who watches over machines, under whatever name."""
    return path in ("/healthz", "/readyz")


def token_in(headers: Mapping[str, str | None]) -> str | None:
    """Give the token that is shown; None where there is none, or what is no bearer's."""
    given = headers.get("authorization")
    found = None if given is None else _BEARER.fullmatch(given)
    return None if found is None else found[1]


class Hosts:
    """The names under which a server may be asked.

    Those of its own machine with the port it listens on, and what is configured: a name (any port), or ``name:port``.
    A page that has its own name point to this machine is known by the name it asks for.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(name.lower() for name in names)
        for name in self._names:
            if _HOST.fullmatch(name) is None:
                raise InvalidValueError(f"{name[:60]!r} is no name of a host: give example.org or example.org:8443")

    def knows(self, host: str | None, server: object) -> bool:
        """Tell whether a Host header names this server; ``server`` is the address it listens on, as ASGI says."""
        found = None if host is None else _HOST.fullmatch(host.lower())
        if found is None or host is None:
            return False
        if found[1] in self._names or host.lower() in self._names:
            return True
        port = server[1] if isinstance(server, (tuple, list)) and len(server) == 2 else None
        return found[1] in LOOPBACK and (
            port is None or found[2] == str(port) or (found[2] is None and port in (80, 443))
        )


class Origins:
    """The pages that may ask: those of the server itself, and of the origins that are configured."""

    def __init__(self, origins: Iterable[str]) -> None:
        self._origins = frozenset(_origin(one) for one in origins)

    def has(self, origin: str) -> bool:
        """Tell whether an origin is configured."""
        return origin.lower() in self._origins

    def allow(self, headers: Mapping[str, str | None]) -> bool:
        """Tell whether a request comes from no page, or from one that may ask."""
        if "origin" not in headers:
            return headers.get("sec-fetch-site") not in ("cross-site", "same-site")
        origin, host = headers["origin"], headers.get("host")
        if origin is None or host is None:
            return False
        return self.has(origin) or origin.lower() in (f"http://{host.lower()}", f"https://{host.lower()}")


def _origin(text: str) -> str:
    try:
        parts = urlsplit(text)
        is_whole = parts.scheme in ("http", "https") and _HOST.fullmatch(parts.netloc) is not None
    except ValueError:
        is_whole = False
    if not is_whole or text.lower() != f"{parts.scheme}://{parts.netloc}".lower():
        raise InvalidValueError(f"{text[:60]!r} is no origin: give https://example.org, with the port if it has one")
    return text.lower()


def is_type_safe(headers: Mapping[str, str | None]) -> bool:
    """Tell whether the kind of a body is one that no page may send without being asked first.

    A body without a kind is refused, since a page can leave it out; no body needs none.
    """
    if "content-type" not in headers:
        return "transfer-encoding" not in headers and headers.get("content-length", "0") == "0"
    kind = (headers["content-type"] or "").partition(";")[0].strip().lower()
    return _TYPE.fullmatch(kind) is not None and kind not in _SIMPLE
