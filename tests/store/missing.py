"""Says why stores of a kind can't be tested here, for `make test-stores`: run with the kind's name.

It prints nothing where they can, and where a build server has to have them: the tests fail there and say so. Ends
with 2 for a name that no kind has.
"""

from __future__ import annotations

import os
import sys

from tests.servers import kind_of
from tests.settings import in_ci
from tests.store.every_kind import KINDS, StoreKind, is_there


def reason(kind: StoreKind) -> str:
    """Give why there are no stores of a kind, or nothing."""
    if kind.needs and not is_there(kind.needs):
        return "" if in_ci() else f"{kind.needs} is not installed"
    if not kind.server:
        return ""
    server = kind_of(kind.server)
    is_demanded = server.demanded and in_ci() and os.name == "posix"
    return "" if server.bin is not None or is_demanded else f"{server.origin} brings PostgreSQL {server.name}"


def main(name: str) -> int:
    """Print the reason."""
    known = {kind.name: kind for kind in KINDS}
    if name not in known:
        print(f"there is no kind of store {name!r}: take some of {', '.join(known)}", file=sys.stderr)
        return 2
    print(reason(known[name]), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
