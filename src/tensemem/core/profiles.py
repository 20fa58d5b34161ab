"""A typed profile as predicates: from pydantic models, or from a TOML file.

A list, set or tuple holds many values, ``Literal`` and ``Enum`` fields are choices, and a model inside a model gives
its fields too: predicates are shared by all subjects. Models are read by their ``model_fields`` alone.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..errors import InvalidTimeError, InvalidValueError, TensememError
from ..model.predicate import Entity, Predicate
from .annotations import Shape, nested_models, shape_of
from .definitions import make_entity, make_predicate, predicate_name_key
from .text import comparison_key

Definitions = tuple[list[Predicate], list[Entity]]


def predicates_of(source: object, read: Callable[[str], bytes] | None = None) -> Definitions:
    """Give the predicates and entities that a profile defines, in order.

    ``source`` is a pydantic model class, the path of a TOML file, the text of one (it has a line break, which no path
    of a profile has), or several of them; ``read`` gives a file's bytes.
    Raises InvalidValueError for what is neither, for a field no value type fits, for bad TOML (with its path and line),
    and where two definitions of one name differ.
    """
    found: Definitions = ([], [])
    for item in _sources(source):
        path = _path_of(item)
        if path is None:
            _add(found, (_model_predicates(item), []))
        elif "\n" in path:
            _add(found, predicates_in_toml(path, "profile"))
        elif read is None:
            raise InvalidValueError(f"{path}: a path needs a reader of files")
        else:
            _add(found, predicates_in_toml(_text_at(path, read), path))
    return found


def predicates_in_toml(text: str, path: str) -> Definitions:
    """Give what a TOML text defines; ``path`` is named in errors, with the line.

    ``[predicates.lives_in]`` takes what ``register_predicate`` takes, ``[entities.PostgreSQL]`` aliases and a kind.
    """
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        fault = str(error).replace("at end of document", f"at the end, line {len(text.splitlines())}")
        raise InvalidValueError(f"{path}: {fault}") from None
    except RecursionError:
        raise InvalidValueError(f"{path}: it is nested too deep") from None
    for name in tables:
        if name not in ("predicates", "entities"):
            raise InvalidValueError(f"{_place(path, text, (name,))}: unknown {name!r}. {_TABLES}")
    predicates = _made(tables, "predicates", make_predicate, path, text)
    return predicates, _made(tables, "entities", make_entity, path, text)


_TABLES = "A profile has tables [predicates.<name>] and [entities.<name>]."


def _sources(source: object) -> list[object]:
    is_one = isinstance(source, (type, Mapping)) or hasattr(source, "model_fields") or _path_of(source) is not None
    return list(source) if not is_one and isinstance(source, Iterable) else [source]


def _path_of(source: object) -> str | None:
    if isinstance(source, str):
        return source
    convert = None if isinstance(source, type) else getattr(source, "__fspath__", None)
    path = convert() if callable(convert) else None
    return path if isinstance(path, str) else None


def _text_at(path: str, read: Callable[[str], bytes]) -> str:
    try:
        return read(path).decode("utf-8-sig")
    except OSError as error:
        raise InvalidValueError(f"{path}: can't be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise InvalidValueError(f"{path}: is not UTF-8 at byte {error.start}; TOML is") from None


def _add(found: Definitions, more: Definitions) -> None:
    """Add definitions; the same again is one, a predicate keeps its first description and examples."""
    known = {predicate_name_key(predicate.name): predicate for predicate in found[0]}
    for predicate in more[0]:
        earlier = known.setdefault(predicate_name_key(predicate.name), predicate)
        if earlier is predicate:
            found[0].append(predicate)
        elif _meaning(earlier) != _meaning(predicate):
            raise InvalidValueError(
                f"{predicate.name} is defined twice, and differently: a predicate is shared by all subjects and "
                f"models. Rename one, or make them the same."
            )
    names = {comparison_key(entity.name) for entity in found[1]}
    for entity in more[1]:
        if comparison_key(entity.name) in names:
            raise InvalidValueError(f"the entity {entity.name} is defined twice")
        found[1].append(entity)


def _meaning(predicate: Predicate) -> tuple[object, ...]:
    return (
        predicate.cardinality, predicate.type, predicate.choices, predicate.ttl, predicate.review_after,
        predicate.writers, predicate.trust, predicate.min_confidence, predicate.verbatim, predicate.aliases,
    )  # fmt: skip


def _model_predicates(source: object) -> list[Predicate]:
    if not isinstance(source, type) or not isinstance(getattr(source, "model_fields", None), Mapping):
        shown = f"the class of it, {type(source).__name__}," if hasattr(type(source), "model_fields") else "a class"
        raise InvalidValueError(f"a profile is a pydantic model or the path of a TOML file. Give {shown} or a path.")
    found: Definitions = ([], [])
    seen: set[type] = set()
    waiting = [source]
    while waiting:
        model = waiting.pop(0)
        if model in seen:
            continue
        seen.add(model)
        for name, info in model.model_fields.items():  # type: ignore[attr-defined]
            inside = nested_models(info.annotation)
            if inside:
                waiting += inside
            else:
                _add(found, ([_field_predicate(model, name, info)], []))
    return found[0]


def _field_predicate(model: type, name: str, info: Any) -> Predicate:
    where = f"{model.__name__}.{name}"
    try:
        shape: Shape = shape_of(info.annotation)
        return make_predicate(
            name, "many" if shape.is_many else "one", type=shape.type, choices=shape.choices or None,
            description=info.description or "",
        )  # fmt: skip
    except InvalidValueError as error:
        raise InvalidValueError(f"{where}: {error}") from None


def _made(tables: Mapping[str, Any], group: str, make: Callable[..., Any], path: str, text: str) -> list[Any]:
    given = tables.get(group, {})
    if not isinstance(given, Mapping):
        raise InvalidValueError(f"{_place(path, text, (group,))}: {group} is no table. {_TABLES}")
    allowed = _PREDICATE_KEYS if group == "predicates" else _ENTITY_KEYS
    found = []
    for name, body in given.items():
        place = _place(path, text, (group, name))
        if not isinstance(body, Mapping):
            raise InvalidValueError(f"{place}: {name!r} is no table. {_TABLES}")
        unknown = [key for key in body if key not in allowed]
        if unknown:
            raise InvalidValueError(f"{place}: unknown {unknown[0]!r}. It may have {', '.join(allowed)}.")
        try:
            found.append(make(name, **body))
        except TensememError as error:
            kind = InvalidTimeError if isinstance(error, InvalidTimeError) else InvalidValueError
            raise kind(f"{place}: {name}: {error}") from None
    _refuse_twins(found, path)
    return found


_PREDICATE_KEYS = (
    "cardinality", "type", "description", "aliases", "choices", "ttl", "review_after", "writers", "trust",
    "min_confidence", "verbatim", "examples",
)  # fmt: skip
_ENTITY_KEYS = ("aliases", "kind")


def _refuse_twins(found: list[Any], path: str) -> None:
    """Two TOML keys may be spellings of one name."""
    seen: dict[str, str] = {}
    for item in found:
        key = predicate_name_key(item.name) if isinstance(item, Predicate) else comparison_key(item.name)
        if key in seen:
            raise InvalidValueError(f"{path}: {seen[key]!r} and {item.name!r} are the same name")
        seen[key] = item.name


def _place(path: str, text: str, keys: tuple[str, ...]) -> str:
    """Give the path, with the line of a table's header or key where it is found in its plain spelling."""
    name = "".join(rf"\s*\.\s*[\"']?{re.escape(key)}[\"']?" for key in keys)[len(r"\s*\.\s*") :]
    header = re.search(rf"^[ \t]*(?:\[\s*{name}\s*[\].]|{name}\s*[=.])", text, re.MULTILINE)
    inner = re.search(rf"^[ \t]*[\"']?{re.escape(keys[-1])}[\"']?\s*[=.]", text, re.MULTILINE)
    found = header or inner
    return path if found is None else f"{path}, line {text.count(chr(10), 0, found.start()) + 1}"
