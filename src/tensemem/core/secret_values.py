"""Whether a value looks like a secret: the test a value must pass when only a cue points at it.

A cue alone proves nothing ("password: required", "the token is invalid"). A value counts when its length and its
mixture of characters are those of something generated or chosen to be hard to guess, and when it is not code, a
path, an address, a date or a name made of words.
"""

from __future__ import annotations

import re

from .secret_text import GAP


def is_password_like(value: bytes) -> bool:
    """Whether a value after a word for *password* is one: six characters or more, letters mixed with others."""
    if len(value) < 6 or GAP in value:
        return False
    if value.isdigit():
        return len(value) <= 20
    if not _LETTER.search(value):
        return False
    if _DIGIT.search(value):
        return not (_NOT_A_SECRET.match(value) or _PLAIN_WORD.fullmatch(value) or _SNAKE_NAME.fullmatch(value))
    has_symbol = len(value) >= 8 and _INNER_SYMBOL.search(value, 1, len(value) - 1) is not None
    return (has_symbol or _is_random_case(value)) and not _NOT_A_SECRET.match(value)


def is_key_like(value: bytes) -> bool:
    """Whether a value after *token*, *secret* or *key* is one: generated-looking, eight characters or more."""
    if len(value) < 8 or GAP in value:
        return False
    digits = len(_DIGIT.findall(value))
    if digits == 0 or (digits == 1 and not _MIXED_WITH_SYMBOL.match(value)) or not _LETTER.search(value):
        return _is_random_case(value)
    if len(set(value)) < 6 or _NOT_A_SECRET.match(value) or _is_name(value):
        return False
    return len(value) >= 12 or len(_CHANGE.findall(value)) >= 3 or _INNER_SYMBOL.search(value) is not None


def _is_compound(value: bytes) -> bool:
    return _SEPARATOR.search(value) is not None and _SLUG.fullmatch(value) is not None


def _is_name(value: bytes) -> bool:
    return any(form.fullmatch(value) for form in (_SLUG, _PLAIN_WORD, _SNAKE_NAME))


def is_telling(value: bytes) -> bool:
    """Whether a value stands out with no `is` or `:` before it: letters and two digits, and no name of words."""
    return len(_DIGIT.findall(value)) >= 2 and _LETTER.search(value) is not None and not _is_compound(value)


def is_header_like(value: bytes) -> bool:
    """Whether a value in an Authorization header is a credential, base64 of a name and a password included."""
    if is_key_like(value):
        return True
    if not _BASE64.fullmatch(value) or len(set(value)) < 6 or value.isupper() or _NOT_A_SECRET.match(value):
        return False
    return value.endswith(b"=") or _upper_share(value) >= 0.25


def is_url_placeholder(value: bytes) -> bool:
    """Whether the password part of a URL only says that a password goes here."""
    return len(value) < 3 or GAP in value or _URL_PLACEHOLDER.fullmatch(value) is not None


def is_card_number(digits: bytes) -> bool:
    """Whether digits have an issuer's prefix, that issuer's length and a right check digit."""
    return any(issuer.fullmatch(digits) for issuer in _ISSUERS) and _has_check_digit(digits)


def _has_check_digit(digits: bytes) -> bool:
    values = [digit - 48 for digit in reversed(digits)]
    return (sum(values[::2]) + sum(value * 2 - 9 * (value > 4) for value in values[1::2])) % 10 == 0


def _is_random_case(value: bytes) -> bool:
    """Letters whose case changes as in no name: `getUserName` and `parseHTTP` do not."""
    if len(value) < 16 or not value.isalnum() or not 0.3 <= _upper_share(value) <= 0.7:
        return False
    return len(_RISE.findall(value)) >= len(value) / 8


def _upper_share(value: bytes) -> float:
    return len(_UPPER.findall(value)) / len(value)


_LETTER = re.compile(rb"[A-Za-z]")
_UPPER = re.compile(rb"[A-Z]")
_SEPARATOR = re.compile(rb"[-_./:@]")
_DIGIT = re.compile(rb"[0-9]")
_RISE = re.compile(rb"[a-z](?=[A-Z])")
_CHANGE = re.compile(rb"[A-Za-z](?=[0-9])|[0-9](?=[A-Za-z])")
_INNER_SYMBOL = re.compile(rb"[!@#$%^&*+?~]")
_MIXED_WITH_SYMBOL = re.compile(rb"(?=.{10})(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])[^!@#$%^&*+?~]*[!@#$%^&*+?~]", re.DOTALL)
_BASE64 = re.compile(rb"[A-Za-z0-9+/_-]{8,256}={0,2}")

_NOT_A_SECRET = re.compile(
    rb"""
      [$%]\{?[A-Z_][A-Z0-9_]*[}%]?$                        # an environment variable
    | \$[({] | \{[{%] | \{\w+[!:.}] | %[(s] | <                          # a template
    | \[redacted\b
    | (?:[A-Za-z_]\w{0,60}\.){0,6}[A-Za-z_]\w{0,60}[(\[](?:[\w"'*)\]:$@&-]|$)   # a call or a subscript
    | (?:self|this|os|process|settings|config|cfg|conf|env|environ|app|request|req|response|ctx|context|args
        |options|opts|params|props|data|user|form|credentials|secrets|vault|var|local|event|body|input)\.
    | [A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$                       # the name of a setting
    | (?:your|my|the|some|insert|enter|example|sample|dummy|placeholder|redacted)[-_]
    | [\w.+-]+@[\w-]+\.[\w.-]+$                            # an address
    | (?:[A-Za-z]:)?(?:\.{0,2}|~)[/\\][\w.-]+(?:[/\\]|$) # a path
    | [a-z][a-z0-9+.-]{1,20}://                            # a URL
    | [\d.,:/+()T_-]*[.,:/+()_-][\d.,:/+()TZ_-]*$          # a date, a time, a number, a telephone number
    """,
    re.VERBOSE,
)

# Words of prose that hold digits.
_PLAIN_WORD = re.compile(
    rb"""(?:
      \d{1,6}(?:st|nd|rd|th|[-_]?(?:chars?|characters?|digits?|days?|hours?|hrs|minutes?|mins?|seconds?|secs?|ms
        |months?|weeks?|years?|bits?|bytes?|kb|mb|gb|times?|letters?|words?|attempts?|symbols?)\b[\w-]*)
    | (?:sha|md|aes|rsa|base|utf|ipv|argon|bcrypt|scrypt|pbkdf|oauth|auth|hmac|ed|tls|ssl|http|windows|win|office
        |microsoft|python|java|mysql|postgres|ps|mp|room|wpa|wep|web|log|iso|rfc|cve|covid|k8s)[-_ ]?\d[\w.-]{0,20}
    | \d{1,3}-[a-z]{2,} | 1password | i18n | l10n | a11y | x509 | b2b | e2e | 2fa | mfa\d? | p2p
    )""",
    re.VERBOSE | re.IGNORECASE,
)

_SNAKE_NAME = re.compile(
    rb"(?=[a-z_]*(?:pass|pwd|secret|token|key|hash|user|name|env))[a-z]+(?:_[a-z]+)+_?\d{0,2}", re.IGNORECASE
)

# A name made of words and numbers: `prod/db/password-2024`, `gpt-4o-mini-2024-07-18`, `v1.2.3-rc4`.
_SLUG = re.compile(
    rb"(?:[A-Za-z]{1,30}\d{0,4}|\d{1,12}[A-Za-z]{0,2}|[A-Za-z]\d{1,2}[A-Za-z])"
    rb"(?:[-_./:@ ]{1,2}(?:[A-Za-z]{1,30}\d{0,4}|\d{1,12}[A-Za-z]{0,2}|[A-Za-z]\d{1,2}[A-Za-z])?){0,20}"
)

_URL_PLACEHOLDER = re.compile(
    rb"""(?: pass(?:word|wd|phrase)? | pwd | pw | secret | token | api[_-]?key | changeme | example | user | x+ | \*+
      | \.+ | %s | %\(.*\)s | \$\{?.*\}? | \{.*\}? | \[.*\]? | (?:your|my|db|the)[-_]?[a-z_-]* | \x01+ )""",
    re.VERBOSE | re.IGNORECASE,
)

_ISSUERS = tuple(
    re.compile(issuer)
    for issuer in (
        rb"4(?:[0-9]{12}|[0-9]{15}|[0-9]{18})",  # Visa
        rb"5[1-5][0-9]{14}",  # Mastercard
        rb"2(?:22[1-9]|2[3-9][0-9]|[3-6][0-9]{2}|7[01][0-9]|720)[0-9]{12}",  # Mastercard, newer range
        rb"3[47][0-9]{13}",  # American Express
        rb"3(?:0[0-5]|[689][0-9])[0-9]{11}",  # Diners Club
        rb"6(?:011|4[4-9][0-9]|5[0-9]{2})[0-9]{12,15}",  # Discover
        rb"35(?:2[89]|[3-8][0-9])[0-9]{12,15}",  # JCB
        rb"62[0-9]{14,17}",  # UnionPay
        rb"220[0-4][0-9]{12}",  # Mir
        rb"(?:60[0-9]{2}|508[5-9])[0-9]{12}",  # RuPay
        rb"(?:5018|5020|5038|5893|6304|6759|676[1-3])[0-9]{9,15}",  # Maestro
    )
)
