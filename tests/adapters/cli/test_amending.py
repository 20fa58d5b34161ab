"""Values are stated, corrected and reviewed from the command line as from Python."""

from __future__ import annotations

from typing import Any


def test_a_correction_brings_back_what_was_displaced(seeded: Any) -> None:
    fact = seeded.ids()[-1]
    ran = seeded.ok("correct", fact, "--reason", "another Alice")
    assert "-  lives_in = Bangalore" in ran.out
    assert "+  lives_in = Delhi" in ran.out
    assert "another Alice" in ran.out
    assert seeded.ok("get", "alice", "lives_in").out == "Delhi\n"
    assert seeded("correct", fact).code == 3
    seeded.ok("reinstate", fact)
    assert seeded.ok("get", "alice", "lives_in").out == "Bangalore\n"


def test_a_correction_may_say_what_was_true_instead(seeded: Any) -> None:
    seeded.ok("correct", seeded.ids()[-1], "Pune", "--valid-from", "2026-04-01", "--user", "alice")
    assert seeded.ok("get", "alice", "lives_in").out == "Pune\n"
    assert seeded.ok("get", "alice", "lives_in", "--at", "2026-03-15").out == "Delhi\n"


def test_an_id_is_unknown_to_another_user_and_another_namespace(seeded: Any) -> None:
    fact = seeded.ids()[-1]
    assert seeded("explain", fact, "--user", "bob").code == 3
    assert seeded("correct", fact, "--namespace", "other").code == 3
    assert seeded("explain", fact, "--user", "alice").code == 0


def test_a_candidate_is_accepted_or_rejected(seeded: Any, tmp_path: Any) -> None:
    (tmp_path / "told.py").write_text(
        "from tensemem import Operation\n\n\ndef ask(request):\n    words = request.messages[0].content\n"
        "    return [Operation('set', 'lives_in', words.split()[-1], quote=words, modality='reported')]\n",
        encoding="utf-8",
    )
    for city, answer, shown in (("Rome", "--reject", "Bangalore"), ("Oslo", "--accept", "Oslo")):
        seeded.ok("add", "alice", f"Bob says I live in {city}", "--llm", "told:ask")
        (waiting,) = seeded.ok("state", "alice", "--json").json["candidates"]
        seeded.ok("review", waiting["id"], answer)
        assert seeded.ok("get", "alice", "lives_in").out == f"{shown}\n"
    assert seeded.ok("state", "alice", "--json").json["candidates"] == []


def test_what_changed_nothing_says_why(seeded: Any) -> None:
    ran = seeded.ok("retract", "alice", "lives_in", "Rome")
    assert "no value changed" in ran.out
    assert "retract_mismatch" in ran.out
    assert "shown now: lives_in = Bangalore" in ran.out


def test_a_row_that_later_evidence_overtakes_is_kept_and_not_shown_now(seeded: Any) -> None:
    dates = ("--valid-from", "2019", "--valid-to", "2020")
    told = seeded.ok("record", "alice", "lives_in", "Paris", *dates, "--json").json
    assert (told["changed"], told["current"], told["shown"]["value"]) == (True, False, "Bangalore")


def test_an_expected_revision_guards_a_write(seeded: Any) -> None:
    rev = seeded.ok("state", "alice", "--json").json["rev"]
    seeded.ok("set", "alice", "lives_in", "Goa", "--expected-rev", str(rev))
    ran = seeded("set", "alice", "lives_in", "Pune", "--expected-rev", str(rev))
    assert ran.code == 3
    assert seeded.ok("get", "alice", "lives_in").out == "Goa\n"


def test_the_values_of_a_list_may_come_as_one_json_list(seeded: Any) -> None:
    seeded.ok("replace-values", "alice", "languages", '["Rust", "C++"]', "--type-json")
    assert seeded.ok("get", "alice", "languages").out == "C++\nRust\n"
    seeded.ok("add-value", "alice", "languages", "Go")
    seeded.ok("remove-value", "alice", "languages", "Rust")
    assert seeded.ok("get", "alice", "languages").out == "C++\nGo\n"
    seeded.ok("replace-values", "alice", "languages", "--clear")
    assert seeded("get", "alice", "languages").code == 1


def test_a_denied_value_never_held(seeded: Any) -> None:
    seeded.ok("deny", "alice", "lives_in", "Bangalore")
    assert seeded.ok("get", "alice", "lives_in").out == "Delhi\n"
    assert "denied" in seeded.ok("history", "alice", "lives_in").out


def test_subjects_and_agents_have_values_of_their_own(seeded: Any) -> None:
    seeded.ok("set", "alice", "lives_in", "Pune", "--subject", "wife")
    seeded.ok("set", "alice", "lives_in", "Goa", "--agent", "travel")
    assert seeded.ok("get", "alice", "lives_in", "--subject", "my wife").out == "Pune\n"
    assert seeded.ok("get", "alice", "lives_in", "--agent", "travel").out == "Goa\n"
    assert seeded.ok("get", "alice", "lives_in").out == "Bangalore\n"
    layered = seeded.ok("state", "alice", "--layer", "travel", "--layer", "", "--json").json
    assert layered["values"]["lives_in"] == "Goa"
    assert "languages" in layered["values"]


def test_receipts_carry_source_and_metadata_and_one_key_writes_once(seeded: Any) -> None:
    options = ("--source", "crm", "--metadata", '{"ticket": 7}', "--idempotency-key", "k")
    seeded.ok("set", "alice", "lives_in", "Goa", *options)
    assert "known already" in seeded.ok("set", "alice", "lives_in", "Goa", *options).out
    fact = seeded.ok("state", "alice", "--predicate", "lives_in", "--json").json["facts"][0]
    assert fact["source"] == "crm"


def test_why_a_fact_is_shown_is_told_from_the_words_on(seeded: Any) -> None:
    seeded.ok("add", "alice", "I live in Goa", "--llm", "fake", "--said-at", "2026-04-01")
    out = seeded.ok("explain", seeded.ids()[-1]).out
    for told in ("I live in Goa", "proposed by fake", "admitted", "displaced: lives_in = Bangalore"):
        assert told in out


def test_changes_go_on_from_a_revision(seeded: Any) -> None:
    rev = seeded.ok("state", "alice", "--json").json["rev"]
    assert seeded.ok("changes", "alice", str(rev)).out == f"nothing changed after revision {rev}\n"
    seeded.ok("set", "alice", "lives_in", "Goa")
    told = [(one["kind"], one["value"]) for one in seeded.ok("changes", "alice", str(rev), "--json").json["changes"]]
    assert told == [("ended", "Bangalore"), ("began", "Goa")]


def test_a_predicate_is_registered_with_its_whole_policy(cli: Any) -> None:
    told = cli.ok(
        "register", "diet", "--type", "enum", "--choice", "vegan", "--choice", "none", "--ttl", "30d",
        "--review-after", "10d", "--alias", "food", "--description", "what is eaten", "--writer", "user",
        "--writer", "tool", "--trust", "crm", "--trust", "user", "--min-confidence", "0.5", "--verbatim",
        "--example", "I am vegan", "--json",
    ).json  # fmt: skip
    assert told == {
        "name": "diet", "cardinality": "one", "type": "enum", "choices": ["vegan", "none"], "ttl": "P30D",
        "review_after": "P10D", "aliases": ["food"], "description": "what is eaten", "writers": ["user", "tool"],
        "trust": ["crm", "user"], "min_confidence": 0.5, "verbatim": True, "examples": ["I am vegan"],
    }  # fmt: skip
    row = cli.ok("predicates").out.splitlines()[1]
    for policy in ("choices vegan, none", "ttl 30d", "review after 10d", "trust crm, user", "verbatim True"):
        assert policy in row
    assert cli("register", "diet").code == 3
    cli.ok("register", "diet", "--update", "--not-verbatim")
    assert cli.ok("predicates", "--json").json["predicates"][0]["verbatim"] is False


def test_typed_choices_are_read_as_json(cli: Any) -> None:
    choices = ("--choice", "1", "--choice", "2", "--type-json")
    told = cli.ok("register", "stars", "--type", "number", *choices, "--json").json
    assert told["choices"] == [1, 2]


def test_a_profile_is_registered_from_a_file(cli: Any, tmp_path: Any) -> None:
    (tmp_path / "p.toml").write_text('[predicates.diet]\n[entities.Postgres]\naliases = ["pg"]\n', encoding="utf-8")
    assert "1 predicate registered" in cli.ok("register", "--file", "p.toml").out
    cli.ok("register", "database")
    cli.ok("set", "alice", "database", "pg")
    assert cli.ok("get", "alice", "database").out == "Postgres\n"


def test_what_was_proposed_is_admitted_by_registering_it(cli: Any) -> None:
    cli.ok("add", "alice", "I live in Delhi", "--llm", "fake")
    assert "lives_in" in cli.ok("proposals").out
    assert cli.ok("proposals", "--json").json["proposals"][0]["count"] == 1
    cli.ok("register", "lives_in")
    assert cli.ok("get", "alice", "lives_in").out == "Delhi\n"
    assert cli.ok("proposals").out == "no proposals\n"


def test_a_message_that_waits_is_listed_retried_and_dismissed(seeded: Any) -> None:
    seeded.ok("add", "alice", "I live in Goa")
    assert "alice" in seeded.ok("jobs").out
    assert seeded.ok("jobs", "bob").out == "nothing waits\n"
    assert seeded.ok("retry", "alice", "4", "--json").json["queued"] == 1
    assert seeded.ok("retry", "alice", "3", "--json").json["queued"] == 0
    seeded.ok("dismiss", "alice", "4")
    assert seeded.ok("jobs").out == "nothing waits\n"
    assert seeded("dismiss", "alice", "4").code == 3
    assert "dismissed" in seeded.ok("decisions", "alice", "4").out


def test_scopes_are_listed_page_by_page(seeded: Any) -> None:
    seeded.ok("set", "alice", "lives_in", "Goa", "--agent", "travel")
    seeded.ok("set", "bob", "lives_in", "Goa")
    found = [(one["user_id"], one["agent_id"]) for one in seeded.ok("scopes", "--json").json["scopes"]]
    assert found == [("alice", ""), ("alice", "travel"), ("bob", "")]
    after = ("scopes", "--after", "alice", "--json")
    assert [one["agent_id"] for one in seeded.ok(*after, "--limit", "1").json["scopes"]] == ["travel"]
    assert [one["user_id"] for one in seeded.ok(*after, "--after-agent", "travel").json["scopes"]] == ["bob"]
    assert [one["user_id"] for one in seeded.ok("scopes", "b", "--json").json["scopes"]] == ["bob"]


def test_a_rebuild_gives_the_same_digest(seeded: Any) -> None:
    before = seeded.ok("digest", "alice").out
    assert seeded.ok("rebuild", "alice").out.startswith("identical: 1 scope, 3 entries")
    assert seeded.ok("digest", "alice").out == before


def test_a_context_is_fenced_and_keeps_to_its_budget(seeded: Any) -> None:
    ran = seeded.ok("context", "alice", "where does she live?")
    assert ran.out.startswith("<tensemem-")
    assert "- lives_in: Bangalore" in ran.out
    short = seeded.ok("context", "alice", "--max-tokens", "0")
    assert (short.out, "left out" in short.err) == ("", True)
    assert seeded.ok("context", "alice", "--format", "xml").out.startswith("<")
    assert "Delhi" in seeded.ok("context", "alice", "--include-history").out
    assert seeded.ok("context", "alice", "--json").json["token_count"] > 0


def test_a_dry_run_says_that_nothing_was_written(seeded: Any) -> None:
    fact = seeded.ids()[-1]
    before = seeded.ok("digest", "alice").out
    ran = seeded.ok("correct", fact, "Pune", "--dry-run")
    first = ran.out.splitlines()[0]
    assert first == "would be revision 4, seq 4: this would change; nothing was written"
    assert "survives" not in ran.out
    assert "+  lives_in = Pune" in ran.out
    told = seeded.ok("correct", fact, "--dry-run", "--json").json
    assert (told["dry_run"], told["changed"], told["rev"]) == (True, True, 4)
    assert seeded.ok("digest", "alice").out == before
    done = seeded.ok("correct", fact, "--json").json
    assert (done["dry_run"], done["rev"]) == (False, 4)
    ran = seeded.ok("reinstate", fact, "--dry-run")
    assert ran.out.startswith("would be revision 5, seq 5: this would change; nothing was written")


def test_a_dry_review_says_that_nothing_was_written(seeded: Any, tmp_path: Any) -> None:
    (tmp_path / "told.py").write_text(
        "from tensemem import Operation\n\n\ndef ask(request):\n"
        "    return [Operation('set', 'lives_in', 'Rome', quote='Rome', modality='reported')]\n",
        encoding="utf-8",
    )
    seeded.ok("add", "alice", "Bob says I live in Rome", "--llm", "told:ask")
    (waiting,) = seeded.ok("state", "alice", "--json").json["candidates"]
    ran = seeded.ok("review", waiting["id"], "--reject", "--dry-run")
    assert ran.out.splitlines()[0].endswith("no value would change; nothing was written")
    assert seeded.ok("state", "alice", "--json").json["candidates"] == [waiting]
