"""The names that other people's code may use, and what it costs to import them."""

from __future__ import annotations

import json

import tensemem
from tensemem import AsyncMemory, Memory
from tests.store.children import run_child

EXPORTED = [
    "AddResult", "AsyncClient", "AsyncMemory", "BackupReport", "Change", "Client", "Context", "CopyReport",
    "Decision", "Diagnosis", "Entity",
    "Evidence", "Explanation", "ExportReport", "Fact", "FactStatus", "FakeExtractor", "Finding", "Freshness",
    "History", "ImportReport", "Items", "LoggedMessage", "Memory", "Message", "NotUnderstood", "OfflineExtractor",
    "Operation",
    "Predicate", "Question", "RebuildReport", "ReextractPlan", "Reextraction", "Removal", "RestoreReport",
    "Retention", "RetentionRun", "SearchHit", "State", "StateDiff", "Statement", "WriteResult", "errors",
]  # fmt: skip

VERBS = [
    "add", "add_many", "add_value", "answer", "apply_retention", "backup", "changes", "confirm", "context", "copy_to",
    "correct", "decisions", "deny", "digest", "dismiss", "doctor", "erase", "explain", "export", "flush", "forget",
    "get", "history", "import_", "jobs", "messages", "on", "plan_reextract", "predicates", "preview", "proposals",
    "purge", "questions", "rebuild", "record", "reextract", "register", "register_entity", "register_predicate",
    "reinstate", "rekey", "remove_value", "replace_values", "retain", "retention", "retract", "retry", "review",
    "scopes", "search", "set", "state", "stats", "verify", "write",
]  # fmt: skip

ERRORS = [
    "AccessError", "AlreadyCorrectedError", "ClosedError", "ConflictError", "ContentTooLargeError",
    "DamagedExportError", "ExtractorError", "ExtractorOutputError", "ExtractorUnavailable", "ForbiddenError",
    "FutureTimestampError", "IdempotencyConflictError", "InvalidScopeError", "InvalidTimeError", "InvalidValueError",
    "NewerExportError", "OutcomeUnknownError", "PredicateConflictError", "RateLimitedError", "ReadOnlyError",
    "SchemaTooNewError", "StaleMemoryError", "StateChangedError", "StoreBusyError", "StoreCorruptError", "StoreError",
    "StoreKeyError", "StoreRetryError", "StoreUnsupportedError", "TensememError", "UnauthenticatedError",
    "UnknownFactError", "UnknownPredicateError",
]  # fmt: skip

HEAVY = {
    "asyncio", "click", "concurrent.futures", "ctypes", "email", "http", "multiprocessing", "pydantic", "sqlite3",
    "ssl", "subprocess", "unittest", "urllib.request", "xml",
}  # fmt: skip
"""What takes long to load, and is of no use to somebody who only imports the library."""


def test_the_exported_names_are_these() -> None:
    assert sorted(tensemem.__all__) == EXPORTED
    assert all(getattr(tensemem, name) is not None for name in EXPORTED)
    assert set(EXPORTED) <= set(dir(tensemem))


def test_the_verbs_are_these() -> None:
    for kind in (Memory, AsyncMemory):
        found = [name for name in dir(kind) if not name.startswith("_")]
        assert found == sorted([*VERBS, "close", "for_user", "restore", "turn"])


def test_the_errors_are_these_and_have_one_root() -> None:
    classes = {name: thing for name, thing in vars(tensemem.errors).items() if isinstance(thing, type)}
    found = {name: thing for name, thing in classes.items() if issubclass(thing, BaseException)}
    assert sorted(found) == ERRORS
    assert all(issubclass(thing, tensemem.errors.TensememError) for thing in found.values())


def test_an_unknown_name_is_no_attribute() -> None:
    assert not hasattr(tensemem, "Colour")
    assert not hasattr(tensemem, "aio_memory")


def loaded_by(code: str) -> set[str]:
    """The modules that some code loads in a fresh interpreter."""
    return set(
        json.loads(
            run_child(
                "import json, sys\n"
                "before = set(sys.modules)\n"
                f"{code}\n"
                "print(json.dumps(sorted(set(sys.modules) - before)))"
            )
        )
    )


def test_importing_the_package_loads_values_and_errors_only() -> None:
    loaded = loaded_by("import tensemem")
    ours = {name for name in loaded if name.startswith("tensemem.")}
    assert {name for name in ours if not name.startswith("tensemem.model")} == {"tensemem._version", "tensemem.errors"}
    assert not loaded & HEAVY


def test_importing_memory_loads_nothing_heavy() -> None:
    loaded = loaded_by("from tensemem import Memory, FakeExtractor")
    assert "tensemem.memory" in loaded
    assert not loaded & HEAVY


def test_opening_a_memory_loads_sqlite_and_no_event_loop() -> None:
    loaded = loaded_by(
        "from tensemem import Memory, FakeExtractor\n"
        "with Memory(':memory:', llm=FakeExtractor()) as mem:\n"
        "    mem.register_predicate('lives_in')\n"
        "    mem.add('ann', 'I live in Delhi', wait=True)\n"
        "    assert mem.get('ann', 'lives_in') == 'Delhi'\n"
    )
    assert loaded & HEAVY == {"sqlite3"}


def test_only_the_awaited_memory_loads_an_event_loop() -> None:
    assert "asyncio" in loaded_by("from tensemem import AsyncMemory")
