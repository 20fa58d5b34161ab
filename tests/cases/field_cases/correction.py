"""Cases about correction."""

from __future__ import annotations

from datetime import date

from tests.cases.field_cases.making import ONE, sets
from tests.cases.field_steps import Case, Look, Put, Say, Undo, Was

ABOUT_CORRECTION = (
    Case(
        "correcting what displaced nothing leaves nothing",
        {"job_title": ONE},
        (
            Say("2026-08-20T09:00:00Z", "My sister is a pilot.", (sets("job_title", "pilot", "is a pilot"),)),
            Undo("2026-08-20T09:30:00Z", 1),
        ),
        {"job_title": None},
        (Was("job_title", "pilot", "2026-08-20T09:00:00Z", None, "corrected"),),
    ),
    Case(
        "what was corrected does not return with its old message",
        {"employer": ONE},
        (
            Say(
                "2026-07-01T09:00:00Z",
                "Acme sent me a parcel.",
                (sets("employer", "Acme", "Acme sent me"),),
                key="m-1",
            ),
            Undo("2026-07-01T10:00:00Z", 1),
            Say(
                "2026-07-01T09:00:00Z",
                "Acme sent me a parcel.",
                (sets("employer", "Acme", "Acme sent me"),),
                key="m-1",
                heard="2026-07-03T09:00:00Z",
                repeats=1,
            ),
        ),
        {"employer": None},
        (Was("employer", "Acme", "2026-07-01T09:00:00Z", None, "corrected"),),
    ),
    Case(
        "correcting the value in the middle disturbs no other, and is not undone by the next correction",
        {"home_city": ONE},
        (
            Put("2026-01-01T09:00:00Z", "home_city", "Turku"),
            Put("2026-02-01T09:00:00Z", "home_city", "Vaasa"),
            Put("2026-03-01T09:00:00Z", "home_city", "Oulu"),
            Undo("2026-03-05T09:00:00Z", 2),
            Look({"home_city": "Oulu"}),
            Undo("2026-03-06T09:00:00Z", 3),
        ),
        {"home_city": "Turku"},
        (
            Was("home_city", "Turku", "2026-01-01T09:00:00Z"),
            Was("home_city", "Vaasa", "2026-02-01T09:00:00Z", "2026-03-01T09:00:00Z", "corrected"),
            Was("home_city", "Oulu", "2026-03-01T09:00:00Z", None, "corrected"),
        ),
    ),
    Case(
        "a corrected value may be stated anew",
        {"close_date": {"type": "date"}},
        (
            Put("2026-09-01T09:00:00Z", "close_date", "2026-10-01"),
            Put("2026-09-02T09:00:00Z", "close_date", "2026-11-01"),
            Undo("2026-09-03T09:00:00Z", 2),
            Look({"close_date": date(2026, 10, 1)}),
            Say(
                "2026-09-04T09:00:00Z",
                "Sorry, 2026-11-01 was right.",
                (sets("close_date", "2026-11-01", "2026-11-01 was right"),),
            ),
        ),
        {"close_date": date(2026, 11, 1)},
        (
            Was("close_date", date(2026, 10, 1), "2026-09-01T09:00:00Z", "2026-09-04T09:00:00Z", "superseded"),
            Was("close_date", date(2026, 11, 1), "2026-09-02T09:00:00Z", None, "corrected"),
            Was("close_date", date(2026, 11, 1), "2026-09-04T09:00:00Z"),
        ),
    ),
    Case(
        "the id that was shown is the id that can be corrected",
        {"nas_brand": ONE},
        (Put("2026-06-21T09:00:00Z", "nas_brand", "Brand X"), Undo("2026-06-21T09:05:00Z", 1)),
        {"nas_brand": None},
        (Was("nas_brand", "Brand X", "2026-06-21T09:00:00Z", None, "corrected"),),
    ),
)
