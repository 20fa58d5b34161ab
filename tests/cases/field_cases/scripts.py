"""Cases about scripts and values."""

from __future__ import annotations

from tests.cases.field_cases.making import ONE, decomposed, sets
from tests.cases.field_steps import Case, Say, Was

ABOUT_SCRIPTS = (
    Case(
        "composed and decomposed accents are the same value",
        {"home_city": ONE},
        (
            Say("2026-02-10T09:00:00+01:00", "Vivo en Málaga.", (sets("home_city", "Málaga", "Vivo en Málaga"),)),
            Say(
                "2026-02-11T09:00:00+01:00",
                decomposed("Vivo en Málaga."),
                (sets("home_city", decomposed("Málaga"), decomposed("Vivo en Málaga")),),
            ),
            Say(
                "2026-02-12T09:00:00+01:00",
                decomposed("Sigo en Málaga."),
                (sets("home_city", "Málaga", "Sigo en Málaga"),),
            ),
        ),
        {"home_city": "Málaga"},
        (Was("home_city", "Málaga", "2026-02-10T09:00:00+01:00", said=(1, 2, 3)),),
    ),
    Case(
        "a number in another script is taken with its own quote",
        {"age": {"type": "number"}},
        (Say("2026-05-30T09:00:00+05:30", "मैं २५ साल का हूँ।", (sets("age", "25", "२५ साल का"),)),),
        {"age": 25},
        (Was("age", 25, "2026-05-30T09:00:00+05:30", said=(1,)),),
    ),
    Case(
        "a name with an ending attached is found in its quote",
        {"preferred_name": ONE},
        (Say("2026-04-27T09:00:00+09:00", "제 이름은 하린이에요.", (sets("preferred_name", "하린", "이름은 하린"),)),),
        {"preferred_name": "하린"},
        (Was("preferred_name", "하린", "2026-04-27T09:00:00+09:00", said=(1,)),),
    ),
)
