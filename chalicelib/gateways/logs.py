"""Structured logs that cannot hold personal data.

A log line is what the program says about itself: the text of our own calls (ids and numbers, by the house rules), and
for an exception its types, AWS's error codes and the places in the code. Never an exception's message and never
the values in other libraries' messages, because those quote what people typed.
"""

from __future__ import annotations

import logging
import os
import sys
import traceback
from typing import TextIO

OURS = "guanjun"


class PrivateFormatter(logging.Formatter):
    """One line of JSON for a record, in the form of AWS Lambda Powertools."""

    def __init__(self) -> None:
        super().__init__()
        # Imported late, with the first thing that is worth a line: most starts of a function log nothing.
        from aws_lambda_powertools.logging.formatter import LambdaPowertoolsFormatter

        self._json = LambdaPowertoolsFormatter(
            service=os.environ.get("POWERTOOLS_SERVICE_NAME", OURS),
            stage=os.environ.get("STAGE", "local"),
            function=os.environ.get("AWS_LAMBDA_FUNCTION_NAME", "local"),
        )

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        said = record.getMessage() if record.name.partition(".")[0] == OURS else str(record.msg)
        safe = logging.LogRecord(
            record.name, record.levelno, record.pathname, record.lineno, said, None, None, record.funcName
        )
        safe.created, safe.msecs = record.created, record.msecs
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            safe.exception = [_named(each) for each in _chain(error)]
            safe.frames = [frame for each in _chain(error) for frame in _frames(each)]
        return str(self._json.format(safe))


def _chain(error: BaseException) -> list[BaseException]:
    """An exception and what it was raised from, newest first."""
    found: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and current not in found:
        found.append(current)
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
    return found


def _named(error: BaseException) -> str:
    """Type, and for an error of AWS its code and operation."""
    name = f"{type(error).__module__}.{type(error).__qualname__}"
    response = getattr(error, "response", None)
    code = response.get("Error", {}).get("Code") if isinstance(response, dict) else None
    return f"{name} {code} {getattr(error, 'operation_name', '')}".rstrip() if code else name


def _frames(error: BaseException) -> list[str]:
    return [
        f"{os.path.basename(frame.filename)}:{frame.lineno} {frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)
    ]


class _LateFormatter(logging.Formatter):
    """Makes the formatter when the first record comes."""

    def __init__(self) -> None:
        super().__init__()
        self._made: PrivateFormatter | None = None

    def format(self, record: logging.LogRecord) -> str:
        if self._made is None:
            self._made = PrivateFormatter()
        return self._made.format(record)


def handler(stream: TextIO) -> logging.Handler:
    """A handler that writes private lines to ``stream``."""
    made = logging.StreamHandler(stream)
    made.setFormatter(_LateFormatter())
    return made


def configure() -> None:
    """Let everything this process logs go through the private formatter, and nothing past it.

    Lambda's own handler is replaced: it would print the messages of exceptions.
    """
    root = logging.getLogger()
    root.handlers = [handler(sys.stdout)]
    root.setLevel(logging.WARNING)
    logging.getLogger(OURS).setLevel(logging.INFO)
    # Chalice gives the application's logger a handler of its own, with a plain formatter.
    for name in list(logging.Logger.manager.loggerDict):
        logger = logging.getLogger(name)
        logger.handlers = []
        logger.propagate = True
