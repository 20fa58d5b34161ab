"""A thermostat: many readings, a schedule, a sensor that was wrong for a day, and two clocks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from tensemem import Memory

START = datetime(2024, 3, 1, 6, 0, tzinfo=UTC)


def main() -> None:
    """Log a few days of readings, and put right what was wrong."""
    with Memory("home.db") as mem:
        mem.register_predicate("target", type="number", description="degrees Celsius to heat to")
        mem.register_predicate("reading", type="number", ttl="2h", description="degrees Celsius measured")
        mem.set("home", "target", 19, subject="thermostat", said_at=START)
        for hour, degrees in enumerate((18.4, 18.9, 31.0, 19.2)):
            mem.set("home", "reading", degrees, subject="thermostat", said_at=START + timedelta(hours=hour))

        # From the first of April on it is warmer outside: a row, filed in advance.
        mem.record("home", "target", 17, subject="thermostat", valid_from="2024-04-01", said_at=START)

        wrong = next(fact for fact in mem.history("home", "reading", subject="thermostat") if fact.value == 31)
        mem.correct(wrong.id, reason="the sun shone on the sensor")

        at_nine = START + timedelta(hours=3)
        print("target in March:", mem.get("home", "target", subject="thermostat", at="2024-03-15"))
        print("target in April:", mem.get("home", "target", subject="thermostat", at="2024-04-15"))
        print("reading at nine:", mem.get("home", "reading", subject="thermostat", at=at_nine))
        print("reading a day later:", mem.get("home", "reading", subject="thermostat", at=at_nine + timedelta(days=1)))
        for fact in mem.history("home", "reading", subject="thermostat"):
            print(f"  {fact.object:>5} {fact.status.value}")


if __name__ == "__main__":
    main()
