"""What each reason code means, in one sentence, for somebody who meets it the first time."""

from __future__ import annotations

MEANINGS = {
    "malformed": "the extractor's answer was no operation",
    "bad_subject": "it is about something that cannot be a name",
    "speaker_mismatch": "somebody else said it about the user",
    "unknown_predicate": "nobody registered this attribute; it is kept, and counts once it is registered",
    "forgotten": "it speaks of what was forgotten after it was said",
    "not_allowed": "whoever said it may not teach this",
    "no_quote": "the words it was quoted from are not in the message",
    "echo": "these are the memory's own words, repeated",
    "hypothetical": "it says what would be, not what is",
    "question": "it asks, and does not say",
    "bad_value": "the value is not of the attribute's type, or none of its choices",
    "bad_time": "its times cannot be read, or contradict each other",
    "quoted_region": "it stands in quotation marks, code, a mail or an attachment; it waits for review",
    "reported": "it is hearsay; it waits for review",
    "not_in_words": "no word of the value is in the message; it waits for review",
    "low_confidence": "the extractor was not certain enough; it waits for review",
    "undeclared_subject": "it is about a name nobody registered; it waits for review",
    "planned": "it is a plan; it holds once it is confirmed",
    "undated": "it is a plan without a date; it holds once it is confirmed",
    "paraphrased": "only some words of the value are in the message; it counts, and is marked",
    "retract_mismatch": "it takes away what was not known; nothing changed",
    "not_shown": "it confirms what was not known; nothing changed",
}
"""Reason codes of decisions, as `docs/reference/reason-codes.md` lists them."""


def meaning_of(reason: str) -> str:
    """Say what a reason code means."""
    return MEANINGS.get(reason, "see the page of reason codes")
