"""How many tokens a text costs a model, estimated without one.

The estimate leans to the high side, because a budget that is overrun cuts a prompt short, and one that is not quite
used costs little. Each kind of character has a weight that fits the published vocabularies of today.
"""

from __future__ import annotations

import re
import unicodedata

from tensemem.core.text import CharTable


def estimate_tokens(text: str) -> int:
    """Return about how many tokens the text has; 0 for an empty one.

    A word costs one token for every four plain Latin letters begun, an accented, Cyrillic, Greek, Arabic, Hebrew or
    Indic letter counts twice; a number costs one for every three digits; an ideograph, a kana, a Hangul syllable and
    any other letter, mark or symbol one each; an emoji or a rare character two. A space between words is free, line
    breaks and other white space cost one for each run of up to eight.
    """
    kinds = text.translate(_KINDS)
    single = kinds.count("c") + 2 * kinds.count("j")
    return single + sum(_run_tokens(found[0]) for found in _RUN.finditer(kinds))


def _run_tokens(run: str) -> int:
    """The cost of a run of one kind, rounded up."""
    match run[-1]:
        case "d":
            return -(-len(run) // 3)
        case "A":
            return -(-len(run) // 3)  # capitals are rarer in vocabularies than the same word in small letters
        case " ":
            return -(-len(run) // 8)
        case _:
            return -(-(len(run) + run.count("e")) // 4)


# A case change begins a new word: camelCase, and keys and hashes, which cost far more than words of their length.
_RUN = re.compile(r"A?[ae]+|A+|d+|(?!(?<=[^ ]) (?=[^ ]))[ ]+")
_TWO_TO_A_TOKEN = re.compile("[\u00aa-\u02af\u0300-\u0e00\u1c80-\u1c8f\u1d00-\u200a\u2c60-\u2c7f\ua640-\ua7ff\ufb1d-\ufdff]")


def _kind_of(char: str) -> str:
    """`a` a small or `A` a capital plain letter, `d` a digit, `e` a letter at half a token, `c` one, `j` two."""
    if char.isascii() and char.isalpha():
        return "a" if char.islower() else "A"
    if char.isspace():
        return " "
    if char > "\uffff":
        return "j"
    category = unicodedata.category(char)
    if category == "Nd":
        return "d" if char.isascii() else "c"
    return "e" if category[0] in "LM" and _TWO_TO_A_TOKEN.match(char) else "c"


_KINDS = CharTable(_kind_of)
