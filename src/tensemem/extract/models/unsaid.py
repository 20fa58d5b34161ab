"""What a provider must not say back to us: keys, tokens, passwords, in whatever form they were sent.

An error's text goes into exceptions, logs and the database, and servers repeat what they were sent. So what may have
been sent is gathered from everywhere an SDK takes it: the environment, the client, the request an error hangs on.
"""

from __future__ import annotations

import base64
import binascii
import html
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import quote, quote_plus, unquote, urlsplit

MARK = "[key]"
MAX_HEARD = 10_000
"""Characters of an error that are looked at; far fewer of them are told."""

_SECRET_NAME = re.compile(r"key|token|secret|passw|pwd|auth|cred|cookie|bearer|signature|headers", re.IGNORECASE)
_IS_SECRET = re.compile(r"(?:key|token|password|secret)$", re.IGNORECASE)
_NO_KEY = "none"  # what stands in a key's place where a server needs none
_PLAIN_HEADER = re.compile(
    r"accept.*|connection|content-.*|date|host|user-agent|x-stainless-.*|anthropic-(?:version|beta)|x-goog-api-client"
    r"|openai-(?:organization|project|beta)|transfer-encoding|traceparent|tracestate",
    re.IGNORECASE,
)  # fmt: skip
_CREDENTIALS = re.compile(r"://[^\s/@]{1,500}@")
_SCHEME = re.compile(r"[A-Za-z][\w-]{0,20} +(?=\S)")  # "Bearer …", "Basic …"
_PARTS = re.compile(r"[\s,;=:]+")
_SHORT = 8  # shorter texts are replaced only as whole words, and taken for secrets only by their names
_UNMISTAKABLE = 16  # so long a text is no word that an answer could need
_MAX_SECRET, _MAX_OBJECTS, _MAX_DEPTH = 4096, 400, 5


class Secrets:
    """The secrets that may have been sent, and texts without them."""

    def __init__(self, own: Iterable[str], senders: Iterable[object], error: BaseException | None = None) -> None:
        """Gather them: an extractor's ``own``, those of clients that send, and of the request an error came from."""
        given = [*own, *_of_environment()]
        for sender in senders:
            given += _of_object(sender)
        given += _of_error(error)
        forms = {form for secret in given for form in _forms(secret.strip()[:_MAX_SECRET])}
        self._in_order = sorted(filter(None, forms), key=lambda form: (-len(form), form))
        self._longest = len(self._in_order[0]) if self._in_order else 0

    def out_of(self, said: str) -> str:
        """Give what an error says, its first ``MAX_HEARD`` characters, with a mark for every secret."""
        return _replaced(self._in_order, said[: MAX_HEARD + self._longest], MAX_HEARD)

    def out_of_answer(self, text: str) -> str:
        """Give a model's answer without the secrets that can't be mistaken for words of a message."""
        return _replaced([form for form in self._in_order if len(form) >= _UNMISTAKABLE], text, len(text))


def _replaced(forms: list[str], text: str, most: int) -> str:
    """Replace what begins before ``most``, and cut there: cut first, half a secret at the end would be kept."""
    lowered = text.lower()
    there = [form for form in forms if form.lower() in lowered]  # as a rule none: a pattern of all would be slow
    if not there:
        return text[:most]
    words = [re.escape(form) if len(form) >= _SHORT else rf"(?<!\w){re.escape(form)}(?!\w)" for form in there]
    pieces: list[str] = []
    end = 0
    for found in re.finditer("|".join(words), text, re.IGNORECASE):
        if found.start() >= most:
            break
        pieces += [text[end : found.start()], MARK]
        end = found.end()
    return "".join([*pieces, text[end : max(most, end)]])


def _forms(secret: str) -> Iterator[str]:
    """Give a secret as a server may write it: as it is, in a URL, in JSON, in HTML, in base64, in a literal."""
    yield secret
    yield from (quote(secret), quote(secret, safe=""), quote_plus(secret), html.escape(secret))
    yield from (json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1], repr(secret)[1:-1])
    if len(secret) >= _SHORT:
        encoded = secret.encode("utf-8", "replace")
        yield base64.b64encode(encoded).decode().rstrip("=")
        yield base64.urlsafe_b64encode(encoded).decode().rstrip("=")


def _of_environment() -> Iterator[str]:
    for name, value in os.environ.items():
        if _SECRET_NAME.search(name):
            yield from _of_value(value, _SHORT)
        elif _CREDENTIALS.search(value):
            yield from _of_address(value)


def _of_value(value: str, least: int) -> Iterator[str]:
    """Give a value and its parts, such as what stands behind "Bearer", or the values of a list of headers."""
    whole = value.strip()
    if len(whole) >= least and whole != _NO_KEY:
        yield whole
    scheme = _SCHEME.match(whole)
    rest = whole[scheme.end() :] if scheme else whole
    yield from _of_basic(rest)
    yield from (part for part in [rest, *_PARTS.split(rest)] if len(part) >= _SHORT)


def _of_basic(encoded: str) -> Iterator[str]:
    try:
        user, colon, password = base64.b64decode(encoded, validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return
    if colon and password.isprintable():
        yield from (f"{user}:{password}", password)


def _of_address(address: str) -> Iterator[str]:
    """Give the password in an address, and the two words that are sent for it."""
    try:
        user, password = urlsplit(address).username, urlsplit(address).password
    except ValueError:
        return
    for name, word in ((user, password), (unquote(user or ""), unquote(password or ""))):
        if word:
            yield from (word, f"{name}:{word}")
        elif name and len(name) >= _SHORT:  # a token in the user's place
            yield from (name, f"{name}:")


def _of_headers(headers: Mapping[Any, Any]) -> Iterator[str]:
    for name, value in headers.items():
        if not _PLAIN_HEADER.fullmatch(_text(name)):
            yield from _of_value(_text(value), 1 if _SECRET_NAME.search(_text(name)) else _SHORT)


def _of_object(start: object) -> Iterator[str]:
    """Give what a client holds under the name of a secret, or as a header, looking some way into what it is made of."""
    seen: set[int] = set()
    level: list[object] = [start]
    for _ in range(_MAX_DEPTH):
        below: list[object] = []
        for one in level:
            if id(one) in seen or len(seen) >= _MAX_OBJECTS:
                continue
            seen.add(id(one))
            for name, held in _held_by(one):
                yield from _of_held(name, held)
                below += [held] if _may_hold(held) else []
        level = below


def _of_held(name: str, held: object) -> Iterator[str]:
    if isinstance(held, Mapping) and "header" in name.lower():
        yield from _of_headers(held)
    elif isinstance(held, (str, bytes)):
        if _SECRET_NAME.search(name):
            yield from _of_value(_text(held), 1 if _IS_SECRET.search(name) else _SHORT)
        elif _CREDENTIALS.search(_text(held)):
            yield from _of_address(_text(held))
    elif callable(getattr(type(held), "get_secret_value", None)):
        yield from _of_value(_text(held.get_secret_value()), 1)  # type: ignore[attr-defined]
    elif type(held).__name__ == "URL" and _CREDENTIALS.search(f"{held!s}"):
        yield from _of_address(f"{held!s}")


def _held_by(one: object) -> list[tuple[str, object]]:
    if isinstance(one, Mapping):
        return [(_text(name), value) for name, value in one.items()]
    held = dict(getattr(one, "__dict__", None) or {})
    held |= {"keywords": getattr(one, "keywords", None)}  # of a functools.partial
    return list(held.items())


def _may_hold(held: object) -> bool:
    is_plain = held is None or isinstance(held, (str, bytes, int, float, type, list, tuple, set))
    return not is_plain and type(held).__name__ not in ("module", "function", "method")


def _of_error(error: BaseException | None) -> Iterator[str]:
    """Give what the request said that an SDK's error, or one it came from, hangs on."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        for holder in (error, _attribute(error, "response")):
            request = _attribute(holder, "request")
            headers = _attribute(request, "headers")
            if isinstance(headers, Mapping):
                yield from _of_headers(headers)
            yield from _of_address(f"{_attribute(request, 'url') or ''}")
        error = error.__cause__ or error.__context__


def _attribute(holder: object, name: str) -> Any:
    try:
        return getattr(holder, name, None)
    except Exception:  # httpx raises where a response has no request
        return None


def _text(given: object) -> str:
    return given.decode("latin-1") if isinstance(given, bytes) else str(given)
