"""Score an extractor on the sentences: false assertions, recall and precision by language.

    python tools/extraction_score.py [--extractor offline|MODULE:ATTRIBUTE] [--registry MODULE:ATTRIBUTE]
                                     [--half dev|test] [--language en|zh|es|de] [--show false|missed] [--json]

The extractor is asked about each sentence alone, through a public `ExtractionRequest` with every predicate registered.
`offline` is `tensemem.OfflineExtractor`, with the ready vocabularies registered; another is an extractor, a class of
one, or a plain callable, with bare predicates. `--registry` names predicates to be registered instead, for an extractor
that learns from their examples; those the sentences do not speak of are left out. With `--show`, each fault is printed
with its sentence; of the test half only the figures should be looked at by whoever writes an extractor.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]

from tensemem import Memory, Operation, Predicate, vocabulary  # noqa: E402 - the folders of this project come first
from tensemem.extract.calling import CallableExtractor, Malformed, as_extractor  # noqa: E402
from tensemem.ports import ExtractionRequest, RequestMessage  # noqa: E402
from tests.extract.sentences import LANGUAGES, PREDICATES, Expectation, load  # noqa: E402
from tests.extract.sentences.scoring import TOTAL, Extract, Figures, Score, score  # noqa: E402

OFFLINE = "tensemem:OfflineExtractor"
SAID_AT = datetime(2026, 3, 5, 12, tzinfo=UTC)


def main(arguments: Sequence[str] | None = None) -> int:
    """Score and print; return 0, or 2 where the extractor can't be had."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--extractor", default="offline", help="offline, or MODULE:ATTRIBUTE")
    parser.add_argument("--registry", help="MODULE:ATTRIBUTE of the predicates to register")
    parser.add_argument("--half", choices=["dev", "test"])
    parser.add_argument("--batch", default="", help="only ids that begin with this behind the language: a, b, 0")
    parser.add_argument("--language", choices=LANGUAGES)
    parser.add_argument("--show", choices=["false", "missed"])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(arguments)
    try:
        extractor = as_extractor(_made(named(OFFLINE if options.extractor == "offline" else options.extractor)))
        predicates = ready() if options.extractor == "offline" else PREDICATES
        if options.registry is not None:
            predicates = known(named(options.registry))
    except (ImportError, AttributeError, ValueError) as error:
        print(f"{error}; name it as MODULE:ATTRIBUTE", file=sys.stderr)
        return 2
    chosen = [s for s in load(options.language, options.half) if s.id.partition("-")[2].startswith(options.batch)]
    result = score(asking(extractor, predicates), chosen)
    print("\n".join(report(result, options.show, is_json=options.json)))
    return 0


def named(place: str) -> Any:
    """Give what MODULE:ATTRIBUTE names; raises ImportError, AttributeError or ValueError where there is none."""
    module, colon, attribute = place.partition(":")
    if not colon:
        raise ValueError(f"{place!r} names no attribute of a module")
    return getattr(import_module(module), attribute)


def ready() -> tuple[Predicate, ...]:
    """The predicates of the vocabularies that ship."""
    with Memory(":memory:", llm=False) as mem:
        for path in (vocabulary.PERSONAL, vocabulary.PROJECT):
            mem.register(path)
        return known(mem.predicates())


def known(predicates: Any) -> tuple[Predicate, ...]:
    """Those of the predicates (a collection, or a function that gives one) that the sentences speak of."""
    every = predicates() if callable(predicates) else predicates
    names = {one.name for one in PREDICATES}
    chosen = tuple(one for one in every if one.name in names)
    bare = tuple(one for one in PREDICATES if one.name not in {own.name for own in chosen})
    return chosen + bare


def asking(extractor: CallableExtractor, predicates: tuple[Predicate, ...]) -> Extract:
    """Give the function that asks an extractor about one text; it raises ValueError for a malformed operation."""

    def extract(language: str, text: str) -> list[Operation]:
        message = RequestMessage(text, "user", SAID_AT)
        answer = extractor.call(ExtractionRequest((message,), predicates=predicates))
        bad = next((one for one in answer.operations if isinstance(one, Malformed)), None)
        if bad is not None:
            raise ValueError(f"{extractor.name} answered {text!r} ({language}) with {bad.raw}: {bad.why}")
        return [one for one in answer.operations if isinstance(one, Operation)]

    return extract


def report(result: Score, show: str | None, *, is_json: bool = False) -> Iterator[str]:
    """The lines to print: a table by language, one by kind, and the faults that are asked for."""
    languages = {**result.by_language(), TOTAL: result.total}
    if is_json:
        yield json.dumps({name: _with_rates(figures) for name, figures in languages.items()}, indent=1)
        return
    yield from _table("language", languages)
    yield ""
    yield from _table("kind", result.by_kind())
    if show is not None:
        yield ""
        yield from _faults(result, show)


def _made(extractor: Any) -> Any:
    return extractor() if isinstance(extractor, type) else extractor


def _table(title: str, figures: dict[str, Figures]) -> Iterator[str]:
    counted = f"{'sentences':>10}{'false':>7}{'rate':>8}{'expected':>10}{'found':>7}"
    yield f"{title:<13}{counted}{'recall':>8}{'precision':>11}"
    for name, one in figures.items():
        counts = f"{name:<13}{one.sentences:>10}{one.false:>7}{one.rate:>8.1%}{one.expected:>10}{one.found:>7}"
        yield f"{counts}{one.recall:>8.1%}{one.precision:>11.1%}"


def _with_rates(figures: Figures) -> dict[str, Any]:
    return {**asdict(figures), "rate": figures.rate, "recall": figures.recall, "precision": figures.precision}


def _faults(result: Score, show: str) -> Iterator[str]:
    for one in result.judged:
        faults = map(_told, one.false) if show == "false" else map(_asked, one.missed)
        for fault in faults:
            yield f"{one.sentence.id} {one.sentence.kind:<12} {one.sentence.text!r}\n    {fault}"


def _told(operation: Operation) -> str:
    return f"{operation.op} {operation.predicate} = {operation.value!r} of {operation.subject}"


def _asked(asked: Expectation) -> str:
    values = " or ".join(map(repr, asked.values)) or "whatever holds"
    return f"{asked.op} {asked.predicate} = {values} of {' or '.join(asked.subjects)}"


if __name__ == "__main__":
    sys.exit(main())
