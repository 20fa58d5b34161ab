"""Where a database is: a URL as libpq takes it, and the few settings in it that are ours."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

from ...errors import InvalidValueError

SCHEMES = ("postgresql", "postgres")
DEFAULT_SCHEMA = "tensemem"
_SCHEMA_NAME = re.compile(r"[a-z_][a-z0-9_]{0,62}")
_USER = re.compile(r"([a-zA-Z]*://)([^@/]*)(?=@)")
_PLAIN = {ord(one): f"%{ord(one):02X}" for one in "#+"}
_PLAIN_IN_USER = {ord(one): f"%{ord(one):02X}" for one in "?[]"}
_OURS = {
    "tensemem_schema": DEFAULT_SCHEMA,
    "tensemem_pool": "16",
    "tensemem_prepare": "on",
    "tensemem_statement_timeout": "60",
}


@dataclass(frozen=True, slots=True)
class Address:
    """A database: what libpq is given, the SQL schema, and how it is talked to.

    ``pool`` is how many connections are held at most; ``prepares`` tells whether statements are prepared, which some
    pooling proxies can't take; ``seconds`` is how long one statement may take; ``named`` are libpq's parameters in it.
    """

    url: str
    shown: str
    schema: str
    pool: int
    prepares: bool
    seconds: float
    named: frozenset[str] = frozenset()
    hosts: int = 1

    @property
    def has_several_hosts(self) -> bool:
        """Whether another one is tried where one can't be reached."""
        return self.hosts > 1

    @property
    def channel(self) -> str:
        """The name commits are told under: one for each schema."""
        return f"tensemem_{hashlib.blake2b(self.schema.encode(), digest_size=4).hexdigest()}"


def parse_address(url: str, *, read_only: bool = False, schema: str | None = None) -> Address:
    """Read a URL; raises InvalidValueError, which never shows a password.

    Ours in the query: ``tensemem_schema``, ``tensemem_pool`` (connections), ``tensemem_prepare`` (on, off) and
    ``tensemem_statement_timeout`` (seconds). Several hosts may be named: the one that takes writes is looked for.
    """
    try:
        parts = urlsplit(_as_libpq_reads(url))
        query = parse_qsl(parts.query, keep_blank_values=True)
    except ValueError:
        raise InvalidValueError("the URL of the database can't be read") from None
    if parts.scheme not in SCHEMES:
        raise InvalidValueError(f"the URL of a PostgreSQL database begins with postgresql://, not {parts.scheme}://")
    own = dict(_OURS)
    rest: list[tuple[str, str]] = []
    for name, value in query:
        if name.startswith("tensemem_"):
            if name not in _OURS:
                raise InvalidValueError(f"{name} is no setting of a tensemem URL; there are {', '.join(_OURS)}")
            own[name] = value
        else:
            rest.append((name, value))
    hosts = f"{parts.netloc},{dict(rest).get('host', '')}".strip(",")
    if "," in hosts and "target_session_attrs" not in dict(rest):
        rest.append(("target_session_attrs", "any" if read_only else "read-write"))
    named = schema or own["tensemem_schema"]
    if not _SCHEMA_NAME.fullmatch(named):
        raise InvalidValueError("an SQL schema's name has small letters, digits and underscores, at most 63")
    if named.startswith("pg_"):
        raise InvalidValueError("SQL schemas whose names begin with pg_ are the server's own; choose another name")
    query_text = urlencode(rest, quote_via=quote)
    return Address(
        url=urlunsplit(("postgresql", parts.netloc, parts.path, query_text, "")),
        shown=_shown(parts.netloc, parts.path, dict(rest), named),
        schema=named,
        pool=int(_number(own, "tensemem_pool", 1, 1000)),
        prepares=_flag(own, "tensemem_prepare"),
        seconds=_number(own, "tensemem_statement_timeout", 0.001, 10**6),
        named=frozenset(name for name, _ in rest),
        hosts=hosts.count(",") + 1,
    )


def _as_libpq_reads(url: str) -> str:
    """Escape what means nothing special to libpq, and would to whoever takes a URL apart: a password may have all."""
    found = _USER.match(url)
    if found is not None:
        user = found[2].translate(_PLAIN_IN_USER)
        url = f"{found[1]}{user}{url[found.end() :]}"
    return url.translate(_PLAIN)


def _shown(netloc: str, path: str, query: dict[str, str], schema: str) -> str:
    """Give the address as it may be shown: no user, no password."""
    host = netloc.rpartition("@")[2] or query.get("host", "")
    name = path.strip("/") or query.get("dbname", "")
    beyond = "" if schema == DEFAULT_SCHEMA else f"?tensemem_schema={schema}"
    return f"postgresql://{host}/{name}{beyond}"


def _number(own: dict[str, str], name: str, least: float, most: float) -> float:
    try:
        number = float(own[name])
    except ValueError:
        number = least - 1
    if not least <= number <= most:
        raise InvalidValueError(f"{name} must be a number from {least:g} to {most:g}")
    return number


def _flag(own: dict[str, str], name: str) -> bool:
    if own[name] not in ("on", "off"):
        raise InvalidValueError(f"{name} must be on or off")
    return own[name] == "on"
