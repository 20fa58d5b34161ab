"""How hard the property tests try.

A law decorated with `@law_settings` runs 100 examples, and as many as `TENSEMEM_EXAMPLES` says where that is
given: `make test-laws` says 2000, and the build server runs it. One whose examples take long runs a share of them.
Other property tests follow the profile that is loaded, `dev` or `ci`.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings


def in_ci() -> bool:
    """Whether the environment says that this is a build server."""
    return os.environ.get("CI", "").lower() in {"1", "true", "yes"}


def law_examples() -> int:
    """How many examples a law is tried with."""
    given = os.environ.get("TENSEMEM_EXAMPLES", "")
    if given:
        return int(given)
    return 100


# Written out and not inherited, so that a law runs the same whichever profile is loaded.
law_settings = settings(
    max_examples=law_examples(),
    deadline=None,  # a busy machine is no counterexample
    derandomize=in_ci(),  # a build server judges the change, with the same examples each time; new ones are sought here
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],  # for the same reason
)



def share(part: int, least: int = 10) -> settings:
    """Settings for a law whose examples take long: one in so many of those of other laws, and at the least some."""
    return settings(parent=law_settings, max_examples=max(law_examples() // part, least))


half_settings, some_settings = share(2), share(4)

# For a law whose examples take long: fewer by the way, and as many as of any other where a number is asked for.
costly_settings = settings(
    parent=law_settings, max_examples=law_examples() if os.environ.get("TENSEMEM_EXAMPLES") else law_examples() // 4
)

# For a law that is tried on every kind of store: one of them serves all examples, emptied before each.
every_store_settings = settings(
    parent=law_settings,
    max_examples=min(max(law_examples() // 40, 5), 12),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)

settings.register_profile("dev", parent=law_settings, max_examples=60)
settings.register_profile("ci", parent=law_settings, max_examples=200)


def load_profile() -> None:
    """Choose `ci` on a build server, else `dev`; pytest's `--hypothesis-profile` has the last word."""
    settings.load_profile("ci" if in_ci() else "dev")
