"""Secrets whose form says too little by itself, next to a word that says the rest.

A card number is a long number with an issuer's prefix, that issuer's length and a right check digit; one long number
in ten passes that, so a word for cards must stand near. Looked for only in windows around such words, and never
across a gap, so that a mark put between a number and a word changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .secret_patterns import Scan, Span, scan
from .secret_text import CARD_CUE, View
from .secret_values import is_card_number


def find_distant(view: View) -> Iterator[Span]:
    """Card numbers, and keys known by the name of their service nearby. The view has gaps for all other secrets."""
    for rule in RULES:
        if rule.gate(view.codes):
            yield from _near_cue(view, rule)


@dataclass(frozen=True, slots=True)
class Rule:
    """A form and the words it needs: how far before and after, and the literals they begin with.

    `hint` is an expression for a part of form or words, in lower case.
    """

    kind: str
    form: re.Pattern[bytes]
    cue: re.Pattern[bytes]
    literals: tuple[Scan, ...]
    before: int
    after: int
    hint: bytes
    accept: Callable[[bytes], bool] = bool
    gate: Callable[[bytes], bool] = bool


def _near_cue(view: View, rule: Rule) -> Iterator[Span]:
    last_end = -1 - rule.before
    for start, window_end in _windows(view.lower, rule):
        position, end = max(start, last_end), window_end
        while found := rule.form.search(view.codes, position, end):
            position = found.start() + 1
            if not rule.accept(found[0]):
                continue
            # A list under one cue: an accepted neighbour is as good as the cue.
            follows = found.start() - last_end <= rule.before
            if follows or _has_cue(view.lower, rule, *found.span()):
                position = last_end = found.end()
                end = max(end, last_end + rule.before + _LONGEST)
                yield Span(*found.span(), 0, rule.kind)


_LONGEST = 100
_STRIDE = 120


def _windows(lower: bytes, rule: Rule) -> list[tuple[int, int]]:
    """Where a form may stand with its cue, merged and in order; never fewer places than there are."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(window for literal in rule.literals for window in _around(lower, rule, literal)):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _around(lower: bytes, rule: Rule, literal: Scan) -> Iterator[tuple[int, int]]:
    position = 0
    while (start := literal.find(lower, position)) >= 0:
        # The window covers the cues of the next stride too, so that a text full of cues needs few steps.
        position = start + _STRIDE
        yield max(0, start - rule.after - _LONGEST), position + rule.before + _LONGEST


def _has_cue(lower: bytes, rule: Rule, start: int, end: int) -> bool:
    left = max(0, start - rule.before)
    left = max(left, lower.rfind(0, left, start) + 1)
    gap = lower.find(0, end, end + rule.after)
    right = gap if gap >= 0 else end + rule.after
    return bool(rule.cue.search(lower, left, start) or rule.cue.search(lower, end, right))


def _is_card(match: bytes) -> bool:
    return is_card_number(match.translate(None, b" -"))


def _has_long_number(codes: bytes) -> bool:
    return b"0" * 13 in codes.translate(_DIGITS_ALIKE, b" -")


def _literals(words: bytes) -> tuple[Scan, ...]:
    return tuple(scan(word) for word in words.split())


_DIGITS_ALIKE = bytes.maketrans(b"123456789", b"0" * 9)

RULES = (
    Rule(
        kind="discord_token",
        form=re.compile(
            rb"(?<![A-Za-z0-9_-])[MNO][A-Za-z0-9_-]{23,27}+\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,60}+(?![A-Za-z0-9_-])"
        ),
        cue=re.compile(rb"discord"),
        literals=_literals(b"discord"),
        hint=rb"discord",
        before=100,
        after=60,
    ),
    Rule(
        kind="twilio_key",
        form=re.compile(rb"(?<![A-Za-z0-9])SK[0-9a-f]{32}(?![A-Za-z0-9])"),
        cue=re.compile(rb"twilio"),
        literals=_literals(b"twilio"),
        hint=rb"twilio",
        before=100,
        after=60,
    ),
    Rule(
        kind="card_number",
        form=re.compile(
            rb"(?<![0-9A-Za-z])[2-6][0-9]{3}(?:[ -]?[0-9]{4}[ -]?[0-9]{4}(?:[ -]?[0-9]{4}[ -]?[0-9]{3}|[ -]?[0-9]{1,7})"
            rb"|[ -]?[0-9]{6}[ -]?[0-9]{4,5})(?![0-9A-Za-z])"
        ),
        cue=re.compile(
            rb"(?<![a-z0-9])(?:(?:credit|debit|bank|payment|master)?[ _-]?cards?(?:[ _-]?(?:no|num|number|nr))?|visa"
            rb"|mastercard|amex|american express|maestro|discover|diners|jcb|union ?pay|rupay|credit|debit|cc|ccnum"
            rb"|cvv2?|cvc2?|pan|tarjetas?|kreditkarten?|karten?|(?:kredit)?kartennummer|cartes?|cart.o|carta)(?![a-z])"
            rb"|\x06"
        ),
        literals=_literals(
            b"card visa amex american maestro discover diners jcb union rupay credit debit cc cv pan tarjeta kart cart"
            + bytes([32, CARD_CUE])
        ),
        before=60,
        after=30,
        hint=rb"[0-9]{4}[ -]?[0-9]{4}",
        accept=_is_card,
        gate=_has_long_number,
    ),
)
