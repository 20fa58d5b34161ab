"""Cases about time and about what is tried again."""

from __future__ import annotations

from tensemem.errors import ExtractorError, IdempotencyConflictError
from tests.cases.field_cases.making import MANY, ONE, adds, sets
from tests.cases.field_steps import Again, Case, Crash, Look, Put, Say, Slot, Was

ABOUT_TIME_AND_RETRIES = (
    Case(
        "an old conversation that arrives late stands behind the present one",
        {"employer": ONE},
        (
            Say(
                "2025-10-10T09:00:00Z",
                "I work at Hooli Foods.",
                (sets("employer", "Hooli Foods", "work at Hooli Foods"),),
            ),
            Say(
                "2022-05-01T09:00:00Z",
                "I work at Soylent Mills.",
                (sets("employer", "Soylent Mills", "work at Soylent Mills"),),
                heard="2026-06-01T09:00:00Z",
            ),
        ),
        {"employer": "Hooli Foods"},
        (
            Was("employer", "Soylent Mills", "2022-05-01T09:00:00Z", "2025-10-10T09:00:00Z", "superseded"),
            Was("employer", "Hooli Foods", "2025-10-10T09:00:00Z"),
        ),
    ),
    Case(
        "two statements of the same moment keep the order of the log",
        {"meeting_room": ONE},
        (
            Put("2026-04-03T08:15:00.500Z", "meeting_room", "Blue"),
            Put("2026-04-03T08:15:00.500Z", "meeting_room", "Red"),
        ),
        {"meeting_room": "Red"},
        (
            Was(
                "meeting_room", "Blue", "2026-04-03T08:15:00.500Z", "2026-04-03T08:15:00.500Z", "superseded"
            ),
            Was("meeting_room", "Red", "2026-04-03T08:15:00.500Z"),
        ),
    ),
    Case(
        "a message sent twice is one message, and the same words later are new evidence",
        {"liked_food": MANY},
        (
            Say(
                "2026-06-08T09:00:00Z",
                "I love dumplings.",
                (adds("liked_food", "dumplings", "love dumplings"),),
                key="k-77",
            ),
            Say(
                "2026-06-08T09:00:00Z",
                "I love dumplings.",
                (adds("liked_food", "dumplings", "love dumplings"),),
                key="k-77",
                heard="2026-06-08T09:00:12Z",
                repeats=1,
            ),
            Say(
                "2026-06-09T09:00:00Z",
                "I love dumplings.",
                (adds("liked_food", "dumplings", "love dumplings"),),
                key="k-90",
            ),
        ),
        {"liked_food": ("dumplings",)},
        (Was("liked_food", "dumplings", "2026-06-08T09:00:00Z", said=(1, 3)),),
    ),
    Case(
        "a key used before for something else is a conflict",
        {"liked_food": MANY},
        (
            Put("2026-06-19T09:00:00Z", "liked_food", "dumplings", adds=True, key="k-1"),
            Put(
                "2026-06-19T09:00:05Z",
                "liked_food",
                "noodles",
                adds=True,
                key="k-1",
                raises=IdempotencyConflictError,
            ),
        ),
        {"liked_food": ("dumplings",)},
        (Was("liked_food", "dumplings", "2026-06-19T09:00:00Z"),),
    ),
    Case(
        "a slow extraction does not overwrite what was said meanwhile",
        {"meeting_day": ONE},
        (
            Say(
                "2026-06-03T09:00:00Z",
                "The meeting is on Tuesday.",
                (sets("meeting_day", "Tuesday", "meeting is on Tuesday"),),
            ),
            Put("2026-06-03T09:01:00Z", "meeting_day", "Friday"),
            Look({"meeting_day": "Friday"}, pending=1),
        ),
        {"meeting_day": "Friday"},
        (
            Was("meeting_day", "Tuesday", "2026-06-03T09:00:00Z", "2026-06-03T09:01:00Z", "superseded"),
            Was("meeting_day", "Friday", "2026-06-03T09:01:00Z"),
        ),
    ),
    Case(
        "an extractor that failed is not one that found nothing",
        {"home_city": ONE},
        (
            Say(
                "2026-04-14T09:00:00Z",
                "I live in Kuopio.",
                (sets("home_city", "Kuopio", "live in Kuopio"),),
                fails=(TimeoutError("no answer in time"),),
            ),
            Look({"home_city": None}, pending=1),
            Again("2026-04-14T09:05:00Z"),
        ),
        {"home_city": "Kuopio"},
        (Was("home_city", "Kuopio", "2026-04-14T09:00:00Z", said=(1,)),),
    ),
    Case(
        "a read before the extraction says what it has not seen",
        {"home_city": ONE},
        (
            Say(
                "2026-09-01T09:00:00Z",
                "I live in Rovaniemi.",
                (sets("home_city", "Rovaniemi", "live in Rovaniemi"),),
            ),
            Look(pending=1),
        ),
        {"home_city": "Rovaniemi"},
        (Was("home_city", "Rovaniemi", "2026-09-01T09:00:00Z"),),
    ),
    Case(
        "one bad proposal spoils neither the others nor the record of what failed",
        {"home_city": ONE, "shell": ONE},
        (
            Say(
                "2026-06-20T09:00:00Z",
                "I live in Kajaani and my shell is fish.",
                (
                    sets("home_city", "Kajaani", "live in Kajaani"),
                    {"predicate": "shell", "value": "fish", "quote": "my shell is fish"},
                ),
                rulings=("admitted", "refused malformed"),
            ),
            Say(
                "2026-06-20T09:01:00Z",
                "I live in Iisalmi.",
                None,
                fails=("First I think about where the user lives: home_city = Iisalmi.",),
            ),
        ),
        {"home_city": "Kajaani", "shell": None},
        (Was("home_city", "Kajaani", "2026-06-20T09:00:00Z"),),
        leaves_pending=1,
    ),
    Case(
        "a crash between hearing and learning loses nothing",
        {"home_city": ONE},
        (
            Say(
                "2026-01-28T09:00:00Z",
                "I live in Pietarsaari.",
                (sets("home_city", "Pietarsaari", "live in Pietarsaari"),),
                fails=(ExtractorError("the process ends here"),),
            ),
            Crash("2026-01-28T09:10:00Z"),
            Look({"home_city": None}, pending=1),
            Again("2026-01-28T09:10:00Z"),
        ),
        {"home_city": "Pietarsaari"},
        (Was("home_city", "Pietarsaari", "2026-01-28T09:00:00Z", said=(1,)),),
    ),
    Case(
        "who works where then, and where now",
        {"employer": ONE},
        (
            Put("2023-11-06T09:00:00Z", "employer", "Vektor Optics", of="nora"),
            Put("2025-03-03T09:00:00Z", "employer", "Umbra Glass", of="nora"),
        ),
        {Slot("employer", of="nora"): "Umbra Glass"},
        (
            Was(
                Slot("employer", of="nora"),
                "Vektor Optics",
                "2023-11-06T09:00:00Z",
                "2025-03-03T09:00:00Z",
                "superseded",
            ),
            Was(Slot("employer", of="nora"), "Umbra Glass", "2025-03-03T09:00:00Z"),
        ),
    ),
    Case(
        "reading a fact does not make it younger",
        {"deploy_status": ONE},
        (
            Say("2026-05-01T09:00:00Z", "Staging is green.", (sets("deploy_status", "green", "Staging is green"),)),
        ),
        {"deploy_status": "green"},
        (Was("deploy_status", "green", "2026-05-01T09:00:00Z", said=(1,)),),
    ),
    Case(
        "a file of a newer version leaves what is in it",
        {"home_city": ONE},
        (Put("2026-03-09T09:00:00Z", "home_city", "Loviisa"),),
        {"home_city": "Loviisa"},
        (Was("home_city", "Loviisa", "2026-03-09T09:00:00Z"),),
    ),
    Case(
        "a damaged file had these values",
        {"home_city": ONE},
        (Put("2026-04-25T09:00:00Z", "home_city", "Paimio"),),
        {"home_city": "Paimio"},
        (Was("home_city", "Paimio", "2026-04-25T09:00:00Z"),),
    ),
)
