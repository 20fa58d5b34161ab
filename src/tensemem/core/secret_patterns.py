"""Where secrets stand in a view: the patterns of the secrets filter, as tables.

Every pattern of the first stage starts with literal characters, so that the regular expression engine walks a text
at memory speed and stops only where they stand; what follows is bounded or possessive, so a failed attempt is short
and a successful one is not walked again. That is why a text of any shape costs time linear in its length.

Two rules keep redaction idempotent. A match takes every letter and digit that touches it, so no new token can begin
or end where a mark is put. And a rule that depends on something at a distance (a card number and its cue) looks at
a view where the other secrets are gaps already, and never across a gap.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from .secret_text import KEY_CUE, PASSWORD_CUE, View
from .secret_values import (
    is_header_like,
    is_key_like,
    is_password_like,
    is_telling,
    is_url_placeholder,
)


class Span(NamedTuple):
    """Where a secret stands; of overlapping spans the lowest `rank` names the kind."""

    start: int
    end: int
    rank: int
    kind: str


@dataclass(frozen=True, slots=True)
class Scan:
    """An expression and what its matches begin with: a literal, and in lower case a hint.

    `sign` is a character of the beginning that is neither a letter nor a digit, or empty.
    """

    literal: bytes
    pattern: re.Pattern[bytes]
    hint: bytes
    sign: bytes

    def finditer(self, text: bytes) -> Iterator[re.Match[bytes]]:
        """Every match in a text, in order."""
        # To start an expression costs more than to search a short text for the literal; in a long text it is the
        # other way round, but one character is found faster still.
        if (self.literal if len(text) < _SHORT else self.sign) not in text:
            return iter(())
        return self.pattern.finditer(text)

    def find(self, text: bytes, start: int) -> int:
        """Where the first match from an offset on begins; -1 where there is none."""
        if len(text) < _SHORT:
            return text.find(self.literal, start)
        found = self.pattern.search(text, start)
        return found.start() if found else -1


_SHORT = 2_000


def scan(literal: bytes, rest: bytes = b"", hint: bytes = b"") -> Scan:
    """A scan for a literal, taken as it is, and an expression after it. A short literal may be hinted at better."""
    hint = hint or re.escape(literal.lower())
    sign = _SIGN.search(_CLASS.sub(b"", hint))
    return Scan(literal, re.compile(re.escape(literal) + rest), hint, sign[0] if sign else b"")


_CLASS = re.compile(rb"\[[^]]*\]")
_SIGN = re.compile(rb"[_:/.-]")


def find_near(view: View) -> Iterator[Span]:
    """Secrets known by their form, or by what stands directly before them."""
    yield from _known_formats(view.codes)
    yield from _aws_keys(view.codes)
    yield from _telegram_tokens(view.codes)
    yield from _url_passwords(view.codes)
    for cue in _CUES:
        yield from _cued_values(view, cue)


# Known formats


def _format(literal: bytes, rest: bytes, *, word: bytes = rb"A-Za-z0-9", peek: bytes = b"", hint: bytes = b"") -> Scan:
    """A token that starts with a literal and is not the end of a longer word; a cheap `peek` may go first."""
    return scan(literal, peek + rb"(?<![%b]%b)" % (word, re.escape(literal)) + rest, hint)


_PEM_GLUE = rb"""[\s>#|"'+,;\\*]{0,12}+"""
_PEM = (
    rb"(?:[A-Z0-9]{1,10} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
    rb"(?:%(glue)s[A-Z][A-Za-z-]{2,20}: [^\n\x00]{1,120}){0,6}"
    rb"(?:%(glue)s[A-Za-z0-9+/=]{16,}+){1,5000}+"
    rb"(?:(?:%(glue)s[A-Za-z0-9+/=]{1,64}+){0,2}+%(glue)s-----END[A-Z0-9 ]{1,60}-----[A-Za-z0-9_-]*+"
    rb"|%(glue)s[A-Za-z0-9+/]{1,15}+={1,2}(?![A-Za-z0-9_-]))?"
) % {b"glue": _PEM_GLUE}

# kind, scan, the characters that say nothing because every token of the kind has them
_FORMATS: tuple[tuple[str, Scan, bytes], ...] = (
    ("private_key", scan(b"-----BEGIN ", _PEM), b"-BEGIN PRIVATE KEY"),
    ("github_token", _format(b"gh", rb"[pousr]_[A-Za-z0-9]{30,}+", hint=rb"gh[pousr]_"), b"ghp_"),
    ("github_token", _format(b"github_pat_", rb"[A-Za-z0-9_]{30,}+"), b"github_pat_"),
    ("gitlab_token", _format(b"gl", rb"(?:pat|ptt|cbt|soat)-[A-Za-z0-9_-]{20,}+", hint=rb"gl[a-z]{3,4}-"), b"glpat-"),
    ("slack_token", _format(b"xox", rb"[abeoprs](?:\.xox[bp])?-[A-Za-z0-9_-]{20,}+"), b"xobp-"),
    ("slack_token", _format(b"xapp-", rb"[0-9]-[A-Za-z0-9_-]{20,}+"), b"xapp-"),
    ("slack_webhook", _format(b"hooks.slack.com/", rb"(?:services|workflows|triggers)/[A-Za-z0-9_/-]{24,}+"),
     b"hooks.slack.com/services"),
    ("openai_key", _format(b"sk-", rb"(?:(?:ant|proj|svcacct|admin|or-v1)-"
     rb"(?=[A-Za-z_-]{0,60}[0-9])[A-Za-z0-9_-]{20,}+|(?=[A-Za-z]{0,60}[0-9])[A-Za-z0-9]{20}[A-Za-z0-9_-]*+)",
     peek=rb"(?=[A-Za-z0-9]{4}|ant-|or-)"), b"sk-antproj"),
    ("google_api_key", _format(b"AIza", rb"[A-Za-z0-9_-]{35,}+"), b"AIza"),
    ("stripe_key", _format(b"sk_", rb"(?:live|test)_[A-Za-z0-9]{16,}+"), b"sk_livetest"),
    ("stripe_key", _format(b"rk_", rb"(?:live|test)_[A-Za-z0-9]{16,}+"), b"rk_livetest"),
    ("stripe_key", _format(b"whsec_", rb"[A-Za-z0-9+/]{24,}+"), b"whsec_"),
    ("npm_token", _format(b"npm_", rb"[A-Za-z0-9]{30,}+"), b"npm_"),
    ("pypi_token", _format(b"pypi-", rb"(?=[A-Za-z_-]{0,60}[0-9])[A-Za-z0-9_-]{40,}+"), b"pypi-"),
    ("huggingface_token", _format(b"hf_", rb"[A-Za-z0-9]{30,}+"), b"hf_"),
    ("sendgrid_key", _format(b"SG.", rb"[A-Za-z0-9_-]{16,32}+\.[A-Za-z0-9_-]{16,}+"), b"SG."),
    ("digitalocean_token", _format(b"do", rb"[opr]_v1_[a-f0-9]{40,}+(?![A-Za-z0-9])", hint=rb"do[opr]_v1_"),
     b"dop_v1_"),
    ("tensemem_token", _format(b"tsm_", rb"[a-f0-9]{16}_[a-f0-9]{64,}+(?![A-Za-z0-9])"), b"tsm_"),
    # The boundary takes in - and _ here: a failed attempt walks to the end of its run, and may do so once only.
    ("jwt", _format(b"eyJ", rb"[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]{8,}+"
     rb"(?:\.[A-Za-z0-9_-]{8,}+){0,2}+", word=rb"A-Za-z0-9_-"), b"eyJ"),
)  # fmt: skip


def _known_formats(codes: bytes) -> Iterator[Span]:
    for kind, form, constant in _FORMATS:
        for found in form.finditer(codes):
            # Five other characters at least: `ghp_xxxxxxxx…` is a placeholder.
            if len(set(found[0]) - set(constant)) >= 5:
                yield Span(*found.span(), 0, "anthropic_key" if found[0].startswith(b"sk-ant-") else kind)


def _aws_keys(codes: bytes) -> Iterator[Span]:
    """Access key ids, each with the secret that follows it in a pasted credentials file or table."""
    for pattern in _AWS_KEYS:
        for found in pattern.finditer(codes):
            if len(set(found[0])) >= 8:
                yield Span(*found.span(), 0, "aws_access_key")
                yield from _aws_secret(codes, found.end())


def _aws_secret(codes: bytes, start: int) -> Iterator[Span]:
    found = _AWS_SECRET.search(codes, start, start + 120)
    if found and _UPPER_LOWER_DIGIT.match(found[0]):
        yield Span(*found.span(), 0, "aws_secret_key")


_AWS_KEYS = tuple(_format(head, rb"[A-Z0-9]{16}(?![A-Za-z0-9])") for head in (b"AKIA", b"ASIA"))
_AWS_SECRET = re.compile(rb"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])")
_UPPER_LOWER_DIGIT = re.compile(rb"(?=[^A-Z]*[A-Z])(?=[^a-z]*[a-z])(?=[^0-9]*[0-9])")


def _telegram_tokens(codes: bytes) -> Iterator[Span]:
    for found in _TELEGRAM.finditer(codes):
        bot = _TELEGRAM_BOT.search(codes, max(0, found.start() - 14), found.start())
        if bot:
            yield Span(bot.start(), found.end(), 0, "telegram_token")


_TELEGRAM = scan(b":AA", rb"[A-Za-z0-9_-]{33,}+")
_TELEGRAM_BOT = re.compile(rb"(?:(?<![A-Za-z0-9])|(?<=bot))[0-9]{8,10}$")


def _url_passwords(codes: bytes) -> Iterator[Span]:
    for found in _URL_PASSWORD.finditer(codes):
        if not is_url_placeholder(found[1]):
            yield Span(*found.span(1), 1, "url_password")


# No class has `/`, so no attempt walks past the next `://`.
_URL_PASSWORD = scan(b"://", rb"""[^\s/?#:"'<>`\x00]{0,200}:([^\s/"'<>`]{1,300})@""")


# Values after a cue


@dataclass(frozen=True, slots=True)
class Cue:
    """Words that announce a secret, and the test its value must pass. `scan` reads the lower-case view."""

    kind: str
    scan: Scan
    is_secret: Callable[[bytes], bool]


_BEFORE = rb"""[\x01"'`\])* ]{0,4}+"""
_FOR_WHAT = rb"""(?:(?:for|of|on|del?|para|f.r|vom|zum|pour|du|d[ao]) [a-z0-9 .'@_-]{1,30}?)?"""
_EQUALS = rb"(?::{0,2}=>?|:|->|>|--? )"
_VERB = (
    rb"(?:is|was|be|to|ist|war|lautet|es|est|s)"
    rb"(?: (?:now|currently|still|set|changed|reset|updated|been|ahora|jetzt))?(?: to| from)?:? "
)
_OPENING = rb"\*{0,2}+\s{0,3}+[*(\[]{0,2}"
_FLAG = rb" (?:(?<=--password )|(?<=--passwd )|(?<=--secret )|(?<=--token )|(?<=-api-key ))"
_USUAL_LINK = _BEFORE + _FOR_WHAT + _BEFORE + rb"(?:" + _EQUALS + rb"|" + _VERB + rb")|" + _FLAG + rb"| {1,2}(?P<bare>)"
# Most values are refused, so what every accepted one has is asked for before anything is captured.
_PASSWORD_HINT = rb"(?=[^\s0-9!@#$%^&*+?~\x04\x05]{0,40}+[0-9!@#$%^&*+?~]|.?[a-z0-9]{16})"
_KEY_HINT = rb"(?=[^\s0-9\x04\x05]{0,40}+[0-9]|.?[a-z0-9]{16})"
_HINTS: dict[Callable[[bytes], bool], bytes] = {
    is_password_like: _PASSWORD_HINT,
    is_key_like: _KEY_HINT,
    is_header_like: b"",
}
_VALUE = (
    rb"""(?:"(?P<double>[^"\s]{6,128}+)|'(?P<single>[^'\s]{6,128}+)|`(?P<back>[^`\s]{6,128}+)"""
    rb"""|(?P<plain>[^\s"'`<>|\x01\x03-\x06]{6,128}+))"""
)
_REST = {
    "double": re.compile(rb'[^"\s\x00]*+'),
    "single": re.compile(rb"[^'\s\x00]*+"),
    "back": re.compile(rb"[^`\s\x00]*+"),
    "plain": re.compile(rb"[^\s\"'`<>|\x00\x01\x03-\x06]*+"),
}

# Chinese and Japanese put the value directly after the word, or a word of three characters between.
_FOREIGN_LINK = rb"""\x03{0,8}+(?:[\x01"' ]{0,4}+[:=]|["' ]{0,2}+(?![\x01 ])|[\x01"' ]{0,5}+(?P<bare>))"""


def _cue(
    kind: str,
    literal: bytes,
    is_secret: Callable[[bytes], bool],
    *,
    words: bytes = b"",
    link: bytes = _USUAL_LINK,
    behind: bytes = b"",
) -> Cue:
    """A cue: a literal, and the rest of its words. `behind` looks back at them.

    Only the words are consumed: a refused value may hold another cue.
    """
    value = rb"(?=(?:" + link + rb")" + _OPENING + _HINTS[is_secret] + _VALUE + rb")"
    return Cue(kind, scan(literal, words + value + behind), is_secret)


_KEY_NAMES = (
    b"api.key apikey access.key accesskey private.key privatekey secret.key secretkey auth.key authkey account.key "
    b"accountkey encryption.key encryptionkey signing.key signingkey master.key masterkey service.key storage.key"
)
_SECRET_KEY = rb"(?:" + rb"|".join(rb"(?<=%b)" % name for name in _KEY_NAMES.split()) + rb")"
_NOT_PAGING = rb"(?<!page.token)(?<!pagetoken)(?<!ation.token)(?<!ationtoken)(?<!sync.token)(?<!synctoken)"

_PASSWORD_WORDS = rb"""(?:(?:w(?:or[dt]|d)|phrase|code|e(?<=mot de passe))s?\d{0,2}|(?<![a-z]pass)(?=["' ]{0,3}[:=]))"""
_SECRET_WORDS = rb"(?:[ _.-]?(?:access[ _.-]?)?key)?(?:_base)?s?"
_HEADER_LINK = rb"""["' ]{0,4}[:=]["' ]{0,4}(?:[a-z]{3,12} {1,3})?"""

_CUES = (
    _cue("password", b"pass", is_password_like, words=_PASSWORD_WORDS),
    _cue("password", b"pw", is_password_like, words=rb"(?:d|(?<![a-z]pw)(?![a-z]))"),
    _cue("password", b"contrase", is_password_like, words=rb".{1,2}a"),
    _cue("password", b"kennwort", is_password_like),
    _cue("password", b"senha", is_password_like),
    _cue("password", b"clave", is_password_like, words=rb"(?<![a-z]clave)"),
    _cue("password", bytes([PASSWORD_CUE]), is_password_like, link=_FOREIGN_LINK),
    _cue("secret", b"secret", is_key_like, words=_SECRET_WORDS),
    _cue("token", b"token", is_key_like, behind=_NOT_PAGING),
    _cue("api_key", b"key", is_key_like, behind=_SECRET_KEY),
    _cue("secret", bytes([KEY_CUE]), is_key_like, link=_FOREIGN_LINK),
    _cue("bearer_token", b"bearer", is_key_like, words=rb"(?<![a-z]bearer)", link=rb":?+ {1,3}"),
    _cue("authorization", b"authorization", is_header_like, link=_HEADER_LINK),
)

NEAR_SCANS = (
    *(form for _, form, _ in _FORMATS),
    *(cue.scan for cue in _CUES),
    *_AWS_KEYS,
    _TELEGRAM,
    _URL_PASSWORD,
)

_BOUND = 128
_CLOSING = b".,;:?)]}"
_NEXT_FIELD = re.compile(rb"[;,&][\w .-]{0,30}[=:]|&(?:quot|apos|amp|lt|gt|nbsp|#\w{2,5});?")
_HEADER_KINDS = {b"basic": "basic_auth", b"bearer": "bearer_token"}


def _cued_values(view: View, cue: Cue) -> Iterator[Span]:
    done = 0
    is_bare = "bare" in cue.scan.pattern.groupindex
    for found in cue.scan.finditer(view.lower):
        quotes = found.lastgroup or "plain"
        start, end = found.span(quotes)
        if start < done:
            continue
        value = view.codes[start:end]
        if quotes == "plain":
            value = _first_field(value)
        if not cue.is_secret(value) or (is_bare and found["bare"] is not None and not is_telling(value)):
            continue
        # A value cut at the bound is replaced to its end.
        cut = len(value) == _BOUND and _REST[quotes].match(view.codes, end)
        done = cut.end() if cut else start + len(value)
        yield Span(start, done, 2, _kind(cue, view.lower, found.start(), start, done))


def _first_field(value: bytes) -> bytes:
    """A value without the next field of its line (`…;Database=x`, `…&next=1`) and without what closes a sentence."""
    following = _NEXT_FIELD.search(value)
    return (value[: following.start()] if following else value).rstrip(_CLOSING)


def _kind(cue: Cue, lower: bytes, cue_start: int, start: int, end: int) -> str:
    """The more telling name of a kind, where the words around the value give one."""
    before = lower[max(0, cue_start - 14) : start]
    if cue.kind == "authorization":
        return next((kind for word, kind in _HEADER_KINDS.items() if word in before), cue.kind)
    if b"accountkey" in before or b"sharedaccesskey" in before:
        return "azure_key"
    if end - start == 40 and _AWS_SECRET_NAME.search(before):
        return "aws_secret_key"
    return cue.kind


_AWS_SECRET_NAME = re.compile(rb"secret[ _.-]?access[ _.-]?key|aws[ _.-]?secret")
