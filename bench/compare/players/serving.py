"""What every player does: read steps from standard input, a line each, and answer each with a line of JSON.

A player has a method per step; one it has not is something its system cannot do. Standard library only, for each
player runs in the environment of its own system.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any


class CannotError(Exception):
    """The system has no way to do this; the text says what is missing."""


def serve(player: Any) -> None:
    """Answer until the input ends."""
    answers, sys.stdout = sys.stdout, sys.stderr  # what a system prints is no answer
    for line in sys.stdin:
        step = json.loads(line)
        print(json.dumps(_answer(player, step)), file=answers, flush=True)


def _answer(player: Any, step: dict[str, Any]) -> dict[str, Any]:
    name = step.pop("do")
    step.pop("wanted", None)
    method = getattr(player, name, None)
    if method is None:
        return {"cannot": f"it has no way to {name}"}
    begin = time.perf_counter()
    try:
        value = method(**step)
    except CannotError as why:
        return {"cannot": str(why)}
    except Exception as error:  # whatever a system raises is its answer
        return {"error": f"{type(error).__name__}: {error}"[:300]}
    return {"value": value, "seconds": time.perf_counter() - begin}
