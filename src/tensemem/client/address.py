"""Where a server is and what is shown to it: an address that is safe to send a token to, and the token."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from .._version import __version__
from ..core.loopback import is_loopback
from ..errors import InvalidValueError

TOKEN = "TENSEMEM_TOKEN"
"""The variable that holds a token where none is given."""
CA = "TENSEMEM_CA"
"""The variable that names a file with the authorities' certificates where no other is given."""
DEFAULT_TIMEOUT = 30.0
DEFAULT_RETRIES = 3


@dataclass(frozen=True, slots=True)
class Address:
    """A server's address without a slash at its end; its token is shown to nobody else, nor in a message."""

    url: str
    is_loopback: bool
    token: str | None = field(default=None, repr=False)

    @property
    def headers(self) -> dict[str, str]:
        """What every request says."""
        headers = {"User-Agent": f"tensemem/{__version__}"}
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        return headers


def address_of(url: object, token: object, *, insecure: bool) -> Address:
    """Check an address and a token (without one, that of ``$TENSEMEM_TOKEN``). Raises InvalidValueError."""
    if not isinstance(url, str):
        raise InvalidValueError(f"url must be text such as 'http://127.0.0.1:7340', not {type(url).__name__}")
    try:
        parts = urlsplit(url.strip())
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise InvalidValueError(_EXPECTED) from None
    if parts.scheme not in ("http", "https") or not host:
        raise InvalidValueError(_EXPECTED)
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise InvalidValueError("url is the server's address alone: give a token as token=..., and nothing behind")
    is_near = is_loopback(host)
    if parts.scheme == "http" and not is_near and not insecure:
        raise InvalidValueError(
            f"http://{host} would send the token and what is remembered over the network for all to read: use https, "
            "or say insecure=True where something else keeps the way private"
        )
    return Address(f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}", is_near, _token(token))


_EXPECTED = "url must be an address such as 'http://127.0.0.1:7340' or 'https://memory.example.org'"


def _token(given: object) -> str | None:
    token = os.environ.get(TOKEN) or None if given is None else given
    if token is None:
        return None
    if not isinstance(token, str) or not token or not token.isascii() or not token.isprintable() or " " in token:
        where = TOKEN if given is None else "token"
        raise InvalidValueError(f"{where} must be the text that 'tensemem keys mint' printed: ASCII, without spaces")
    return token


def seconds_of(name: str, given: Any) -> float:
    """Check a number of seconds. Raises InvalidValueError."""
    if isinstance(given, bool) or not isinstance(given, (int, float)) or not 0 < given < 10**9:
        raise InvalidValueError(f"{name} must be seconds, more than 0")
    return float(given)


def retries_of(given: Any) -> int:
    """Check how often a request may be repeated. Raises InvalidValueError."""
    if isinstance(given, bool) or not isinstance(given, int) or not 0 <= given <= 100:
        raise InvalidValueError("retries must be a whole number from 0 to 100")
    return given


def trusted(verify: Any, address: Address) -> Any:
    """Give what the connection checks a certificate by: True for the machine's authorities, a file's, or a context.

    Where nothing else is said, the file is that of ``$TENSEMEM_CA``. Raises InvalidValueError.
    """
    if isinstance(verify, (str, os.PathLike)):
        return authorities_in(os.fspath(verify), "verify")
    named = os.environ.get(CA) if verify is True and address.url.startswith("https:") else None
    return authorities_in(named, CA) if named else verify


def authorities_in(path: str, name: str) -> Any:
    """Give an SSL context that trusts the certificates of a file alone; ``name`` says in errors who named the file.

    Raises InvalidValueError where the file is not there, can't be read, or has no certificate.
    """
    import ssl

    try:
        return ssl.create_default_context(cafile=os.path.expanduser(path))
    except ssl.SSLError as error:
        raise InvalidValueError(f"{name}: {path!r} holds no certificate in PEM form") from error
    except OSError as error:
        raise InvalidValueError(f"{name}: {path!r} can't be read: {error.strerror}") from error
