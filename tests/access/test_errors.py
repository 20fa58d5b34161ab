"""What a refusal carries survives being sent to another process."""

from __future__ import annotations

import pickle

from tensemem import errors


def test_a_refusal_keeps_when_to_ask_again() -> None:
    found = pickle.loads(pickle.dumps(errors.RateLimitedError("too fast", retry_after=2.5)))
    assert (type(found), str(found), found.retry_after) == (errors.RateLimitedError, "too fast", 2.5)


def test_a_refusal_says_by_itself_what_to_do() -> None:
    assert "retry_after" in str(errors.RateLimitedError())
    assert "tensemem keys mint" in str(errors.UnauthenticatedError())
