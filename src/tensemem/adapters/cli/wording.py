"""The library's messages in the words of the command line: options in place of arguments, commands in place of verbs.

What stands in quotes is somebody's own (a predicate, a value) and stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextvars import ContextVar

import click

RUNNING: ContextVar[click.Command | None] = ContextVar("running", default=None)
"""The command that runs, whose options messages speak of."""


def worded(text: str, command: click.Command | None = None) -> str:
    """Give a message as somebody at a command line reads it."""
    for said, meant in _PHRASES:
        text = text.replace(said, meant)
    names = _names(command)
    text = _CALL.sub(_command_named, text)
    text = _PASSED.sub(lambda found: _passed(found, names), text)
    return _WORD.sub(lambda found: _named(found, names), text)


def _names(command: click.Command | None) -> dict[str, str]:
    """Give how each argument of a verb is called where a command takes it."""
    found = {one.name: _shown(one) for one in _taken_by(command) if one.name is not None}
    return found | {name: found[meant] for name, meant in _OTHER_NAMES if meant in found and name not in found}


def _taken_by(command: click.Command | None) -> Iterable[click.Parameter]:
    return () if command is None else command.params


def _shown(one: click.Parameter) -> str:
    if isinstance(one, click.Option):
        return max(one.opts, key=len)
    return (one.metavar or str(one.name).upper()).strip("[]")


_OTHER_NAMES = (
    ("every_namespace", "every"), ("user_id", "user"), ("question_id", "id"), ("url", "db"), ("llm", "llm"),
    ("type", "type_"), ("dest", "destination"),
)  # fmt: skip
"""Arguments of verbs that a command keeps under another name."""

_PHRASES = (
    # advice that is another here
    ("leave sign_key out", "unset $TENSEMEM_SIGN_KEY"),
    ("give its sign_key", "put its key into $TENSEMEM_SIGN_KEY"),
    ("sign_key must be", "$TENSEMEM_SIGN_KEY must be"),
    ("needs its format: mem0 or jsonl", "needs --format mem0 or --format jsonl"),
    ("give llm=..., or open the memory with one", "give --llm"),
    ("open the memory with llm=...", "give --llm"),
    ("open it with that namespace, or pass every_namespace=True", "name it with --namespace, or say --all-namespaces"),
    ("open one with namespace=... for each tenant, or one without it for all of them", "--namespace names another"),
    ("make one without namespace=... for all of them", "leave --namespace out for all of them"),
    ("ask a client without namespace=... for that", "leave --namespace out for that"),
    ("open the memory without namespace=... for that", "leave --namespace out for that"),
    ("make one without namespace=...", "leave --namespace out for that"),
    (", or say insecure=True where something else keeps the way private", ""),
    ("give a token as token=..., and nothing behind", "the token is in $TENSEMEM_TOKEN, and nothing is to follow"),
    ("; a longer timeout= waits for it", ""),
    (", or raise max_content", ""),
    ("with verify=PATH or in $TENSEMEM_CA", "with --ca PATH or in $TENSEMEM_CA"),
    ("to write it, pass dry_run=False", "to write it, leave --dry-run out"),
    ("erase(user_id, seq)", "'tensemem erase USER SEQ'"),
    ("give fact_id alone", "give --fact alone"),
    ("forget(user_id, ...)", "'tensemem forget USER'"),
    ("record(valid_from=...)", "'tensemem record' with --valid-from"),
    ("register('personal')", "'tensemem register --file personal'"),
    ("register_predicate(name, examples=['I live in {value}'], update=True)",
     "'tensemem register NAME --example \"I live in {value}\" --update'"),
    # keys
    ("open it with its key and shred=True, or with shred= and where its key store is",
     "$TENSEMEM_KEY is to hold its key, and $TENSEMEM_SHRED a 1, or where its key store is"),
    ("open a new one with shred=, and copy this one into it with copy_to",
     "copy this one into a new one with 'tensemem copy' and $TENSEMEM_NEW_SHRED"),
    ("it goes with shred=, a key per person", "it goes with $TENSEMEM_SHRED, a key per person"),
    ("shred= needs key=:", "$TENSEMEM_SHRED needs $TENSEMEM_KEY:"),
    ("shred must be True, or say", "$TENSEMEM_SHRED must be 1, or say"),
    ("Give an aware datetime, a date, or ISO 8601 text such as", "Give ISO 8601 text such as"),
)  # fmt: skip
"""What messages say, and what is said here instead; longer ones before what is in them."""

_QUOTED = r"(?<!\w)(?:'[^']*'|\"[^\"]*\")(?!\w)"
_VERBS = {
    "register_predicate": "register", "register_entity": "register --entity", "register": "register --file",
    "copy_to": "copy", "import_": "import", "apply_retention": "purge --due",
}  # fmt: skip
_CALLED = (
    "add", "add_value", "add_many", "answer", "apply_retention", "backup", "changes", "confirm", "context",
    "copy_to", "correct", "decisions", "deny", "digest", "dismiss", "doctor", "erase", "explain", "export",
    "flush", "forget", "get", "history", "import_", "jobs", "messages", "predicates", "preview", "proposals",
    "purge", "questions", "rebuild", "record", "reextract", "register", "register_entity", "register_predicate",
    "reinstate", "rekey", "remove_value", "replace_values", "retain", "retract", "retry", "review", "scopes",
    "search", "set", "state", "stats", "verify", "write",
)  # fmt: skip
"""Verbs that are commands."""
_CONSTANTS = {"None": "null", "True": "true", "False": "false"}
"""How a value is written as JSON, which is what can be given here."""
_CALL = re.compile(rf"{_QUOTED}|\b({'|'.join(_CALLED)})\(('[^']*')?\)")
_PASSED = re.compile(
    rf"{_QUOTED}|\b(?:(pass|leave|give|with|say) )?([a-z]+(?:_[a-z]+)*)=(True|False|None|\.\.\.|'[^']*')?(?!\w)"
)
_WORD = re.compile(
    rf"{_QUOTED}|\b(?:[a-z]+(?:_[a-z]+)+)\b|(?:\A|(?<=: ))[a-z]+(?=:| must | lies | needs | is not )"
    r"|\b(?:None|True|False)\b"
)


def _command_named(found: re.Match[str]) -> str:
    """Give a call as the command of that verb."""
    if found[1] is None:
        return found[0]
    verb = _VERBS.get(found[1], found[1].replace("_", "-"))
    return f"'tensemem {verb}{' ' + found[2][1:-1] if found[2] else ''}'"


def _passed(found: re.Match[str], names: dict[str, str]) -> str:
    """Give an argument that is passed as the option that is given."""
    word, name, value = found[1], found[2], found[3]
    if name not in names:
        return found[0]
    before = f"{'say' if word == 'pass' else word} " if word else ""
    if value in ("False", "None"):
        return f"leave {names[name]} out"
    return f"{before}{names[name]}{' ' + value[1:-1] if value and value.startswith(chr(39)) else ''}"


def _named(found: re.Match[str], names: dict[str, str]) -> str:
    """Give the name of an argument as the option's; what is quoted stays, and what is a command's is one."""
    word = found[0]
    if word in _CONSTANTS:
        return _CONSTANTS[word]
    if word in names and not word.startswith(("'", '"')):
        return names[word]
    return f"'tensemem {_VERBS.get(word, word.replace('_', '-'))}'" if "_" in word and word in _CALLED else word
