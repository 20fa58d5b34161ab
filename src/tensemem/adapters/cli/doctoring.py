"""The command that finds out what is wrong: doctor."""

from __future__ import annotations

from collections.abc import Iterator

import click

from tensemem import Diagnosis, Finding
from tensemem.engine.diagnosing import diagnose_at

from .._keys import keys_of
from .exits import DONE, NO, REFUSED
from .options import command
from .session import Session
from .text import Look, safe

_SIGNS = {
    "ok": ("now", "green", ""), "note": ("past", "dim", "note: "), "warning": ("waiting", "yellow", "warning: "),
    "error": ("wrong", "red", "error: "),
}  # fmt: skip
_CODES = {"ok": DONE, "note": DONE, "warning": NO, "error": REFUSED}


@command("doctor")
@click.option("--quick", is_flag=True, help="Leave out what takes long: pages and digests.")
@click.option("--all", "thorough", is_flag=True, help="Fold every log again, and compare indexes with tables.")
@click.pass_context
def doctor(context: click.Context, /, quick: bool, thorough: bool) -> None:
    """Find out what is wrong, and what to do. Also where the memory can't be opened; nothing is written.

    It looks at the file or the server, at who may read it, at room and clock, at what waits and who extracts, in all
    namespaces. Exits with 0 where all is in order, with 1 where something has to be seen to, with 3 where something
    does not work. A memory that tensemem serve holds is looked at by its server, for an admin.
    """
    if quick and thorough:
        raise click.UsageError("--quick and --all are two things; ask for one at a time")
    session = context.ensure_object(Session)
    found = _diagnosed(session, quick=quick, thorough=thorough)
    session.show(found, _lines(found, session.look), level=found.level)
    context.exit(_CODES[found.level])


def _diagnosed(session: Session, *, quick: bool, thorough: bool) -> Diagnosis:
    if session.is_served:
        with session.reading() as mem:
            return mem.doctor(quick=quick, thorough=thorough)
    return diagnose_at(session.db, **keys_of(session.db), namespace=session.tenant, quick=quick, thorough=thorough)


def _lines(found: Diagnosis, look: Look) -> Iterator[str]:
    yield f"{safe(found.location)}"
    for finding in found.findings:
        yield from _told(finding, look)
    seen_to = [finding for finding in found.findings if finding.level in ("warning", "error")]
    yield "all is in order" if not seen_to else f"to be seen to: {', '.join(finding.name for finding in seen_to)}"


def _told(finding: Finding, look: Look) -> Iterator[str]:
    sign, colour, word = _SIGNS[finding.level]
    yield f"  {look.painted(look.drawn(sign), colour)} {finding.name}: {word}{safe(finding.found)}"
    if finding.todo:
        yield f"      {safe(finding.todo)}"
