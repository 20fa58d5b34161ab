"""Nothing public goes undocumented: every name that a user may meet stands on the page where it is looked for."""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import inspect
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import click
import pytest

import tensemem
from tensemem import FactStatus, Memory, Message, Operation, errors, logs
from tensemem.adapters.cli import program
from tensemem.core.said import Said
from tensemem.engine import watching
from tensemem.model import claim, entry, operation, predicate, results
from tensemem.observe import names as observed
from tensemem.observe import prometheus
from tensemem.verbs import watched
from tests.docs.pages import DOCS, PROJECT, Block, all_pages, anchors_of, blocks_of, links_of
from tests.docs.signatures import public_verbs, signature_text

SOURCE = PROJECT / "src" / "tensemem"
REFERENCE = DOCS / "reference"


def page(name: str) -> str:
    return (REFERENCE / f"{name}.md").read_text(encoding="utf-8")


def section(name: str, title: str) -> str:
    """The part of a page under a heading whose title is a name in backquotes; empty where there is none."""
    found = re.search(rf"^(#+) `{re.escape(title)}`.*?(?=^#{{1,3}} |\Z)", page(name), re.MULTILINE | re.DOTALL)
    return found[0] if found else ""


def names_in(text: str) -> set[str]:
    """Every word that stands in backquotes."""
    return {word for span in re.findall(r"`([^`\n]+)`", text) for word in re.findall(r"[\w.-]+", span)}


def signature_in(text: str) -> str:
    found = re.search(r"```py\n(.*?)```", text, re.DOTALL)
    one_line = re.sub(r"\s+", " ", found[1] if found else "").strip()
    return one_line.replace("( ", "(").replace(" )", ")")


@pytest.mark.parametrize("name", sorted(public_verbs()))
def test_a_verb_is_documented_with_the_signature_it_has(name: str) -> None:
    assert signature_in(section("python-api", name)) == signature_text(name, public_verbs()[name])


_GOING_IN = [Operation, Message, tensemem.FakeExtractor, tensemem.OfflineExtractor]


@pytest.mark.parametrize("kind", _GOING_IN, ids=lambda kind: kind.__name__)
def test_a_value_that_goes_in_is_documented_with_its_signature(kind: type) -> None:
    assert signature_in(section("python-api", kind.__name__)) == signature_text(kind.__name__, kind)


def test_the_verbs_on_the_page_are_those_there_are() -> None:
    part = page("python-api").partition("## Writing")[2].partition("## Values that go in")[0]
    assert set(re.findall(r"^### `(\w+)`", part, re.MULTILINE)) == set(public_verbs())


def test_a_client_is_documented_with_its_signature() -> None:
    for name, called in (("Client", tensemem.Client.__init__), ("watch", tensemem.Client.watch)):
        assert signature_in(section("python-api", name)) == signature_text(name, called)


def test_every_setting_is_documented() -> None:
    assert signature_in(page("settings")) == signature_text("Memory", Memory.__init__)
    rows = set(re.findall(r"^\| `(\w+)`", page("settings").partition("## Environment")[0], re.MULTILINE))
    assert rows == set(inspect.signature(Memory).parameters)


def test_every_environment_variable_is_documented() -> None:
    read = {name for path in SOURCE.rglob("*.py") for name in re.findall(r"\bTENSEMEM_[A-Z_]+\b", path.read_text())}
    assert read <= names_in(page("settings"))


def test_every_error_is_documented_and_drawn_in_the_tree() -> None:
    known = {name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, Exception)}
    rows = set(re.findall(r"^\| `(\w+)`", page("errors"), re.MULTILINE))
    assert rows == known
    tree = page("errors").partition("```text\n")[2].partition("```")[0]
    assert set(re.findall(r"\w+", tree)) == known


def result_types() -> list[type]:
    public = [getattr(tensemem, name) for name in tensemem.__all__]
    named = [kind for kind in public if dataclasses.is_dataclass(kind) or kind in (results.State, results.WriteResult)]
    more = [results.Step, results.Proposal, results.Job, results.ScopeInfo]
    return [kind for kind in [*named, *more] if kind not in (Operation, Message)]


@pytest.mark.parametrize("kind", result_types(), ids=lambda kind: kind.__name__)
def test_a_result_is_documented_field_by_field(kind: type) -> None:
    fields = {name for name in dir(kind) if not name.startswith("_")}
    assert fields - names_in(section("results", kind.__name__)) == set()


def test_every_status_is_documented() -> None:
    rows = set(re.findall(r"^\| `(\w+)`", section("results", "FactStatus"), re.MULTILINE))
    assert rows == {status.value for status in FactStatus}


NAMES = {field.name for kind in (Operation, claim.Claim, Said) for field in dataclasses.fields(kind)}
NO_CODES = {
    *NAMES, *operation.OPS, *predicate.VALUE_TYPES, "application", "user", "asserted", "planned", "all", "none", "some",
    "utf", "is_message", "takes_away", "name",
}  # fmt: skip
"""Words of core/admission.py that are no reason codes: names of fields and arguments, operations, types, roles."""


def codes_of_admission() -> set[str]:
    """Every word written as text in the gate's source, but those that are known to be something else."""
    tree = ast.parse((SOURCE / "core" / "admission.py").read_text(encoding="utf-8"))
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    words = {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
    }
    return {word for word in words if re.fullmatch(r"[a-z]+(_[a-z]+)*", word)} - NO_CODES


def test_the_gate_has_codes() -> None:
    assert {"no_quote", "not_in_words", "question", "undated", "low_confidence"} <= codes_of_admission()


def test_every_reason_code_is_documented() -> None:
    rows = set(re.findall(r"^\| `(\w+)`", page("reason-codes"), re.MULTILINE))
    assert codes_of_admission() - rows == set()
    skips = {word for name in ("record", "upkeep") for word in reasons_in(SOURCE / "engine" / f"{name}.py")}
    assert skips - rows == set()
    assert {"retract_mismatch", "not_shown", "paraphrased"} <= rows


def reasons_in(path: Path) -> set[str]:
    """The reasons of skips: they are returned by one function, or stand in the entry's body."""
    text = path.read_text(encoding="utf-8")
    function = text.partition("def _skip_reason")[2].partition("\ndef ")[0].partition('"""')[2].partition('"""')[2]
    return set(re.findall(r'"(\w+_\w+)"', function)) | set(re.findall(r'\{"reason": "(\w+)"\}', text))


def test_every_outcome_operation_and_modality_is_documented() -> None:
    assert {outcome.value for outcome in claim.Outcome} <= names_in(section("results", "Decision"))
    part = names_in(section("python-api", "Operation"))
    assert {*operation.OPS, *operation.MODALITIES} <= part
    assert set(predicate.VALUE_TYPES) <= names_in(section("python-api", "register_predicate"))
    assert set(get_args(predicate.Cardinality)) <= names_in(section("python-api", "register_predicate"))


def emitted_events() -> dict[str, set[str]]:
    """Every event that the engine emits, with the names of its fields, as the source has them."""
    found: dict[str, set[str]] = {}
    for path in (SOURCE / "engine").glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "emit":
                for name in _events_in(node.args[0]):
                    found.setdefault(name, set()).update(_fields_in(tree, node))
    found["importing"] |= found["copying"]  # which it passes on under its own name
    return found


def _fields_in(tree: ast.Module, call: ast.Call) -> Iterator[str]:
    """The names of what a call is given, those of a dict that is written out in the module and handed on among them."""
    for keyword in call.keywords:
        if keyword.arg:
            yield keyword.arg
            continue
        for node in ast.walk(tree):
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict(keys=keys)):
                    if name == ast.unparse(keyword.value):
                        yield from (str(key.value) for key in keys if isinstance(key, ast.Constant))


def _events_in(given: ast.expr) -> set[str]:
    match given:
        case ast.Constant(value=str(name)):
            return {name}
        case ast.IfExp():
            return _events_in(given.body) | _events_in(given.orelse)
        case ast.Call(func=ast.Attribute(value=ast.Name(id="told"))):  # an import's own word for copying
            return {"importing"}
        case ast.Attribute(attr="value"):  # the kind of an amendment's entry
            return {"correction", "reinstatement", "review"}
    raise AssertionError(f"which event is {ast.unparse(given)}?")


def documented_events() -> dict[str, set[str]]:
    rows = re.findall(r"^\| (`[^|]+) \| (`[^|]+) \|", page("events"), re.MULTILINE)
    return {name: names_in(fields) for events, fields in rows for name in names_in(events)}


def test_every_event_is_documented_with_its_fields() -> None:
    emitted = emitted_events()
    assert {"added", "extracted", "rebuilding", "verified", "review"} <= emitted.keys()
    for call in (watching.Call("verb", "state", "default"), watching.Call("step", "ask", "default")):
        event, fields = watching.event_of(call)
        emitted[event] = set(fields)
    assert {"called", "stepped"} <= emitted.keys()
    assert documented_events() == emitted


def test_every_id_and_count_that_watchers_see_is_documented() -> None:
    inner = {*watched.IDS, *watched.RESULT_IDS, "count", "messages", "extractor", "model", "operations"}
    assert inner <= names_in(page("events"))
    assert set(watching.STEPS) <= names_in(page("events"))


def test_everything_that_the_doctor_looks_at_is_documented() -> None:
    text = (DOCS / "how-to" / "find-out-what-is-wrong.md").read_text(encoding="utf-8")
    rows = set(re.findall(r"`([^`]+)`", "\n".join(re.findall(r"^\| (`[^|]+) \|", text, re.MULTILINE))))
    named = set()
    for path in SOURCE.rglob("*.py"):
        named |= set(re.findall(r'(?:Finding|_guarded)\("([a-z -]+)"', path.read_text(encoding="utf-8")))
    assert "digests" in named
    assert rows == named


def watching_page() -> str:
    return (DOCS / "how-to" / "watch-a-memory-in-production.md").read_text(encoding="utf-8")


def test_every_metric_is_documented() -> None:
    source = (SOURCE / "observe" / "prometheus.py").read_text(encoding="utf-8")
    named = set(re.findall(r'"(tensemem_\w+)"', source))
    named |= {f"tensemem_{name}" for name in re.findall(r'^        \("(\w+)", "', source, re.MULTILINE)}
    named |= {f"tensemem_{name}" for name in (*prometheus._BYTES, *prometheus._COUNTED)}
    assert {"tensemem_calls_total", "tensemem_pending_messages", "tensemem_wal_bytes"} <= named
    assert named <= names_in(watching_page())


def test_every_operation_and_attribute_of_spans_is_documented() -> None:
    known = {name for key, name in vars(observed).items() if key.isupper() and isinstance(name, str)}
    assert {"gen_ai.memory.record.id", "delete_memory"} <= known
    assert known <= names_in(watching_page())


def test_every_logger_and_every_field_of_its_records_is_documented() -> None:
    part = page("settings").partition("## Logging")[2].partition("\n## ")[0]
    assert {f"tensemem.{name}" for name in logs.PARTS} <= names_in(part)
    assert set(logs.FIELDS) <= names_in(part)


@contextlib.contextmanager
def database(folder: Path) -> Iterator[sqlite3.Connection]:
    """A new database, opened with SQLite alone."""
    path = folder / "new.db"
    with Memory(path):
        pass
    with contextlib.closing(sqlite3.connect(path)) as connection:
        yield connection


def test_every_table_view_and_column_is_documented(tmp_path: Path) -> None:
    with database(tmp_path) as connection:
        rows = connection.execute("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')").fetchall()
        names = {name for (name,) in rows if not name.startswith("sqlite_")}
        assert "view_facts" in names
        missing = {}
        for name in names:
            columns = {row[1] for row in connection.execute(f"PRAGMA table_info({name})")}
            missing[name] = columns - names_in(section("file-format", name))
    assert {name: columns for name, columns in missing.items() if columns} == {}


def test_every_kind_of_entry_is_documented() -> None:
    part = page("file-format").partition("## Entries")[2]
    assert {kind.value for kind in entry.EntryKind} == set(re.findall(r"^### `(\w+)`", part, re.MULTILINE))


def commands() -> dict[str, click.Command]:
    return dict(program.commands)


@pytest.mark.parametrize("name", sorted(commands()))
def test_a_command_is_documented_with_its_options(name: str) -> None:
    found = section("command-line", name)
    assert found
    options = {option for parameter in parameters_of(commands()[name]) for option in _long_options(parameter)}
    named = {name for name in names_in(found) if name.startswith("--") and len(name) > 2}
    assert options - named - general_options() == set()
    assert named - options - general_options() == set(), "the page names options that are not there"


def parameters_of(command: click.Command) -> list[click.Parameter]:
    """What a command takes, those below it too: they are documented in one place."""
    below = command.commands.values() if isinstance(command, click.Group) else ()
    return [*command.params, *(parameter for one in below for parameter in parameters_of(one))]


def general_options() -> set[str]:
    return {option for parameter in program.params for option in _long_options(parameter)}


def _long_options(parameter: click.Parameter) -> set[str]:
    if not isinstance(parameter, click.Option):
        return set()
    return {name for name in (*parameter.opts, *parameter.secondary_opts) if name.startswith("--")}


def test_the_commands_on_the_page_are_those_there_are() -> None:
    assert set(re.findall(r"^### `([\w-]+)`", page("command-line"), re.MULTILINE)) == set(commands())


def test_the_general_options_are_documented() -> None:
    part = page("command-line").partition("## General options")[2].partition("\n## ")[0]
    assert general_options() <= names_in(part) | {"--help"}


@pytest.mark.parametrize("where", all_pages(), ids=lambda path: str(path.relative_to(PROJECT)))
def test_links_and_anchors_resolve(where: Path) -> None:
    broken = []
    for link in links_of(where):
        if re.match(r"[a-z]+:", link):
            continue
        target, _, anchor = link.partition("#")
        path = (where.parent / target).resolve() if target else where
        is_there = path.exists() and (not anchor or anchor in anchors_of(path))
        if not is_there:
            broken.append(link)
    assert broken == []


def test_every_page_can_be_reached_from_the_index() -> None:
    seen, waiting = set[Path](), [PROJECT / "README.md"]
    while waiting:
        here = waiting.pop()
        seen.add(here)
        linked = {(here.parent / link.partition("#")[0]).resolve() for link in links_of(here) if ":" not in link}
        waiting += [path for path in linked if path.suffix == ".md" and path.exists() and path not in seen]
    assert set(DOCS.rglob("*.md")) - seen == set()


def test_the_glossary_has_the_words_of_the_design() -> None:
    words = (
        "scope", "episode", "sequence", "extraction", "revision", "operation", "extractor", "predicate", "subject",
        "slot", "claim", "fact", "decision", "valid time", "transaction time", "said at", "projection", "settled",
        "freshness",
    )  # fmt: skip
    rows = re.findall(r"^\| \*\*([^*]+)\*\*", page("glossary"), re.MULTILINE)
    assert set(words) <= set(rows)
    assert rows == sorted(rows)


def test_the_readme_says_the_version_and_two_commands() -> None:
    readme = (PROJECT / "README.md").read_text(encoding="utf-8")
    assert tensemem.__version__ in readme
    part = readme.partition("## On a new machine")[2].partition("\n## ")[0]
    assert re.findall(r"^make \w+", part, re.MULTILINE) == ["make demo", "make test"]


def test_the_readme_opens_with_the_example_that_is_tried_against_the_wheel() -> None:
    shown: Block = next(block for block in blocks_of(PROJECT / "README.md") if block.language == "python")
    script = (PROJECT / "tests" / "smoke" / "published_example.py").read_text(encoding="utf-8")
    assert shown.text in script


def test_the_changelog_has_the_version() -> None:
    assert f"## [{tensemem.__version__}]" in (PROJECT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_pages_hold_no_unfilled_output() -> None:
    unfilled: list[Any] = [path.name for path in all_pages() if "???" in path.read_text(encoding="utf-8")]
    assert unfilled == []


def test_words_of_the_readme_lead_to_the_glossary() -> None:
    text = (PROJECT / "README.md").read_text(encoding="utf-8")
    linked = set(re.findall(r"\[([\w ]+)\]\(docs/reference/glossary\.md\)", text))
    known = {word.lower() for word in re.findall(r"^\| \*{0,2}([\w ]+?)\*{0,2}[ ,|]", page("glossary"), re.MULTILINE)}
    assert {"operations", "facts", "freshness", "revision"} <= linked
    assert {word.lower().removesuffix("s") for word in linked - {"freshness", "Glossary"}} <= known
