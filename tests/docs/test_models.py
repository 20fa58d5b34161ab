"""What the pages say about model extractors is what there is."""

from __future__ import annotations

import importlib
import re
import tomllib

import pytest

from tensemem.extract import models, named
from tests.docs.pages import DOCS, PROJECT
from tests.docs.signatures import signature_text
from tests.docs.test_coverage import names_in, page, section, signature_in

KINDS = [getattr(models, name) for name in models.__all__ if name != "ModelExtractor"]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_an_extractor_has_its_place_in_the_reference(kind: type) -> None:
    assert section("python-api", kind.__name__)


@pytest.mark.parametrize("name", ["OpenAIExtractor", "OpenAICompatibleExtractor"])
def test_the_arguments_are_those_there_are(name: str) -> None:
    kind = getattr(models, name)
    assert signature_in(section("python-api", name)) == signature_text(name, kind)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_the_variables_it_reads_are_documented(kind: type[models.ModelExtractor]) -> None:
    variables = {*kind.key_variables, *filter(None, [kind.url_variable])}
    assert variables <= names_in(page("settings"))
    assert variables <= names_in((DOCS / "how-to" / "use-a-model.md").read_text(encoding="utf-8"))


def test_every_provider_and_every_extra_is_on_the_page_and_in_the_example() -> None:
    told = (DOCS / "how-to" / "use-a-model.md").read_text(encoding="utf-8")
    example = (PROJECT / "examples" / "model_extractor.py").read_text(encoding="utf-8")
    by_kind = {kind.name for kind in KINDS}
    assert by_kind <= set(named.FACTORIES)
    for name in by_kind:
        assert f'`"{name}:' in told
        assert f"LLM={name}:" in example
    extras = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    for kind in KINDS:
        assert kind.extra in extras
        assert f"`{kind.extra}`" in told
        assert kind.extra in re.findall(r"\w+", next(line for line in extras["all"]))


def test_the_defaults_on_the_page_are_those_there_are() -> None:
    told = (DOCS / "how-to" / "use-a-model.md").read_text(encoding="utf-8")
    base = importlib.import_module("tensemem.extract.models.base")
    defaults = dict(re.findall(r"(\w+)=([^,\s)]+)", signature_text("made", base.ModelExtractor)))
    for name in ("max_output_tokens", "max_concurrency", "max_messages", "debounce"):
        assert re.search(rf"^\| `{name}` \| {defaults[name]} \|", told, re.MULTILINE)
    assert base.LONGEST_WAIT == 60
    assert base.CLOSED_PAUSE == 30
