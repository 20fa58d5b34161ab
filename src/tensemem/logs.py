"""Logging: what the library says of its work, and never of what it remembers.

All loggers stand under ``tensemem``, one for each part. From INFO upwards a record holds no message text, no value, no
name of a user or subject and no text of an error, which may quote any of them: an error is told by its type and the
place it was raised at. At DEBUG the whole of it follows, for whoever looks for a fault and may see that.

Records carry their parts as attributes (``event``, ``seq``, ``error``, …), for handlers that keep structure.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import traceback
from collections.abc import Mapping
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, TextIO

from .errors import InvalidValueError

ROOT = "tensemem"
LEVEL = "TENSEMEM_LOG_LEVEL"
"""The variable that names a level, where ``configure`` and the command line are given none."""
LEVELS = ("debug", "info", "warning", "error", "critical")

PARTS: Mapping[str, str] = {
    "store": "opening files and databases, upgrades, copies",
    "worker": "taking scopes, leases, signs of life",
    "extract": "asking extractors, keeping their answers",
    "hooks": "hooks and watchers that fail",
    "engine": "everything else between a verb and the store",
}
"""The loggers of the library itself, each under its root; adapters and compat have one for each module."""

FIELDS = (
    "event", "error", "where", "location", "seq", "attempts", "outcome", "hook", "names", "scopes", "texts", "facts",
    "failed",
)  # fmt: skip
"""The attributes that records may carry beside those of every record."""


def keep_silent(name: str) -> None:
    """Have a logger, ours or a driver's, write nothing where the application sets up no logging."""
    logging.getLogger(name).addHandler(logging.NullHandler())


keep_silent(ROOT)


class Log:
    """The logger of one part: a message, the event it tells of, and its fields as attributes of the record."""

    __slots__ = ("_logger",)

    def __init__(self, part: str) -> None:
        self._logger = logging.getLogger(f"{ROOT}.{part}")

    def tell(self, event: str, message: str, *values: object, **fields: object) -> None:
        """Tell what went as it should."""
        self._logger.info(message, *values, extra={"event": event, **fields})

    def caution(self, event: str, message: str, *values: object, **fields: object) -> None:
        """Tell what went wrong and is made up for."""
        self._logger.warning(message, *values, extra={"event": event, **fields})

    def failure(
        self, event: str, message: str, *values: object, error: BaseException, level: int = logging.ERROR,
        **fields: object,
    ) -> None:  # fmt: skip
        """Tell of an error by its type and place; what it says follows at DEBUG."""
        kind, where = type(error).__name__, place_of(error.__traceback__)
        told = {"event": event, "error": kind, "where": where, **fields}
        self._logger.log(level, f"{message} (%s at %s)", *values, kind, where, extra=told)
        if self._logger.isEnabledFor(logging.DEBUG):
            self._logger.debug("what was raised", exc_info=error, extra={"event": f"{event} in full"})


def place_of(trace: TracebackType | None) -> str:
    """Give the file and line that raised, without any text of theirs."""
    frames = traceback.extract_tb(trace, limit=-1)
    return f"{os.path.basename(frames[-1].filename)}:{frames[-1].lineno}" if frames else "an unknown place"


class JsonFormatter(logging.Formatter):
    """One JSON object a line: ``time`` (ISO 8601, UTC), ``level``, ``logger``, ``message``, and the record's fields.

    ``traceback`` is there where a record brings one; the library's do at DEBUG only.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Give the line; what has no form in JSON is written as text."""
        when = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        told: dict[str, Any] = {
            "time": when.replace("+00:00", "Z"), "level": record.levelname.lower(), "logger": record.name,
            "message": record.getMessage(),
        }  # fmt: skip
        told |= {name: value for name, value in vars(record).items() if name not in _OF_EVERY_RECORD}
        if record.exc_info:
            told["traceback"] = self.formatException(record.exc_info)
        return json.dumps(told, ensure_ascii=True, default=str)


_OF_EVERY_RECORD = frozenset(
    {*vars(logging.LogRecord("", 0, "", 0, "", (), None)), "message", "asctime", "taskName", "color_message"}
)


def configure(
    *, level: str | int | None = None, json: bool = False, stream: TextIO | None = None
) -> logging.Handler:
    """Have the library's records written: to standard error, as text or as JSON lines; gives the handler.

    ``level``: a name such as "info", or a number; without one, $TENSEMEM_LOG_LEVEL, else "info". Called again it takes
    the place of what it set up before; other handlers, and the application's own loggers, are left alone. Raises
    InvalidValueError for a level that is none.
    """
    number = level_of(os.environ.get(LEVEL) or "info" if level is None else level)
    handler = logging.StreamHandler(sys.stderr if stream is None else stream)
    handler.setFormatter(JsonFormatter() if json else logging.Formatter(_LINE))
    logger = logging.getLogger(ROOT)
    for old in [one for one in logger.handlers if getattr(one, _MARK, False)]:
        logger.removeHandler(old)
    setattr(handler, _MARK, True)
    logger.addHandler(handler)
    logger.setLevel(number)
    return handler


_LINE = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_MARK = "is_of_tensemem"


def level_of(level: str | int) -> int:
    """Read the name or the number of a level; raises InvalidValueError."""
    if isinstance(level, int) and not isinstance(level, bool) and level >= 0:
        return level
    if isinstance(level, str) and level.strip().lower() in LEVELS:
        return int(getattr(logging, level.strip().upper()))
    raise InvalidValueError(f"the level of logging is one of {', '.join(LEVELS)}, not {level!r}")
